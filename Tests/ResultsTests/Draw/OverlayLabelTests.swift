@testable import Drawing
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct OverlayLabelTests {
    @Test(arguments: [-30.0, 0, 40, 300, 595, 630], [-25.0, 0, 100, 330, 358])
    func labelsStayInsideThePicture(x: Double, y: Double) {
        for (width, height) in [(20.0, 20.0), (80, 60), (900, 700)] {
            var layout = LabelLayout(width: 640, height: 360)
            let box = Box(x: x, y: y, width: width, height: height)
            for label in [(90, 15), (300, 40), (640, 360), (1, 1)] {
                let place = layout.place(width: label.0, height: label.1, beside: box, gap: 2)
                guard x + width >= 0, y + height >= 0 else { continue }
                let rect = place ?? PixelRect(x: -1, y: -1, width: 0, height: 0)
                #expect(rect.x >= 0 && rect.y >= 0 && rect.right <= 640 && rect.bottom <= 360)
                #expect(rect.width == label.0 && rect.height == label.1)
            }
        }
    }

    @Test func aboveFirstThenBelow() {
        var layout = LabelLayout(width: 640, height: 360)
        let box = Box(x: 100, y: 100, width: 50, height: 50)
        let first = layout.place(width: 60, height: 15, beside: box, gap: 2)
        let second = layout.place(width: 60, height: 15, beside: box, gap: 2)
        #expect(first == PixelRect(x: 100, y: 83, width: 60, height: 15))
        #expect(second == PixelRect(x: 100, y: 152, width: 60, height: 15))
    }

    @Test func severalLabelsOfOnePlaceDontOverlap() {
        var layout = LabelLayout(width: 640, height: 360)
        for _ in 0..<12 {
            _ = layout.place(width: 60, height: 15, beside: Box(x: 300, y: 170, width: 50, height: 50), gap: 2)
        }
        let places = layout.taken
        #expect(places.count == 12)
        for (index, a) in places.enumerated() {
            for b in places[(index + 1)...] { #expect(a.overlap(b) == 0) }
        }
    }

    /// A label goes where it went when every place was held against every label.
    @Test(arguments: [40.0, 400, 1900])
    func placesAreThoseOfAllAgainstAll(spread: Double) {
        var random = SeededNumbers()
        func number(_ limit: Double) -> Double { Double(random.next() % 100_000) / 100_000 * limit }
        var (layout, plain) = (LabelLayout(width: 700, height: 410), PlainLayout(width: 700, height: 410))
        layout.reserve(PixelRect(x: 3, y: -20, width: 130, height: 800))
        plain.taken.append(PixelRect(x: 3, y: -20, width: 130, height: 800))
        for _ in 0..<600 {
            let box = Box(
                x: number(spread) - 20, y: number(spread) - 20, width: number(90) + 1, height: number(90) + 1)
            let (width, height) = (Int(number(140)) + 1, [15, 30][Int(number(2))])
            let place = layout.place(width: width, height: height, beside: box, gap: 2)
            #expect(place == plain.place(width: width, height: height, beside: box, gap: 2))
        }
        #expect(layout.taken == plain.taken)
    }

    @Test(arguments: [
        Box(x: 700, y: 10, width: 5, height: 5), Box(x: -50, y: 10, width: 5, height: 5),
        Box(x: .nan, y: 0, width: 5, height: 5), Box(x: 0, y: 0, width: .infinity, height: 5),
    ])
    func boxesOutsideHaveNoLabel(box: Box) {
        var layout = LabelLayout(width: 640, height: 360)
        #expect(layout.place(width: 60, height: 15, beside: box, gap: 2) == nil)
    }

    @Test func labelsLargerThanThePictureAreLeftOut() {
        var layout = LabelLayout(width: 64, height: 36)
        #expect(layout.place(width: 65, height: 5, beside: Box(x: 3, y: 3, width: 5, height: 5), gap: 2) == nil)
        #expect(layout.place(width: 5, height: 37, beside: Box(x: 3, y: 3, width: 5, height: 5), gap: 2) == nil)
    }

    @Test(arguments: [
        (0.0, "0.00"), (0.835, "0.84"), (0.07, "0.07"), (1, "1.00"), (-0.5, "-0.50"), (-0.001, "0.00"),
        (12.345, "12.35"), (1e300, "10000000000.00"),
    ])
    func decimals(value: Double, text: String) { #expect(LabelText.decimal(value) == text) }

    @Test(arguments: [(0.914, "91 %"), (0.0, "0 %"), (1, "100 %"), (7.25, "7.25"), (-1, "-1.00"), (.nan, "?")])
    func scores(value: Double, text: String) { #expect(LabelText.score(value) == text) }

    @Test func titles() {
        func title(
            _ observation: Observation, track: Int? = nil, edit: (inout DrawStyle) -> Void = { _ in }
        ) -> String? {
            var style = type(of: observation.finding.base).style
            edit(&style)
            let item = DrawnObservation(observation, track: track, style: style)
            return LabelText.title(of: item.observation, style: style)
        }
        let marker = Observation(MarkerFinding(id: 23), stage: "m", label: "aruco-original/23", confidence: 1)
        #expect(title(marker, track: 4) == "id 23")
        #expect(title(Observation(BoardFinding(), stage: "m", label: "qr")) == "qr")
        #expect(title(Observation(RectangleFinding(), stage: "r", confidence: 0.9), track: 9) == "#9")
        #expect(title(Observation(RectangleFinding(), stage: "r")) == nil)
        let object = Observation(ObjectFinding(), stage: "o", region: "seed", label: "cup", confidence: 0.834)
        #expect(title(object, track: 2) == "cup 0.83")
        #expect(title(object, track: 2) { $0.track = true } == "#2 cup 0.83")
        #expect(title(object, track: 2) { $0.confidence = false } == "cup")
        #expect(title(Observation(ObjectFinding(), stage: "o", region: "seed"), track: 2) == "seed")
        let lost = Observation(ObjectFinding(), stage: "o", label: "cup", confidence: 0.1, state: .lost)
        #expect(title(lost) == "cup lost")
        #expect(title(Observation(ObjectFinding(), stage: "o", label: "cup", confidence: .nan)) == "cup")
    }

    @Test func coloursAreFixedAndDistinct() {
        #expect(Palette.color(track: nil) == Palette.neutral)
        #expect(Palette.color(track: 0) == Palette.neutral)
        #expect(Palette.color(track: 1) == RGB(0, 190, 255))
        let colors = (1...24).map { Palette.color(track: $0) }
        for (index, a) in colors.enumerated() {
            for b in colors[(index + 1)...] {
                let red = abs(Int(a.red) - Int(b.red))
                let green = abs(Int(a.green) - Int(b.green))
                let blue = abs(Int(a.blue) - Int(b.blue))
                let difference = red + green + blue
                #expect(difference >= 60)
            }
        }
        #expect(Set((25...124).map { Palette.color(track: $0) }).count > 95)
        _ = Palette.color(track: .max)
    }

    @Test func textStandsOutFromItsBackground() {
        func luma(_ color: RGB) -> Double {
            let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        for track in 1...200 {
            let background = Palette.color(track: track)
            #expect(abs(luma(background) - luma(Palette.text(on: background))) > 110)
        }
    }

    private static let pure: [(hue: Double, color: RGB)] = [
        (0.0, RGB(255, 0, 0)), (1.0 / 3, RGB(0, 255, 0)), (2.0 / 3, RGB(0, 0, 255)), (1.0 / 6, RGB(255, 255, 0)),
    ]

    @Test(arguments: pure)
    func hues(hue: Double, color: RGB) { #expect(Palette.rgb(hue: hue, saturation: 1, value: 1) == color) }
}

/// The same numbers every time (xorshift, Marsaglia 2003).
private struct SeededNumbers {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 2)
    }
}

/// The layout as it is meant, each place held against all that is taken.
private struct PlainLayout {
    let width: Int
    let height: Int
    var taken: [PixelRect] = []

    mutating func place(width w: Int, height h: Int, beside box: Box, gap: Int) -> PixelRect? {
        let (left, top) = (Int(box.x.rounded()), Int(box.y.rounded()))
        let (right, bottom) = (Int(box.right.rounded()), Int(box.bottom.rounded()))
        guard w <= width, h <= height, right >= 0, bottom >= 0, left < width, top < height else { return nil }
        func inside(_ x: Int, _ y: Int) -> PixelRect {
            PixelRect(x: min(max(x, 0), width - w), y: min(max(y, 0), height - h), width: w, height: h)
        }
        func overlap(_ rect: PixelRect) -> Int { taken.reduce(0) { $0 + $1.overlap(rect) } }
        var wishes = [(left, top - gap - h), (left, bottom + gap)]
        if right - left >= w + 2 * gap, bottom - top >= h + 2 * gap {
            wishes += [(left + gap, top + gap), (left + gap, bottom - gap - h)]
        }
        wishes += [(right - w, top - gap - h), (right - w, bottom + gap)]
        var places = wishes.filter { $0.1 >= 0 && $0.1 + h <= height }.map(inside)
        places += [(right + gap, top), (left - gap - w, top)].filter { $0.0 >= 0 && $0.0 + w <= width }.map(inside)
        places.append(inside(left, top - gap - h))
        var slid: PixelRect?
        for step in 1...12 where slid == nil {
            for direction in [-1, 1] where slid == nil {
                var moved = places[0]
                moved.y += direction * step * (h / 2 + 1)
                if moved.y >= 0, moved.bottom <= height, overlap(moved) == 0 { slid = moved }
            }
        }
        let best = places.first { overlap($0) == 0 } ?? slid ?? places.min { overlap($0) < overlap($1) }
        if let best { taken.append(best) }
        return best
    }
}
