import Testing

@testable import Annotate

@Suite struct RunMaskTests {
    private static let box = PixelBox(x: 3, y: -2, width: 5, height: 4)

    /// Rows of a box from its first pixel on, `#` for the thing's.
    private static func mask(_ rows: String..., x: Int = 0, y: Int = 0) -> RunMask {
        let pixels = rows.map(Array.init)
        return RunMask(PixelBox(x: x, y: y, width: pixels[0].count, height: rows.count)) { column, row in
            pixels[row - y][column - x] == "#"
        }
    }

    /// As pycocotools 2.0.11 encodes the same bitmaps.
    private static let known: [(rows: [String], runs: [Int], counts: String)] = [
        (["#"], [0, 1], "01"), (["."], [1], "1"),
        (["..#.", ".##.", "#..#"], [2, 1, 1, 1, 1, 2, 3, 1], "2110012O"),
        (["#.", "##", "#."], [0, 3, 1, 1, 1], "031N0"),
        (Array(repeating: String(repeating: "#", count: 50), count: 40), [0, 2000], "0`n1"),
    ]

    @Test(arguments: known.indices)
    func counts(index: Int) throws {
        let (rows, runs, counts) = Self.known[index]
        let pixels = rows.map(Array.init)
        let box = PixelBox(x: 0, y: 0, width: pixels[0].count, height: rows.count)
        let mask = RunMask(box) { pixels[$1][$0] == "#" }
        #expect(mask.runs == runs)
        #expect(mask.counts == counts)
        #expect(RunMask(box: box, counts: counts) == mask)
        #expect(RunMask(box, bitmap: mask.bitmap) == mask)
        #expect(mask.area == rows.joined().count { $0 == "#" })
    }

    /// In any order, one over another, and outside.
    @Test func spansInAnyOrder() {
        let mask = RunMask(
            PixelBox(x: 0, y: 0, width: 3, height: 4),
            spans: [
                .init(x: 2, rows: 1..<3), .init(x: 0, rows: 1..<3), .init(x: 0, rows: 0..<2), .init(x: 2, rows: 1..<2),
                .init(x: 3, rows: 0..<4), .init(x: 1, rows: -5..<1),
            ])
        #expect(mask.spans == [.init(x: 0, rows: 0..<3), .init(x: 1, rows: 0..<1), .init(x: 2, rows: 1..<3)])
        #expect(mask.area == 6)
    }

    /// No box traps, however large.
    @Test func largestBoxes() {
        let box = PixelBox(x: .max - 1, y: .min + 1, width: .max, height: .max)
        #expect(box.area == .max)
        #expect((box.right, box.bottom) == (.max, 0))
        #expect(PixelBox(x: .min, y: .max, width: -1, height: 1).right == .min)
        #expect(RunMask(box: box, runs: [1]) == nil)
    }

    @Test(arguments: ["", "0", "3", "01N", "o", "1 ", "1é", "P", "11N", String(repeating: "P", count: 40)])
    func whatIsNoCode(counts: String) {
        #expect(RunMask(box: PixelBox(x: 0, y: 0, width: 1, height: 2), counts: counts) == nil)
    }

    /// A pseudo-random bitmap, always the same.
    private static func noise(_ box: PixelBox, seed: UInt64, of share: UInt64) -> RunMask {
        var state = seed
        return RunMask(box) { _, _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33 % 10 < share
        }
    }

    @Test(arguments: 0..<40)
    func readsBackWhatItWrites(index: Int) {
        let box = PixelBox(x: index - 20, y: 5 - index, width: 1 + index * 3 % 37, height: 1 + index * 7 % 41)
        let mask = Self.noise(box, seed: UInt64(index), of: UInt64(index % 11))
        #expect(RunMask(box: box, counts: mask.counts) == mask)
        #expect(RunMask(box: box, runs: mask.runs) == mask)
        #expect(RunMask(box, spans: mask.spans) == mask)
        #expect(RunMask(box, bitmap: mask.bitmap) == mask)
        #expect(mask.runs.dropFirst().allSatisfy { $0 > 0 })
        #expect(mask.runs.reduce(0, +) == box.area)
    }

