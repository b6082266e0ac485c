internal import CFFmpeg

/// Writes all that a source holds, packet by packet as it is, into a Matroska file, with a track of subtitles more.
///
/// Matroska counts thousandths of a second from zero: the stamps are rounded to these, and where the source begins before
/// zero, all lie behind by as much.
final class SourceCopy {
    /// The track that is added.
    struct Subtitles {
        /// All before the events, as a script has it.
        var header: String
        var title: String
    }

    /// One of its events, as Matroska has it.
    struct Event {
        /// Milliseconds of the output.
        var start: Int64
        var end: Int64
        var text: String
    }

    /// The final name, for messages.
    private let path: String
    private let demuxer: Demuxer
    private let output: UnsafeMutablePointer<AVFormatContext>
    private var isClosed = false
    /// Ticks of the main video's time base, added to its stamps.
    private let offset: Int64
    private let timeBase: AVRational
    private let main: Int32
    /// The output's stream of each of the source's; nil for those that are left out.
    private var streams: [CopiedStream?] = []
    private var overlay: UnsafeMutablePointer<AVStream>?
    private let file: String
    private var isTurned = false
    private(set) var notes: [String] = []

    init(_ output: OutputFile, of demuxer: Demuxer, offset: Int64, subtitles: Subtitles) throws {
        (path, file) = (output.target, output.temporary)
        self.demuxer = demuxer
        self.offset = offset
        let video = try demuxer.videoStream()
        (timeBase, main) = (video.pointee.time_base, video.pointee.index)
        var context: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&context, nil, "matroska", file), "create", path)
        guard let context else { throw outOfMemory("create", path) }
        self.output = context
        // From here on `deinit` closes the file, also where this throws.
        var left = LeftOut()
        for stream in demuxer.streams {
            streams.append(try CopiedStream(stream, of: demuxer, into: context, path: path, &left))
        }
        isTurned = streams.contains { $0?.isTurned ?? false }
        notes = left.notes + streams.compactMap { $0?.note }
        try add(subtitles)
        try writeHeader()
    }

    deinit { close() }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        if output.pointee.pb != nil { avio_closep(&output.pointee.pb) }
        avformat_free_context(output)
    }

    private func add(_ subtitles: Subtitles) throws {
        guard let stream = avformat_new_stream(output, nil) else { throw outOfMemory("create", path) }
        let parameters = stream.pointee.codecpar
        parameters?.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters?.pointee.codec_id = AV_CODEC_ID_ASS
        _ = try Array(subtitles.header.utf8).withUnsafeBytes {
            try check(cff_set_extradata(parameters, $0.baseAddress, $0.count), "create", path)
        }
        stream.pointee.disposition = AV_DISPOSITION_DEFAULT
        av_dict_set(&stream.pointee.metadata, "title", subtitles.title, 0)
        overlay = stream
    }

    private func writeHeader() throws {
        av_dict_copy(&output.pointee.metadata, demuxer.context.pointee.metadata, 0)
        // What an MP4 says of itself.
        for key in ["major_brand", "minor_version", "compatible_brands"] {
            av_dict_set(&output.pointee.metadata, key, nil, 0)
        }
        try check(cff_copy_chapters(output, demuxer.context, offset, timeBase), "copy the chapters of", demuxer.path)
        try check(avio_open(&output.pointee.pb, "file:" + file, AVIO_FLAG_WRITE), "create", path)
        // No dates, versions or random identifiers: the same input gives the same bytes.
        output.pointee.flags |= AVFMT_FLAG_BITEXACT
        // The offset is ours: the overlay has to know it.
        output.pointee.avoid_negative_ts = 0
        output.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "default_mode", "passthrough", 0)
        // What `MatroskaRotation` changes would make the sums wrong.
        if isTurned { av_dict_set(&options, "write_crc32", "0", 0) }
        try check(avformat_write_header(output, &options), "write the header of", path)
    }

    // MARK: Packets

    /// Copies the whole source.
    /// - Parameter next: The next event, in the order of their starts; nil after the last one.
    func run(_ next: () throws -> Event?) throws {
        var event = try next()
        var hidden = 0
        while let packet = try demuxer.next() {
            let index = Int(packet.av.pointee.stream_index)
            guard streams.indices.contains(index), let stream = streams[index] else { continue }
            if index == main, packet.av.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { hidden += 1 }
            guard let packet = try stream.packet(packet, offset: offset, of: timeBase) else { continue }
            let time = packet.av.pointee.dts == cff_no_pts ? packet.av.pointee.pts : packet.av.pointee.dts
            // Before the pictures that it is laid over.
            while let due = event, due.start <= time {
                try write(due)
                event = try next()
            }
            try check(av_interleaved_write_frame(output, packet.av), "write", path)
        }
        while let due = event {
            try write(due)
            event = try next()
        }
        try check(av_write_trailer(output), "finish", path)
        let code = avio_closep(&output.pointee.pb)
        try check(code, "finish", path)
        close()
        if isTurned { try MatroskaRotation.finish(file, path: path) }
        if hidden > 0 {
            notes.append(
                "\(hidden) pictures that the input's edit list hides are shown: Matroska has no such lists")
        }
    }

    private func write(_ event: Event) throws {
        let packet = try Packet()
        let bytes = Array(event.text.utf8)
        try check(av_new_packet(packet.av, Int32(clamping: bytes.count)), "write", path)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress, let data = packet.av.pointee.data {
                UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: source.count)
            }
        }
        packet.av.pointee.stream_index = overlay?.pointee.index ?? 0
        (packet.av.pointee.pts, packet.av.pointee.dts) = (event.start, event.start)
        packet.av.pointee.duration = event.end - event.start
        packet.av.pointee.flags |= AV_PKT_FLAG_KEY
        try check(av_interleaved_write_frame(output, packet.av), "write", path)
    }

    // MARK: Times

    /// A stamp of the main video as the copy has it.
    static func milliseconds(_ ticks: Int64, offset: Int64, timeBase: Rational) -> Int64 {
        av_rescale_q(ticks &+ offset, timeBase.av, AVRational(num: 1, den: 1000))
    }

    /// Packets that are looked at, of all streams.
    private static let mostLookedAt = 4096
    /// Of each stream: the first in the file needn't be the first shown.
    private static let looksAt = 32

    /// How far the copy's stamps have to lie behind the source's, ticks of the main video's time base: 0 but for a source
    /// that starts before zero.
    /// - Parameter demuxer: At the start of the file; it is read from.
    /// - Throws: `FileError` where pictures have no times.
    static func offset(for demuxer: Demuxer) throws -> Int64 {
        let video = try demuxer.videoStream()
        let (main, timeBase) = (video.pointee.index, video.pointee.time_base)
        var counts: [Int32: Int] = [:]
        for stream in demuxer.streams {
            let type = stream.pointee.codecpar.pointee.codec_type
            let isAwaited = type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO
            if isAwaited, stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 {
                counts[stream.pointee.index] = 0
            }
        }
        guard counts[main] != nil else {
            throw FileError("copy", path: demuxer.path, reason: "its only picture is a cover; expected a video")
        }
        var earliest: Int64 = 0
        for _ in 0..<mostLookedAt where counts.values.contains(where: { $0 < looksAt }) {
            guard let packet = try demuxer.next() else { break }
            let (index, pts) = (packet.av.pointee.stream_index, packet.av.pointee.pts)
            guard let count = counts[index], let stream = demuxer.context.pointee.streams[Int(index)] else { continue }
            counts[index] = count + 1
            if pts == cff_no_pts {
                guard index == main else { continue }
                throw FileError(
                    "copy", path: demuxer.path,
                    reason: "its packets say no times of their pictures, which Matroska needs; encode it, or remux it first")
            }
            earliest = min(
                earliest, av_rescale_q_rnd(pts, stream.pointee.time_base, timeBase, AV_ROUND_DOWN))
        }
        guard earliest > -(1 << 52) else {
            throw FileError("copy", path: demuxer.path, reason: "its time stamps run out of all bounds (\(earliest))")
        }
        return -earliest
    }
}

/// What of a source doesn't go into Matroska.
struct LeftOut {
    private var kinds: [(name: String, count: Int)] = []

    mutating func add(_ kind: String) {
        if let known = kinds.firstIndex(where: { $0.name == kind }) {
            kinds[known].count += 1
        } else {
            kinds.append((kind, 1))
        }
    }

    var notes: [String] {
        kinds.map { "\($0.count) \($0.name) \($0.count == 1 ? "stream" : "streams") left out: Matroska can't hold it" }
    }
}
