import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Things that turn round, stop and set off.
@Suite struct FollowTurnTests {
    private static let model = FollowModel()

    /// Seconds from the turn to how far a thing is along x and y, at a speed of one.
    enum Way: String, CaseIterable {
        case back, stop, start, corner

        func callAsFunction(_ time: Double) -> Point {
            switch self {
            case .back: Point(-abs(time), 0)
            case .stop: Point(min(time, 0), 0)
            case .start: Point(max(time, 0), 0)
            case .corner: Point(min(time, 0), max(time, 0))
            }
        }
    }

    /// Errors of a detector that are the same everywhere.
    private func error(_ frame: Int, _ seed: Int) -> Double {
        let number: Int = (frame &* 7919 &+ seed &* 104_729) % 201 - 100
        return 1.3 * Double(number) / 58
    }

    private func follow(
        passes: Int, _ times: [Double], _ boxes: (Int, Double) -> [Box]
    ) -> (told: [[FrameFollower.Told]], tracklets: [Tracklet]) {
        var follower = FrameFollower(Self.model, minimumScore: 0.5, memory: 3, keepsTracklets: passes > 1)
        var frames: [WholeFollower.Frame] = []
        var told: [[FrameFollower.Told]] = []
        for (frame, seconds) in times.enumerated() {
            let sightings = boxes(frame, seconds).enumerated().map {
                Sighting(box: $1, score: 0.9, label: nil, index: $0, appearance: nil)
            }
            told.append(follower.update(sightings, at: seconds))
            frames.append(
                .init(
                    seconds: seconds, sightings: sightings.map { .init(box: $0.box, score: $0.score, index: $0.index) })
            )
        }
        let tracklets = follower.finish()
        if passes > 1 { told = WholeFollower(model: Self.model, memory: 3).follow(tracklets, frames) }
        return (told, tracklets)
    }

    private func numbers(_ told: [[FrameFollower.Told]]) -> Set<Int> { Set(told.joined().map(\.number)) }

    /// What nothing else is near is the same thing, whichever way it goes, and nothing begins on it.
    @Test(arguments: Way.allCases, [(150.0, 30.0), (250, 30), (150, 10), (100, 5)])
    func whatTurnsKeepsItsTrack(way: Way, pace: (speed: Double, rate: Double)) {
        let times = WalkingScene.regular(pace.rate, for: 4)
        for passes in [1, 2] {
            let told = follow(passes: passes, times) { frame, seconds in
                let place = way(seconds - 2) * pace.speed
                let (x, y) = (298 + place.x + error(frame, 1), 150 + place.y + error(frame, 2))
                return [Box(x: x, y: y, width: 44, height: 110)]
            }.told
            #expect(numbers(told) == [1], "\(way), \(pace), \(passes)")
            #expect(told.joined().allSatisfy { $0.state == .tracked })
        }
    }

    /// What turns where nobody sees it is joined all the same.
    @Test func whatTurnsOutOfSightIsJoined() {
        let told = follow(passes: 2, WalkingScene.regular(25, for: 4)) { frame, seconds in
            guard abs(seconds - 2) > 0.3 else { return [] }
            return [Box(x: 300 - 150 * abs(seconds - 2) + error(frame, 1), y: 150, width: 44, height: 110)]
        }.told
        #expect(numbers(told) == [1])
    }

    /// A box that is a quarter beside where one was expected might be something new: what comes later says which.
    @Test func whatMightBeNewIsLeftToTheSecondPass() throws {
        let result = follow(passes: 2, WalkingScene.regular(25, for: 4)) { frame, seconds in
            let aside = seconds >= 2 ? 12.0 : 0
            return [Box(x: 100 + 20 * seconds + aside + error(frame, 1), y: 150, width: 44, height: 110)]
        }
        #expect(result.tracklets.map(\.first.frame) == [0, 50])
        #expect(numbers(result.told) == [1])
    }
}
