/// A surface that shapes are painted on: a picture, or something that draws the same elsewhere.
///
/// Places, sizes and opacities are those of `Painter`, which says what each shape covers.
protocol Surface {
    /// Size, pixels.
    var size: PictureSize { get }
    /// The pixels themselves; nil where there are none, and pictures and bodies can't be laid on them.
    var canvas: Canvas? { get }

    func line(from a: Point, to b: Point, thickness: Double, color: RGB, opacity: Double)
    func outline(of polygon: [Point], thickness: Double, dashed: Bool, color: RGB, opacity: Double)
    func dot(at center: Point, radius: Double, color: RGB, opacity: Double)
    func fill(_ box: Box, radius: Double, color: RGB, opacity: Double)
    func fill(_ polygon: [Point], color: RGB, opacity: Double)
    func fill(_ mask: RunMask, color: RGB, opacity: Double)
    func trail(_ points: [(point: Point, strength: Double)], thickness: Double, color: RGB, opacity: Double)

    /// Draws a line of text.
    /// - Parameter renderer: The renderer that made the bitmap.
    func text(_ text: TextBitmap, by renderer: TextRenderer, x: Int, baseline: Int, color: RGB, opacity: Double)
}

extension Surface {
    /// An upright box's outline, on whole pixels.
    func outline(of box: Box, thickness: Double, dashed: Bool, color: RGB, opacity: Double) {
        guard let frame = CrispFrame(box, thickness: thickness) else { return }
        outline(of: frame.corners, thickness: frame.thickness, dashed: dashed, color: color, opacity: opacity)
    }

    /// Draws the mark of one point: a dot in a white ring with a dark rim, to be seen on any ground.
    ///
    /// - Parameter radius: The dot's, pixels.
    func pin(at center: Point, radius: Double, color: RGB, opacity: Double) {
        let rings = [(1.6, RGB(0, 0, 0), 0.6), (1.35, RGB(255, 255, 255), 1), (1, color, 1)]
        for (scale, color, strength) in rings {
            dot(at: center, radius: scale * radius, color: color, opacity: strength * opacity)
        }
    }

    func fill(_ box: Box, color: RGB, opacity: Double) { fill(box, radius: 0, color: color, opacity: opacity) }
}

/// A picture's pixels as a surface.
struct CanvasSurface: Surface {
    private let painter: Painter
    private let target: Canvas

    init(_ painter: Painter, _ canvas: Canvas) { (self.painter, target) = (painter, canvas) }

    var size: PictureSize { PictureSize(width: target.width, height: target.height) }
    var canvas: Canvas? { target }

    func line(from a: Point, to b: Point, thickness: Double, color: RGB, opacity: Double) {
        painter.line(from: a, to: b, thickness: thickness, color: color, opacity: opacity, onto: target)
    }

    func outline(of polygon: [Point], thickness: Double, dashed: Bool, color: RGB, opacity: Double) {
        painter.outline(
            of: polygon, thickness: thickness, dashed: dashed, color: color, opacity: opacity, onto: target)
    }

    func dot(at center: Point, radius: Double, color: RGB, opacity: Double) {
        painter.dot(at: center, radius: radius, color: color, opacity: opacity, onto: target)
    }

    func fill(_ box: Box, radius: Double, color: RGB, opacity: Double) {
        painter.fill(box, radius: radius, color: color, opacity: opacity, onto: target)
    }

    func fill(_ polygon: [Point], color: RGB, opacity: Double) {
        painter.fill(polygon, color: color, opacity: opacity, onto: target)
    }

    func fill(_ mask: RunMask, color: RGB, opacity: Double) {
        painter.fill(mask, color: color, opacity: opacity, onto: target)
    }

    func trail(_ points: [(point: Point, strength: Double)], thickness: Double, color: RGB, opacity: Double) {
        painter.trail(points, thickness: thickness, color: color, opacity: opacity, onto: target)
    }

    func text(_ text: TextBitmap, by renderer: TextRenderer, x: Int, baseline: Int, color: RGB, opacity: Double) {
        painter.text(text, x: x, baseline: baseline, color: color, opacity: opacity, onto: target)
    }
}

/// An upright box's outline, rounded to whole pixels: the middle of its stroke.
///
/// An even thickness lies half outside and half inside of the box's outermost pixels' outer edge; an odd one has the extra
/// pixel inside. So thickness 1 covers the outermost pixels of the box itself: columns x and x + width − 1.
struct CrispFrame {
    let corners: [Point]
    let thickness: Double

    /// The frame of a box.
    /// - Returns: nil for a box that no sensible shape has.
    init?(_ box: Box, thickness: Double) {
        guard box.isDrawable, thickness.isFinite else { return nil }
        let thickness = max(thickness.rounded(), 1)
        // From the box's edge to the middle of the stroke.
        let inset = thickness / 2 - (thickness / 2).rounded(.down)
        let (left, top) = (box.x.rounded(), box.y.rounded())
        let (right, bottom) = (max(box.right.rounded(), left + 1), max(box.bottom.rounded(), top + 1))
        let (x0, y0, x1, y1) = (left - 0.5 + inset, top - 0.5 + inset, right - 0.5 - inset, bottom - 0.5 - inset)
        corners = [Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)]
        self.thickness = thickness
    }
}
