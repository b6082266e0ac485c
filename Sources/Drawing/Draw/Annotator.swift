/// Draws one job's observations onto its pictures, frame after frame.
///
/// What is drawn depends only on the observations and times given so far, so the same calls paint the same bytes. An
/// annotator remembers the paths of tracks: use one for each job, on one thread at a time, with the frames in order.
public final class Annotator {
    private let painter = Painter()
    let pictures = PicturePainter()
    private var memory = TrackMemory()
    private var labels = LabelPainter()
    var smoother = PoseSmoother()
    let poses: PosePainter?
    let models: ModelPainter?
    let projection: CameraProjection?

    /// An annotator for the pictures of one job.
    /// - Parameter camera: What the pictures were taken with; without it nothing is drawn in perspective.
    public init(camera: CameraIntrinsics? = nil) {
        poses = camera.map(PosePainter.init(camera:))
        projection = camera.map(CameraProjection.init)
        models = projection.map(ModelPainter.init(projection:))
    }

    /// Draws a frame's observations: pictures that lie on quads first, then trails, masks, outlines, then what stands
    /// in space, the farther first, then labels, each in the order given.
    ///
    /// - Parameters:
    ///   - observations: Those of one frame. Names are stacked under the label of the observation that has the track
    ///     they are about.
    ///   - time: The frame's, in seconds; one earlier than the last frame's forgets the trails.
    ///   - canvas: The picture.
    /// - Throws: `TextError` where text can't be rendered, no font being installed.
    public func draw(
        _ observations: [DrawnObservation], at time: Double, onto canvas: Canvas
    ) throws(TextError) {
        try draw(observations, at: time, on: CanvasSurface(painter, canvas))
    }

    /// Draws a frame's observations on any surface.
    func draw(
        _ observations: [DrawnObservation], at time: Double, on surface: any Surface
    ) throws(TextError) {
        guard surface.size.width > 0, surface.size.height > 0 else { return }
        remember(observations, at: time, on: surface)
        let items = observations.compactMap { item in
            item.style.map { Item(item.observation, $0, item.attachment, marks: marks(of: item, on: surface)) }
        }
        for item in items { drawPictures(on: item, on: surface) }
        drawTrails(items, on: surface)
        for item in items where item.style.mask { drawRegions(of: item, on: surface) }
        for item in items {
            if item.style.outline, !liesInSpace(item) { drawOutline(of: item, on: surface) }
            if item.style.landmarks { drawFeatures(of: item, on: surface) }
            if item.style.joints { drawJoints(of: item, on: surface) }
        }
        drawPoses(items, at: time, on: surface)
        try drawLabels(items, of: observations, on: surface)
    }

    /// One observation's marks and style.
    struct Item {
        let observation: Observation
        let style: DrawStyle
        /// The marks that can be drawn.
        let marks: [Mark]
        /// Box that the label is put beside; nil for no place.
        var bounds: Box? { marks.lazy.compactMap(\.bounds).first }

        init(_ observation: Observation, _ style: DrawStyle, _ attachment: (any Attachment)?, marks: [Mark]) {
            self.observation = observation
            self.style = style
            self.marks = (attachment?.marks(observation) ?? []) + marks
        }

        var color: RGB { style.color ?? Palette.color(track: (observation.track ?? observation.about)?.number) }

        /// Opacity, 0…1: less for what is only carried over or predicted.
        var emphasis: Double {
            switch observation.state {
            case .lost: 0.45
            case .predicted: 0.75
            default: observation.isHeld ? 0.6 : 1
            }
        }
    }

    /// The marks of an observation; a lost track is where it was last seen, an ended one nowhere.
    private func marks(of item: DrawnObservation, on surface: any Surface) -> [Mark] {
        var observation = item.observation
        if observation.state == .ended { return [] }
        if observation.state == .lost, observation.bounds == nil, let track = observation.track?.number {
            observation.polygon = memory.tracks[track]?.lastPolygon
            observation.box = memory.tracks[track]?.lastBox
        }
        return observation.marks(in: surface.size, item.skeleton).filter(\.isDrawable)
    }

    // MARK: Trails and outlines

    /// Radius of the first corner's dot, in thicknesses of the outline.
    private static let dotRadius = 2.0
    /// Radius of a pin's dot, and distance of its label, in thicknesses of the outline.
    private static let pinRadius = 2.5
    private static let leader = 12.0

    private func remember(_ observations: [DrawnObservation], at time: Double, on surface: any Surface) {
        memory.begin(at: time)
        let spacing = Double(min(surface.size.width, surface.size.height)) / 540
        for item in observations {
            guard let style = item.style, let track = item.observation.track?.number else { continue }
            memory.note(track, item.observation, trail: style.trail, spacing: max(spacing, 1))
        }
    }

    private func drawTrails(_ items: [Item], on surface: any Surface) {
        for item in items where item.style.trail > 0 && item.observation.state != .ended {
            guard let track = item.observation.track?.number else { continue }
            surface.trail(
                memory.path(of: track, trail: item.style.trail), thickness: item.style.lineThickness(for: surface.size),
                color: item.color, opacity: 0.8 * item.style.opacity)
        }
        memory.end(keeping: items.map(\.style.trail).max() ?? 0)
    }

