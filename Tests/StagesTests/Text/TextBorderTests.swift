import Testing

@testable import Annotate
@testable import Detection
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What is in view at the ends of lines, drawn as bars for letters.
@Suite struct TextBorderTests {
    private static let size = (width: 400, height: 120)
    /// 40 pixels high, its letters 28.
    private static func line(from left: Int, to right: Int) -> TextRegion {
        let (left, right) = (Double(left), Double(right))
        return TextRegion(
            polygon: [Point(left, 39.5), Point(right, 39.5), Point(right, 79.5), Point(left, 79.5)], score: 0.9)
    }

    /// Dark letters of 10 pixels from places on, on light grey.
    private static func picture(_ letters: [Int], drawing: (inout [UInt8]) -> Void = { _ in }) throws -> VideoFrame {
        var pixels = [UInt8](repeating: 180, count: size.width * size.height)
        for left in letters { fill(&pixels, left..<left + 10, 46..<74, 20) }
        drawing(&pixels)
        return try grayFrame(pixels, width: size.width, height: size.height)
    }

    private static func fill(_ pixels: inout [UInt8], _ columns: Range<Int>, _ rows: Range<Int>, _ value: UInt8) {
        for row in rows {
            for column in columns.clamped(to: 0..<size.width) { pixels[row * size.width + column] = value }
        }
    }

    /// Two words, three pixels from letter to letter and fourteen between the words, so far from the right border.
    private static let words = [0, 13, 26, 50, 63, 76]
    private static func cuts(_ gap: Int, _ text: String, drawing: (inout [UInt8]) -> Void = { _ in }) throws -> Bool {
        let start = size.width - gap - 86
        let frame = try picture(words.map { $0 + start }, drawing: drawing)
        return try TextBorder(frame: frame).cuts(
            line(from: start - 4, to: min(start + 90, size.width - 1)), saying: text, besides: [])
    }

    /// Of a line that ends between two words no more is in view than a part of the space there.
    @Test(arguments: [(1, true), (4, true), (9, true), (14, false), (17, false), (30, false)])
    func groundAsWideAsASpace(_ gap: Int, _ isCut: Bool) throws {
        #expect(try Self.cuts(gap, "one two") == isCut)
    }

    /// One word doesn't tell how wide its font's spaces are.
    @Test(arguments: [(9, true), (16, true), (20, false)]) func aWordAlone(_ gap: Int, _ isCut: Bool) throws {
        let start = Self.size.width - gap - 75
        let frame = try Self.picture((0..<6).map { start + 13 * $0 })
        let line = Self.line(from: start - 4, to: min(start + 79, Self.size.width - 1))
        #expect(try TextBorder(frame: frame).cuts(line, saying: "single", besides: []) == isCut)
    }

    /// What is beyond the edges of a narrow panel is no texture around the letters.
    @Test func aNarrowPanelBeforeTexture() throws {
        func texture(_ pixels: inout [UInt8]) {
            for row in [Array(0..<36), Array(84..<120)].joined() {
                for column in 0..<Self.size.width {
                    pixels[row * Self.size.width + column] = (row / 5 + column / 7) % 3 > 0 ? 20 : 90
                }
            }
        }
        #expect(try !Self.cuts(15, "one two", drawing: texture))
        #expect(try Self.cuts(2, "one two", drawing: texture))
    }

    /// What was read beyond an outline is something else where nothing of the letters' colour is.
    @Test(arguments: [(UInt8(20), true), (240, false)]) func inkOfAnotherColour(_ tone: UInt8, _ isInk: Bool) throws {
        let frame = try Self.picture([100, 113, 126, 139]) { Self.fill(&$0, 160..<166, 40..<74, tone) }
        let border = TextBorder(frame: frame)
        #expect(try border.showsInk(beyond: Self.line(from: 96, to: 153), by: 0.5) == isInk)
    }
}
