/// Draws labels: lines of text on backgrounds.
///
/// Labels are left out of pictures so small that they would hide a good part of them.
struct LabelPainter {
    /// Background of what isn't in a track's colour.
    static let panelColor = RGB(20, 20, 24)

    /// One line of a label.
    struct Line {
        var text: String
        /// Colour of the background.
        var color: RGB
        /// Opacity, 0…1.
        var opacity: Double
    }

    /// The label of one thing: its lines, stacked.
    struct Caption {
        /// Box of the thing that it names.
        var beside: Box
        /// Size of the text, pixels an em.
        var fontPixels: Int
        /// Pixels to leave between the box and the label.
        var gap: Int
        var lines: [Line] = []
        /// The line from a point to its label; nil for none.
        var leader: Leader?

        init(beside: Box, fontPixels: Int, gap: Int, lines: [Line] = []) {
            self.beside = beside
            self.fontPixels = fontPixels
            self.gap = gap
            self.lines = lines
        }
    }

    /// A line from a point to the label that is some way off.
    struct Leader {
        var from: Point
        /// Pixels about the point that stay free.
        var clear: Double
        /// Thickness, pixels.
        var thickness: Double
    }

    private var renderers: [Int: TextRenderer] = [:]

    /// How a font's lines are set, whole pixels.
    private struct Metrics {
        var ascent: Int
        var padding: (x: Int, y: Int)
        var lineHeight: Int
        var radius: Double

        init(_ renderer: TextRenderer) {
            ascent = renderer.ascent
            padding = (max(renderer.size / 5, 2), max(renderer.size / 8, 1))
            lineHeight = renderer.ascent + renderer.descent + 2 * padding.y
            radius = Double(renderer.size) / 8
        }

        /// Whether a picture has room for labels.
        func fits(_ size: PictureSize) -> Bool { size.height >= 3 * lineHeight && size.width >= 4 * lineHeight }
    }

    /// Draws a label beside its box.
    mutating func draw(
        _ caption: Caption, layout: inout LabelLayout, on surface: any Surface
    ) throws(TextError) {
        let renderer = try renderer(caption.fontPixels)
        let metrics = Metrics(renderer)
        guard metrics.fits(surface.size) else { return }
        let room = min(max(surface.size.width / 2, 16 * caption.fontPixels), surface.size.width) - 2 * metrics.padding.x
        var bitmaps: [TextBitmap] = []
        for line in caption.lines {
            bitmaps.append(try renderer.bitmap(of: line.text, maximumWidth: room))
        }
        let width = (bitmaps.map(\.advance).max() ?? 0) + 2 * metrics.padding.x
        let height = bitmaps.count * metrics.lineHeight
        guard let place = layout.place(width: width, height: height, beside: caption.beside, gap: caption.gap) else {
            return
        }
        if let leader = caption.leader, let line = caption.lines.first {
            Self.draw(leader, to: place, line, on: surface)
        }
        for (index, line) in caption.lines.enumerated() {
            let background = PixelRect(
                x: place.x, y: place.y + index * metrics.lineHeight,
                width: bitmaps[index].advance + 2 * metrics.padding.x, height: metrics.lineHeight)
            surface.fill(
                Box(background), radius: metrics.radius, color: line.color, opacity: 0.8 * line.opacity)
            surface.text(
                bitmaps[index], by: renderer, x: background.x + metrics.padding.x,
                baseline: background.y + metrics.padding.y + metrics.ascent, color: Palette.text(on: line.color),
                // Text fades less than what is behind it.
                opacity: line.opacity.squareRoot())
        }
    }

    private static func draw(
        _ leader: Leader, to place: PixelRect, _ line: Line, on surface: any Surface
    ) {
        let from = leader.from
        let target = Point(
            min(max(from.x, Double(place.x) + leader.thickness), Double(place.right - 1) - leader.thickness),
            min(max(from.y, Double(place.y) + leader.thickness), Double(place.bottom - 1) - leader.thickness))
        let way = target - from
        let length = from.distance(to: target)
        guard length > leader.clear else { return }
        let start = from + way * (leader.clear / length)
        surface.line(
            from: start, to: target, thickness: 2 * leader.thickness, color: panelColor, opacity: 0.5 * line.opacity)
        surface.line(
            from: start, to: target, thickness: leader.thickness, color: line.color, opacity: line.opacity)
    }

    /// Draws classes of the whole picture in its top left corner, below the lists that are there already: names,
    /// confidences, and a bar for each.
    mutating func drawList(
        _ labels: [ScoredLabel], style: DrawStyle, layout: inout LabelLayout, on surface: any Surface
    ) throws(TextError) {
        let renderer = try renderer(style.fontPixels(for: surface.size))
        let metrics = Metrics(renderer)
        guard metrics.fits(surface.size) else { return }
        let em = renderer.size
        let bar = style.confidence ? max(em / 8, 2) : 0
        let rowHeight = metrics.lineHeight + bar
        let margin = em / 3
        let top = max((layout.taken.map(\.bottom).max() ?? 0) + margin, margin)
        let rows = min(labels.count, (surface.size.height - top - margin) / rowHeight)
        guard rows > 0 else { return }

        let room = min(max(surface.size.width / 3, 14 * em), surface.size.width) - 2 * margin - 3 * metrics.padding.x
        var names: [TextBitmap] = []
        var scores: [TextBitmap] = []
        let scoreWidth = style.confidence ? try renderer.bitmap(of: "100 %").advance : 0
        for label in labels.prefix(rows) {
            names.append(try renderer.bitmap(of: label.label, maximumWidth: max(room - scoreWidth, em)))
            guard style.confidence else { continue }
            scores.append(try renderer.bitmap(of: LabelText.score(label.confidence), maximumWidth: max(room / 2, em)))
        }
        // A least width, so that the list doesn't change its size with every other class.
        let nameWidth = max(names.map(\.advance).max() ?? 0, min(6 * em, room - scoreWidth))
        let numberWidth = max(scores.map(\.advance).max() ?? 0, scoreWidth)
        let inner = nameWidth + (numberWidth > 0 ? numberWidth + metrics.padding.x : 0)
        let panel = PixelRect(
            x: margin, y: top, width: inner + 2 * metrics.padding.x, height: rows * rowHeight + metrics.padding.y)
        layout.reserve(panel)
        surface.fill(
            Box(panel), radius: metrics.radius, color: Self.panelColor, opacity: 0.65 * style.opacity)
        let accent = style.color ?? Palette.color(track: 1)
        let white = Palette.text(on: Self.panelColor)
        for (index, label) in labels.prefix(rows).enumerated() {
            let y = panel.y + index * rowHeight
            let left = panel.x + metrics.padding.x
            let baseline = y + metrics.padding.y + metrics.ascent
            surface.text(names[index], by: renderer, x: left, baseline: baseline, color: white, opacity: style.opacity)
            guard style.confidence else { continue }
            surface.text(
                scores[index], by: renderer, x: left + inner - scores[index].advance, baseline: baseline, color: white,
                opacity: style.opacity)
            guard (0...1).contains(label.confidence) else { continue }
            surface.fill(
                Box(
                    x: Double(left), y: Double(y + metrics.lineHeight), width: Double(inner) * label.confidence,
                    height: Double(bar)),
                color: accent, opacity: style.opacity)
        }
    }

    private mutating func renderer(_ pixels: Int) throws(TextError) -> TextRenderer {
        if let known = renderers[pixels] { return known }
        let renderer = try TextRenderer(size: pixels)
        renderers[pixels] = renderer
        return renderer
    }
}

extension Box {
    init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }
}
