import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What is detected twice, and what only looks like it.
@Suite struct TwinTests {
    private static let model = FollowModel()

    private func sighting(
        _ box: Box, _ score: Double = 0.9, index: Int = 0, label: String? = nil, source: String = ""
    ) -> Sighting {
        Sighting(box: box, score: score, label: label, index: index, source: source)
    }

    private func person(_ x: Double, _ y: Double = 100) -> Box { Box(x: x, y: y, width: 40, height: 100) }

    private func groups(_ sightings: [Sighting], known: [TwinDetections.Known] = []) -> [TwinDetections.Group] {
        TwinDetections(model: Self.model, known: known).groups(sightings)
    }

    /// By two detectors, or by one under the same label or another: who is who is as sure as with every box once.
    @Test(arguments: [1, 2], 1...4) func scenes(passes: Int, seed: Int) {
        let scene = WalkingScene(people: 8, times: WalkingScene.regular(25, for: 8), seed: UInt64(seed))
        let once = scene.score(scene.followed(passes: passes))
        for twice in [
            scene.doubled(aside: 0), scene.doubled(aside: 0.05), scene.doubled(aside: 0.02, label: "rider"),
            scene.doubled(aside: 0.05, source: "other"), scene.doubled(aside: 0.02, label: "rider", source: "other"),
        ] {
            let score = twice.score(twice.followed(passes: passes))
            #expect(score.identity > once.identity - 0.01, "\(once) → \(score)")
            #expect(score.tracks <= once.tracks + (passes == 1 ? 1 : 0), "\(once) → \(score)")
        }
    }

    /// One walks past another, both seen all the time: however far they overlap, both are told.
    @Test(arguments: [1, 2]) func onePastAnother(passes: Int) {
        var follower = FrameFollower(Self.model, minimumScore: 0.5, memory: 3, keepsTracklets: passes > 1)
        var (told, frames) = ([[FrameFollower.Told]](), [WholeFollower.Frame]())
        for frame in 0..<100 {
            let seen = [sighting(person(200, 104)), sighting(person(50 + 3 * Double(frame)), 0.8, index: 1)]
            told.append(follower.update(seen, at: Double(frame) / 25))
            #expect(follower.twins.isEmpty, "frame \(frame)")
            frames.append(
                .init(
                    seconds: Double(frame) / 25,
                    sightings: seen.map { .init(box: $0.box, score: $0.score, index: $0.index) }))
        }
        if passes > 1 { told = WholeFollower(model: Self.model, memory: 3).follow(follower.finish(), frames) }
        for (frame, told) in told.enumerated() {
            #expect(Set(told.compactMap(\.index)) == [0, 1], "frame \(frame)")
        }
        #expect(Set(told.joined().map(\.number)) == [1, 2])
    }

    /// The surer one is told; of two as sure the first.
    @Test func theSurerOneIsTold() {
        let alike = groups([sighting(person(0)), sighting(person(1), index: 1), sighting(person(100), index: 2)])
        #expect(alike.map(\.sighting.index) == [0, 2] && alike.map(\.others) == [[1], []])
        let surer = groups([sighting(person(0), 0.5), sighting(person(1), index: 1)])
        #expect(surer.map(\.sighting.index) == [1] && surer.map(\.others) == [[0]])
        #expect(groups([]).isEmpty)
    }

    /// Where two are followed, each has as many detections as it has alone.
    @Test func asManyAsBefore() {
        func count(_ times: Double, _ seen: [Sighting]) -> Int {
            groups(
                seen, known: [.init(box: person(0), multiplicity: times), .init(box: person(5), multiplicity: times)]
            ).count
        }
        let four = [0.0, 0.5, 5, 5.5].enumerated().map { sighting(person($1), index: $0) }
        #expect(count(1, [four[0], four[2]]) == 2)
        #expect(count(2, [four[0], four[2]]) == 1)
        #expect(count(2, four) == 2)
        // Of one detector each.
        #expect(count(1, [sighting(person(0), source: "a"), sighting(person(5), index: 1, source: "b")]) == 1)
    }

    /// What is detected twice as a rule may be framed differently now and then.
    @Test func looserForWhatIsDetectedTwice() {
        let (whole, upper) = (person(0), Box(x: 0, y: 100, width: 38, height: 62))
        func count(_ times: Double) -> Int {
            groups([sighting(whole), sighting(upper, index: 1)], known: [.init(box: whole, multiplicity: times)]).count
        }
        #expect(count(1) == 2 && count(2) == 1)
    }

    /// Two that begin on one another, since they are framed differently at first, are one where everything is detected twice.
    @Test func whatBeganAsTwoBecomesOne() {
        var follower = FrameFollower(Self.model, minimumScore: 0.5, memory: 3, keepsTracklets: false)
        for frame in 0..<20 {
            let boxes = [
                person(0), frame == 0 ? person(7, 104) : person(1), person(300), person(301), person(500), person(501),
            ]
            let told = follower.update(
                boxes.enumerated().map { sighting($1, 0.9 - 0.01 * Double($0), index: $0) }, at: Double(frame) / 25)
            if frame > 1 { #expect(told.map(\.index) == [0, 2, 4] && told.allSatisfy { $0.state == .tracked }) }
        }
    }

    /// What stands a little lower hides its twin: the look that shows more is the thing's.
    @Test func theWholeLookIsKept() throws {
        var values = [Float](repeating: 0, count: 216)
        for stripe in 0..<3 { values[stripe * 72] = 1 }
        var (hidden, whole) = (sighting(person(0)), sighting(person(0, 101), 0.8, index: 1))
        hidden.appearance = Appearance(.stripes, values.map { $0 * 0.1 })
        whole.appearance = Appearance(.stripes, values)
        let group = try #require(groups([hidden, whole]).first)
        #expect(group.sighting.index == 0 && group.sighting.appearance?.share == 1)
    }
}
