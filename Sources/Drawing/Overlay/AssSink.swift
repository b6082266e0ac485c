/// An overlay for the untouched video: a script with the outlines, labels and trails that the annotated video has burned in.
///
/// It is of the whole picture as shown, its times are counted from where players' clocks start, in hundredths of a second.
package final class AssSink: Sink {
    package static let format = SinkFormat(
        name: "ass", title: "ASS", suffix: ".ass",
        doc: "An overlay that players lay over the untouched video: outlines, labels and trails, as subtitles.",
        isShown: true)

    /// The script's unit of time, milliseconds.
    private static let unit: Int64 = 10
    /// The most frames a second that hundredths can tell apart.
    private static let mostFrames = 100

    private let file: OutputFile
    private let writer: ByteWriter
    private let styles: [String: [String: DrawStyle]]
    private let skeletons: [String: Skeleton]
    private let start: Int64
    private let timeBase: Rational
    private var drawing: ScriptDrawing
    private var frames = 0
    /// Times of the latest frames, ticks.
    private var recent: [Int64] = []
    private var end: Int64 = 0
    private let unsaid: [String]

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        if let stage = Self.covered(context) {
            throw FileError("write", path: file.target, reason: Self.whyNoCover(stage))
        }
        self.file = file
        styles = context.styles
        skeletons = context.header.skeletons
        let source = context.header.source
        (start, timeBase) = (Int64(source.startTime), source.timeBase)
        let size = PictureSize(width: source.width, height: source.height)
        drawing = ScriptDrawing(size: size, camera: context.header.camera, unit: Self.unit)
        unsaid = Self.unsaid(context)
        writer = try ByteWriter(file)
        try writer.write(Array(try OverlayScript.header(size).utf8))
    }

    /// Id of a stage that covers pixels; nil for none.
    private static func covered(_ context: SinkContext) -> String? {
        context.header.stages.map(\.id).first { id in context.styles[id]?.values.contains { $0.cover != nil } ?? false }
    }

    static func whyNoCover(_ stage: String) -> String {
        "stage “\(stage)” is drawn with a cover, and an overlay takes no pixel away: what is covered would be seen; expected "
            + "“cover” in encoded videos alone"
    }

    /// Notes on what styles draw and a script can't.
    private static func unsaid(_ context: SinkContext) -> [String] {
        let lost = context.header.stages.filter { stage in
            let own = context.styles[stage.id] ?? [:]
            let pictures = (context.kinds.kinds(of: stage.type) ?? []).contains {
                $0.showsPictures && own[$0.kind] != nil
            }
            return pictures || own.values.contains { $0.image != nil || $0.model != nil }
        }
        guard !lost.isEmpty else { return [] }
        let names = lost.map { "“\($0.id)”" }.joined(separator: ", ")
        return [
            "ASS draws lines and text alone: the pictures and models of stage\(lost.count == 1 ? "" : "s") \(names) "
                + "aren't in it"
        ]
    }

    package func write(_ frame: FrameRecord) throws {
        try checkRate(frame)
        let observations = frame.observations.map { observation in
            DrawnObservation(
                observation, style: styles[observation.stage]?[observation.kind],
                skeleton: skeletons[observation.stage])
        }
        try drawing.add(observations, at: frame.pts.seconds, time: frame.pts.milliseconds(since: start), emit)
        let after = MediaTime(ticks: frame.pts.ticks &+ frame.duration, timeBase: timeBase)
        // Rounded up: the last picture has its overlay to its end.
        end = after.milliseconds(since: start) + 1
        frames += 1
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        if frames <= Self.mostFrames, let first = recent.first, let last = recent.last {
            let span = MediaTime(ticks: last &- first, timeBase: timeBase).seconds
            if Double(frames - 1) > 1.005 * span * Double(Self.mostFrames) { throw tooFast }
        }
        try drawing.finish(at: end, emit)
        try writer.finish()
    }

    private func emit(_ event: ScriptEvent) throws { try writer.write(Array(OverlayScript.line(event).utf8)) }

    /// Refuses frames of which over a hundred lie in a second: single ones may follow one another at once, but such a
    /// script can't be right.
    private func checkRate(_ frame: FrameRecord) throws {
        recent.append(frame.pts.ticks)
        guard recent.count > Self.mostFrames else { return }
        let span = MediaTime(ticks: frame.pts.ticks &- recent.removeFirst(), timeBase: timeBase).seconds
        if span < 0.995 { throw tooFast }
    }

    private var tooFast: FileError {
        FileError(
            "write", path: file.target,
            reason: "the video has over \(Self.mostFrames) frames a second, and an .ass counts hundredths; “codec”: "
                + "“copy” makes a Matroska file that counts thousandths")
    }

    package var notes: [String] {
        guard drawing.lost > 0 else { return unsaid }
        let frames =
            drawing.lost == 1
            ? "1 frame is shown for less, and has" : "\(drawing.lost) frames are shown for less, and have"
        return unsaid + ["ASS counts hundredths of a second: \(frames) the next one's overlay"]
    }
}
