import Testing

@testable import Annotate
@testable import TestSupport

/// A track file made by hand, and its exports.
final class ExchangeFolder {
    let folder: TemporaryFolder
    static let oddLabel = "a \"b\" <c> & d,\n-->日🚗\u{7}"

    static let header = TrackFileHeader(
        generator: "test 1",
        source: .init(
            name: "a b.mp4", width: 100, height: 50, timeBase: Rational(1, 1000), frameRate: Rational(25, 1)),
        stages: [
            .init(id: "m", type: "markers"), .init(id: "f", type: "faces"), .init(id: "t", type: "track"),
            .init(id: "l", type: "labels"),
        ])

    /// - Parameters:
    ///   - frames: Each frame's observations.
    ///   - first: The first frame's ordinal.
    ///   - times: Of the frames, ticks; nil for 25 a second.
    init(_ frames: [[Observation]], first: Int = 0, times: [Int64]? = nil) throws {
        folder = try TemporaryFolder()
        let writer = try TrackFileWriter(path: folder.file("x.tracks.jsonl"), header: Self.header)
        for (index, observations) in frames.enumerated() {
            let ticks = times?[index] ?? Int64(first + index) * 40
            try writer.write(
                FrameRecord(
                    frame: first + index, pts: MediaTime(ticks: ticks, timeBase: Rational(1, 1000)), duration: 40,
                    observations: observations))
        }
        try writer.finish()
    }

    /// The path of an export, and what the format can't say.
    func export(_ format: String, _ filter: ExportFilter = ExportFilter()) throws -> (path: String, notes: [String]) {
        let export = try #require(TrackFileExport(format: format, filter: filter, kinds: TestFindings.catalog))
        let path = folder.file(export.name(for: "x.tracks.jsonl"))
        return (path, try export.run(folder.file("x.tracks.jsonl"), to: path))
    }

    func text(_ format: String, _ filter: ExportFilter = ExportFilter()) throws -> String {
        String(decoding: try Files.read(try export(format, filter).path), as: UTF8.self)
    }

    func notes(_ format: String) throws -> [String] { try export(format).notes }

    static func object(
        _ track: Int?, _ x: Double, label: String? = "car", state: TrackState? = nil, confidence: Double? = nil
    ) -> Observation {
        let isInSight = state?.isInSight ?? true
        return Observation(
            ObjectFinding(), stage: "t", track: track.map { TrackReference(stage: "t", number: $0) }, label: label,
            confidence: confidence, state: state,
            box: isInSight ? Box(x: x, y: 2.5, width: 10, height: 20.25) : nil)
    }

    static func marker(_ track: Int?, _ x: Double, pose: EstimatedPose? = nil) -> Observation {
        Observation(
            MarkerFinding(id: 7, pose: pose), stage: "m", track: track.map { TrackReference(stage: "m", number: $0) },
            polygon: [Point(x, 1), Point(x + 9, 1), Point(x + 9, 10), Point(x, 10)])
    }
}
