import Testing

@testable import Annotate

@Suite struct HomographyTests {
    private static let quad = [Point(10, 20), Point(110, 30), Point(95, 140), Point(-5, 90)]

    @Test func cornersGoToCorners() throws {
        let square = [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)]
        let map = try #require(Homography(unitSquareTo: Self.quad))
        for (corner, wanted) in zip(square, Self.quad) { #expect(map(corner).distance(to: wanted) < 1e-9) }
        let back = try #require(map.inverse)
        for (corner, wanted) in zip(Self.quad, square) { #expect(back(corner).distance(to: wanted) < 1e-9) }
    }

    @Test func oneQuadGoesToAnotherAndStraightLinesStayStraight() throws {
        let other = [Point(0, 0), Point(200, -10), Point(190, 100), Point(15, 120)]
        let map = try #require(Homography(Self.quad, to: other))
        for (corner, wanted) in zip(Self.quad, other) { #expect(map(corner).distance(to: wanted) < 1e-9) }
        let middle = map((Self.quad[0] + Self.quad[2]) * 0.5)
        #expect(abs((other[2] - other[0]).cross(middle - other[0])) < 1e-6)
    }

    @Test(arguments: [
        [Point(0, 0), Point(1, 0), Point(2, 0), Point(0, 1)],
        [Point(0, 0), Point(10, 0), Point(0, 10), Point(10, 10)],
        [Point(0, 0), Point(10, 0), Point(2, 2), Point(0, 10)],
        [Point(3, 3), Point(3, 3), Point(3, 3), Point(3, 3)],
        [Point(0, 0), Point(1, 0), Point(.nan, 1), Point(0, 1)],
        [],
    ]) func whatIsNoQuadHasNoMap(_ corners: [Point]) {
        #expect(Homography(unitSquareTo: corners) == nil)
    }
}
