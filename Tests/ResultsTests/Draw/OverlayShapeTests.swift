@testable import Drawing
import Testing

@testable import Annotate

@Suite struct OverlayShapeTests {
    private let painter = Painter()

    @Test func thinLineThroughIntegersCoversThosePixels() {
        let picture = OverlayPicture(20, 10)
        picture.draw { painter.line(from: Point(3, 4), to: Point(12, 4), thickness: 1, color: .white, onto: $0) }
        for x in 3...12 { #expect(picture.luma[x, 4] == 255) }
        for x in 0..<20 {
            #expect(picture.luma[x, 3] == OverlayPicture.ground)
            #expect(picture.luma[x, 5] == OverlayPicture.ground)
        }
    }

    @Test(arguments: [1.0, 2, 3, 4])
    func boxOutlineIsWholePixels(thickness: Double) {
        let picture = OverlayPicture(60, 50)
        picture.draw {
            painter.outline(
                of: Box(x: 10, y: 8, width: 30, height: 20), thickness: thickness, color: .white, onto: $0)
        }
        let outside = Int(thickness) / 2
        #expect(
            picture.changed
                == PixelRect(x: 10 - outside, y: 8 - outside, width: 30 + 2 * outside, height: 20 + 2 * outside))
        #expect(Set(picture.luma.pixels) == [OverlayPicture.ground, 255])
        let (w, h, t) = (30 + 2 * outside, 20 + 2 * outside, Int(thickness))
        #expect(picture.whiteArea == Double(w * h - (w - 2 * t) * (h - 2 * t)))
    }

    @Test(arguments: [0.0, 3, 17, 45, 61, 90, 133], [0.5, 1, 1.5, 2, 3, 7])
    func lineHasItsArea(degrees: Double, thickness: Double) {
        // Directions on a table, so that the test needs no trigonometry: tan = degrees / 45.
        let direction = Point(45, degrees)
        let unit = direction * (1 / direction.length)
        let picture = OverlayPicture(260, 260)
        picture.draw {
            painter.line(
                from: Point(40.3, 30.7), to: Point(40.3, 30.7) + unit * 180, thickness: thickness, color: .white,
                onto: $0)
        }
        let caps = thickness >= 1 ? 3.14159 * thickness * thickness / 4 : 0.6
        let area = 180 * thickness + caps
        #expect(abs(picture.whiteArea - area) < 0.02 * area)
    }

    @Test(arguments: [0.0, 0.2, 0.5, 0.9], [1.5, 2, 4])
    func polygonOutlineHasItsArea(slope: Double, thickness: Double) {
        // A square turned by the slope.
        let unit = Point(1, slope) * (1 / Point(1, slope).length)
        let normal = Point(-unit.y, unit.x)
        let corner = Point(100.4, 40.2)
        let square = [corner, corner + unit * 90, corner + unit * 90 + normal * 90, corner + normal * 90]
        let picture = OverlayPicture(260, 260)
        picture.draw { painter.outline(of: square, thickness: thickness, color: .white, onto: $0) }
        let (outer, inner) = (90 + thickness, 90 - thickness)
        let area = outer * outer - inner * inner
        #expect(abs(picture.whiteArea - area) < 0.02 * area)
    }

    @Test(arguments: [3.0, 5.5, 12, 40])
    func dotHasItsArea(radius: Double) {
        let picture = OverlayPicture(120, 120)
        picture.draw { painter.dot(at: Point(60.3, 58.8), radius: radius, color: .white, onto: $0) }
        let area = 3.14159265 * radius * radius
        #expect(abs(picture.whiteArea - area) < 0.02 * area)
    }

    @Test(arguments: [0.0, 3, 8], [0.0, 0.25])
    func roundedBoxHasItsArea(radius: Double, offset: Double) {
        let picture = OverlayPicture(120, 80)
        picture.draw {
            painter.fill(
                Box(x: 10 + offset, y: 9 + offset, width: 70, height: 40), radius: radius, color: .white, onto: $0)
        }
        let area = 70 * 40 - (4 - 3.14159265) * radius * radius
        #expect(abs(picture.whiteArea - area) < 0.02 * area)
        #expect(picture.luma[45, 30] == 255)
    }

