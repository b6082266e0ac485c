internal import CFFmpeg

/// Lines with numbers over a picture, to read places off it.
///
/// The line of x = 100 covers the pixel column 100: a point in that column has x = 100, a box that begins with it has the
/// left 100.
public struct CoordinateGrid: Sendable {
    /// Pixels from one numbered line to the next.
    public let step: Int
    /// Pixels from one line to the next, numbered or not.
    package let fineStep: Int
    /// Size of the numbers, pixels an em.
    let fontPixels: Int
    /// Thickness of a line, pixels: odd, so that it lies about its column.
    private let thickness: Double

    /// A grid that suits a picture's size.
    public init(for size: PictureSize) {
        let smaller = min(size.width, size.height)
        fontPixels = min(max(smaller / 45, 9), 40)
        thickness = smaller >= 1800 ? 3 : 1
        // Room for the longest number and as much again.
        let digits = String(max(size.width, size.height)).count
        let room = fontPixels * digits * 5 / 4
        (step, fineStep) = Self.steps.first { $0.step >= room } ?? (10_000, 2000)
    }

    private static let steps: [(step: Int, fine: Int)] = [
        (5, 1), (10, 2), (20, 5), (50, 10), (100, 20), (200, 50), (500, 100), (1000, 200), (2000, 500), (5000, 1000),
    ]
    private static let color = RGB(255, 235, 60)
    private static let shade = RGB(0, 0, 0)

    /// A frame with the grid drawn over it.
    /// - Throws: `FileError`; `TextError` where no font is installed.
    public func drawn(on frame: VideoFrame) throws -> VideoFrame {
        let source = frame.original ?? VideoFrame.Original(picture: frame.picture, orientation: .upright)
        let target = try FrameBuffer(
            width: source.picture.width, height: source.picture.height, format: AV_PIX_FMT_YUV444P)
        target.av.pointee.color_range = AVCOL_RANGE_JPEG
        target.av.pointee.colorspace = source.picture.av.pointee.colorspace
        try Scaler().convert(source.picture, into: target)
        let picture = try source.orientation.apply(to: target)
        try picture.withCanvas(draw)
        return VideoFrame(
            ordinal: frame.ordinal, pts: frame.pts, duration: frame.duration, picture: picture, original: nil)
    }

    /// Draws the grid onto a picture's planes.
    public func draw(on canvas: Canvas) throws {
        let painter = Painter()
        let renderer = try TextRenderer(size: fontPixels)
        lines(painter, canvas)
        try numbers(painter, renderer, canvas)
    }

    private func lines(_ painter: Painter, _ canvas: Canvas) {
        let (right, bottom) = (Double(canvas.width) - 0.5, Double(canvas.height) - 0.5)
        func line(_ place: Int, isColumn: Bool) {
            let at = Double(place)
            let ends = isColumn ? (Point(at, -0.5), Point(at, bottom)) : (Point(-0.5, at), Point(right, at))
            let isNumbered = place % step == 0
            // Dark beside it, so that it is seen on bright ground too.
            if isNumbered {
                painter.line(
                    from: ends.0, to: ends.1, thickness: thickness + 2, color: Self.shade, opacity: 0.35, onto: canvas)
            }
            painter.line(
                from: ends.0, to: ends.1, thickness: thickness, color: isNumbered ? Self.color : RGB(255, 255, 255),
                opacity: isNumbered ? 0.75 : 0.22, onto: canvas)
        }
        for isNumbered in [false, true] {
            for (end, isColumn) in [(canvas.width, true), (canvas.height, false)] {
                for place in stride(from: 0, to: end, by: fineStep) where (place % step == 0) == isNumbered {
                    line(place, isColumn: isColumn)
                }
            }
        }
    }

    /// Draws the numbers along all four edges; where a picture is too small for that, along the top and left ones.
    private func numbers(_ painter: Painter, _ renderer: TextRenderer, _ canvas: Canvas) throws {
        let (x, y) = (max(fontPixels / 4, 2), max(fontPixels / 8, 1))
        let height = renderer.ascent + renderer.descent + 2 * y
        var layout = LabelLayout(width: canvas.width, height: canvas.height)
        func number(_ value: Int, _ place: (_ width: Int) -> (x: Int, y: Int)) throws {
            let text = try renderer.bitmap(of: String(value))
            let width = text.advance + 2 * x
            let origin = place(width)
            let rect = PixelRect(x: origin.x, y: origin.y, width: width, height: height)
            guard rect.x >= 0, rect.y >= 0, rect.right <= canvas.width, rect.bottom <= canvas.height,
                layout.taken.allSatisfy({ $0.overlap(rect) == 0 })
            else { return }
            layout.reserve(rect)
            painter.fill(
                Box(rect), radius: Double(fontPixels) / 8, color: LabelPainter.panelColor, opacity: 0.75,
                onto: canvas)
            painter.text(
                text, x: rect.x + x, baseline: rect.y + y + renderer.ascent, color: Self.color, onto: canvas)
        }
        let hasRoom = min(canvas.width, canvas.height) >= 12 * height
        let far = hasRoom ? [false, true] : [false]
        for isFar in far {
            for value in stride(from: step, to: canvas.width, by: step) {
                try number(value) { (value - $0 / 2, isFar ? canvas.height - height : 0) }
            }
            for value in stride(from: step, to: canvas.height, by: step) {
                try number(value) { (isFar ? canvas.width - $0 : 0, value - height / 2) }
            }
        }
    }
}
