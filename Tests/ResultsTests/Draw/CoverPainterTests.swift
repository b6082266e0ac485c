@testable import Drawing
import Testing

@testable import Annotate

@Suite struct CoverPainterTests {
    /// Planes of one picture, filled by a function of plane, column and row.
    private struct Picture {
        var planes: [[UInt16]]
        let sizes: [(width: Int, height: Int)]
        let shift: (x: Int, y: Int)
        let depth: Int

        init(
            _ width: Int, _ height: Int, shift: (Int, Int) = (1, 1), depth: Int = 8, gray: Bool = false,
            _ value: (Int, Int, Int) -> UInt16
        ) {
            let chroma = ((width + (1 << shift.0) - 1) >> shift.0, (height + (1 << shift.1) - 1) >> shift.1)
            let sizes = [(width, height)] + (gray ? [] : [chroma, chroma])
            self.sizes = sizes
            self.shift = shift
            self.depth = depth
            planes = sizes.enumerated().map { plane, size in
                (0..<size.0 * size.1).map { value(plane, $0 % size.0, $0 / size.0) }
            }
        }

        mutating func paint(_ cover: Cover) {
            let bytes = depth > 8 ? 2 : 1
            let views = zip(planes, sizes).map { plane, size in
                let memory = plane.flatMap { bytes == 2 ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
                let base = UnsafeMutablePointer<UInt8>.allocate(capacity: memory.count)
                base.initialize(from: memory, count: memory.count)
                return MutablePlane(
                    base: base, width: size.width, height: size.height, stride: size.width * bytes, bitDepth: depth)
            }
            let canvas = Canvas(
                luma: views[0], chroma: views.count == 3 ? (views[1], views[2]) : nil, chromaShift: shift,
                colorSpace: ColorSpace(matrix: .bt709, fullRange: true))
            CoverPainter.paint(cover, onto: canvas)
            for (index, view) in views.enumerated() {
                planes[index] = (0..<view.width * view.height).map {
                    bytes == 2 ? UInt16(view.base[2 * $0]) | UInt16(view.base[2 * $0 + 1]) << 8 : UInt16(view.base[$0])
                }
                view.base.deallocate()
            }
        }
    }

    private static func noise(_ plane: Int, _ x: Int, _ y: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (x &* 7919 &+ y &* 104_729 &+ plane &* 31) &* 2_654_435_761 >> 13) & 255
    }

    /// What is left has no more values than cells, and beside the place nothing changes.
    @Test(arguments: [8, 10, 16], [(0, 0), (1, 0), (1, 1)])
    func pixelate(depth: Int, shift: (Int, Int)) {
        let unit = UInt16(1) << UInt16(depth - 8)
        let before = Picture(101, 77, shift: shift, depth: depth) { Self.noise($0, $1, $2) * unit }
        var after = before
        after.paint(Cover(box: Box(x: 20, y: 10, width: 48, height: 60), style: .pixelate))
        for plane in 0..<3 {
            let (shiftX, shiftY) = plane == 0 ? (0, 0) : shift
            var inside: Set<UInt16> = []
            for (index, value) in after.planes[plane].enumerated() {
                let x = index % before.sizes[plane].width, y = index / before.sizes[plane].width
                if (20 >> shiftX..<68 >> shiftX).contains(x), (10 >> shiftY..<70 >> shiftY).contains(y) {
                    inside.insert(value)
                } else {
                    #expect(value == before.planes[plane][index])
                }
            }
            #expect((1...12).contains(inside.count))
            // Means of noise: nothing near its extremes is left.
            #expect(inside.allSatisfy { $0 > 60 * unit && $0 < 195 * unit })
        }
    }

    /// Two pictures with the same means become the same: what told them apart is gone.
    @Test(arguments: CoverStyle.allCases) func detailsAreGone(style: CoverStyle) {
        let cover = Cover(box: Box(x: 16, y: 16, width: 48, height: 48), style: style)
        var striped = Picture(96, 80) { _, x, y in (x + y) % 2 == 0 ? 40 : 200 }
        var flipped = Picture(96, 80) { _, x, y in (x + y) % 2 == 0 ? 200 : 40 }
        striped.paint(cover)
        flipped.paint(cover)
        for plane in 0..<3 {
            let width = striped.sizes[plane].width, scale = plane == 0 ? 1 : 2
            for index in striped.planes[plane].indices {
                let (x, y) = (index % width * scale, index / width * scale)
                guard (16..<64).contains(x), (16..<64).contains(y) else { continue }
                #expect(striped.planes[plane][index] == 120)
                #expect(flipped.planes[plane][index] == 120)
            }
        }
    }

    @Test func blurHasNoEdgesInside() {
        var picture = Picture(96, 96, gray: true) { _, x, _ in x < 48 ? 0 : 240 }
        picture.paint(Cover(box: Box(x: 0, y: 0, width: 96, height: 96), style: .blur))
        let row = picture.planes[0][48 * 96..<49 * 96]
        #expect(zip(row, row.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 16 })
        #expect(row.first == 0 && row.last == 240)
    }

    /// Places at the edges, beyond them, and of any size, in pictures of any size.
    @Test(
        arguments: CoverStyle.allCases,
        [
            Box(x: -30, y: -30, width: 60, height: 60), Box(x: 30, y: 20, width: 500, height: 500),
            Box(x: -1e5, y: -1e5, width: 3e5, height: 3e5), Box(x: 100, y: 100, width: 9, height: 9),
            Box(x: 3.5, y: 3.5, width: 0, height: 0), Box(x: 1e300, y: 0, width: 1, height: 1),
            Box(x: .nan, y: 0, width: 1, height: 1),
        ])
    func edges(style: CoverStyle, box: Box) {
        for (width, height) in [(1, 1), (2, 3), (33, 21)] {
            for depth in [8, 12] {
                var picture = Picture(width, height, depth: depth) { Self.noise($0, $1, $2) }
                picture.paint(Cover(box: box, style: style))
                // What has nothing around is filled with the middle of the scale.
                let most = style == .fill ? UInt16(1) << UInt16(depth - 1) : 255
                #expect(picture.planes.allSatisfy { $0.allSatisfy { $0 <= max(most, 255) } })
            }
        }
    }

    /// A polygon's pixels change and no others, chroma included.
    @Test(arguments: [8, 16], [(0, 0), (1, 0), (1, 1)])
    func aPolygon(depth: Int, shift: (Int, Int)) {
        let unit = UInt16(1) << UInt16(depth - 8)
        let before = Picture(41, 31, shift: shift, depth: depth) { Self.noise($0, $1, $2) * unit }
        var after = before
        let corners = [Point(2.4, 2.4), Point(37.6, 2.4), Point(37.6, 27.6), Point(20, 8), Point(2.4, 27.6)]
        after.paint(Cover(spot: .polygon(corners), style: .pixelate))
        let cells = TouchedCells(of: corners, side: (1 << shift.0, 1 << shift.1), x: 0..<41, y: 0..<31)
        for (plane, size) in before.sizes.enumerated() {
            let (dx, dy) = plane == 0 ? shift : (0, 0)
            var left = 0
            for index in 0..<size.width * size.height {
                let (x, y) = (index % size.width, index / size.width)
                let isSame = after.planes[plane][index] == before.planes[plane][index]
                if !cells.contains(x >> dx, y >> dy) {
                    #expect(isSame, "plane \(plane), \(x), \(y)")
                } else if isSame {
                    left += 1
                }
            }
            // Noise may be a mean by chance.
            #expect(left < 30, "plane \(plane)")
        }
    }
}
