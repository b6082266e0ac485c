internal import CFFmpeg

/// Looks into an annotated video or photo for what this program doesn't put there: streams, chapters, words about whom, where
/// and when, small pictures. What it does put there is the table of docs/release.md.
enum ReleaseCheck {
    /// Audio tracks that the source hasn't.
    static func addedSound(_ video: String, source: String, cancellation: Cancellation?) throws -> [String] {
        let tracks = try SoundComparison.tracks(of: video, cancellation: cancellation)
        guard tracks > 0 else { return [] }
        let own = try SoundComparison.tracks(of: source, cancellation: cancellation)
        guard tracks > own else { return [] }
        return [
            "the video has \(Words.plural(tracks, "audio track")), and its source \(own): one was added; run the job again"
        ]
    }

    /// What the file says of its streams that its source doesn't: languages, another form of pixels, more bits than were there.
    static func addedWords(_ video: String, source: String, cancellation: Cancellation?) throws -> [String] {
        let (result, original) = (
            try Demuxer(path: video, cancellation: cancellation), try Demuxer(path: source, cancellation: cancellation)
        )
        defer { withExtendedLifetime((result, original)) {} }
        var found: [String] = []
        func language(_ stream: UnsafeMutablePointer<AVStream>) -> String? {
            av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
        }
        func streams(_ demuxer: Demuxer, _ kind: AVMediaType) -> [UnsafeMutablePointer<AVStream>] {
            demuxer.streams.filter { $0.pointee.codecpar.pointee.codec_type == kind && !isPicture($0) }
        }
        let said = Set(streams(original, AVMEDIA_TYPE_AUDIO).compactMap(language).map(Languages.common))
        // What isn't of three letters is written in several ways.
        let isClear = said.allSatisfy { $0.utf8.count == 3 }
        for stream in streams(result, AVMEDIA_TYPE_AUDIO) {
            guard let word = language(stream).map(Languages.common), word != "und", isClear, !said.contains(word) else {
                continue
            }
            found.append("a language of its sound that its source hasn't")
        }
        for stream in streams(result, AVMEDIA_TYPE_VIDEO) where !isForm(stream) {
            found.append("another form of its pixels than the pictures say")
        }
        for stream in streams(result, AVMEDIA_TYPE_VIDEO) where ![nil, "und"].contains(language(stream)) {
            found.append("a language of its pictures")
        }
        func depth(_ demuxer: Demuxer) -> Int32? {
            streams(demuxer, AVMEDIA_TYPE_VIDEO).first.flatMap {
                av_pix_fmt_desc_get(AVPixelFormat(rawValue: $0.pointee.codecpar.pointee.format))?.pointee.comp.0.depth
            }
        }
        // Up to 12 bits a job may ask for; more are there where the source has them.
        if let deep = depth(result), let own = depth(original), deep > 12, own <= 12 {
            found.append("pictures of \(deep) bits, its source of \(own)")
        }
        return found.map { "the video has \($0), which no annotated video has: it was added; run the job again" }
    }

    /// Whether the container says of the pixels' form what the pictures say, as far as these have numbers for it.
    private static func isForm(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let (said, own) = (stream.pointee.sample_aspect_ratio, stream.pointee.codecpar.pointee.sample_aspect_ratio)
        // AV1 has no numbers for it, and Matroska rounds to whole pixels: those are held against the source alone.
        let hasNumbers = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(stream.pointee.codecpar.pointee.codec_id)
        guard hasNumbers, said.num > 0, said.den > 0 else { return true }
        guard own.num > 0, own.den > 0 else { return said.num == said.den }
        let (value, expected) = (Double(said.num) / Double(said.den), Double(own.num) / Double(own.den))
        let isLarge = max(said.num, said.den) > 255
        return av_cmp_q(said, own) == 0 || isLarge && abs(value - expected) <= expected / 1000
    }

