import Annotate
import Testing

@testable import Pages

/// Ten frames a second; the thing of a track is the track's number.
struct DoubtfulMomentsTests {
    private func moments(_ frames: [[Observation]], below limit: Double = 0.5) -> [String] {
        var moments = DoubtfulMoments(below: limit)
        for (index, frame) in frames.enumerated() {
            let tracked = frame.compactMap { observation in
                observation.track.map { (thing: $0.number, observation: observation) }
            }
            moments.add(tracked, at: Double(index) / 10)
        }
        return moments.found.map { moment in
            let things = moment.things.map { String($0) }.joined(separator: "+")
            return "\(moment.what.rawValue) \(things) \(moment.first)-\(moment.last) at \(moment.best)"
        }
    }

    private let far = Box(x: 70, y: 50, width: 20, height: 20)

    @Test func nothingToSay() {
        #expect(moments([]) == [])
        #expect(moments([[], [thing(1)], [thing(1)], []]) == [])
    }

    @Test func whatIsLostAndWhatIsNotThere() {
        #expect(moments([[thing(1)], [thing(1, .lost)], [thing(1, .lost)], [thing(1)]]) == ["lost 1 1-2 at 1"])
        #expect(moments([[thing(1)], [], [], [thing(1)]]) == ["gap 1 1-2 at 1"])
        // The end of what was lost is no second loss.
        #expect(moments([[thing(1)], [thing(1, .lost)], [thing(1, .ended)]]) == ["lost 1 1-2 at 1"])
        #expect(moments([[thing(1)], [thing(1, .lost)], [thing(1)], [thing(1, .lost)]]).count == 2)
        // What ends in plain sight, and what comes back from a keyframe, does so because the manifest says so.
        #expect(moments([[thing(1, confidence: 0.9)], [thing(1, .ended)], [], [thing(1, .seeded)]]) == [])
        #expect(
            moments([[thing(1, .predicted)], [thing(1, .ended)]]) == ["lost 1 1-1 at 1"])
    }

    /// Doubt that comes and goes within half a second is one moment, shown at its worst.
    @Test func lowConfidence() {
        func frames(_ values: [Double]) -> [[Observation]] { values.map { [thing(1, confidence: $0)] } }
        #expect(moments(frames([0.9, 0.4, 0.6, 0.2, 0.9])) == ["doubtful 1 1-3 at 3"])
        #expect(
            moments(frames([0.4] + Array(repeating: 0.9, count: 6) + [0.3])) == [
                "doubtful 1 0-0 at 0", "doubtful 1 7-7 at 7",
            ])
        #expect(moments(frames([0.5, 0.51])) == [])
        #expect(moments([[thing(1, confidence: 0.1, held: true)], [thing(1, .predicted, confidence: 0.1)]]) == [])
        #expect(moments(frames([0.6]), below: 0.7) == ["doubtful 1 0-0 at 0"])
        #expect(moments(frames([0.0]), below: 0) == [])
    }

    @Test func aTrackThatEndsBesideAnothersStart() {
        #expect(moments([[thing(1)], [thing(2)]]) == ["handover 1+2 1-1 at 1"])
        #expect(moments([[thing(1)], [], [], [thing(2)]]) == ["handover 1+2 3-3 at 3"])
        // Elsewhere, or long after, or with a number of its own it is another thing.
        #expect(moments([[thing(1)], [thing(2, at: far)]]) == [])
        #expect(moments([[thing(1)]] + Array(repeating: [], count: 11) + [[thing(2)]]) == [])
        #expect(moments([[thing(1, number: 4)], [thing(2, number: 7)]]) == [])
        // Which comes back is none that ended.
        #expect(moments([[thing(1)], [thing(2)], [thing(2), thing(1, at: far)]]) == ["gap 1 1-1 at 1"])
    }

    @Test func twoOnOneAnother() {
        let near = Box(x: 12, y: 10, width: 20, height: 20)
        let both = [thing(1), thing(2, at: near)], apart = [thing(1), thing(2, at: far)]
        #expect(moments([apart, both, both, apart]) == ["collision 1+2 1-2 at 1"])
        #expect(moments([apart, both] + Array(repeating: apart, count: 7) + [both]).count == 2)
        // A box within another one is on it only where it is as large.
        #expect(moments([[thing(1), thing(2, at: Box(x: 12, y: 12, width: 5, height: 5))]]) == [])
    }

    @Test func saysWhat() {
        var moments = DoubtfulMoments(below: 0.5)
        moments.add([(0, thing(1)), (1, thing(2, at: far, confidence: 0.314, label: "star"))], at: 0)
        moments.add([(1, thing(2, .lost))], at: 0.1)
        moments.add([(0, thing(1))], at: 0.2)
        let things = [ReviewThing(thing(1)), ReviewThing(thing(2, label: "star"))]
        #expect(
            moments.found.map { moments.text($0, things: things) } == [
                "star (track 2) at 0.31", "thing (track 1) is not seen for 0.1 s", "star (track 2) is lost",
            ])
    }
}
