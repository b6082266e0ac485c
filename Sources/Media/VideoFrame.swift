internal import CFFmpeg

/// One 8-bit plane for reading, valid inside the scope that handed it out.
public struct PlaneView {
    /// The first row's first byte.
    public let base: UnsafePointer<UInt8>
    /// Width, pixels.
    public let width: Int
    /// Height, pixels.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
}

/// The planes of a picture for reading, valid inside the scope that handed them out.
public struct PictureView {
    /// Luma, then Cb and Cr unless the picture is grey.
    public let planes: [PlaneView]
    /// log2 of the chroma planes' horizontal and vertical subsampling: 1 and 1 for 4:2:0.
    public let chromaShift: (x: Int, y: Int)
    /// The colours that the codes stand for.
    public let colorSpace: ColorSpace
    /// Whether chroma samples lie in the middle of the luma samples they stand for (JPEG, MPEG-1), rather than on the
    /// left column (MPEG-2, H.264).
    public let chromaIsCentered: Bool
}

/// One presented picture of the source, upright, immutable once published.
///
/// `picture` is planar Y′CbCr or grey with 8 bits a sample: the decoder's own memory where its format is such a one and
/// no rotation applies, a converted copy otherwise. `original` is then the decoder's picture, for stages that need its
/// colours and for outputs of more than 8 bits.
///
/// `@unchecked Sendable`: the buffers are not written after `init`; the products are behind locks.
public final class VideoFrame: @unchecked Sendable {
    /// 0-based ordinal of the presented picture from the start of the file.
    public let ordinal: Int
    /// Presentation time.
    public let pts: MediaTime
    /// Duration, ticks of the time base of `pts`.
    public let duration: Int64
    private let products = FrameProducts()

    /// The decoder's picture as it lies in the file, and how it is turned to be shown.
    package struct Original {
        package var picture: FrameBuffer
        package var orientation: Orientation

        package init(picture: FrameBuffer, orientation: Orientation) {
            self.picture = picture
            self.orientation = orientation
        }

        /// A copy in another format, upright.
        func converted(to format: AVPixelFormat, with scaler: Scaler, like: FrameBuffer? = nil) throws -> FrameBuffer {
            let target = try FrameBuffer(width: picture.width, height: picture.height, format: format)
            if let like {
                try check(av_frame_copy_props(target.av, picture.av), "copy the properties of", "a frame")
                target.av.pointee.colorspace = like.av.pointee.colorspace
                target.av.pointee.color_range = like.av.pointee.color_range
            }
            try scaler.convert(picture, into: target)
            return try orientation.apply(to: target)
        }
    }

    package let picture: FrameBuffer
    package let original: Original?

    package init(ordinal: Int, pts: MediaTime, duration: Int64, picture: FrameBuffer, original: Original?) {
        self.ordinal = ordinal
        self.pts = pts
        self.duration = duration
        self.picture = picture
        self.original = original
    }

    /// Width as shown, pixels.
    public var width: Int { picture.width }
    /// Height as shown, pixels.
    public var height: Int { picture.height }
    /// Presentation time from the zero of the source's own clock, seconds.
    public var seconds: Double { pts.seconds }
    /// Time at which its duration is over, on the clock of `seconds`.
    public var end: Double { MediaTime(ticks: pts.ticks &+ duration, timeBase: pts.timeBase).seconds }

    /// Bytes of memory that its pixels take, those of the decoder's own picture included.
    package var byteCount: Int {
        [picture, original?.picture].compactMap { $0 }.map { buffer in
            max(0, Int(av_image_get_buffer_size(buffer.format, Int32(buffer.width), Int32(buffer.height), 1)))
        }.reduce(0, +)
    }

    /// Whether the source's pixels are not Y′CbCr or have more than 8 bits, so that `bgr()` is truer than the planes.
    public var hasRicherOriginal: Bool { original != nil }

    /// Reads the luma plane as it lies in memory.
    public func withLuma<Result>(_ body: (PlaneView) throws -> Result) rethrows -> Result {
        let plane = picture.av.pointee.data.0
        return try withExtendedLifetime(picture) {
            // `planes()` fails for no format that the reader lets through.
            try body(
                PlaneView(
                    base: UnsafePointer(plane!), width: width, height: height,
                    stride: Int(picture.av.pointee.linesize.0)))
        }
    }

