package import CFFmpeg

/// The orientation of a stored picture: how it must be turned to be shown, rows and columns exchanged first
/// (`transposed`), then flipped.
package struct Orientation: Sendable, Hashable {
    package var transposed = false
    package var flipX = false
    package var flipY = false

    package static let upright = Orientation()

    /// Degrees clockwise by which the picture is turned to be shown: 0, 90, 180 or 270; flips left aside.
    package var degrees: Int {
        switch (transposed, flipX, flipY) {
        case (false, true, true): 180
        case (true, true, false): 90
        case (true, false, true): 270
        default: 0
        }
    }

    package var isMirrored: Bool { transposed != (flipX != flipY) }

    package init() {}

    /// The orientation of a display matrix (ISO/IEC 14496-12, 9.2.3: nine 16.16 numbers, rows a b u, c d v, x y w). An angle
    /// that is no multiple of 90° is taken to the nearest one.
    package init(displayMatrix m: UnsafePointer<Int32>) {
        let (a, b, c, d) = (Double(m[0]), Double(m[1]), Double(m[3]), Double(m[4]))
        // Shown x = a·x + c·y, shown y = b·x + d·y: where the off-diagonal is larger, rows and columns are exchanged.
        transposed = abs(b) + abs(c) > abs(a) + abs(d)
        flipX = transposed ? c < 0 : a < 0
        flipY = transposed ? b < 0 : d < 0
    }

    /// The picture, turned: planar or packed, of any number of bits.
    /// - Throws: `FileError` where `canTurn` is false.
    package func apply(to frame: FrameBuffer) throws -> FrameBuffer {
        guard self != .upright else { return frame }
        guard canTurn(frame.format) else {
            let name = av_get_pix_fmt_name(frame.format).map { String(cString: $0) } ?? "unknown"
            throw FileError("turn", path: "a frame", reason: "its pixels (\(name)) don't lie one by one")
        }
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
                plane.base, plane.stride, target.base, target.stride, Int32(plane.width), Int32(plane.height),
                Int32(plane.pixelSize), transposed ? 1 : 0, flipX ? 1 : 0, flipY ? 1 : 0)
        }
        if Self.flags(of: format) & UInt64(AV_PIX_FMT_FLAG_PAL) != 0, let palette = frame.av.pointee.data.1 {
            turned.av.pointee.data.1?.update(from: palette, count: 256 * 4)
        }
        return turned
    }

    /// Whether pictures of a format can be turned like this: each pixel has bytes of its own, and there is a format with
    /// the chroma subsampled the other way.
    package func canTurn(_ format: AVPixelFormat) -> Bool {
        if self == .upright { return true }
        let shown = Self.formatWhenShown(format, transposed: transposed)
        guard let source = av_pix_fmt_desc_get(format)?.pointee, let target = av_pix_fmt_desc_get(shown)?.pointee else {
            return false
        }
        let indivisible = UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER)
        guard source.flags & indivisible == 0 else { return false }
        let isSubsampled = source.log2_chroma_w > 0 || source.log2_chroma_h > 0
        // Packed 4:2:2: two pixels share their chroma.
        if isSubsampled, source.comp.0.plane == source.comp.1.plane { return false }
        let (across, down) = (source.log2_chroma_w, source.log2_chroma_h)
        return (target.log2_chroma_w, target.log2_chroma_h) == (transposed ? (down, across) : (across, down))
    }

    private static func flags(of format: AVPixelFormat) -> UInt64 { av_pix_fmt_desc_get(format)?.pointee.flags ?? 0 }

    /// 4:2:2 turned by 90° is 4:4:0 and the other way round.
    private static func formatWhenShown(_ format: AVPixelFormat, transposed: Bool) -> AVPixelFormat {
        guard transposed else { return format }
        return switch format {
        case AV_PIX_FMT_YUV422P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUVJ440P
        case AV_PIX_FMT_YUV440P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUVJ422P
        case AV_PIX_FMT_YUV422P10LE: AV_PIX_FMT_YUV440P10LE
        case AV_PIX_FMT_YUV440P10LE: AV_PIX_FMT_YUV422P10LE
        case AV_PIX_FMT_YUV422P12LE: AV_PIX_FMT_YUV440P12LE
        case AV_PIX_FMT_YUV440P12LE: AV_PIX_FMT_YUV422P12LE
        default: format
        }
    }
}

extension FrameBuffer {
    /// One plane of a picture, in its memory.
    package struct Plane {
        package var index: Int
        package var base: UnsafeMutablePointer<UInt8>
        /// Pixels.
        package var width: Int
        package var height: Int
        /// Bytes from one row to the next.
        package var stride: Int
        /// Bytes from one pixel to the next: those of a sample in a planar picture, of all components in a packed one.
        package var pixelSize: Int
    }

    /// The planes of a picture with their sizes; a palette is none.
    package func planes() -> [Plane] {
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return [] }
        let data = av.pointee.data, sizes = av.pointee.linesize
        let bases = [data.0, data.1, data.2, data.3], strides = [sizes.0, sizes.1, sizes.2, sizes.3]
        let all = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let components = all.prefix(Int(descriptor.nb_components))
        let shiftX = Int(descriptor.log2_chroma_w), shiftY = Int(descriptor.log2_chroma_h)
        return bases.indices.compactMap { index in
            guard let base = bases[index], let component = components.first(where: { $0.plane == index }) else {
                return nil
            }
            let isChroma = index == 1 || index == 2
            return Plane(
                index: index, base: base, width: isChroma ? -(-width >> shiftX) : width,
                height: isChroma ? -(-height >> shiftY) : height, stride: Int(strides[index]),
                pixelSize: Int(component.step))
        }
    }
}
