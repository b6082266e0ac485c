@testable import Graph
import Foundation
import Synchronization
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `"fill": "both"`: regions followed from two sides.
@Suite struct TrackFillTests {
    /// Is as far from its seed as the frame is, and notes how it was called.
    private final class WalkingTracker: ObjectTracker {
        private let log: Log
        private let place = Mutex((box: Box(x: 0, y: 0, width: 0, height: 0), ordinal: 0))

        init(_ log: Log) { self.log = log }

        func seed(_ frame: VideoFrame, box: Box) throws {
            log.add("seed \(frame.ordinal)")
            place.withLock { $0 = (box, frame.ordinal) }
        }

        func update(_ frame: VideoFrame) throws -> TrackedObject {
            log.add("\(frame.ordinal)")
            if frame.ordinal == log.failsAt { throw Refusal() }
            var (box, ordinal) = place.withLock { $0 }
            box.x += Double(abs(frame.ordinal - ordinal))
            return TrackedObject(box: box, confidence: 0.5, state: .tracked)
        }
    }

    private struct Refusal: Error, CustomStringConvertible { var description: String { "no" } }

    private final class Log: Sendable {
        let failsAt: Int?
        private let lines = Mutex<[String]>([])

        init(failsAt: Int?) { self.failsAt = failsAt }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private func seed(_ keyframes: [(frame: Int, x: Double?)], end: Seed.Moment? = nil) -> Seed {
        func corners(_ x: Double) -> [Point] { Box(x: x, y: 2, width: 100, height: 8).corners }
        return Seed(
            id: "cup", start: .frame(1), end: end, polygon: corners(10),
            keyframes: keyframes.map { Seed.Keyframe(.frame($0.frame), polygon: $0.x.map(corners)) }, fill: .both)
    }

    /// What the stage says of each frame of a clip, `state x`, with `*` where it is held.
    private func run(
        _ seeds: [Seed], frames: Int = 12, rate: Double? = nil, range: FrameRange? = nil, failsAt: Int? = nil
    ) throws -> (said: [String], log: [String]) {
        let path = NSTemporaryDirectory() + "/fill-\(UUID().uuidString).y4m"
        defer { unlink(path) }
        var clip = Data("YUV4MPEG2 W16 H16 F25:1 C420mpeg2\n".utf8)
        for _ in 0..<frames { clip += Data("FRAME\n".utf8) + Data(repeating: 90, count: 16 * 16 * 3 / 2) }
        try clip.write(to: URL(fileURLWithPath: path))

        let log = Log(failsAt: failsAt)
        var tracker = RegionTracker(
            context: StageContext(id: "t", width: 16, height: 16).giving(Region.self, seeds), endsOnLoss: false
        ) { WalkingTracker(log) }
        var options = SourceOptions()
        options.range = range
        // Two pictures a chunk.
        try tracker.prepare(Footage(path: path, options: options, rate: rate, mostBytes: 1))
        let source = try SourceReader(path: path, options: options)
        var limiter = rate.map(RateLimiter.init(rate:))
        var last: [Observation] = []
        var said: [String] = []
        while let frame = try source.next() {
            let input = StageInput(frame: frame)
            last = try limiter?.runs(at: frame.seconds) ?? true ? tracker.update((), input) : tracker.carry(last, input)
            said.append(
                last.map { observation in
                    let place = observation.box.map { " \(Int($0.x.rounded()))" } ?? ""
                    return "\(observation.state?.rawValue ?? "")\(place)" + (observation.isHeld ? "*" : "")
                        + (observation.track?.number == 1 ? "" : " another track")
                }.joined(separator: ", "))
        }
        return (said, log.all)
    }

    @Test func bothWaysMeet() throws {
        let (said, log) = try run([seed([(6, 30)])], frames: 9)
        #expect(
            log == [
                "seed 1", "2", "3", "4", "5", "seed 6", "5", "4", "3", "2",
                // In the run itself only what lies behind the last place is looked for.
                "seed 6", "7", "8",
            ])
        // 11…14 from the one side, 34…31 from the other, each by its nearness.
        #expect(
            said == [
                "", "seeded 10", "tracked 16", "tracked 20", "tracked 24", "tracked 28", "seeded 30", "tracked 31",
                "tracked 32",
            ])
    }

    @Test func placesNextToEachOther() throws {
        let (said, log) = try run([seed([(2, 20), (3, 30), (5, 50)])], frames: 6)
        #expect(said == ["", "seeded 10", "seeded 20", "seeded 30", "tracked 41", "seeded 50"])
        #expect(log.filter { !$0.hasPrefix("seed") } == ["4", "4"])
    }

    @Test func whereItIsAbsentNothingIsFilled() throws {
        let (said, log) = try run([seed([(3, nil), (6, 30), (8, 40)])], frames: 9)
        #expect(
            said == ["", "seeded 10", "tracked 11", "ended", "", "", "seeded 30", "tracked 36", "seeded 40"])
        #expect(log.filter { $0 == "2" || $0 == "7" } == ["7", "7", "2"])
    }

    @Test func theRateHolds() throws {
        // Every other frame from 0 on.
        let (said, log) = try run([seed([(7, 30)])], frames: 9, rate: 12.5)
        #expect(
            said == [
                "", "seeded 10", "tracked 15", "tracked 15*", "tracked 23", "tracked 23*", "tracked 28", "seeded 30",
                "tracked 31",
            ])
        #expect(log == ["seed 1", "2", "4", "6", "seed 7", "6", "4", "2", "seed 7", "8"])
    }

    @Test func aRangeBetweenTwoPlaces() throws {
        let (said, log) = try run([seed([(2, 20), (8, 30)])], range: FrameRange(start: 0.2, end: 0.4))
        #expect(said == ["seeded 20", "tracked 25", "tracked 28", "seeded 30", "tracked 31"])
        #expect(log == ["seed 5", "6", "7", "seed 8", "7", "6", "seed 8", "9"])
    }

    @Test func aPlaceThatIsNeverReached() throws {
        let (said, _) = try run([seed([(99, 30)])], frames: 4)
        #expect(said == ["", "seeded 10", "tracked 11", "tracked 12"])
        #expect(
            try run([seed([(3, 30)], end: .frame(3))], frames: 5).said == ["", "seeded 10", "tracked 11", "ended", ""])
    }

    @Test func aTrackerThatFails() {
        #expect { try run([seed([(6, 30)])], failsAt: 4) } throws: { "\($0)" == "stage “t” failed at frame 4: no" }
    }

    @Test func tooFarApart() throws {
        let most = TrackFiller.mostFrames
        _ = try run([seed([(most + 2, 30)])], frames: most + 3)
        #expect { try run([seed([(most + 3, 30)])], frames: most + 4) } throws: {
            "\($0)"
                == "stage “t”: region “cup” has over 9000 frames between its place at frame 1 and the next one, and "
                + "“fill”: “both” takes no more; expected a keyframe between them"
        }
    }
}
