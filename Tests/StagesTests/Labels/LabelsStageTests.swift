import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct LabelsStageTests {
    /// A folder with numbered grey pictures of a surface that moves, and a covered moment.
    private final class Clip {
        static let size = (width: 240, height: 180)
        let folder: String

        init(frames: Int = 16) throws {
            folder = NSTemporaryDirectory() + "/annotate-labels-\(UUID().uuidString)"
            try Files.makeDirectory(folder)
            let surface = try TestSurface.rendered.get()
            for index in 0..<frames {
                let pixels = try surface.view(
                    Self.region(index), width: Self.size.width, height: Self.size.height)
                let header = Data("P5 \(Self.size.width) \(Self.size.height) 255\n".utf8)
                try (header + Data(pixels)).write(to: URL(fileURLWithPath: folder + "/f\(1000 + index).pgm"))
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        static func region(_ index: Int) -> [Point] {
            Box(x: 150 + 2 * Double(index), y: 120 - Double(index), width: 240, height: 180).corners
        }

        static func place(_ point: Point, _ index: Int) throws -> Point {
            try #require(
                TestSurface.place(of: point, seenAs: region(index), width: size.width, height: size.height))
        }

        /// What the track file says of the stage, frame by frame.
        func run(points: String, stage: String = "", threads: Int = 2) throws -> [[Observation]] {
            let manifest = """
                {"version": 1, "output": {"directory": "out"}, "jobs": [
                  {"id": "j", "input": "f%04d.pgm", "encode": {"codec": "none"}, "points": [\(points)],
                   "graph": {"stages": [{"id": "l", "type": "labels"\(stage)}]}}]}
                """
            try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/m.json"))
            let read = try ManifestReader(catalog: .standard).read(folder + "/m.json")
            var options = RunOptions()
            options.threads = threads
            options.force = true
            let outcomes = try BatchRunner(
                manifest: read, options: options, generator: "test 1", cancellation: Cancellation()
            ).run()
            #expect(outcomes.map(\.outcome.status) == [.done])
            return try StagesTests.frames(ofTrackFile: folder + "/out/j.tracks.jsonl").map(\.observations)
        }

        var bytes: [UInt8] { get throws { try Files.read(folder + "/out/j.tracks.jsonl") } }
    }

    private static let cup = #"{"id": "cup", "frame": 2, "point": [120, 90], "text": "my cup", "end": 12}"#
    private static let edge = #"{"id": "edge", "point": [0.25, 0.75], "units": "normalized", "text": "edge"}"#

    private static func point(_ observation: Observation) -> Point? {
        observation.finding(as: AnnotationFinding.self)?.point
    }

    @Test func textsStayOnTheirPoints() throws {
        let clip = try Clip()
        let frames = try clip.run(points: Self.cup + ", " + Self.edge)
        #expect(frames.count == 16)
        let region = Clip.region(2)
        let onSurface = region[0] + Point(120.5, 90.5)
        for (index, observations) in frames.enumerated() {
            let cup = observations.first { $0.region == "cup" }
            switch index {
            case ..<2, 13...: #expect(cup == nil)
            case 12: #expect(cup?.state == .ended && cup.flatMap(Self.point) == nil)
            default:
                #expect(cup?.state == (index == 2 ? .seeded : .tracked))
                #expect(cup?.label == "my cup")
                #expect(try #require(cup.flatMap(Self.point)).distance(to: Clip.place(onSurface, index)) < 0.6)
            }
        }
        // 0 is the left edge of the first column.
        #expect(frames[0].first.flatMap(Self.point) == Point(59.5, 134.5))
    }

    @Test func aPointWithoutATextShowsItsId() throws {
        let frames = try Clip(frames: 4).run(points: #"{"id": "cup", "point": [120, 90]}"#)
        #expect(frames.map { $0.first?.label } == ["cup", "cup", "cup", "cup"])
    }

    /// A point is found where it would be found alone, whatever the threads.
    @Test func pointsAndThreadsDontMatter() throws {
        let clip = try Clip()
        let together = try clip.run(points: Self.cup + ", " + Self.edge, threads: 1)
        let bytes = try clip.bytes
        _ = try clip.run(points: Self.cup + ", " + Self.edge, threads: 4)
        #expect(try clip.bytes == bytes)
        let alone = try clip.run(points: Self.cup)
        // Tracks are numbered in the whole file.
        func cups(_ frames: [[Observation]]) -> [[Observation]] {
            frames.map { observations in
                observations.filter { $0.region == "cup" }.map { observation in
                    var cup = observation
                    cup.track = nil
                    return cup
                }
            }
        }
        #expect(cups(alone) == cups(together))
        #expect(cups(alone)[5].count == 1)
    }

    @Test func betweenRunsThePlaceIsHeld() throws {
        let clip = try Clip()
        let frames = try clip.run(points: Self.cup, stage: #", "rate": 12.5"#)
        let states = frames[2..<12].map { observations in
            observations.first.map { $0.isHeld ? "held" : $0.state?.rawValue }
        }
        #expect(states.first == "seeded")
        #expect(states.contains("held") && states.contains("tracked"))
        let onSurface = Clip.region(2)[0] + Point(120.5, 90.5)
        for index in 2..<12 {
            let cup = try #require(frames[index].first)
            guard !cup.isHeld else { continue }
            #expect(try #require(Self.point(cup)).distance(to: Clip.place(onSurface, index)) < 0.6)
        }
    }

    // MARK: Texts from a classifier

    private func texts(
        _ said: [[Emission]], point: Point = Point(120, 90), text: String? = nil
    ) throws -> [String?] {
        var tracker = PointTracker(
            LabelsBlueprint.Options(),
            StageContext(id: "l", width: 240, height: 180).giving(
                TappedPoint.self, [PointSeed(id: "p", text: text, start: .frame(1), point: point)]))
        // Carried: the text has nothing to do with the picture, and these frames have none.
        return try said.enumerated().map { index, classes in
            let input = StageInput(frame: try Self.frame(index), results: [classes])
            return try tracker.update((), input).first?.label
        }
    }

    private static func frame(_ index: Int) throws -> VideoFrame {
        let path = NSTemporaryDirectory() + "/annotate-labels-\(UUID().uuidString).pgm"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let pixels = try TestSurface.rendered.get().view(Clip.region(0), width: 240, height: 180)
        try (Data("P5 240 180 255\n".utf8) + Data(pixels)).write(to: URL(fileURLWithPath: path))
        let picture = try photo(path)
        return VideoFrame(
            ordinal: index, pts: MediaTime(ticks: Int64(index), timeBase: Rational(1, 25)), duration: 1,
            picture: picture.picture, original: nil)
    }

    private func named(_ name: String, _ region: [Point]? = nil) -> Emission {
        let finding = ClassificationFinding(labels: [ScoredLabel(label: name, confidence: 0.9)])
        return Emission(Observation(finding, stage: "n"), region.map(ClassifiedRegion.init(corners:)))
    }

    @Test func theFrameGivesTheText() throws {
        // Before the point, at it, after it: what was said at it stays.
        #expect(try texts([[named("a")], [named("b")], [named("c")]]) == [nil, "b", "b"])
        // Nothing is known yet.
        #expect(try texts([[named("a")], [], [], [named("c")], [named("d")]]) == [nil, "p", "p", "c", "c"])
        // One's own text comes first.
        #expect(try texts([[], [named("b")]], text: "mine") == [nil, "mine"])
    }

    @Test func aTextThatComesLateIsOfSomethingElse() throws {
        let late = [[Emission]](repeating: [], count: 30) + [[named("hand")]]
        #expect(try texts(late).last == "p")
    }

    @Test func theSmallestRegionAroundThePointGivesTheText() throws {
        let large = Box(x: 50, y: 50, width: 150, height: 100).corners
        let small = Box(x: 100, y: 70, width: 40, height: 40).corners
        let elsewhere = Box(x: 0, y: 0, width: 30, height: 30).corners
        #expect(
            try texts([[], [named("frame"), named("desk", large), named("cup", small), named("lamp", elsewhere)]])
                == [nil, "cup"])
        #expect(try texts([[], [named("lamp", elsewhere)], [named("desk", large)]]) == [nil, "p", "desk"])
        #expect(try texts([[], [named("frame"), named("lamp", elsewhere)]]) == [nil, "frame"])
    }
}