    func drawOutline(of item: Item, on surface: any Surface) {
        let (observation, style) = (item.observation, item.style)
        let (color, opacity) = (item.color, style.opacity * item.emphasis)
        let thickness = style.lineThickness(for: surface.size) * (observation.isHeld ? 0.75 : 1)
        let dashed = observation.state == .lost || observation.state == .predicted
        for mark in item.marks {
            switch mark {
            case .line(let a, let b):
                surface.line(from: a, to: b, thickness: thickness, color: color, opacity: opacity)
            case .box(let box):
                surface.outline(
                    of: box, thickness: thickness, dashed: dashed, color: color, opacity: opacity)
            case .outline(let polygon):
                surface.outline(
                    of: polygon, thickness: thickness, dashed: dashed, color: color, opacity: opacity)
                guard style.firstCorner, let first = polygon.first, let next = polygon.dropFirst().first,
                    let last = polygon.last
                else { break }
                // A dot that leaves a small marker recognisable.
                let shorter = min(first.distance(to: next), first.distance(to: last))
                let radius = max(min(Self.dotRadius * thickness, shorter / 5), thickness)
                surface.dot(at: first, radius: radius, color: color, opacity: opacity)
            case .pin(let point):
                surface.pin(
                    at: point, radius: Self.pinRadius * thickness, color: color, opacity: opacity)
            case .dots, .path, .region, .joints, .posed, .names, .pictures: break
            }
        }
    }

    private func drawFeatures(of item: Item, on surface: any Surface) {
        let thickness = item.style.lineThickness(for: surface.size)
        let opacity = item.style.opacity * item.emphasis
        for mark in item.marks {
            switch mark {
            case .dots(let points):
                for point in points {
                    surface.dot(
                        at: point, radius: 1.5 * thickness, color: Palette.features, opacity: opacity)
                }
            case .path(let places, let isClosed):
                var points = places.map { (point: $0, strength: 1.0) }
                if isClosed, let first = points.first { points.append(first) }
                surface.trail(
                    points, thickness: 0.75 * thickness, color: Palette.features, opacity: opacity)
            default: break
            }
        }
    }

    // MARK: Labels

    private func drawLabels(
        _ items: [Item], of all: [DrawnObservation], on surface: any Surface
    ) throws(TextError) {
        var layout = LabelLayout(width: surface.size.width, height: surface.size.height)
        var captions: [LabelPainter.Caption] = []
        var captionOfTrack: [Int: Int] = [:]
        for item in items {
            guard let bounds = item.bounds else { continue }
            let style = item.style
            let reach = style.lineThickness(for: surface.size) * (style.firstCorner ? Self.dotRadius : 0.5)
            var caption = LabelPainter.Caption(
                beside: bounds, fontPixels: style.fontPixels(for: surface.size), gap: Int(reach.rounded(.up)) + 1)
            if let pin = item.pin {
                let thickness = style.lineThickness(for: surface.size)
                caption.gap = Int((Self.leader * thickness).rounded(.up))
                caption.leader = .init(from: pin, clear: Self.pinRadius * thickness, thickness: thickness)
            }
            if style.label, let title = LabelText.title(of: item.observation, style: style) {
                let strength = max(item.emphasis, 0.6) * style.opacity
                caption.lines.append(.init(text: title, color: item.color, opacity: strength))
            }
            if let track = item.observation.track?.number, captionOfTrack[track] == nil {
                captionOfTrack[track] = captions.count
            }
            captions.append(caption)
        }
        // Of tracks that aren't drawn; looked for where one is asked for.
        lazy var firstOfTrack = Self.firstOfTracks(all)
        for item in items where item.style.label {
            guard let names = item.names, let best = names.first else { continue }
            let (observation, style) = (item.observation, item.style)
            let target = (observation.about ?? observation.track)?.number
            if target == nil, item.bounds == nil {
                try labels.drawList(
                    Array(names.prefix(5)), style: style, layout: &layout, on: surface)
                continue
            }
            let line = LabelPainter.Line(
                text: LabelText.text(of: best, style: style), color: LabelPainter.panelColor,
                opacity: style.opacity * (observation.isHeld ? 0.85 : 1))
            if let target, let known = captionOfTrack[target] {
                captions[known].lines.append(line)
            } else if let bounds = item.bounds
                ?? target.flatMap({ firstOfTrack[$0] }).flatMap({ self.bounds(of: all[$0], on: surface) })
            {
                captions.append(
                    .init(beside: bounds, fontPixels: style.fontPixels(for: surface.size), gap: 2, lines: [line]))
            }
        }
        for caption in captions where !caption.lines.isEmpty {
            try labels.draw(caption, layout: &layout, on: surface)
        }
    }

    /// The first observation of each track, drawn or not.
    private static func firstOfTracks(_ observations: [DrawnObservation]) -> [Int: Int] {
        Dictionary(
            observations.indices.compactMap { index in observations[index].observation.track.map { ($0.number, index) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// Box of an observation; nil where it has no place.
    private func bounds(of item: DrawnObservation, on surface: any Surface) -> Box? {
        marks(of: item, on: surface).lazy.compactMap(\.bounds).first
    }
}

extension Annotator.Item {
    fileprivate var pin: Point? {
        for case .pin(let point) in marks { return point }
        return nil
    }

    fileprivate var names: [ScoredLabel]? {
        for case .names(let names) in marks { return names }
        return nil
    }
}

extension Mark {
    /// False for places that no sensible shape has.
    var isDrawable: Bool {
        switch self {
        case .outline(let points): !points.isEmpty && points.allSatisfy(\.isDrawable)
        case .box(let box): box.isDrawable
        case .line(let a, let b): a.isDrawable && b.isDrawable
        case .pin(let point): point.isDrawable
        case .region(let mask): !mask.box.isEmpty && mask.box.box.isDrawable
        case .dots, .path, .joints, .posed, .names, .pictures: true
        }
    }
}
