internal import CFFmpeg

/// The packets of a file's video, one after the other; those of its sound that lie between them wait aside.
final class PacketFeed {
    private let demuxer: Demuxer
    private let stream: UnsafeMutablePointer<AVStream>
    private let info: SourceInfo
    private let keepsAudio: Bool
    private let looksForEnd: Bool
    /// Whether packets can be read a second time, from the file's start.
    let canReadAgain: Bool
    /// Packets that were read before a range, or handed back.
    private var waiting: ArraySlice<VideoPacket> = []
    private var prerolled: ArraySlice<Packet>
    private var audio: [(after: Int64, packet: Packet)]
    private var extent = SourceExtent()
    /// How many packets of the video have been read.
    private(set) var count: Int64 = 0
    /// A second reader of the same file, which goes over packets that have been read, and the number of its last one.
    private var again: (demuxer: Demuxer, number: Int64)?
    /// Why FFmpeg's demuxer didn't go on, where it gave up before the file's end; nil where it didn't.
    private var illegible: String?
    /// How reading ended: nil for the end of the file.
    private var end: Result<Void, any Error>?

    /// - Parameters:
    ///   - preroll: Packets that have been read already.
    ///   - looksForEnd: Whether pictures that are missing at the end are to be told of.
    init(
        _ demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>, _ info: SourceInfo, preroll: Preroll?,
        keepsAudio: Bool, looksForEnd: Bool
    ) {
        (self.demuxer, self.stream, self.info) = (demuxer, stream, info)
        (self.keepsAudio, self.looksForEnd) = (keepsAudio, looksForEnd)
        canReadAgain = demuxer.input != .standardInput && preroll == nil
        prerolled = preroll?.video[...] ?? []
        audio = preroll?.audio.map { (0, $0) } ?? []
    }

    /// Whether nobody waits for the rest.
    var isCancelled: Bool { demuxer.cancellation?.isCancelled == true }

    /// The next packet of the video, nil after the last one.
    func next() throws -> VideoPacket? {
        if let packet = try waiting.popFirst() ?? nextAgain() { return packet }
        while end == nil {
            do {
                guard let packet = try prerolled.popFirst() ?? demuxer.next() else {
                    end = .success(())
                    break
                }
                let isVideo = packet.av.pointee.stream_index == stream.pointee.index
                extent.add(packet, of: demuxer.context, isVideo: isVideo)
                if isVideo {
                    count += 1
                    return VideoPacket(packet, number: count)
                }
                if keepsAudio { audio.append((count, packet)) }
            } catch let error as FileError where looksForEnd && count > 0 && Self.isIllegible(error) {
                // What was read stands: it is a file without its end.
                (end, illegible) = (.success(()), "it can't be read any further: \(error.reason)")
            } catch {
                end = .failure(error)
            }
        }
        try end?.get()
        return nil
    }

    /// Whether the container's contents are what was wrong, and not the disk.
    private static func isIllegible(_ error: FileError) -> Bool {
        [cff_error_invalid_data, cff_error_unsupported].contains(error.code)
    }

    /// Goes back to a packet that has been read.
    /// - Parameter packets: Those from there on; nil where they have to be read again.
    /// - Throws: `FileError`.
    func goBack(to number: Int64, _ packets: [VideoPacket]?) throws {
        if let packets {
            waiting = packets + waiting
            return
        }
        waiting = []
        again = (try demuxer.again(), 0)
        while let last = again?.number, last < number - 1 { _ = try nextAgain() }
    }

    /// The next packet of those that are read a second time; nil where all have been.
    private func nextAgain() throws -> VideoPacket? {
        guard let (demuxer, number) = again, number < count else {
            again = nil
            return nil
        }
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            again = (demuxer, number + 1)
            return VideoPacket(packet, number: number + 1)
        }
        throw FileError("read", path: demuxer.path, reason: "it became shorter while it was read")
    }

    /// What the file should hold behind its last packet and doesn't; nil where nothing tells of more.
    func shortfall() -> Shortfall? {
        guard looksForEnd else { return nil }
        if let illegible { return Shortfall(reason: illegible, isThere: true) }
        if let shortfall = extent.shortfall(of: stream, info) { return shortfall }
        guard case .file(let file) = demuxer.input else { return nil }
        return ContainerEnd.shortfall(file, container: info.container, last: extent.last)
    }

    /// The sound since the last call that lies before the packet of a number. How far ahead packets have been read
    /// makes no difference.
    func takeAudio(through number: Int64) -> [Packet] {
        let taken = audio.prefix { $0.after < number }.map(\.packet)
        audio.removeFirst(taken.count)
        return taken
    }

    /// Sound may lie some pictures behind: reads on to a packet of the video, and keeps the sound before it.
    func readAudio(through number: Int64) {
        guard keepsAudio else { return }
        // What can't be read there isn't asked for.
        while count < number, let _ = try? next() {}
    }
}