    @Test func runsOfNothingAreUnited() {
        #expect(
            RunMask(box: PixelBox(x: 0, y: 0, width: 2, height: 5), runs: [0, 2, 0, 3, 1, 0, 0, 4])?.runs == [
                0, 5, 1, 4,
            ])
        #expect(RunMask(box: PixelBox(x: 0, y: 0, width: 0, height: 5), runs: [0])?.runs == [])
        #expect(RunMask(box: PixelBox(x: 0, y: 0, width: 2, height: 2), runs: [2, -1, 3]) == nil)
        #expect(RunMask(box: PixelBox(x: 0, y: 0, width: 2, height: 2), runs: [5]) == nil)
        #expect(RunMask(box: PixelBox(x: 0, y: 0, width: 2, height: 2), runs: [1, .max, .max]) == nil)
    }

    @Test(arguments: 0..<20)
    func overlapIsThatOfBitmaps(index: Int) {
        let (a, b) = (
            Self.noise(PixelBox(x: 0, y: 0, width: 20, height: 17), seed: 1, of: 5),
            Self.noise(PixelBox(x: index - 10, y: 7 - index, width: 13 + index, height: 9), seed: 2, of: 6)
        )
        let all = PixelBox(x: -40, y: -40, width: 100, height: 100)
        let pairs = zip(a.bitmap(of: all), b.bitmap(of: all))
        let (common, union) = (pairs.count { $0 & $1 != 0 }, pairs.count { $0 | $1 != 0 })
        #expect(a.commonArea(with: b) == common)
        #expect(a.intersectionOverUnion(b) == Double(common) / Double(union))
        #expect(a.intersectionOverUnion(a) == 1)
    }

    @Test func ofAnotherBox() {
        let mask = Self.mask("##.", "#.#", x: 4, y: 1)
        #expect(mask.of(PixelBox(x: 5, y: 0, width: 3, height: 2)).bitmap == [0, 0, 0, 1, 0, 0])
        #expect(mask.of(PixelBox(x: 5, y: 2, width: 1, height: 1)).runs == [1])
        #expect(mask.at(x: 0, y: 0).bitmap == mask.bitmap)
        #expect(mask.bounds == mask.box)
        #expect(Self.mask("...", ".#.", "...").bounds == PixelBox(x: 1, y: 1, width: 1, height: 1))
        #expect(Self.mask("..", "..").bounds == nil)
    }

    // MARK: Outlines

    @Test func outlinesRunAlongPixelsEdges() {
        let ring = Self.mask("###", "#.#", "###", x: 10, y: 20)
        #expect(
            ring.outlines == [
                [Point(12.5, 19.5), Point(12.5, 22.5), Point(9.5, 22.5), Point(9.5, 19.5)],
                [Point(10.5, 21.5), Point(11.5, 21.5), Point(11.5, 20.5), Point(10.5, 20.5)].rotated(by: 1),
            ])
        // Pixels that touch at a corner alone.
        #expect(Self.mask("#.", ".#").outlines.count == 2)
        #expect(Self.mask("..", "..").outlines.isEmpty)
    }

    @Test(arguments: 0..<12)
    func outlinesEncloseThePixels(index: Int) {
        let mask = Self.noise(PixelBox(x: 2, y: -3, width: 15, height: 12), seed: UInt64(index) + 9, of: 6)
        let area = mask.outlines.reduce(0.0) { $0 + Self.area($1) }
        #expect(area == Double(mask.area))
        for outline in mask.outlines {
            #expect(zip(outline, outline.dropFirst()).allSatisfy { ($0.x == $1.x) != ($0.y == $1.y) })
        }
    }

    @Test func smoothOutlinesOfALargeDisc() {
        let disc = RunMask(PixelBox(x: 0, y: 0, width: 101, height: 101)) { x, y in
            (x - 50) * (x - 50) + (y - 50) * (y - 50) <= 45 * 45
        }
        let outlines = disc.smoothOutlines()
        #expect(outlines.count == 1)
        #expect(outlines[0].count < 140)
        #expect(abs(Self.area(outlines[0]) / Double(disc.area) - 1) < 0.01)
        #expect(outlines[0].allSatisfy { abs($0.distance(to: Point(50, 50)) - 45.2) < 0.8 })
    }

    /// Above 0 for one that runs clockwise as seen.
    private static func area(_ polygon: [Point]) -> Double {
        zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0) { $0 + $1.0.cross($1.1) } / 2
    }

    // MARK: Whole pixels

    @Test(arguments: [
        (Box(x: 3, y: 4, width: 5, height: 6), PixelBox(x: 3, y: 4, width: 5, height: 6)),
        (Box(x: 12.3, y: 0.1, width: 10.7, height: 0.2), PixelBox(x: 12, y: 0, width: 11, height: 1)),
        (Box(x: -0.5, y: 2.996, width: 1, height: 3.004), PixelBox(x: -1, y: 3, width: 2, height: 3)),
        (Box(x: 7, y: 7, width: 0, height: 0), PixelBox(x: 7, y: 7, width: 1, height: 1)),
    ])
    func pixelsOfABox(box: Box, expected: PixelBox) { #expect(box.pixels == expected) }
}

extension [Point] {
    fileprivate func rotated(by count: Int) -> [Point] { Array(self[count...] + self[..<count]) }
}
