internal import CFFmpeg

/// Decodes the packets of a video, several pictures at once where that gives what one thread gives.
///
/// A decoder that works on several pictures tells of damage late or never, but hints that there is some before the first
/// picture that is wrong comes out. Then what is under way is thrown away, and decoded again on one thread, from the last
/// place where that can begin. What a damaged picture looks like depends on all that its decoder has done before: where one
/// thread comes upon damage it begins once more, with a decoder that has done nothing, at the last such place before it. So
/// pictures and the account of damage are the same for any number of threads.
final class PictureDecoder {
    private let stream: UnsafeMutablePointer<AVStream>
    private let path: String
    private let toleratesDamage: Bool
    private let maximumPixels: Int
    private let contents: PacketContentReader
    private var decoder: Decoder
    /// What is needed to begin again, as long as nothing is damaged; nil where it isn't needed.
    private var restart: Restart?
    private var isAhead: Bool
    /// Pictures still to come for the second time.
    private var repeated = 0
    private var isDraining = false
    private(set) var damage: SourceDamage
    /// Number of the last packet of those whose pictures have come; 0 where the decoder doesn't tell.
    private(set) var reached: Int64 = 0

    /// Codecs whose decoders work on several pictures at once, and hint at every damage then. HEVC's doesn't.
    private static let hinting = [AV_CODEC_ID_H264, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1]

    /// The calling thread waits for the others, most of the time. Each has pictures of its own in memory: six cost less than
    /// 40 MB at 1920×1080.
    private static func threads(for stream: UnsafeMutablePointer<AVStream>, cores: Int) -> Int {
        let parameters = stream.pointee.codecpar.pointee
        let pixels = max(1, Int(parameters.width) * Int(parameters.height))
        return min(cores + 1, max(6, min(16, 6 * 1920 * 1080 / pixels)))
    }

    /// - Parameters:
    ///   - threads: how many cores the decoder may fill.
    ///   - canReadAgain: whether the packets can be read a second time.
    init(
        stream: UnsafeMutablePointer<AVStream>, path: String, threads: Int, policy: DamagePolicy, maximumPixels: Int,
        canReadAgain: Bool
    ) throws {
        (self.stream, self.path, self.maximumPixels) = (stream, path, maximumPixels)
        toleratesDamage = policy != .fail
        contents = try PacketContentReader(stream: stream)
        damage = SourceDamage(policy: policy, path: path, mayHideFields: contents.mayHideFields)
        let isHinting = Self.hinting.contains(stream.pointee.codecpar.pointee.codec_id)
        if isHinting { restart = Restart(damage: damage, stream: stream, canReadAgain: canReadAgain) }
        isAhead = isHinting && threads > 1
        let count = threads > 1 ? Self.threads(for: stream, cores: threads) : 1
        decoder = try Decoder(
            stream: stream, path: path, threads: isHinting ? .pictures(count) : .slices(toleratesDamage ? 1 : threads),
            toleratesDamage: toleratesDamage, maximumPixels: maximumPixels)
    }

    /// The next picture in the order of presentation; nil after the last one.
    /// - Parameter ordinal: Its number.
    /// - Throws: `FileError` of the packets, and where something is damaged and mustn't be.
    func next(_ packets: PacketFeed, ordinal: Int) throws -> FrameBuffer? {
        while restart != nil {
            switch try undamaged(packets, ordinal: ordinal) {
            case .picture(let picture): return reach(picture, packets)
            case .end: return reach(nil, packets)
            case .damage: try beginAgain(packets)
            }
        }
        return reach(try straight(packets, ordinal: ordinal), packets)
    }

    private func reach(_ picture: FrameBuffer?, _ packets: PacketFeed) -> FrameBuffer? {
        guard let picture else {
            reached = .max
            return nil
        }
        let number = cff_frame_packet(picture.av)
        reached = max(reached, number > 0 ? number : packets.count)
        return picture
    }

    // MARK: Past damage, and where nothing hints at it

