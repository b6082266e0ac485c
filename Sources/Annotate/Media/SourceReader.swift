internal import CFFmpeg

/// Streams a file's pictures, upright, with their time, and the audio packets that lie between them.
///
/// Used from one thread. A picture is counted when it is presented: after the edit list, in presentation order.
final class SourceReader {
    let info: SourceInfo
    let demuxer: Demuxer
    private let decoder: Decoder
    private let stream: UnsafeMutablePointer<AVStream>
    private let streamOrientation: Orientation
    private let keepsAudio: Bool
    private let scaler = Scaler()

    private var audio: [Packet] = []
    /// A picture whose duration is known only from the next one's time.
    private var pending: FrameBuffer?
    private var ordinal = 0
    private var lastPTS: Int64?
    private var lastDuration: Int64 = 0
    private var isAtEnd = false
    private var packets: Int64 = 0
    /// Pictures that the decoder patched up or that come from damaged packets.
    private(set) var concealed = 0
    /// Packets that the decoder refused: their pictures are missing.
    private(set) var refused = 0

    init(path: String, threads: Int, keepsAudio: Bool, cancellation: Cancellation? = nil) throws {
        demuxer = try Demuxer(path: path, cancellation: cancellation)
        stream = try demuxer.videoStream()
        info = try SourceInfo(demuxer: demuxer, stream: stream)
        decoder = try Decoder(stream: stream, path: path, threads: threads)
        streamOrientation = cff_stream_display_matrix(stream).map { Orientation(displayMatrix: $0) } ?? .upright
        self.keepsAudio = keepsAudio
        // What nobody reads need not be parsed.
        for other in demuxer.streams where other != stream {
            let isAudio = other.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
            if !(isAudio && keepsAudio) { other.pointee.discard = AVDISCARD_ALL }
        }
    }

    /// The audio packets read since the last call.
    func takeAudio() -> [Packet] {
        defer { audio = [] }
        return audio
    }

    /// True where an audio packet begins inside a range.
    func contains(_ packet: Packet, in range: FrameRange) -> Bool {
        let index = Int(packet.av.pointee.stream_index)
        guard packet.av.pointee.pts != cff_no_pts, let stream = demuxer.context.pointee.streams[index] else {
            return true
        }
        let time = MediaTime(ticks: packet.av.pointee.pts, timeBase: Rational(stream.pointee.time_base)).seconds
        return time >= range.start && time < range.end ?? .infinity
    }

    /// The next picture, nil after the last one.
    func next() throws -> VideoFrame? {
        guard let current = try pending ?? decode() else { return nil }
        pending = nil
        let pts = timestamp(of: current)
        var duration = cff_frame_duration(current.av)
        if duration <= 0 {
            // The container gives none (Matroska often): it lasts until the next picture, the last one as long as the
            // one before it.
            pending = try decode()
            if let next = pending?.av.pointee.best_effort_timestamp, next != cff_no_pts, next > pts {
                duration = next - pts
            } else {
                duration = lastDuration > 0 ? lastDuration : nominalDuration
            }
        }
        let frame = try upright(current, pts: pts, duration: duration)
        lastPTS = pts
        lastDuration = duration
        ordinal += 1
        return frame
    }

    private func timestamp(of frame: FrameBuffer) -> Int64 {
        let stamp = frame.av.pointee.best_effort_timestamp
        let start = stream.pointee.start_time == cff_no_pts ? 0 : stream.pointee.start_time
        guard let lastPTS else { return stamp == cff_no_pts ? start : stamp }
        // A missing or repeated time stamp: the picture follows the one before it.
        return stamp == cff_no_pts || stamp <= lastPTS ? lastPTS + max(1, lastDuration) : stamp
    }

    /// One frame's time by the nominal rate, for pictures that say nothing of their duration.
    private var nominalDuration: Int64 {
        guard let rate = info.frameRate else { return 1 }
        return max(1, av_rescale_q(1, AVRational(num: rate.av.den, den: rate.av.num), stream.pointee.time_base))
    }

