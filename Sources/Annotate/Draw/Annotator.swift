/// Draws one job's observations onto its pictures, frame after frame.
///
/// What is drawn depends only on the observations and times given so far, so the same calls paint the same bytes. An
/// annotator remembers the paths of tracks: use one for each job, on one thread at a time, with the frames in order.
public final class Annotator {
    let painter = Painter()
    let pictures = PicturePainter()
    private var memory = TrackMemory()
    private var labels = LabelPainter()
    var smoother = PoseSmoother()
    let poses: PosePainter?
    let models: ModelPainter?
    let projection: CameraProjection?

    /// - Parameter camera: What the pictures were taken with; without it nothing is drawn in perspective.
    public init(camera: CameraIntrinsics? = nil) {
        poses = camera.map(PosePainter.init(camera:))
        projection = camera.map(CameraProjection.init)
        models = projection.map(ModelPainter.init(projection:))
    }

    /// Draws a frame's observations: pictures that lie on quads first, then trails, outlines, then what stands in space,
    /// the farther first, then labels, each in the order given.
    ///
    /// - Parameters:
    ///   - observations: Those of one frame. A classification's label is stacked under the label of the observation
    ///     that has the track it is about.
    ///   - time: The frame's, in seconds; earlier than the last frame's forgets the trails.
    ///   - canvas: The picture.
    /// - Throws: `TextError` where text can't be rendered, no font being installed.
    public func draw(
        _ observations: [NumberedObservation], at time: Double, onto canvas: Canvas
    ) throws(TextError) {
        guard canvas.width > 0, canvas.height > 0 else { return }
        let items = observations.compactMap { item in item.style.map { (item, $0) } }
        for (item, style) in items { drawPicture(on: item.observation, style, onto: canvas) }
        drawTrails(items, at: time, onto: canvas)
        var shapes: [Shape?] = []
        shapes.reserveCapacity(items.count)
        for (item, style) in items {
            let shape = shape(of: item, on: canvas)
            shapes.append(shape)
            if let shape, style.outline, !liesInSpace(item.observation, style) {
                drawOutline(of: item, shape, style, onto: canvas)
            }
            if style.landmarks { drawLandmarks(of: item.observation, style, onto: canvas) }
        }
        drawPoses(items, at: time, onto: canvas)
        try drawLabels(items, shapes, of: observations, onto: canvas)
    }

    enum Shape {
        case polygon([Point])
        case box(Box)
        case line(Point, Point)
        case pin(Point)

        var bounds: Box? {
            switch self {
            // A polygon's corners are pixel centres: its box covers these pixels.
            case .polygon(let points):
                Box(around: points).map { Box(x: $0.x, y: $0.y, width: $0.width + 1, height: $0.height + 1) }
            case .box(let box): box
            // A line's label is at its middle.
            case .line(let a, let b): Box(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: 1, height: 1)
            case .pin(let point): Box(x: point.x, y: point.y, width: 1, height: 1)
            }
        }

        var isDrawable: Bool {
            switch self {
            case .polygon(let points): !points.isEmpty && points.allSatisfy(\.isDrawable)
            case .box(let box): box.isDrawable
            case .line(let a, let b): a.isDrawable && b.isDrawable
            case .pin(let point): point.isDrawable
            }
        }
    }

    /// Where to draw an observation; a lost track is where it was last seen, an ended one nowhere.
    func shape(of item: NumberedObservation, on canvas: Canvas) -> Shape? {
        let observation = item.observation
        if observation.state == .ended { return nil }
        let remembered = observation.state == .lost ? item.track.flatMap { memory.tracks[$0] } : nil
        var shape: Shape?
        if observation.kind == .annotation {
            shape = observation.point.map(Shape.pin)
        } else if let polygon = observation.polygon {
            shape = .polygon(polygon)
        } else if let box = observation.box {
            shape = .box(box)
        } else if let ends = observation.horizon?.ends(width: canvas.width, height: canvas.height) {
            shape = .line(ends.0, ends.1)
        } else if let polygon = remembered?.lastPolygon {
            shape = .polygon(polygon)
        } else if let box = remembered?.lastBox {
            shape = .box(box)
        }
        return shape?.isDrawable == true ? shape : nil
    }

    // MARK: Trails and outlines

    /// The first corner's dot, in thicknesses of the outline.
    private static let dotRadius = 2.0
    /// A pin's dot, and how far off its label is, in thicknesses of the outline.
    private static let pinRadius = 2.5
    private static let leader = 12.0

    private func drawTrails(
        _ items: [(item: NumberedObservation, style: DrawStyle)], at time: Double, onto canvas: Canvas
    ) {
        memory.begin(at: time)
        let spacing = Double(min(canvas.width, canvas.height)) / 540
        for (item, style) in items {
            guard let track = item.track, item.observation.kind != .classification else { continue }
            memory.note(track, item.observation, trail: style.trail, spacing: max(spacing, 1))
            guard style.trail > 0, item.observation.state != .ended else { continue }
            painter.trail(
                memory.path(of: track, trail: style.trail), thickness: style.lineThickness(for: canvas),
                color: color(of: item, style), opacity: 0.8 * style.opacity, onto: canvas)
        }
        memory.end(keeping: items.map(\.style.trail).max() ?? 0)
    }

