internal import CFFmpeg

extension VideoFrame {
    /// A part of the picture as shown, made smaller where it is larger than wanted, its proportions kept.
    ///
    /// - Parameters:
    ///   - part: Pixels; cut to the picture, and widened to whole ones.
    ///   - size: The most pixels of the result.
    /// - Throws: `FileError`.
    package func part(_ part: Box, within size: PictureSize) throws -> VideoFrame {
        let whole = original ?? Original(picture: picture, orientation: .upright)
        let colors = try whole.converted(to: AV_PIX_FMT_RGB24, with: Scaler())
        func edges(_ from: Double, _ to: Double, _ limit: Int) -> (from: Int, count: Int) {
            let first = min(max(Int(max(from, 0).rounded(.down)), 0), limit - 1)
            let end = min(max(Int(min(to, Double(limit)).rounded(.up)), first + 1), limit)
            return (first, end - first)
        }
        let (left, width) = edges(part.x, part.right, colors.width)
        let (top, height) = edges(part.y, part.bottom, colors.height)
        // Another view of the same rows.
        let cut = try FrameBuffer(referencing: colors)
        cut.av.pointee.data.0 = colors.av.pointee.data.0?.advanced(
            by: top * Int(colors.av.pointee.linesize.0) + 3 * left)
        (cut.av.pointee.width, cut.av.pointee.height) = (Int32(width), Int32(height))
        let scale = min(1, Double(size.width) / Double(width), Double(size.height) / Double(height))
        let small = try FrameBuffer(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())),
            format: AV_PIX_FMT_RGB24)
        try Scaler().convert(cut, into: small, flags: cff_scale_area)
        return VideoFrame(ordinal: ordinal, pts: pts, duration: duration, picture: small, original: nil)
    }
}