    private func decode() throws -> FrameBuffer? {
        while true {
            if let frame = try tolerant({ try decoder.receive() }) ?? nil {
                let isDamaged =
                    frame.av.pointee.decode_error_flags != 0 || frame.av.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
                if isDamaged { concealed += 1 }
                return frame
            }
            if isAtEnd { return nil }
            guard let packet = try demuxer.next() else {
                isAtEnd = true
                try checkComplete()
                _ = try tolerant { try decoder.send(nil) }
                continue
            }
            if packet.av.pointee.stream_index == stream.pointee.index {
                packets += 1
                _ = try tolerant { try decoder.send(packet) }
            } else if keepsAudio {
                audio.append(packet)
            }
        }
    }

    /// Goes on past a damaged packet, as players do, and counts it; any other failure is the file's end.
    private func tolerant<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as MediaError where error.code == cff_error_invalid_data {
            refused += 1
            return nil
        }
    }

    /// What a user should know of a file that was read to its end.
    var notes: [String] {
        var notes: [String] = []
        if concealed > 0 { notes.append("\(concealed) damaged pictures in the input, patched up by the decoder") }
        if refused > 0 { notes.append("\(refused) damaged packets in the input, left out by the decoder") }
        let end = MediaTime(ticks: (lastPTS ?? 0) + lastDuration - (info.startTime ?? 0), timeBase: info.timeBase)
            .seconds
        if isAtEnd, let duration = info.duration, end < duration - max(1, duration / 20) {
            notes.append(
                "the pictures end at \(plain((end * 100).rounded() / 100)) s, the file says \(plain(duration)) s")
        }
        return notes
    }

    /// A file that was cut off between two packets ends like a whole one; an MP4 or MOV has an index of what it should
    /// hold (without what its edit list leaves out).
    private func checkComplete() throws {
        let listed = Int64(avformat_index_get_entries_count(stream))
        guard info.container.hasPrefix("mov,"), packets < listed else { return }
        throw MediaError(
            "read", path: demuxer.path, reason: "it is cut off: it lists \(listed) pictures and holds \(packets)")
    }

    private func upright(_ decoded: FrameBuffer, pts: Int64, duration: Int64) throws -> VideoFrame {
        guard decoded.width > 0, decoded.height > 0 else {
            throw MediaError("decode", path: demuxer.path, reason: "picture \(ordinal) has no size")
        }
        let orientation =
            cff_frame_display_matrix(decoded.av).map { Orientation(displayMatrix: $0) } ?? streamOrientation
        var original: FrameBuffer?
        var picture = decoded
        if !Self.isRead(decoded.format) {
            let converted = try FrameBuffer(width: decoded.width, height: decoded.height, format: AV_PIX_FMT_YUV420P)
            try check(av_frame_copy_props(converted.av, decoded.av), "copy the properties of", "a frame")
            if Self.isRGB(decoded.format) {
                converted.av.pointee.colorspace = AVCOL_SPC_SMPTE170M
                converted.av.pointee.color_range = AVCOL_RANGE_MPEG
            }
            try scaler.convert(decoded, into: converted)
            picture = converted
            // A picture that must be turned would need its packed original turned as well; the planes have to do then.
            if orientation == .upright { original = decoded }
        }
        picture = try orientation.apply(to: picture)
        if ordinal > 0, picture.width != width || picture.height != height {
            throw MediaError(
                "decode", path: demuxer.path,
                reason: "the picture's size changes from \(width)×\(height) to \(picture.width)×\(picture.height) at "
                    + "frame \(ordinal)")
        }
        (width, height) = (picture.width, picture.height)
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: pts, timeBase: info.timeBase), duration: duration, picture: picture,
            original: original)
    }

    private var width = 0
    private var height = 0

    /// Formats that stages and drawing read as they lie: planar Y′CbCr or grey, 8 bits.
    private static func isRead(_ format: AVPixelFormat) -> Bool {
        switch format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV440P,
            AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_GRAY8:
            true
        default: false
        }
    }

    private static func isRGB(_ format: AVPixelFormat) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
        return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    }
}