    /// FNV-1a of the luma plane.
    package var lumaHash: UInt64 {
        withLuma { luma in
            var sum: UInt64 = 0xCBF2_9CE4_8422_2325
            for row in 0..<luma.height {
                let line = luma.base + row * luma.stride
                for column in 0..<luma.width { sum = (sum ^ UInt64(line[column])) &* 0x100_0000_01B3 }
            }
            return sum
        }
    }

    /// Reads all planes as they lie in memory.
    public func withPicture<Result>(_ body: (PictureView) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(picture) {
            let planes = picture.planes().map {
                PlaneView(base: UnsafePointer($0.base), width: $0.width, height: $0.height, stride: $0.stride)
            }
            let descriptor = av_pix_fmt_desc_get(picture.format)
            let location = picture.av.pointee.chroma_location
            return try body(
                PictureView(
                    planes: planes,
                    chromaShift: (
                        Int(descriptor?.pointee.log2_chroma_w ?? 0), Int(descriptor?.pointee.log2_chroma_h ?? 0)
                    ),
                    colorSpace: picture.colorSpace, chromaIsCentered: location == AVCHROMA_LOC_CENTER))
        }
    }

    /// The whole picture as packed BGR, 8 bits a component, converted at the first call and kept with the frame.
    public func bgr() throws -> PackedImage { try product(PackedImage.self) }

    /// Something derived from the frame, made at the first call and kept with the frame.
    public func product<Product: FrameProduct>(_ type: Product.Type) throws -> Product {
        try products.cell(type).value(of: self)
    }
}

/// A packed BGR picture, immutable.
///
/// `@unchecked Sendable`: the buffer is not written after `init`.
public final class PackedImage: FrameProduct, @unchecked Sendable {
    private let buffer: FrameBuffer

    public init(of frame: VideoFrame) throws {
        let source = frame.original ?? VideoFrame.Original(picture: frame.picture, orientation: .upright)
        buffer = try source.converted(to: AV_PIX_FMT_BGR24, with: Scaler())
    }

    /// Width, pixels a row.
    public var width: Int { buffer.width }
    /// Height, rows.
    public var height: Int { buffer.height }

    /// Reads the pixels: three bytes each, blue first.
    public func withPixels<Result>(_ body: (PlaneView) throws -> Result) rethrows -> Result {
        let plane = buffer.av.pointee.data.0
        return try withExtendedLifetime(buffer) {
            try body(
                PlaneView(
                    base: UnsafePointer(plane!), width: width, height: height, stride: Int(buffer.av.pointee.linesize.0)
                ))
        }
    }
}

extension FrameBuffer {
    var colorSpace: ColorSpace {
        let matrix: ColorSpace.Matrix =
            switch av.pointee.colorspace {
            case AVCOL_SPC_BT709: .bt709
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
            default: .bt601
            }
        return ColorSpace(matrix: matrix, fullRange: isFullRange)
    }

    package var isFullRange: Bool {
        if av.pointee.color_range == AVCOL_RANGE_JPEG { return true }
        switch format {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P: return true
        default:
            // Grey is of full range unless it says otherwise, as libswscale has it.
            guard let descriptor = av_pix_fmt_desc_get(format), descriptor.pointee.nb_components <= 2 else {
                return false
            }
            let isColored = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0
            return !isColored && av.pointee.color_range != AVCOL_RANGE_MPEG
        }
    }
}

extension VideoFrame {
    /// log2 of luma pixels a sample of colour in the decoder's own picture; nil where that is read as it lies.
    package var originalChromaShift: (x: Int, y: Int)? {
        guard let original, let format = av_pix_fmt_desc_get(original.picture.format) else { return nil }
        let shift = (x: Int(format.pointee.log2_chroma_w), y: Int(format.pointee.log2_chroma_h))
        // What lies on its side is shown upright.
        return original.orientation.transposed ? (shift.y, shift.x) : shift
    }
}