    func drawOutline(of item: NumberedObservation, _ shape: Shape, _ style: DrawStyle, onto canvas: Canvas) {
        let observation = item.observation
        let color = color(of: item, style)
        let opacity = style.opacity * Self.emphasis(of: observation)
        let thickness = style.lineThickness(for: canvas) * (observation.held ? 0.75 : 1)
        let dashed = observation.state == .lost || observation.state == .predicted
        switch shape {
        case .line(let a, let b):
            painter.line(from: a, to: b, thickness: thickness, color: color, opacity: opacity, onto: canvas)
        case .box(let box):
            painter.outline(
                of: box, thickness: thickness, dashed: dashed, color: color, opacity: opacity, onto: canvas)
        case .polygon(let polygon):
            painter.outline(
                of: polygon, thickness: thickness, dashed: dashed, color: color, opacity: opacity, onto: canvas)
            guard style.firstCorner, let first = polygon.first, let next = polygon.dropFirst().first,
                let last = polygon.last
            else { return }
            // A dot that leaves a small marker recognisable.
            let shorter = min(first.distance(to: next), first.distance(to: last))
            let radius = max(min(Self.dotRadius * thickness, shorter / 5), thickness)
            painter.dot(at: first, radius: radius, color: color, opacity: opacity, onto: canvas)
        case .pin(let point):
            painter.pin(at: point, radius: Self.pinRadius * thickness, color: color, opacity: opacity, onto: canvas)
        }
    }

    /// Paths through 68 landmarks, points for any other number.
    private func drawLandmarks(of observation: Observation, _ style: DrawStyle, onto canvas: Canvas) {
        let landmarks = observation.landmarks
        let thickness = style.lineThickness(for: canvas)
        let opacity = style.opacity * Self.emphasis(of: observation)
        guard landmarks.count == 68 else {
            for point in landmarks {
                painter.dot(
                    at: point, radius: 1.5 * thickness, color: Palette.features, opacity: opacity, onto: canvas)
            }
            return
        }
        for path in FaceFeatures.sixtyEight {
            var points = landmarks[path.indices].map { (point: $0, strength: 1.0) }
            if path.isClosed, let first = points.first { points.append(first) }
            painter.trail(
                points, thickness: 0.75 * thickness, color: Palette.features, opacity: opacity, onto: canvas)
        }
    }

    func color(of item: NumberedObservation, _ style: DrawStyle) -> RGB {
        style.color ?? Palette.color(track: item.track ?? item.of)
    }

    /// How strongly an observation is drawn, 0…1: less what is only carried over or supposed.
    static func emphasis(of observation: Observation) -> Double {
        switch observation.state {
        case .lost: 0.45
        case .predicted: 0.75
        default: observation.held ? 0.6 : 1
        }
    }

    // MARK: Labels

    private func drawLabels(
        _ items: [(item: NumberedObservation, style: DrawStyle)], _ shapes: [Shape?],
        of all: [NumberedObservation], onto canvas: Canvas
    ) throws(TextError) {
        var layout = LabelLayout(width: canvas.width, height: canvas.height)
        var captions: [LabelPainter.Caption] = []
        var captionOfTrack: [Int: Int] = [:]
        for (index, (item, style)) in items.enumerated() where item.observation.kind != .classification {
            guard let bounds = shapes[index]?.bounds else { continue }
            let reach = style.lineThickness(for: canvas) * (style.firstCorner ? Self.dotRadius : 0.5)
            var caption = LabelPainter.Caption(
                beside: bounds, fontPixels: style.fontPixels(for: canvas), gap: Int(reach.rounded(.up)) + 1)
            if case .pin(let point) = shapes[index] {
                let thickness = style.lineThickness(for: canvas)
                caption.gap = Int((Self.leader * thickness).rounded(.up))
                caption.leader = .init(
                    from: point, clear: Self.pinRadius * thickness, thickness: thickness)
            }
            if style.label, let title = LabelText.title(of: item, style: style) {
                let strength = max(Self.emphasis(of: item.observation), 0.6) * style.opacity
                caption.lines.append(.init(text: title, color: color(of: item, style), opacity: strength))
            }
            if let track = item.track, captionOfTrack[track] == nil { captionOfTrack[track] = captions.count }
            captions.append(caption)
        }
        for (index, (item, style)) in items.enumerated() where item.observation.kind == .classification && style.label {
            guard let best = item.observation.labels.first else { continue }
            let target = item.of ?? item.track
            if target == nil, shapes[index] == nil {
                try labels.drawList(
                    Array(item.observation.labels.prefix(5)), style: style, painter: painter, layout: &layout,
                    onto: canvas)
                continue
            }
            let line = LabelPainter.Line(
                text: LabelText.text(of: best, style: style), color: LabelPainter.panelColor,
                opacity: style.opacity * (item.observation.held ? 0.85 : 1))
            if let target, let known = captionOfTrack[target] {
                captions[known].lines.append(line)
            } else if let bounds = shapes[index]?.bounds ?? target.flatMap({ self.bounds(of: $0, in: all, on: canvas) })
            {
                captions.append(
                    .init(beside: bounds, fontPixels: style.fontPixels(for: canvas), gap: 2, lines: [line]))
            }
        }
        for caption in captions where !caption.lines.isEmpty {
            try labels.draw(caption, painter: painter, layout: &layout, onto: canvas)
        }
    }

    /// Where the observation of a track is, drawn or not.
    private func bounds(of track: Int, in observations: [NumberedObservation], on canvas: Canvas) -> Box? {
        observations.first { $0.track == track && $0.observation.kind != .classification }
            .flatMap { shape(of: $0, on: canvas) }?.bounds
    }
}
