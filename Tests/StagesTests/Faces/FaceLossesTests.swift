import Testing

@testable import Base
@testable import Detection

@Suite struct FaceLossesTests {
    private let parts = (0..<7).map { FaceView(center: Point(Double($0), 0), side: 10) }

    /// A face that stays lost is looked for in half of the picture's parts a frame, and in all of them within two.
    @Test func aFaceBehindSomething() {
        var losses = FaceLosses()
        let place = Box(x: 100, y: 100, width: 40, height: 40)
        var searched: [[FaceView]] = []
        for frame in 0..<4 {
            let places = [place.moved(by: Point(3 * Double(frame), 0))]
            searched.append(losses.turn(of: parts, places))
            losses.places = places
        }
        #expect(searched[0] == parts)
        #expect(searched[1].count + searched[2].count == parts.count)
        #expect(Set(searched[1] + searched[2]) == Set(parts) && searched[3] == searched[1])
    }

    /// One more, one elsewhere, and one that is lost again: for each everything is searched at once.
    @Test func anotherOne() {
        var losses = FaceLosses()
        let (one, other) = (Box(x: 100, y: 100, width: 40, height: 40), Box(x: 140, y: 100, width: 40, height: 40))
        for places in [[one], [one, other]] {
            #expect(losses.turn(of: parts, places) == parts)
            losses.places = places
        }
        #expect(losses.turn(of: parts, [other]).count < parts.count)
        losses.places = []
        #expect(losses.turn(of: parts, [other]) == parts)
        losses.places = [one]
        #expect(losses.turn(of: parts, [other]) == parts)
    }
}
