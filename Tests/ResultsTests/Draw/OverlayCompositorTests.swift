@testable import Drawing
import Testing

@testable import Annotate

@Suite struct OverlayCompositorTests {
    private static let shifts = [(0, 0), (1, 0), (0, 1), (1, 1)]

    /// What a blend comes to by definition.
    private func blended(_ code: UInt8, coverage: Int) -> UInt8 {
        let mean = Double(OverlayPicture.ground) * Double(255 - coverage) + Double(code) * Double(coverage)
        return UInt8((mean / 255).rounded())
    }

    @Test(arguments: shifts, [(16, 16), (33, 17), (50, 31), (7, 5)])
    func chromaTakesTheMeanCoverage(shift: (Int, Int), size: (Int, Int)) {
        let (width, height) = size
        let triangle = [Point(1.3, 0.4), Point(46.2, 2.9), Point(30, 28.5)]
        let last = Point(Double(width) - 1, Double(height) - 1)
        let mask = CoverageMask(width: width, height: height)
        mask.addOutline(of: triangle + [last], thickness: 2.6)
        let picture = OverlayPicture(width, height, shift: shift)
        picture.draw { Painter().outline(of: triangle + [last], thickness: 2.6, color: .strongRed, onto: $0) }
        let codes = ColorSpace(matrix: .bt601, fullRange: true).codes(of: .strongRed)
        for cy in 0..<picture.planes[1].height {
            for cx in 0..<picture.planes[1].width {
                var values: [Int] = []
                for y in (cy << shift.1)..<min((cy + 1) << shift.1, height) {
                    for x in (cx << shift.0)..<min((cx + 1) << shift.0, width) {
                        values.append(Int(mask.bytes[y * mask.stride + x]))
                        #expect(picture.luma[x, y] == blended(codes.y, coverage: values.last ?? 0))
                    }
                }
                let mean = (values.reduce(0, +) + values.count / 2) / values.count
                #expect(picture.planes[1][cx, cy] == blended(codes.cb, coverage: mean))
                #expect(picture.planes[2][cx, cy] == blended(codes.cr, coverage: mean))
            }
        }
    }

    @Test(arguments: shifts)
    func fullCoverageGivesTheColour(shift: (Int, Int)) {
        let picture = OverlayPicture(37, 23, shift: shift)
        picture.draw { Painter().fill(Box(x: -5, y: -5, width: 60, height: 60), color: .strongRed, onto: $0) }
        let codes = ColorSpace(matrix: .bt601, fullRange: true).codes(of: .strongRed)
        #expect(Set(picture.luma.pixels) == [codes.y])
        #expect(Set(picture.planes[1].pixels) == [codes.cb])
        #expect(Set(picture.planes[2].pixels) == [codes.cr])
        #expect(picture.guardsIntact)
    }

    @Test func greyPictureTakesLumaOnly() {
        let (grey, colour) = (OverlayPicture(37, 23, gray: true), OverlayPicture(37, 23))
        for picture in [grey, colour] {
            picture.draw { Painter().dot(at: Point(15, 11), radius: 7, color: .strongRed, opacity: 0.7, onto: $0) }
        }
        #expect(grey.luma.pixels == colour.luma.pixels)
    }

    @Test(arguments: [0.0, -1, .nan])
    func noOpacityChangesNothing(opacity: Double) {
        let picture = OverlayPicture(37, 23)
        picture.draw { Painter().dot(at: Point(15, 11), radius: 7, color: .strongRed, opacity: opacity, onto: $0) }
        #expect(picture.changed == nil)
    }

    @Test func chromaPlanesSmallerThanTheLumaAreNotOverrun() {
        // A writer that rounds odd sizes down.
        let luma = UnsafeMutablePointer<UInt8>.allocate(capacity: 33 * 17)
        luma.initialize(repeating: 9, count: 33 * 17)
        let chroma = UnsafeMutablePointer<UInt8>.allocate(capacity: 16 * 8 + 64)
        chroma.initialize(repeating: 9, count: 16 * 8 + 64)
        defer {
            luma.deallocate()
            chroma.deallocate()
        }
        let plane = MutablePlane(base: chroma, width: 16, height: 8, stride: 16)
        let canvas = Canvas(
            luma: MutablePlane(base: luma, width: 33, height: 17, stride: 33), chroma: (plane, plane),
            chromaShift: (1, 1), colorSpace: ColorSpace(matrix: .bt709, fullRange: false))
        Painter().fill(Box(x: 0, y: 0, width: 33, height: 17), color: .strongRed, onto: canvas)
        #expect((0..<64).allSatisfy { chroma[16 * 8 + $0] == 9 })
        #expect(chroma[16 * 8 - 1] != 9)
    }

    @Test func aPainterLeavesNothingBehind() {
        let painter = Painter()
        let (first, second) = (OverlayPicture(50, 31), OverlayPicture(50, 31))
        first.draw { painter.fill(Box(x: 0, y: 0, width: 50, height: 31), color: .white, onto: $0) }
        second.draw { painter.dot(at: Point(200, 200), radius: 3, color: .white, onto: $0) }
        #expect(second.changed == nil)
    }
}
