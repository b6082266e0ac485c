import Glibc
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct SuppressionTests {
    private static let boxes = [
        Box(x: 0, y: 0, width: 10, height: 10), Box(x: 1, y: 0, width: 10, height: 10),
        Box(x: 2, y: 0, width: 10, height: 10), Box(x: 40, y: 0, width: 10, height: 10),
    ]

    @Test(
        arguments: [
            // The middle one is surer than its neighbours, and takes both with it.
            ([0.5, 0.9, 0.5, 0.1], nil, [1, 3]),
            // What was taken away takes nothing away: 0 and 2 overlap by 2/3.
            ([0.9, 0.8, 0.7, 0.1], nil, [0, 2, 3]),
            // Alike: the first stays.
            ([0.5, 0.5, 0.5, 0.5], nil, [0, 2, 3]),
            ([0.5, 0.9, 0.5, 0.1], [1, 2, 1, 1], [1, 0, 2, 3]),
        ] as [([Double], [Int]?, [Int])])
    func theSurestStays(confidences: [Double], classes: [Int]?, kept: [Int]) {
        let suppression = Suppression(overlap: 0.7)
        #expect(suppression.kept(of: Self.boxes, confidences: confidences, classes: classes) == kept)
        #expect(suppression.kept(of: Self.boxes.map(\.corners), confidences: confidences, classes: classes) == kept)
    }

    @Test func onlySoManyAreLookedAt() {
        let suppression = Suppression(overlap: 0.7, mostLookedAt: 1)
        #expect(suppression.kept(of: Self.boxes, confidences: [0.1, 0.2, 0.9, 0.3]) == [2])
        #expect(suppression.kept(of: [Box](), confidences: []).isEmpty)
    }

    /// Two long boxes that cross have little in common, though the boxes around them have all.
    @Test func turnedBoxes() {
        func turned(_ degrees: Double) -> [Point] {
            let angle = degrees * .pi / 180
            return [Point(-50, -5), Point(50, -5), Point(50, 5), Point(-50, 5)].map {
                Point(
                    100 + $0.x * cos(angle) - $0.y * sin(angle), 100 + $0.x * sin(angle) + $0.y * cos(angle))
            }
        }
        let crossed = [turned(45), turned(-45), turned(46)]
        #expect(Suppression(overlap: 0.5).kept(of: crossed, confidences: [0.9, 0.8, 0.7]) == [0, 1])
        let (a, b) = (ConvexPolygon(crossed[0]), ConvexPolygon(crossed[1].reversed()))
        // A square of ten by ten in common.
        #expect(abs(a.intersection(b).area - 100) < 1e-9)
        #expect(abs(a.intersectionOverUnion(b) - 100.0 / 1900) < 1e-9)
        #expect(abs(a.intersectionOverUnion(a) - 1) < 1e-9)
        #expect(a.intersectionOverUnion(ConvexPolygon(turned(45).map { $0 + Point(300, 0) })) == 0)
        #expect(ConvexPolygon([]).intersectionOverUnion(a) == 0)
    }
}
