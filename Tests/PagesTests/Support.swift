import Annotate
import Foundation

/// A kind of result for tests: an identity where it carries one.
struct ThingFinding: Finding {
    static let kind = "thing"
    static let doc = "A thing."
    var number: Int?

    init() {}
    init(number: Int?) { self.number = number }

    var identity: Int? { number }

    static let fields: [Field<ThingFinding>] = [
        Field("number", \.number, .integer(0...Int.max), unit: "pcs", doc: "Its own number.")
    ]
}

let testKinds = FindingCatalog([("things", [ThingFinding.self])])

func thing(
    _ track: Int?, at box: Box? = Box(x: 10, y: 10, width: 20, height: 20), _ state: TrackState? = nil,
    confidence: Double? = nil, label: String? = nil, number: Int? = nil, held: Bool = false
) -> Observation {
    Observation(
        ThingFinding(number: number), stage: "a", track: track.map { TrackReference(stage: "a", number: $0) },
        label: label, confidence: confidence, state: state, box: state?.isInSight == false ? nil : box, isHeld: held)
}

/// A folder that goes with the test.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/annotate-pages-\(UUID().uuidString)"
        try Files.makeDirectory(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
    func text(_ name: String) throws -> String { String(decoding: try Files.read(file(name)), as: UTF8.self) }

    /// A track file at 10 frames a second; the frames count from `first`.
    func tracks(_ name: String, _ frames: [[Observation]], first: Int = 0) throws {
        let source = TrackFileHeader.Source(name: "clip.mp4", width: 100, height: 80, timeBase: Rational(1, 1000))
        let writer = try TrackFileWriter(
            path: file(name),
            header: TrackFileHeader(
                generator: "test", source: source, range: first == 0 ? nil : FrameRange(start: 1, end: nil),
                stages: [TrackFileHeader.Stage(id: "a", type: "things")]))
        for (index, observations) in frames.enumerated() {
            let time = MediaTime(ticks: Int64((first + index) * 100), timeBase: source.timeBase)
            try writer.write(
                FrameRecord(frame: first + index, pts: time, duration: 100, observations: observations))
        }
        try writer.finish()
    }
}
