internal import CFFmpeg

/// Brings decoded pictures into the form that stages and drawing read: planar Y′CbCr or grey, 8 bits, upright.
///
/// Most formats lie like that already and pass without a copy; the others are converted once.
final class PictureNormalizer {
    private let path: String
    private let streamOrientation: Orientation
    private var ownOrientation: Orientation?
    private let maximumPixels: Int
    private let scaler = Scaler()
    private var size: (width: Int, height: Int)?

    init(path: String, orientation: Orientation, limits: MediaLimits) {
        self.path = path
        streamOrientation = orientation
        maximumPixels = limits.pixels
    }

    /// A picture as stages read it, and the decoder's own where that is richer.
    struct Normalized {
        var picture: FrameBuffer
        var original: VideoFrame.Original?
    }

    /// - Parameter ordinal: for messages.
    func normalize(_ decoded: FrameBuffer, ordinal: Int) throws -> Normalized {
        guard decoded.width > 0, decoded.height > 0 else {
            throw FileError("decode", path: path, reason: "frame \(ordinal) has no size")
        }
        let orientation = orientation(of: decoded)
        try checkSize(decoded, orientation, ordinal)
        if Self.isRead(decoded.format) {
            return Normalized(picture: try orientation.apply(to: decoded), original: nil)
        }
        if let opaque = Self.withoutAlpha(decoded.format) {
            let picture = try FrameBuffer(referencing: decoded)
            picture.av.pointee.format = opaque.rawValue
            return Normalized(picture: try orientation.apply(to: picture), original: nil)
        }
        let converted = try FrameBuffer(width: decoded.width, height: decoded.height, format: AV_PIX_FMT_YUV420P)
        try check(av_frame_copy_props(converted.av, decoded.av), "copy the properties of", "a frame")
        if Self.isRGB(decoded.format) {
            converted.av.pointee.colorspace = AVCOL_SPC_SMPTE170M
            converted.av.pointee.color_range = AVCOL_RANGE_MPEG
        }
        try scaler.convert(decoded, into: converted)
        return Normalized(
            picture: try orientation.apply(to: converted),
            original: VideoFrame.Original(picture: decoded, orientation: orientation))
    }

    /// A picture's own orientation (H.264's display orientation, a JPEG's EXIF) holds until the next key picture: the
    /// message is sent once and repeated there.
    private func orientation(of decoded: FrameBuffer) -> Orientation {
        if let matrix = cff_frame_display_matrix(decoded.av) {
            ownOrientation = Orientation(displayMatrix: matrix)
        } else if cff_frame_is_key(decoded.av) != 0 {
            ownOrientation = nil
        }
        return ownOrientation ?? streamOrientation
    }

    private func checkSize(_ decoded: FrameBuffer, _ orientation: Orientation, _ ordinal: Int) throws {
        let (w, h) = (decoded.width, decoded.height)
        let shown = orientation.transposed ? (width: h, height: w) : (width: w, height: h)
        guard let size else {
            size = shown
            return
        }
        guard size == shown else {
            throw FileError(
                "decode", path: path,
                reason: "the picture's size changes from \(size.width)×\(size.height) to "
                    + "\(shown.width)×\(shown.height) at frame \(ordinal); a video of one size is expected")
        }
    }

    /// Formats that stages and drawing read as they lie.
    private static func isRead(_ format: AVPixelFormat) -> Bool {
        switch format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV440P,
            AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_GRAY8:
            true
        default: false
        }
    }

    /// The same planes without the one for alpha.
    private static func withoutAlpha(_ format: AVPixelFormat) -> AVPixelFormat? {
        switch format {
        case AV_PIX_FMT_YUVA420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVA422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVA444P: AV_PIX_FMT_YUV444P
        default: nil
        }
    }

    private static func isRGB(_ format: AVPixelFormat) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
        return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
    }
}
