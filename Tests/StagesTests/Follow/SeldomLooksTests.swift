import Testing

@testable import Annotate
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

    /// Two passes tell all that one tells, also where looks are so far apart that each says little of the next one.
    @Test(arguments: [0.4, 0.5, 0.7, 0.9, 1, 2], [0.0, 1]) func twoPassesDropNothing(rate: Double, speed: Double) {
        let model = FollowModel()
        var follower = FrameFollower(model, minimumScore: 0.5, memory: 3, keepsTracklets: true)
        var frames: [WholeFollower.Frame] = []
        var limiter = RateLimiter(rate: rate)
        var looks = 0
        for frame in 0..<300 {
            let seconds = Double(frame) / 30
            let isLooked = limiter.runs(at: seconds)
            let sightings =
                isLooked
                ? [person(60 + speed * Double(frame), 100), person(200, 250)].enumerated().map {
                    Sighting(box: $1, score: 0.9, label: "person", index: $0, appearance: dressed(5 + 9 * $0))
                } : []
            looks += isLooked ? 1 : 0
            _ = follower.update(sightings, at: seconds, looked: isLooked)
            frames.append(
                WholeFollower.Frame(
                    seconds: seconds, isLooked: isLooked,
                    sightings: sightings.map { .init(box: $0.box, score: $0.score, index: $0.index) }))
        }
        let told = WholeFollower(model: model, memory: 3).follow(follower.finish(), frames)
        for number in [1, 2] {
            let own = told.map { frame in frame.first { $0.number == number } }
            #expect(own.count { $0?.index != nil } == looks)
            // Between two looks, and behind the last one, it is where it is supposed, and nobody looked.
            #expect(own.allSatisfy { $0?.box != nil })
            #expect(zip(own, frames).allSatisfy { $0?.isLooked == $1.isLooked })
        }
    }

    /// A look that sees nothing is none that wasn't made.
    @Test func whatIsMissedEnds() {
        let model = FollowModel()
        var follower = FrameFollower(model, minimumScore: 0.5, memory: 3, keepsTracklets: true)
        var frames: [WholeFollower.Frame] = []
        for frame in 0..<200 {
            let seconds = Double(frame) / 25
            let isLooked = frame.isMultiple(of: 25)
            let sightings =
                isLooked && frame < 120
                ? [Sighting(box: person(60, 100), score: 0.9, index: 0, appearance: dressed(3))] : []
            _ = follower.update(sightings, at: seconds, looked: isLooked)
            frames.append(
                WholeFollower.Frame(
                    seconds: seconds, isLooked: isLooked,
                    sightings: sightings.map { .init(box: $0.box, score: $0.score, index: $0.index) }))
        }
        let told = WholeFollower(model: model, memory: 3).follow(follower.finish(), frames)
        #expect(told.firstIndex { $0.first?.state == .ended } == 125)
        #expect(told[126...].allSatisfy { $0.isEmpty })
    }
}
