import Annotate
import Testing

@Suite struct GeometryTests {
    private static let unit = Box(x: 0, y: 0, width: 10, height: 10)

    @Test(
        arguments: [
            (Box(x: 0, y: 0, width: 10, height: 10), 1.0), (Box(x: 5, y: 0, width: 10, height: 10), 50.0 / 150),
            (Box(x: 5, y: 5, width: 10, height: 10), 25.0 / 175),
            (Box(x: 2, y: 2, width: 5, height: 5), 0.25), (Box(x: -5, y: -5, width: 20, height: 20), 0.25),
            (Box(x: 10, y: 0, width: 10, height: 10), 0), (Box(x: 30, y: 30, width: 1, height: 1), 0),
            (Box(x: 2, y: 2, width: 0, height: 5), 0),
        ] as [(Box, Double)])
    func intersectionOverUnion(other: Box, expected: Double) {
        #expect(abs(Self.unit.intersectionOverUnion(other) - expected) < 1e-12)
        #expect(Self.unit.intersectionOverUnion(other) == other.intersectionOverUnion(Self.unit))
    }

    @Test func intersections() {
        let other = Box(x: 4, y: -3, width: 20, height: 8)
        #expect(Self.unit.intersection(other) == Box(x: 4, y: 0, width: 6, height: 5))
        // Boxes that only touch have nothing in common.
        #expect(Self.unit.intersection(Box(x: 10, y: 0, width: 5, height: 5)) == nil)
        #expect(Self.unit.intersection(Box(x: 0, y: -5, width: 5, height: 5)) == nil)
    }

    @Test(
        arguments: [
            ([], nil), ([Point(3, 4)], Box(x: 3, y: 4, width: 0, height: 0)),
            ([Point(3, -1), Point(-2, 4), Point(0, 0)], Box(x: -2, y: -1, width: 5, height: 5)),
        ] as [([Point], Box?)])
    func boxesAroundPoints(points: [Point], expected: Box?) { #expect(Box(around: points) == expected) }

    @Test func cornersRunClockwiseFromTheTopLeft() {
        let box = Box(x: 1, y: 2, width: 3, height: 4)
        #expect(box.corners == [Point(1, 2), Point(4, 2), Point(4, 6), Point(1, 6)])
        #expect(box.center == Point(2.5, 4))
        #expect(box.area == 12)
        #expect(Box(around: box.corners) == box)
    }

    @Test func vectors() {
        let (a, b) = (Point(3, 4), Point(1, 2))
        #expect(a + b == Point(4, 6))
        #expect(a - b == Point(2, 2))
        #expect(a * 2 == Point(6, 8))
        #expect(a.length == 5)
        #expect(a.dot(b) == 11)
        // y runs down: a positive cross product is a clockwise turn.
        #expect(Point(1, 0).cross(Point(0, 1)) == 1)
        #expect(a.distance(to: Point(0, 0)) == 5)
    }

    @Test(
        arguments: [
            (ColorSpace(matrix: .bt601, fullRange: false), [16, 128, 128], [235, 128, 128], [81, 90, 240]),
            (ColorSpace(matrix: .bt709, fullRange: false), [16, 128, 128], [235, 128, 128], [63, 102, 240]),
            (ColorSpace(matrix: .bt601, fullRange: true), [0, 128, 128], [255, 128, 128], [76, 85, 255]),
        ] as [(ColorSpace, [UInt8], [UInt8], [UInt8])])
    func colorCodes(space: ColorSpace, black: [UInt8], white: [UInt8], red: [UInt8]) {
        func codes(_ color: RGB) -> [UInt8] {
            let (y, cb, cr) = space.codes(of: color)
            return [y, cb, cr]
        }
        #expect(codes(RGB(0, 0, 0)) == black)
        #expect(codes(RGB(255, 255, 255)) == white)
        #expect(codes(RGB(255, 0, 0)) == red)
    }
}
