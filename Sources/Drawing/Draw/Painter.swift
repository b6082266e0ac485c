/// Draws anti-aliased shapes in place onto a picture's Y′CbCr planes.
///
/// Places are in pixels, origin at the top left, integer coordinates are pixel centres: a line of thickness 1 through
/// integer coordinates covers those pixels fully. Shapes are cut at the picture's edges; a shape with a coordinate
/// that isn't finite, or is farther than 10⁶ pixels from the origin, is left out. The result is the same on every
/// machine: coverage comes from correctly rounded operations only, blending is in integers.
///
/// A painter keeps a scratch picture between calls. One thread at a time.
public final class Painter {
    private var mask = CoverageMask(width: 0, height: 0)

    /// A painter for pictures of any size; whenever that changes, its scratch picture is made anew.
    public init() {}

    /// Draws a straight line with round caps.
    ///
    /// - Parameters:
    ///   - a: Where it begins.
    ///   - b: Where it ends.
    ///   - thickness: Pixels; under 1 it fades instead of growing thinner.
    ///   - color: The line's.
    ///   - opacity: 0…1.
    ///   - canvas: The picture that is drawn on.
    public func line(
        from a: Point, to b: Point, thickness: Double, color: RGB, opacity: Double = 1, onto canvas: Canvas
    ) {
        guard Self.isUsable(thickness), a.isDrawable, b.isDrawable else { return }
        begin(canvas)
        mask.addLine(from: a, to: b, thickness: thickness)
        paint(color, opacity, canvas)
    }

    /// Draws a closed outline, centred on the polygon's sides, with mitred corners.
    ///
    /// - Parameters:
    ///   - polygon: The corners in order, the first not repeated.
    ///   - thickness: Pixels.
    ///   - dashed: Draws dashes of four times the thickness (8 pixels at least) with gaps of the same length; every
    ///     corner is part of a dash.
    ///   - color: The line's.
    ///   - opacity: 0…1.
    ///   - canvas: The picture that is drawn on.
    public func outline(
        of polygon: [Point], thickness: Double, dashed: Bool = false, color: RGB, opacity: Double = 1,
        onto canvas: Canvas
    ) {
        guard Self.isUsable(thickness), polygon.allSatisfy(\.isDrawable) else { return }
        begin(canvas)
        mask.addOutline(of: polygon, thickness: thickness, dash: dashed ? Dash(thickness: thickness) : nil)
        paint(color, opacity, canvas)
    }

    /// Draws the outline of an upright box, crisply: its sides and the thickness are rounded to whole pixels.
    ///
    /// An even thickness lies half outside and half inside of the box's outermost pixels' outer edge; an odd one has
    /// the extra pixel inside. So thickness 1 covers the outermost pixels of the box itself: columns x and
    /// x + width − 1.
    public func outline(
        of box: Box, thickness: Double, dashed: Bool = false, color: RGB, opacity: Double = 1, onto canvas: Canvas
    ) {
        CanvasSurface(self, canvas).outline(
            of: box, thickness: thickness, dashed: dashed, color: color, opacity: opacity)
    }

    /// Draws a filled circle.
    ///
    /// - Parameters:
    ///   - center: Its middle.
    ///   - radius: Pixels.
    ///   - color: The circle's.
    ///   - opacity: 0…1.
    ///   - canvas: The picture that is drawn on.
    public func dot(at center: Point, radius: Double, color: RGB, opacity: Double = 1, onto canvas: Canvas) {
        guard Self.isUsable(radius), center.isDrawable else { return }
        begin(canvas)
        mask.addDot(at: center, radius: radius)
        paint(color, opacity, canvas)
    }

    /// Fills a box with rounded corners.
    ///
    /// - Parameters:
    ///   - box: `Box(x: 3, y: 2, width: 1, height: 1)` is the pixel in column 3, row 2.
    ///   - radius: The corners', pixels.
    ///   - color: The box's.
    ///   - opacity: 0…1.
    ///   - canvas: The picture that is drawn on.
    public func fill(_ box: Box, radius: Double = 0, color: RGB, opacity: Double = 1, onto canvas: Canvas) {
        guard box.isDrawable, radius.isFinite else { return }
        begin(canvas)
        mask.addRoundedBox(box, radius: radius)
        paint(color, opacity, canvas)
    }

    /// Fills a polygon of any form.
    ///
    /// - Parameters:
    ///   - polygon: The corners in order, the first not repeated.
    ///   - color: The polygon's.
    ///   - opacity: 0…1.
    ///   - canvas: The picture that is drawn on.
    public func fill(_ polygon: [Point], color: RGB, opacity: Double = 1, onto canvas: Canvas) {
        guard polygon.allSatisfy(\.isDrawable) else { return }
        begin(canvas)
        mask.addPolygon(polygon)
        paint(color, opacity, canvas)
    }

    /// Fills a mask's pixels, with soft edges: as far as a line through the middles of their outer sides encloses them.
    public func fill(_ mask: RunMask, color: RGB, opacity: Double = 1, onto canvas: Canvas) {
        begin(canvas)
        self.mask.addRegion(mask)
        paint(color, opacity, canvas)
    }

    /// Draws a line through points that fades along its way.
    ///
    /// - Parameters:
    ///   - points: The places and how strong the line is up to there, 0…1. A point of strength 0 or less begins a new
    ///     line.
    ///   - thickness: Pixels.
    ///   - color: The line's.
    ///   - opacity: 0…1, where the line is strongest.
    ///   - canvas: The picture that is drawn on.
    public func trail(
        _ points: some Sequence<(point: Point, strength: Double)>, thickness: Double, color: RGB,
        opacity: Double = 1, onto canvas: Canvas
    ) {
        guard Self.isUsable(thickness) else { return }
        begin(canvas)
        var previous: Point?
        for (point, strength) in points {
            guard point.isDrawable else {
                previous = nil
                continue
            }
            if let previous, strength > 0 {
                mask.addLine(from: previous, to: point, thickness: thickness, strength: min(strength, 1))
            }
            previous = point
        }
        paint(color, opacity, canvas)
    }

    /// Draws rendered text.
    ///
    /// - Parameters:
    ///   - x: The column of the pen's start.
    ///   - baseline: The row below the baseline.
    func text(_ text: TextBitmap, x: Int, baseline: Int, color: RGB, opacity: Double = 1, onto canvas: Canvas) {
        begin(canvas)
        mask.add(text, x: x, baseline: baseline)
        paint(color, opacity, canvas)
    }

    private func begin(_ canvas: Canvas) {
        if mask.width != canvas.width || mask.height != canvas.height {
            mask = CoverageMask(width: canvas.width, height: canvas.height)
        }
    }

    private func paint(_ color: RGB, _ opacity: Double, _ canvas: Canvas) {
        Compositor(
            mask: mask, canvas: canvas, codes: canvas.colorSpace.codes(of: color, bitDepth: canvas.bitDepth),
            opacity: UInt16(RGB.code(opacity))
        ).paint()
        mask.clear()
    }

    static func isUsable(_ size: Double) -> Bool { size > 0 && size <= Point.drawableLimit }
}

extension Point {
    fileprivate static let drawableLimit = 1e6

    /// Whether the place is one that a sensible shape has; elsewhere arithmetic would lose the pixel.
    var isDrawable: Bool { abs(x) <= Self.drawableLimit && abs(y) <= Self.drawableLimit }
}

extension Box {
    package var isDrawable: Bool {
        Point(x, y).isDrawable && Point(right, bottom).isDrawable && width >= 0 && height >= 0
    }
}
