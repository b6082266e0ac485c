@testable import Drawing
import Testing

@testable import Annotate

@Suite struct TouchedCellsTests {
    private func cells(_ corners: [Point], side: Int = 1, width: Int = 40, height: Int = 30) -> TouchedCells {
        TouchedCells(of: corners, side: (side, side), x: 0..<width / side, y: 0..<height / side)
    }

    /// Whether a point is inside by the even-odd rule.
    private func isInside(_ x: Double, _ y: Double, _ corners: [Point]) -> Bool {
        var inside = false
        for (a, b) in zip(corners, corners.dropFirst() + [corners[0]]) where (a.y > y) != (b.y > y) {
            if x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) { inside.toggle() }
        }
        return inside
    }

    private static let shapes: [[Point]] = [
        [Point(3.2, 2.1), Point(30.7, 5.5), Point(20.3, 27.9)],
        // Hollow on one side.
        [Point(2, 2), Point(38, 2), Point(38, 28), Point(20, 8), Point(2, 28)],
        // It crosses itself.
        [Point(4, 4), Point(36, 26), Point(36, 4), Point(4, 26)],
        // Thinner than a pixel.
        [Point(1.4, 1.2), Point(38.4, 28.1), Point(38.5, 28.1), Point(1.5, 1.2)],
        // Out of the picture.
        [Point(-20, -10), Point(60, 10), Point(10, 50)],
    ]

    @Test(arguments: Self.shapes, [1, 2])
    func everythingInsideIsTouched(corners: [Point], side: Int) {
        let cells = cells(corners, side: side)
        for step in 0..<160 * 120 {
            let (x, y) = ((Double(step % 160) + 0.5) / 4, (Double(step / 160) + 0.5) / 4)
            if isInside(x, y, corners) { #expect(cells.contains(Int(x) / side, Int(y) / side), "\(x), \(y)") }
        }
    }

    @Test(arguments: Self.shapes)
    func nothingFarIsTouched(corners: [Point]) {
        let cells = cells(corners)
        for y in 0..<30 {
            for x in 0..<40 where cells.contains(x, y) {
                // Somewhere within a pixel of it there is something of the shape, or an edge.
                let near = (-8...16).contains { i in
                    (-8...16).contains { j in isInside(Double(x) + Double(i) / 8, Double(y) + Double(j) / 8, corners) }
                }
                let isThin = corners == Self.shapes[3]
                #expect(near || isThin, "\(x), \(y)")
            }
        }
    }

    @Test func nothingAtAll() {
        let cells = cells([])
        #expect(!cells.contains(0, 0))
        #expect(
            !TouchedCells(of: [Point(.nan, 1), Point(2, .nan), Point(3, 3)], side: (1, 1), x: 0..<4, y: 0..<4).contains(
                0, 0))
    }

}
