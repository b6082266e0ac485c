internal import CFFmpeg

/// Converts pictures between formats and sizes through libswscale; used from one thread at a time.
///
/// The tables are kept between calls as long as the formats stay the same.
final class Scaler {
    private var context: OpaquePointer?

    deinit { sws_freeContext(context) }

    /// Converts `source` into `target`, whose size and format say what is wanted. The colour matrix and range of both are
    /// respected; `flags` are libswscale's.
    func convert(_ source: FrameBuffer, into target: FrameBuffer, flags: Int32 = SWS_BICUBIC) throws {
        context = sws_getCachedContext(
            context, source.av.pointee.width, source.av.pointee.height, source.format, target.av.pointee.width,
            target.av.pointee.height, target.format, flags, nil, nil, nil)
        guard let context else {
            throw MediaError(
                "convert", path: "a frame",
                reason: "no conversion from \(name(source.format)) to \(name(target.format))")
        }
        func table(_ frame: FrameBuffer) -> UnsafePointer<Int32>? {
            let standard =
                switch frame.av.pointee.colorspace {
                case AVCOL_SPC_BT709: SWS_CS_ITU709
                case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
                default: SWS_CS_ITU601
                }
            return sws_getCoefficients(standard)
        }
        _ = sws_setColorspaceDetails(
            context, table(source), source.isFullRange ? 1 : 0, table(target), target.isFullRange ? 1 : 0, 0, 1 << 16,
            1 << 16)
        try check(sws_scale_frame(context, target.av, source.av), "convert", "a frame")
    }

    private func name(_ format: AVPixelFormat) -> String {
        av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "an unknown format"
    }
}
