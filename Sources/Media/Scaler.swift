internal import CFFmpeg

/// Converts pictures between formats and sizes through libswscale; used from one thread at a time.
///
/// The tables are kept between calls as long as the formats stay the same.
package final class Scaler {
    /// What the tables are made for.
    private struct Conversion: Equatable {
        struct Side: Equatable {
            var width: Int32
            var height: Int32
            var format: AVPixelFormat
            var isFullRange: Bool
            /// libswscale's number of the colour matrix.
            var matrix: Int32

            init(_ frame: FrameBuffer) {
                width = frame.av.pointee.width
                height = frame.av.pointee.height
                format = frame.format
                isFullRange = frame.isFullRange
                matrix =
                    switch frame.av.pointee.colorspace {
                    case AVCOL_SPC_BT709: SWS_CS_ITU709
                    case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
                    default: SWS_CS_ITU601
                    }
            }
        }

        var source: Side
        var target: Side
        var flags: Int32
    }

    private var conversion: Conversion?
    private var context: cff_scaler?

    package init() {}

    deinit { sws_freeContext(context) }

    /// Converts `source` into `target`, whose size and format say what is wanted. The colour matrix and range of both are
    /// respected; `flags` are libswscale's.
    package func convert(_ source: FrameBuffer, into target: FrameBuffer, flags: Int32 = cff_scale_bicubic) throws {
        let wanted = Conversion(source: .init(source), target: .init(target), flags: flags)
        if wanted != conversion { try prepare(wanted) }
        try check(sws_scale_frame(context, target.av, source.av), "convert", "a frame")
    }

    private func prepare(_ wanted: Conversion) throws {
        sws_freeContext(context)
        conversion = nil
        context = sws_alloc_context()
        guard let context else { throw outOfMemory("convert", "a frame") }
        // Before the context is made up: told afterwards, libswscale gets the range of grey with alpha wrong.
        let raw = UnsafeMutableRawPointer(context)
        for (name, value) in [
            ("srcw", wanted.source.width), ("srch", wanted.source.height),
            ("src_format", wanted.source.format.rawValue),
            ("dstw", wanted.target.width), ("dsth", wanted.target.height),
            ("dst_format", wanted.target.format.rawValue),
            ("src_range", wanted.source.isFullRange ? 1 : 0), ("dst_range", wanted.target.isFullRange ? 1 : 0),
            ("sws_flags", wanted.flags),
        ] { try check(av_opt_set_int(raw, name, Int64(value), 0), "convert", "a frame") }
        guard sws_init_context(context, nil, nil) >= 0 else {
            throw FileError(
                "convert", path: "a frame",
                reason: "no conversion from \(name(wanted.source.format)) to \(name(wanted.target.format))")
        }
        _ = sws_setColorspaceDetails(
            context, sws_getCoefficients(wanted.source.matrix), wanted.source.isFullRange ? 1 : 0,
            sws_getCoefficients(wanted.target.matrix), wanted.target.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
        conversion = wanted
    }

    private func name(_ format: AVPixelFormat) -> String {
        av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "an unknown format"
    }
}