    @Test func dashesCoverCornersAndAboutHalf() {
        let picture = OverlayPicture(140, 140)
        let box = Box(x: 20, y: 20, width: 96, height: 96)
        picture.draw { painter.outline(of: box, thickness: 1, dashed: true, color: .white, onto: $0) }
        for corner in [(20, 20), (115, 20), (115, 115), (20, 115)] { #expect(picture.luma[corner.0, corner.1] == 255) }
        #expect(abs(picture.whiteArea / (4 * 95) - 0.5) < 0.05)
    }

    @Test func overlappingPartsOfATranslucentShapeDontAddUp() {
        let picture = OverlayPicture(60, 60)
        picture.draw {
            painter.outline(
                of: [Point(10, 10), Point(40, 10), Point(40, 40), Point(10, 40)], thickness: 3, color: .white,
                opacity: 0.5, onto: $0)
        }
        let most = picture.luma.pixels.max() ?? 0
        #expect(most == 178)  // 100 + (255 − 100) · 128 ÷ 255
        #expect(picture.luma[10, 10] == most)
    }

    @Test func trailFades() {
        let picture = OverlayPicture(100, 20)
        let points = stride(from: 5.0, through: 95, by: 10).map { (point: Point($0, 10), strength: $0 / 100) }
        picture.draw { painter.trail(points, thickness: 2, color: .white, onto: $0) }
        let along = stride(from: 10, through: 90, by: 10).map { picture.luma[$0, 10] }
        #expect(along == along.sorted())
        #expect(Set(along).count == along.count)
    }

    @Test func trailHasGapWhereAStretchBegins() {
        let picture = OverlayPicture(100, 20)
        picture.draw {
            painter.trail(
                [(Point(5, 10), 0.5), (Point(30, 10), 0.6), (Point(60, 10), 0), (Point(90, 10), 1)], thickness: 2,
                color: .white, onto: $0)
        }
        #expect(picture.luma[20, 10] != OverlayPicture.ground)
        #expect(picture.luma[45, 10] == OverlayPicture.ground)
        #expect(picture.luma[75, 10] != OverlayPicture.ground)
    }

    @Test(arguments: [
        Point(.nan, 3), Point(3, .infinity), Point(-.infinity, .nan), Point(1e300, 1e300), Point(1e7, 0),
    ])
    func impossiblePlacesAreLeftOut(point: Point) {
        let picture = OverlayPicture(40, 30)
        picture.draw { canvas in
            painter.line(from: point, to: Point(10, 10), thickness: 2, color: .white, onto: canvas)
            painter.outline(of: [point, Point(10, 10), Point(3, 20)], thickness: 2, color: .white, onto: canvas)
            painter.dot(at: point, radius: 4, color: .white, onto: canvas)
            painter.fill(Box(x: point.x, y: point.y, width: 5, height: 5), color: .white, onto: canvas)
            let box = Box(x: 1, y: 1, width: point.x, height: point.y)
            painter.outline(of: box, thickness: 2, color: .white, onto: canvas)
        }
        #expect(picture.changed == nil)
    }

    @Test(arguments: [
        [], [Point(5, 5)], [Point(5, 5), Point(5, 5)], [Point(5, 5), Point(20, 9)],
        [Point(5, 5), Point(20, 5), Point(5, 5), Point(5, 5)], [Point(5, 5), Point(30, 5), Point(10, 5), Point(20, 5)],
        [Point(-900_000, -900_000), Point(900_000, -900_000), Point(900_000, 900_000), Point(-900_000, 900_000)],
    ])
    func degenerateOutlinesDontCrash(polygon: [Point]) {
        for dashed in [false, true] {
            for thickness in [0, 0.2, 2, 60, .nan, -1, .infinity] {
                let picture = OverlayPicture(33, 17)
                picture.draw {
                    painter.outline(of: polygon, thickness: thickness, dashed: dashed, color: .white, onto: $0)
                }
                #expect(picture.guardsIntact)
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 1), (16, 16), (17, 15), (33, 17), (64, 48)], [-40.0, -3, 0, 9.4, 30, 70])
    func nothingOutsideThePictureChanges(size: (Int, Int), place: Double) {
        for shift in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let picture = OverlayPicture(size.0, size.1, shift: shift)
            picture.draw { canvas in
                let box = Box(x: place, y: place / 2, width: 31.5, height: 22)
                painter.outline(of: box, thickness: 3, color: .strongRed, onto: canvas)
                painter.outline(of: box.corners, thickness: 1.7, dashed: true, color: .strongRed, onto: canvas)
                painter.fill(box, radius: 4, color: .strongRed, opacity: 0.4, onto: canvas)
                painter.dot(at: box.center, radius: 20, color: .strongRed, onto: canvas)
                painter.line(
                    from: Point(place, -50), to: Point(-place, 90), thickness: 5, color: .strongRed, onto: canvas)
            }
            #expect(picture.guardsIntact)
        }
    }
}
