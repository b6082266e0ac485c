package import CFFmpeg

/// The format of a picture file.
public enum PictureFormat: String, CaseIterable, Sendable {
    /// JPEG of a quality at which nobody sees a difference, colours at full resolution.
    case jpg
    /// PNG, lossless at 8 bits a colour.
    case png

    fileprivate var codec: AVCodecID { self == .jpg ? AV_CODEC_ID_MJPEG : AV_CODEC_ID_PNG }
    fileprivate var pixels: AVPixelFormat { self == .jpg ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_RGB24 }
}

/// Writes frames as picture files: upright, pixel for pixel as shown. Used from one thread.
public final class PictureWriter {
    private let format: PictureFormat
    /// JPEG's quality on FFmpeg's scale from 1, the best.
    private let quantizer: Int32
    private let scaler = Scaler()
    private var encoder: Encoder?

    /// A writer of pictures in one format.
    /// - Parameters:
    ///   - format: The files'.
    ///   - isSmall: A JPEG of a fourth of the bytes, on which an eye that looks for it finds differences.
    public init(_ format: PictureFormat, isSmall: Bool = false) { (self.format, quantizer) = (format, isSmall ? 6 : 2) }

    /// Writes a frame's picture under a name that it gets only when it is whole.
    /// - Throws: `FileError`.
    public func write(_ frame: VideoFrame, to path: String) throws {
        try Files.write(try bytes(of: frame, for: path), to: path)
    }

    /// Writes a frame's picture into a folder that has no name yet.
    package func write(_ frame: VideoFrame, asPartOf path: String) throws {
        let bytes = try bytes(of: frame, for: path)
        let writer = try ByteWriter(path: path)
        try writer.write(bytes)
        try writer.finish()
    }

    /// A frame's picture as a file's bytes.
    /// - Parameters:
    ///   - frame: Its picture is taken as shown, upright.
    ///   - path: For messages.
    public func bytes(of frame: VideoFrame, for path: String) throws -> [UInt8] {
        let source = frame.original ?? VideoFrame.Original(picture: frame.picture, orientation: .upright)
        // By way of RGB: JPEG's matrix is always the same one, the video's may be another.
        return try encode(try source.converted(to: AV_PIX_FMT_RGB24, with: scaler), for: path)
    }

    /// Format in which a picture is drawn on, so that it loses the least: its own where that is a JPEG's, otherwise one
    /// that 8 bits of any colour go through unchanged.
    package func drawnFormat(of frame: VideoFrame) -> AVPixelFormat {
        let own: AVPixelFormat? =
            switch frame.picture.format {
            case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUVJ420P
            case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUVJ422P
            case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUVJ444P
            default: nil
            }
        let colors = frame.picture.colorSpace
        guard format == .jpg, let own, frame.original == nil, colors.fullRange, colors.matrix == .bt601 else {
            return AV_PIX_FMT_YUV444P16LE
        }
        return own
    }

    /// A picture of any format, upright.
    package func bytes(of picture: FrameBuffer, for path: String) throws -> [UInt8] {
        if [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P].contains(picture.format), format == .jpg {
            return try encoder(of: picture, for: path).encode(picture, for: path)
        }
        let colors = try FrameBuffer(width: picture.width, height: picture.height, format: AV_PIX_FMT_RGB24)
        // No colour is averaged with its neighbour's.
        try scaler.convert(picture, into: colors, flags: cff_scale_exactly)
        return try encode(colors, for: path)
    }

    private func encode(_ colors: FrameBuffer, for path: String) throws -> [UInt8] {
        let picture = try FrameBuffer(width: colors.width, height: colors.height, format: format.pixels)
        if format.pixels == colors.format {
            try check(av_frame_copy(picture.av, colors.av), "copy", "a frame")
        } else {
            picture.av.pointee.color_range = AVCOL_RANGE_JPEG
            picture.av.pointee.colorspace = AVCOL_SPC_BT470BG
            try turning.convert(colors, into: picture)
        }
        let encoder = try encoder(of: picture, for: path)
        return try encoder.encode(picture, for: path)
    }

    /// Scaler for pictures that are turned: its tables differ from the other one's.
    private let turning = Scaler()

    private func encoder(of picture: FrameBuffer, for path: String) throws -> Encoder {
        if let encoder, encoder.fits(picture) { return encoder }
        let made = try Encoder(format, picture, quantizer: quantizer, for: path)
        encoder = made
        return made
    }

    /// FFmpeg's encoder for pictures of one size.
    private final class Encoder {
        private let context: UnsafeMutablePointer<AVCodecContext>
        private var count: Int64 = 0

        init(_ format: PictureFormat, _ picture: FrameBuffer, quantizer: Int32, for path: String) throws {
            guard let encoder = avcodec_find_encoder(format.codec) else {
                throw FileError("encode", path: path, reason: "this FFmpeg has no encoder for \(format.rawValue)")
            }
            guard let context = avcodec_alloc_context3(encoder) else { throw outOfMemory("create", path) }
            self.context = context
            context.pointee.width = Int32(picture.width)
            context.pointee.height = Int32(picture.height)
            context.pointee.pix_fmt = picture.format
            context.pointee.time_base = AVRational(num: 1, den: 25)
            // The same bytes whatever the machine.
            context.pointee.thread_count = 1
            // No comment with the library's version.
            context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
            if format == .jpg {
                context.pointee.color_range = AVCOL_RANGE_JPEG
                context.pointee.flags |= AV_CODEC_FLAG_QSCALE
                context.pointee.global_quality = FF_QP2LAMBDA * quantizer
            }
            var options: OpaquePointer?
            defer { av_dict_free(&options) }
            if format == .png { av_dict_set(&options, "pred", "paeth", 0) }
            _ = takeFFmpegLog()
            try check(avcodec_open2(context, encoder, &options), "open the encoder for", path)
        }

        func fits(_ picture: FrameBuffer) -> Bool {
            (Int(context.pointee.width), Int(context.pointee.height)) == (picture.width, picture.height)
                && context.pointee.pix_fmt == picture.format
        }

        deinit {
            var closing: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&closing)
        }

        func encode(_ picture: FrameBuffer, for path: String) throws -> [UInt8] {
            // A colour profile would go into the file, whatever lies in it.
            while picture.av.pointee.nb_side_data > 0, let first = picture.av.pointee.side_data[0] {
                av_frame_remove_side_data(picture.av, first.pointee.type)
            }
            picture.av.pointee.pts = count
            count += 1
            if context.pointee.flags & AV_CODEC_FLAG_QSCALE != 0 {
                picture.av.pointee.quality = context.pointee.global_quality
            }
            try check(avcodec_send_frame(context, picture.av), "encode", path)
            let packet = try Packet()
            try check(avcodec_receive_packet(context, packet.av), "encode", path)
            return Array(UnsafeBufferPointer(start: packet.av.pointee.data, count: Int(packet.av.pointee.size)))
        }
    }
}
