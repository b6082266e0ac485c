/// Label Studio's task with video boxes as predictions: a region a track, with every frame of it, percent of the picture,
/// frames from 1 at the file's first picture, also under a range.
///
/// `enabled` is true where the next frame has the thing too: Label Studio draws on while it is. It finds frames by time × rate.
package final class LabelStudioSink: Sink {
    package static let format = SinkFormat(
        name: "label-studio", title: "Label Studio", suffix: ".labelstudio.json",
        doc: "A Label Studio task with boxes by track, as predictions on a video.")

    private struct Shape {
        /// The shape's JSON up to `enabled`, and from there on.
        var head: String
        var tail: String
    }

    private let output: OutputFile
    private let header: TrackFileHeader
    private let regions: TrackGathering<Shape>
    private var omissions = Omissions("Label Studio", says: [.names, .turnedBoxes])
    private var rate = FrameRateWatch()
    private var last: FrameRecord?

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        header = context.header
        regions = try TrackGathering(beside: file) { shape, next, isFirst in
            let isFollowed = if case .shape = next { true } else { false }
            return (isFirst ? "" : ",") + "\n" + shape.head + (isFollowed ? "true" : "false") + shape.tail
        }
    }

    package func write(_ frame: FrameRecord) throws {
        rate.add(frame, nominal: header.source.frameRate)
        last = frame
        let placed = frame.observations.compactMap { observation in
            omissions.placement(of: observation).map { (observation, $0) }
        }
        try regions.begin(frame.frame, with: Set(placed.compactMap(\.0.track?.number)))
        for (observation, placement) in placed {
            let (number, name) = (observation.track?.number, observation.name)
            if let known = number.flatMap(regions.name), known != name {
                omissions.add(
                    "Label Studio has one label for a track; the first written instead of others", observation.stage)
            }
            try regions.add(
                shape(observation.turnedBox, placement.box, frame), track: number, name: name, frame: frame.frame)
        }
    }

    /// - Parameter turned: Instead of the box; Label Studio turns one about its top left corner.
    private func shape(_ turned: TurnedBox?, _ upright: Box, _ frame: FrameRecord) -> Shape {
        var (box, angle) = (upright, 0.0)
        if let turned, let corner = turned.corners.first {
            box = Box(x: corner.x + 0.5, y: corner.y + 0.5, width: turned.width, height: turned.height)
            angle = turned.angle
        }
        func percent(_ pixels: Double, of size: Int) -> String { (pixels / Double(size) * 100).text(6) }
        let (width, height) = (header.source.width, header.source.height)
        return Shape(
            head: "{\"frame\":\(frame.frame &+ 1),\"enabled\":",
            tail:
                ",\"rotation\":\(angle.text(2)),\"x\":\(percent(box.x, of: width)),\"y\":\(percent(box.y, of: height)),"
                + "\"width\":\(percent(box.width, of: width)),\"height\":\(percent(box.height, of: height)),"
                + "\"time\":\(frame.pts.seconds.text(6))}")
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        let count = (last?.frame ?? -1) &+ 1
        let end = last.map { MediaTime(ticks: $0.pts.ticks &+ $0.duration, timeBase: $0.pts.timeBase).seconds } ?? 0
        let head =
            "{\"data\":{\"video\":\(Self.json(header.source.name))},\"predictions\":[{\"model_version\":"
            + "\(Self.json(header.generator)),\"result\":["
        let tail = "\n]}]}\n"
        try regions.finish(into: output.temporary, head: head, between: ",", tail: tail) { region in
            // A region's id is its track; what has none has one of another form.
            let id = region.isTracked ? "track-\(region.number)" : "box-\(region.number)"
            return (
                "\n{\"id\":\"\(id)\",\"type\":\"videorectangle\",\"from_name\":\"box\",\"to_name\":\"video\",\"value\":{"
                    + "\"framesCount\":\(count),\"duration\":\(end.text(6)),\"labels\":[\(Self.json(region.name))],"
                    + "\"sequence\":[", "\n]}}"
            )
        }
    }

    private static func json(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return json.text
    }

    package var notes: [String] {
        let rate = rate.sentence(rate: header.source.frameRate)
        return omissions.sentences + (rate.map { ["Label Studio finds frames by time × rate, and " + $0] } ?? [])
    }
}

/// Whether a video's frames last equally long.
private struct FrameRateWatch {
    private var first: FrameRecord?
    private var last: FrameRecord?
    private var shortest = Int64.max
    private var longest = Int64.min
    /// How many frames lie elsewhere than the nominal rate says.
    private var elsewhere = 0
    private var count = 0

    mutating func add(_ frame: FrameRecord, nominal: Rational?) {
        count += 1
        if let last {
            let step = frame.pts.ticks &- last.pts.ticks
            (shortest, longest) = (min(shortest, step), max(longest, step))
        }
        last = frame
        guard let start = first else { return first = frame }
        guard let nominal else { return }
        let time = frame.pts.seconds - start.pts.seconds
        if abs(time * nominal.value - Double(frame.frame - start.frame)) > 0.5 { elsewhere += 1 }
    }

    /// A note on the rate; nil where it is constant, but for what rounding to ticks makes.
    func sentence(rate: Rational?) -> String? {
        guard count > 1 else { return nil }
        let tolerance = max(1, Double(shortest) * 0.02)
        guard Double(longest &- shortest) > tolerance else {
            return rate == nil ? "the file names no rate" : nil
        }
        guard let rate else { return "this video's rate varies" }
        return "this video's rate varies: \(elsewhere) of its \(count) frames lie elsewhere than "
            + "\(rate.value.text(3)) frames a second put them"
    }
}
