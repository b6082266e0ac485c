internal import CFFmpeg
internal import Glibc

/// Writes all that a source holds, packet by packet as it is, into a Matroska file, with a track of subtitles more.
///
/// Matroska counts thousandths of a second from zero: the stamps are rounded to these, and where the source begins before
/// zero, all lie behind by as much.
package final class SourceCopy {
    /// The track of subtitles that is added.
    package struct Subtitles {
        /// The script's text before its events.
        package var header: String
        package var title: String

        package init(header: String, title: String) { (self.header, self.title) = (header, title) }
    }

    /// An event of the subtitles, as Matroska has it.
    package struct Event {
        /// When it begins, milliseconds of the output.
        package var start: Int64
        package var end: Int64
        package var text: String

        package init(start: Int64, end: Int64, text: String) { (self.start, self.end, self.text) = (start, end, text) }
    }

    /// The track's title, by which `verify` too tells what the video is.
    package static let overlayTitle = "annotate-batch"

    /// The final name, for messages.
    private let path: String
    private let source: CopySource
    private let output: UnsafeMutablePointer<AVFormatContext>
    private var isClosed = false
    private let timeBase: AVRational
    private let main: Int32
    /// The output's stream of each of the source's; nil for those that are left out.
    private var streams: [CopiedStream?] = []
    private var overlay: UnsafeMutablePointer<AVStream>?
    private let file: String
    private var isTurned = false
    /// The decoding time of each stream's last packet, in the output's time bases.
    private var last: [Int32: Int64] = [:]
    package private(set) var notes: [String] = []
    /// Whether what the source says of how its pictures are coded changes on the way: then it is no proof of all that the first
    /// comes out.
    package var isRedescribed: Bool { streams.indices.contains(Int(main)) && streams[Int(main)]?.isRedescribed == true }
    /// Pictures that the source's edit list hides.
    package private(set) var hidden = 0

    package init(_ output: OutputFile, of source: CopySource, subtitles: Subtitles) throws {
        initializeMedia()
        (path, file) = (output.target, output.temporary)
        self.source = source
        let demuxer = source.demuxer
        let video = try demuxer.videoStream()
        (timeBase, main) = (video.pointee.time_base, video.pointee.index)
        var context: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&context, nil, "matroska", file), "create", path)
        guard let context else { throw outOfMemory("create", path) }
        self.output = context
        // From here on `deinit` closes the file, also where this throws.
        var left = OmittedStreams()
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
        let demuxer = source.demuxer
        av_dict_copy(&output.pointee.metadata, demuxer.context.pointee.metadata, 0)
        // What an MP4 says of itself.
        for key in ["major_brand", "minor_version", "compatible_brands"] {
            av_dict_set(&output.pointee.metadata, key, nil, 0)
        }
        try check(
            cff_copy_chapters(output, demuxer.context, source.offset, timeBase), "copy the chapters of", demuxer.path)
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
        do {
            try check(avformat_write_header(output, &options), "write the header of", path)
        } catch let error as FileError where Self.isRefusal(error.code) {
            throw FileError(
                "copy", path: demuxer.path, code: error.code,
                reason:
                    "Matroska can't describe its streams as they are (\(error.reason)); expected a codec that encodes it"
            )
        }
    }

    // MARK: Packets

    /// Copies the whole source.
    /// - Parameter next: The next event, in the order of their starts; nil after the last one.
    package func run(_ next: () throws -> Event?) throws {
        var event = try next()
        var count = 0
        while let packet = try source.next() {
            let index = Int(packet.av.pointee.stream_index)
            guard streams.indices.contains(index), let stream = streams[index] else { continue }
            if index == main, packet.av.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { hidden += 1 }
            guard let packet = try stream.packet(packet, offset: source.offset, of: timeBase) else { continue }
            let time = packet.av.pointee.dts == cff_no_pts ? packet.av.pointee.pts : packet.av.pointee.dts
            // Before the pictures that it is laid over.
            while let due = event, due.start <= time {
                try write(due)
                event = try next()
            }
            count += 1
            try writeCopied(packet, count, isMain: index == main)
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
        if streams.indices.contains(where: { Int32($0) != main && streams[$0]?.isRedescribed == true }) {
            notes.append(
                "a stream beside the video changes its form on the way, which Matroska can't say: what follows may not play"
            )
        }
        if hidden > 0 {
            notes.append(
                "\(hidden) pictures that the input's edit list hides are shown: Matroska has no such lists")
        }
    }

    private func writeCopied(_ packet: Packet, _ number: Int, isMain: Bool) throws {
        let hasTime = packet.av.pointee.pts != cff_no_pts
        let (stream, dts) = (packet.av.pointee.stream_index, packet.av.pointee.dts)
        if dts != cff_no_pts {
            guard dts >= last[stream] ?? dts else {
                throw FileError(
                    "copy", path: source.demuxer.path,
                    reason:
                        "the times of \(isMain ? "the video" : "another stream") run backwards at packet \(number), which "
                        + "Matroska doesn't take; expected a codec that encodes it, or a file that was remuxed")
            }
            last[stream] = dts
        }
        do {
            try check(av_interleaved_write_frame(output, packet.av), "write", path)
        } catch let error as FileError where Self.isRefusal(error.code) {
            let what =
                hasTime
                ? "Matroska doesn't take packet \(number), of \(isMain ? "the video" : "another stream"), as it is "
                    + "(\(error.reason))"
                : "packet \(number), of \(isMain ? "the video" : "another stream"), says no time, which Matroska needs"
            throw FileError(
                "copy", path: source.demuxer.path, code: error.code,
                reason: "\(what); expected a codec that encodes it, or a file that was remuxed")
        }
    }

    /// Whether FFmpeg's error says that its input was wrong, and not the disk.
    private static func isRefusal(_ code: Int32) -> Bool {
        [cff_error_invalid_data, cff_error_unsupported, cff_error_not_permitted, -EINVAL, -ERANGE].contains(code)
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
    package static func milliseconds(_ ticks: Int64, offset: Int64, timeBase: Rational) -> Int64 {
        let longest: Int64 = 1_000_000_000_000_000
        return min(max(av_rescale_q(ticks &+ offset, timeBase.av, AVRational(num: 1, den: 1000)), -longest), longest)
    }
}

/// What of a source Matroska doesn't hold, counted for a note.
struct OmittedStreams {
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
