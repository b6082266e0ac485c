/// Writes what is painted on one picture as events of a script, which cover the pixels that `Painter` covers.
///
/// A stroke is a filled shape: a player's own border would lie outside of its path. One thread at a time.
final class ScriptPainter: Surface {
    let size: PictureSize
    /// None: a script has no pixels.
    let canvas: Canvas? = nil

    private var events: [String] = []
    /// Shapes of one colour that wait to be united: nothing else was painted between. What shows through isn't united.
    private var pending: (fill: String, path: ScriptPath)?
    private var fonts: [Int: TextRenderer.Font] = [:]
    /// The first error.
    private var failure: TextError?

    init(size: PictureSize) { self.size = size }

    /// The events since the last call, in the order in which they lie on one another.
    func take() throws(TextError) -> [String] {
        finish()
        defer { events = [] }
        if let failure { throw failure }
        return events
    }

    /// Steps in which a trail fades.
    private static let steps = 8.0

    // MARK: Shapes

    func line(from a: Point, to b: Point, thickness: Double, color: RGB, opacity: Double) {
        guard Painter.isUsable(thickness), a.isDrawable, b.isDrawable else { return }
        draw(color, opacity) { $0.add(StrokeOutlines.line(from: a, to: b, thickness: thickness)) }
    }

    func outline(of polygon: [Point], thickness: Double, dashed: Bool, color: RGB, opacity: Double) {
        guard Painter.isUsable(thickness), polygon.allSatisfy(\.isDrawable) else { return }
        draw(color, opacity) { path in
            let dash = dashed ? Dash(thickness: thickness) : nil
            for piece in StrokeOutlines.outline(of: polygon, thickness: thickness, dash: dash) { path.add(piece) }
        }
    }

    func dot(at center: Point, radius: Double, color: RGB, opacity: Double) {
        guard Painter.isUsable(radius), center.isDrawable else { return }
        draw(color, opacity) { $0.add(StrokeOutlines.circle(at: center, radius: radius)) }
    }

    func fill(_ box: Box, radius: Double, color: RGB, opacity: Double) {
        guard box.isDrawable, radius.isFinite else { return }
        draw(color, opacity) { $0.add(StrokeOutlines.box(box, radius: radius)) }
    }

    func fill(_ polygon: [Point], color: RGB, opacity: Double) {
        guard polygon.allSatisfy(\.isDrawable) else { return }
        draw(color, opacity) { $0.add(polygon) }
    }

    /// Fills a mask, as an event of its own: its holes would be cut out of what else lies there.
    func fill(_ mask: RunMask, color: RGB, opacity: Double) {
        finish()
        let seen = mask.of(mask.box.intersection(PixelBox(size)))
        draw(color, opacity) { path in
            for outline in seen.smoothOutlines(tolerance: Self.slack) { path.add(outline, turns: false) }
        }
        finish()
    }

    /// Pixels by which a mask's outline may be off its pixels, for fewer bytes.
    private static let slack = 0.3

    func trail(_ points: [(point: Point, strength: Double)], thickness: Double, color: RGB, opacity: Double) {
        guard Painter.isUsable(thickness) else { return }
        // Stretches of one step, which follow on one another.
        var stretches: [(step: Int, points: [Point])] = []
        var previous: Point?
        for (point, strength) in points {
            guard point.isDrawable else {
                previous = nil
                continue
            }
            if let previous, strength > 0 {
                let step = max(Int((min(strength, 1) * Self.steps).rounded()), 1)
                if let last = stretches.last, last.step == step, last.points.last == previous {
                    stretches[stretches.count - 1].points.append(point)
                } else {
                    stretches.append((step, [previous, point]))
                }
            }
            previous = point
        }
        // The stronger over the weaker, where they meet.
        for step in Set(stretches.map(\.step)).sorted() {
            draw(color, opacity * Double(step) / Self.steps) { path in
                for stretch in stretches where stretch.step == step {
                    for polygon in StrokeOutlines.path(through: stretch.points, thickness: thickness) {
                        path.add(polygon, turns: false)
                    }
                }
            }
        }
    }

    private func draw(_ color: RGB, _ opacity: Double, _ add: (inout ScriptPath) -> Void) {
        let code = RGB.code(opacity)
        guard code > 0 else { return }
        let fill = ScriptText.fill(color, alpha: 255 - code)
        if pending?.fill != fill || code < 255 { finish() }
        var path = pending?.path ?? ScriptPath(size)
        add(&path)
        pending = (fill, path)
    }

    private func finish() {
        defer { pending = nil }
        guard let (fill, path) = pending, !path.isEmpty else { return }
        events.append("{\\pos(0,0)\(fill)\\p\(ScriptPath.mode)}\(path.text)")
    }

    // MARK: Text

    func text(_ text: TextBitmap, by renderer: TextRenderer, x: Int, baseline: Int, color: RGB, opacity: Double) {
        let code = RGB.code(opacity)
        // What has no ink takes no place either.
        guard code > 0, text.width > 0, failure == nil else { return }
        finish()
        do throws(TextError) {
            let font = try font(of: renderer)
            let shown = try renderer.shown(text)
            // Pango's letters stand on whole pixels; a script's are spaced so that the whole is as wide.
            let spacing = (Double(text.advance) - (try renderer.plainWidth(of: shown))) / Double(max(shown.count, 1))
            let em = Double(renderer.size)
            let top = Double(baseline) - font.ascent * em
            var tags =
                "\\pos(\(x),\(ScriptText.number(top)))\\fs\(ScriptText.number((font.ascent + font.descent) * em))"
            if abs(spacing) >= 0.005 { tags += "\\fsp\(ScriptText.number(spacing))" }
            events.append("{\(tags)\(ScriptText.fill(color, alpha: 255 - code))}\(ScriptText.escaped(shown))")
        } catch {
            failure = error
        }
    }

    private func font(of renderer: TextRenderer) throws(TextError) -> TextRenderer.Font {
        if let known = fonts[renderer.size] { return known }
        let font = try renderer.font()
        fonts[renderer.size] = font
        return font
    }
}
