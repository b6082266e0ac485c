import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Somebody goes away, and where that was somebody else comes.
@Suite struct DoorTests {
    /// Clothes of one colour: all stripes alike.
    private static func clothes(_ hue: Int) throws -> Appearance {
        var values = [Float](repeating: 0, count: 3 * 72)
        for stripe in 0..<3 { values[72 * stripe + hue] = 1 }
        return try #require(Appearance(.stripes, values))
    }

    /// Frames, from the one in which the second comes, until it is told.
    private static func wait(_ second: Appearance?, aside: Double) throws -> Int? {
        var follower = FrameFollower(FollowModel(), minimumScore: 0.5, memory: 3, keepsTracklets: false)
        let first = try clothes(3)
        for frame in 0..<100 {
            var seen: [Sighting] = []
            if frame < 40 || frame >= 52 {
                let box = Box(x: 200 + (frame < 40 ? 0 : aside), y: 100, width: 40, height: 100)
                seen = [
                    Sighting(
                        box: box, score: 0.9, label: "person", index: 0, appearance: frame < 40 ? first : second)
                ]
            }
            let told = follower.update(seen, at: Double(frame) / 25)
            if frame >= 52, told.contains(where: { $0.index == 0 }) { return frame - 52 }
        }
        return nil
    }

    /// Who looks otherwise is told as soon as anybody new is.
    @Test(arguments: [12.0, 18, 24]) func whoComesOut(aside: Double) throws {
        let other = try Self.wait(Self.clothes(40), aside: aside)
        #expect(try #require(other) <= 5)
    }
}
