internal import CFFmpeg

/// How a picture must be turned to be shown: rows and columns exchanged first (`transposed`), then flipped.
struct Orientation: Sendable, Hashable {
    var transposed = false
    var flipX = false
    var flipY = false

    static let upright = Orientation()

    /// Degrees clockwise by which the picture is turned to be shown: 0, 90, 180 or 270; flips left aside.
    var degrees: Int {
        switch (transposed, flipX, flipY) {
        case (false, true, true): 180
        case (true, true, false): 90
        case (true, false, true): 270
        default: 0
        }
    }

    var isMirrored: Bool { transposed != (flipX != flipY) }

    init() {}

    /// The orientation of a display matrix (ISO/IEC 14496-12, 9.2.3: nine 16.16 numbers, rows a b u, c d v, x y w). An angle
    /// that is no multiple of 90° is taken to the nearest one.
    init(displayMatrix m: UnsafePointer<Int32>) {
        let (a, b, c, d) = (Double(m[0]), Double(m[1]), Double(m[3]), Double(m[4]))
        // Shown x = a·x + c·y, shown y = b·x + d·y: where the off-diagonal is larger, rows and columns are exchanged.
        transposed = abs(b) + abs(c) > abs(a) + abs(d)
        flipX = transposed ? c < 0 : a < 0
        flipY = transposed ? b < 0 : d < 0
    }

    /// The picture, turned. The frame must be planar with 8-bit samples.
    func apply(to frame: FrameBuffer) throws -> FrameBuffer {
        guard self != .upright else { return frame }
        let format = Self.formatWhenShown(frame.format, transposed: transposed)
        let (width, height) = transposed ? (frame.height, frame.width) : (frame.width, frame.height)
        let turned = try FrameBuffer(width: width, height: height, format: format)
        try check(av_frame_copy_props(turned.av, frame.av), "copy the properties of", "a frame")
        if transposed {
            let aspect = frame.av.pointee.sample_aspect_ratio
            turned.av.pointee.sample_aspect_ratio = AVRational(num: aspect.den, den: aspect.num)
            if aspect.num == 0 { turned.av.pointee.sample_aspect_ratio = AVRational(num: 0, den: 1) }
        }
        for plane in frame.planes() {
            guard let target = turned.planes().first(where: { $0.index == plane.index }) else { continue }
            cff_orient_plane(
                plane.base, plane.stride, target.base, target.stride, Int32(plane.width), Int32(plane.height), 1,
                transposed ? 1 : 0, flipX ? 1 : 0, flipY ? 1 : 0)
        }
        return turned
    }

    /// 4:2:2 turned by 90° is 4:4:0 and the other way round.
    private static func formatWhenShown(_ format: AVPixelFormat, transposed: Bool) -> AVPixelFormat {
        guard transposed else { return format }
        return switch format {
        case AV_PIX_FMT_YUV422P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUVJ440P
        case AV_PIX_FMT_YUV440P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUVJ422P
        default: format
        }
    }
}

extension FrameBuffer {
    struct Plane {
        var index: Int
        var base: UnsafeMutablePointer<UInt8>
        var width: Int
        var height: Int
        var stride: Int
    }

    /// The planes of a planar 8-bit picture with their sizes.
    func planes() -> [Plane] {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return [] }
        let data = av.pointee.data, sizes = av.pointee.linesize
        let bases = [data.0, data.1, data.2], strides = [sizes.0, sizes.1, sizes.2]
        let shiftX = Int(descriptor.pointee.log2_chroma_w), shiftY = Int(descriptor.pointee.log2_chroma_h)
        return (0..<min(3, Int(descriptor.pointee.nb_components))).compactMap { index in
            guard let base = bases[index] else { return nil }
            let isChroma = index > 0
            return Plane(
                index: index, base: base, width: isChroma ? -(-width >> shiftX) : width,
                height: isChroma ? -(-height >> shiftY) : height, stride: Int(strides[index]))
        }
    }
}