    /// Problems of a file: what shouldn't be in it, a sentence each.
    /// - Parameter frames: Of one in which something is hidden, how many pictures it shows: then nothing may lie in it that isn't
    ///   shown.
    static func problems(_ path: String, hidingIn frames: Int?, cancellation: Cancellation?) throws -> [String] {
        let name = Files.name(of: path)
        if let parts = try PicturePart.all(of: path) {
            let personal = parts.filter { $0.isPersonal }.map(\.name)
            // What is told of as a segment isn't told of as a fault of the form.
            let coded = frames == nil || !personal.isEmpty ? [] : try PhotoContents.strange(in: path)
            return (personal + coded).map {
                "\(name) has \($0), which no annotated photo has: it was added; run the job again"
            }
        }
        var parts = try ContainerPart.strange(in: path)
        if let frames {
            parts += try ContainerPart.unshown(in: path, frames: frames).filter { !parts.contains($0) }
            if let cut = try cutOff(path, cancellation) { parts.append(cut) }
            parts += try StreamContents.strange(in: path, cancellation: cancellation)
        }
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        // The streams are the demuxer's own memory.
        return withExtendedLifetime(demuxer) { [parts] in
            var found = parts
            var videos = 0
            for stream in demuxer.streams {
                let kind = stream.pointee.codecpar.pointee.codec_type
                if kind == AVMEDIA_TYPE_VIDEO, !isPicture(stream) { videos += 1 }
                let isOurs =
                    kind == AVMEDIA_TYPE_AUDIO || kind == AVMEDIA_TYPE_VIDEO && !isPicture(stream) && videos == 1
                if !isOurs { found.append(describe(stream)) }
                found += foreignWords(stream.pointee.metadata, ofStream: true).map { "“\($0)” said of a stream" }
            }
            found += foreignWords(demuxer.context.pointee.metadata, ofStream: false).map { "“\($0)” said of the file" }
            if demuxer.context.pointee.nb_chapters > 0 { found.append("chapters") }
            return found.map {
                "\(name) has \($0), which no annotated video has: it was added; run the job again"
            }
        }
    }

    /// How much larger than shown encoders make a picture at the most, for their blocks' sake, pixels.
    private static let padding: Int32 = 15

    /// What of each picture is encoded and says of itself that it isn't to be shown, in words; nil for nothing.
    private static func cutOff(_ path: String, _ cancellation: Cancellation?) throws -> String? {
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        defer { withExtendedLifetime(demuxer) {} }
        guard
            let stream = demuxer.streams.first(where: {
                $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !isPicture($0)
            }), let parser = cff_parser(stream.pointee.codecpar.pointee.codec_id)
        else { return nil }
        defer { av_parser_close(parser) }
        var context = avcodec_alloc_context3(nil)
        defer { avcodec_free_context(&context) }
        guard avcodec_parameters_to_context(context, stream.pointee.codecpar) >= 0 else { return nil }
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            var (data, size) = (UnsafeMutablePointer<UInt8>?.none, Int32(0))
            _ = av_parser_parse2(
                parser, context, &data, &size, packet.av.pointee.data, packet.av.pointee.size, packet.av.pointee.pts,
                packet.av.pointee.dts, packet.av.pointee.pos)
            break
        }
        let shown = (width: stream.pointee.codecpar.pointee.width, height: stream.pointee.codecpar.pointee.height)
        let (width, height) = (parser.pointee.coded_width, parser.pointee.coded_height)
        guard width - shown.width > padding || height - shown.height > padding else { return nil }
        return "pictures of \(width)×\(height) pixels, of which \(shown.width)×\(shown.height) are shown"
    }

    /// Small pictures of the whole that a file carries, in words; nil for none.
    static func pictures(in path: String, cancellation: Cancellation?) throws -> String? {
        if let parts = try PicturePart.all(of: path) { return parts.first { $0.holdsPicture }?.name }
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        return withExtendedLifetime(demuxer) { demuxer.streams.first(where: isPicture).map(describe) }
    }

    /// A cover picture or a thumbnail, also one that is an attachment.
    private static func isPicture(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        if stream.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) != 0 {
            return true
        }
        guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
            let type = av_dict_get(stream.pointee.metadata, "mimetype", nil, 0)
        else { return false }
        return String(cString: type.pointee.value).hasPrefix("image/")
    }

    private static func describe(_ stream: UnsafeMutablePointer<AVStream>) -> String {
        if isPicture(stream) { return "an attached picture" }
        return switch stream.pointee.codecpar.pointee.codec_type {
        case AVMEDIA_TYPE_SUBTITLE: "subtitles"
        case AVMEDIA_TYPE_ATTACHMENT: "an attachment"
        case AVMEDIA_TYPE_VIDEO: "a second video stream"
        default: "a data stream"
        }
    }

    private static func foreignWords(_ dictionary: OpaquePointer?, ofStream: Bool) -> [String] {
        var found: [String] = []
        var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
        while let word = entry {
            let key = String(cString: word.pointee.key)
            let value = String(cString: word.pointee.value)
            if !OwnWords.has(key.lowercased(), value, ofStream: ofStream) { found.append(key.inOneLine) }
            entry = av_dict_get(dictionary, "", word, AV_DICT_IGNORE_SUFFIX)
        }
        return found
    }
}
