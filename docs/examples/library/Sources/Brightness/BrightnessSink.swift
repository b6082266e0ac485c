import Annotate

/// A line a frame: its time, and how bright it is.
final class BrightnessSink: Sink {
    static let format = SinkFormat(
        name: "brightness", title: "Brightness", suffix: ".brightness.txt",
        doc: "Seconds and mean brightness, a line a frame.")

    private let writer: ByteWriter
    private var others = 0

    init(_ file: OutputFile, _ context: SinkContext) throws { writer = try ByteWriter(file) }

    func write(_ frame: FrameRecord) throws {
        for observation in frame.observations {
            guard let finding = observation.finding(as: BrightnessFinding.self) else {
                others += 1
                continue
            }
            try writer.write(Array("\(frame.pts.seconds) \(finding.mean)\n".utf8))
        }
    }

    func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try writer.finish() }

    var notes: [String] { others == 0 ? [] : ["Brightness knows one kind of result: \(others) others aren't in it"] }
}
