import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Things that are looked at once in a second or two.
@Suite struct SeldomLooksTests {
    /// Stripes of a colour of their own.
    private func dressed(_ color: Int) -> Appearance? {
        var values = [Float](repeating: 0, count: 216)
        for stripe in 0..<3 { values[stripe * 72 + color] = 1 }
        return Appearance(.stripes, values)
    }

    private func person(_ x: Double, _ y: Double) -> Box { Box(x: x, y: y, width: 40, height: 100) }

    /// What two passes tell of frames.
    /// - Parameter sightings: Of a frame; nil for one that wasn't looked at.
    private func told(_ times: [Double], _ sightings: (Int) -> [Sighting]?) -> [[FrameFollower.Told]] {
        let model = FollowModel()
        var follower = FrameFollower(model, minimumScore: 0.5, memory: 3, keepsTracklets: true)
        let frames = times.enumerated().map { frame, seconds in
            let found = sightings(frame)
            _ = follower.update(found ?? [], at: seconds, looked: found != nil)
            return WholeFollower.Frame(
                seconds: seconds, isLooked: found != nil,
                sightings: (found ?? []).map { .init(box: $0.box, score: $0.score, index: $0.index) })
        }
        return WholeFollower(model: model, memory: 3).follow(follower.finish(), frames)
    }

    /// Two passes tell all that one tells, also where looks are so far apart that each says little of the next one.
    @Test(arguments: [0.4, 0.5, 0.7, 0.9, 1, 2], [0.0, 1]) func twoPassesDropNothing(rate: Double, speed: Double) {
        let times = (0..<300).map { Double($0) / 30 }
        var limiter = RateLimiter(rate: rate)
        let looks = times.map { limiter.runs(at: $0) }
        let told = told(times) { frame in
            guard looks[frame] else { return nil }
            return [person(60 + speed * Double(frame), 100), person(200, 250)].enumerated().map {
                Sighting(box: $1, score: 0.9, label: "person", index: $0, appearance: dressed(5 + 9 * $0))
            }
        }
        for number in [1, 2] {
            let own = told.map { frame in frame.first { $0.number == number } }
            #expect(own.count { $0?.index != nil } == looks.count { $0 })
            // Between two looks, and behind the last one, it is where it is supposed, and nobody looked.
            #expect(own.allSatisfy { $0?.box != nil })
            #expect(own.map { $0?.isLooked } == looks)
        }
    }

    /// A look that sees nothing is none that wasn't made.
    @Test func whatIsMissedEnds() {
        let told = told((0..<200).map { Double($0) / 25 }) { frame in
            guard frame.isMultiple(of: 25) else { return nil }
            return frame < 120 ? [Sighting(box: person(60, 100), score: 0.9, index: 0, appearance: dressed(3))] : []
        }
        #expect(told.firstIndex { $0.first?.state == .ended } == 125)
        #expect(told[126...].allSatisfy { $0.isEmpty })
    }
}