    private func straight(_ packets: PacketFeed, ordinal: Int) throws -> FrameBuffer? {
        while true {
            if let picture = try tolerant(ordinal, { try decoder.receive() }) ?? nil {
                try damage.received(picture, ordinal: ordinal, reorders: decoder.reorders)
                guard repeated > 0 else { return picture }
                repeated -= 1
                continue
            }
            if isDraining {
                try damage.ended(ordinal: ordinal)
                return nil
            }
            guard let packet = try packets.next() else {
                isDraining = true
                if let shortfall = packets.shortfall() {
                    try damage.ended(before: shortfall)
                }
                _ = try tolerant(ordinal) { try decoder.send(nil) }
                continue
            }
            if try damage.sent(packet.packet, packet.content(by: contents), ordinal: ordinal) {
                _ = try tolerant(ordinal) { try decoder.send(packet.packet) }
            }
        }
    }

    /// Counts what the decoder refuses; any other failure is the file's end.
    private func tolerant<Result>(_ ordinal: Int, _ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileError where Self.isDamage(error.code) || ordinal > 0 && error.code == -EINVAL {
            try damage.refused(error, before: ordinal)
            return nil
        }
    }

    /// Some decoders have words of their own for a packet that they can't make out; those of libraries behind them, zlib's for
    /// PNG say, are FFmpeg's “external”. Sizes out of all bounds are an “invalid
    /// argument”: before the first picture that is told of as it is.
    private static func isDamage(_ code: Int32) -> Bool {
        [cff_error_invalid_data, cff_error_unsupported, cff_error_not_permitted, cff_error_external].contains(code)
    }

    // MARK: As long as nothing is damaged

    private enum Undamaged {
        case picture(FrameBuffer)
        case end
        /// Something is damaged, or may be.
        case damage
    }

    private func undamaged(_ packets: PacketFeed, ordinal: Int) throws -> Undamaged {
        do {
            while let picture = try step(packets) {
                guard !decoder.hintsAtDamage else { return .damage }
                guard let picture else { continue }
                guard try take(picture, ordinal) else { return .damage }
                guard repeated > 0 else { return .picture(picture) }
                repeated -= 1
            }
            guard !decoder.hintsAtDamage, let isNone = try restart?.end(&damage, contents: contents, ordinal: ordinal)
            else { return .damage }
            return isNone ? .end : .damage
        } catch is FileError where !packets.isCancelled {
            // It comes to the same end once more, or to another one, which is the true one.
            return .damage
        }
    }

    /// Takes a picture, or hands in a packet where there is none yet.
    /// - Returns: nil when all pictures are out.
    private func step(_ packets: PacketFeed) throws -> FrameBuffer?? {
        if let picture = try decoder.receive() { return picture }
        guard !isDraining else { return nil }
        guard let packet = try packets.next() else {
            if let shortfall = packets.shortfall() { throw FileError("read", path: path, reason: shortfall.reason) }
            isDraining = true
            try decoder.send(nil)
            return .some(nil)
        }
        restart?.add(packet)
        if restart?.isTooLong == true { throw FileError("decode", path: path, reason: "no key picture for long") }
        // An empty one would end the decoding.
        if packet.packet.av.pointee.size > 0 { try decoder.send(packet.packet) }
        return .some(nil)
    }

    private func take(_ picture: FrameBuffer, _ ordinal: Int) throws -> Bool {
        try restart?.take(picture, delay: decoder.delay, into: &damage, contents: contents, ordinal: ordinal) ?? false
    }

    /// Goes back to the last place where a new decoder can begin: on one thread, and, where that has come upon damage, past it.
    private func beginAgain(_ packets: PacketFeed) throws {
        guard let restart else { return }
        self.restart = isAhead ? restart.again : nil
        isAhead = false
        decoder = try Decoder(
            stream: stream, path: path, threads: self.restart != nil ? .pictures(1) : .slices(1),
            toleratesDamage: toleratesDamage, maximumPixels: maximumPixels)
        if let delay = restart.delay, let first = restart.first {
            // What the first packet says of its encoder and of all that follows isn't said again.
            _ = try tolerant(0) { try decoder.send(first) }
            while try tolerant(0, { try decoder.receive() }) ?? nil != nil {}
            decoder.forgetPictures()
            decoder.delay = delay
        }
        damage = restart.damage
        (repeated, isDraining) = (repeated + restart.given, false)
        try packets.goBack(to: restart.number, restart.isCut ? nil : restart.packets)
    }
}
