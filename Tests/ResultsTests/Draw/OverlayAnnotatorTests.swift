@testable import Drawing
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct OverlayAnnotatorTests {
    private func object(
        _ box: Box?, track: Int = 1, label: String? = "cup", state: TrackState? = .tracked, held: Bool = false
    ) -> DrawnObservation {
        DrawnObservation(
            Observation(
                ObjectFinding(), stage: "o", label: label, confidence: 0.83, state: state, box: box, isHeld: held),
            track: track, style: ObjectFinding.style)
    }

    private func classification(of track: Int?, _ labels: [ScoredLabel]) -> DrawnObservation {
        DrawnObservation(
            Observation(ClassificationFinding(labels: labels), stage: "c"), track: nil, about: track,
            style: ClassificationFinding.style)
    }

    fileprivate func scene(_ width: Int, _ height: Int, frame: Int) -> [DrawnObservation] {
        let (w, h, t) = (Double(width), Double(height), Double(frame))
        let corners = [
            Point(w * 0.2, h * 0.2), Point(w * 0.5, h * 0.25), Point(w * 0.48, h * 0.6), Point(w * 0.22, h * 0.55),
        ]
        return [
            DrawnObservation(
                Observation(MarkerFinding(id: 23), stage: "m", polygon: corners), track: 1,
                style: MarkerFinding.style),
            DrawnObservation(
                Observation(RectangleFinding(), stage: "r", polygon: corners.map { $0 + Point(3, 5) }),
                style: RectangleFinding.style),
            object(Box(x: w * 0.5 + t * 3, y: h * 0.5 + t, width: w * 0.2, height: h * 0.3), track: 2),
            object(Box(x: w * 0.7 - t, y: h * 0.1, width: w * 0.5, height: h), track: 3, state: .predicted),
            object(nil, track: 2, state: .lost), object(Box(x: 2, y: 2, width: 9, height: 9), track: 4, state: .lost),
            object(Box(x: -w, y: -h, width: 3 * w, height: 3 * h), track: 5, held: true),
            classification(of: 2, [ScoredLabel(label: "mug", confidence: 0.9)]),
            classification(of: 77, [ScoredLabel(label: "nothing", confidence: 0.9)]),
            classification(of: 2, []),
            classification(
                of: nil, [ScoredLabel(label: "desk", confidence: 0.7), ScoredLabel(label: "日本", confidence: 14)]),
        ]
    }

    @Test(arguments: [(1, 1), (2, 3), (16, 16), (33, 17), (32, 32), (64, 48), (161, 121), (321, 241), (641, 360)])
    func anySizeAndSubsamplingTwice(size: (Int, Int)) throws {
        for (shift, gray) in [((1, 1), false), ((0, 0), false), ((1, 0), false), ((0, 1), false), ((1, 1), true)] {
            var results: [[[UInt8]]] = []
            for _ in 0..<2 {
                let annotator = Annotator()
                let picture = OverlayPicture(size.0, size.1, shift: shift, gray: gray)
                for frame in 0..<3 {
                    try picture.draw { canvas throws(TextError) in
                        try annotator.draw(
                            scene(size.0, size.1, frame: frame), at: Double(frame) / 25, onto: canvas)
                    }
                }
                #expect(picture.guardsIntact)
                results.append(picture.planes.map(\.bytes))
            }
            #expect(results[0] == results[1])
        }
    }

    fileprivate func drawn(
        _ observations: [DrawnObservation], by annotator: Annotator = Annotator(), at time: Double = 0,
        width: Int = 320, height: Int = 240
    ) throws -> OverlayPicture {
        let picture = OverlayPicture(width, height)
        try picture.draw { canvas throws(TextError) in try annotator.draw(observations, at: time, onto: canvas) }
        return picture
    }

    @Test func nothingIsDrawnForNothing() throws {
        #expect(try drawn([]).changed == nil)
        var hidden = object(Box(x: 100, y: 100, width: 50, height: 50))
        hidden.style = nil
        #expect(try drawn([hidden]).changed == nil)
        #expect(try drawn([object(Box(x: 100, y: 100, width: 50, height: 50), state: .ended)]).changed == nil)
        #expect(try drawn([object(nil)]).changed == nil)
        #expect(try drawn([object(Box(x: .nan, y: 0, width: 50, height: 50))]).changed == nil)
        #expect(try drawn([classification(of: nil, [])]).changed == nil)
    }

    @Test(arguments: [(0.0, 0.0), (290, 0), (0, 210), (290, 210), (150, 100)])
    func labelIsDrawnAtEveryEdge(place: (Double, Double)) throws {
        var item = object(Box(x: place.0, y: place.1, width: 30, height: 30))
        item.style?.outline = false
        let changed = try #require(try drawn([item]).changed)
        let full = try TextRenderer(size: 10).bitmap(of: "cup 0.83").advance
        #expect(changed.width == full + 4)
    }

    @Test func tinyPicturesHaveNoLabels() throws {
        var item = object(Box(x: 5, y: 5, width: 10, height: 10))
        item.style?.outline = false
        #expect(try drawn([item], width: 32, height: 32).changed == nil)
        #expect(try drawn([item], width: 64, height: 48).changed != nil)
    }

    @Test func lostIsDrawnWhereLastSeen() throws {
        let annotator = Annotator()
        let box = Box(x: 100, y: 100, width: 60, height: 60)
        let solid = try drawn([object(box)], by: annotator, at: 0)
        let lost = try drawn([object(nil, state: .lost)], by: annotator, at: 0.04)
        let corner = (100, 100)
        #expect(lost.luma[corner.0, corner.1] != OverlayPicture.ground)
        func side(_ picture: OverlayPicture) -> Int {
            (100..<160).count { picture.luma[100, $0] != OverlayPicture.ground }
        }
        #expect(side(solid) == 60)
        #expect(side(lost) < 50 && side(lost) > 20)
        #expect(try drawn([object(nil, track: 8, state: .lost)], by: annotator, at: 0.08).changed == nil)
    }

    @Test func trailFollowsAndIsForgotten() throws {
        let annotator = Annotator()
        func frame(_ index: Int, x: Double) throws -> OverlayPicture {
            var item = object(Box(x: x, y: 100, width: 20, height: 20))
            item.style?.label = false
            item.style?.outline = false
            return try drawn([item], by: annotator, at: Double(index) / 25)
        }
        #expect(try frame(0, x: 40).changed == nil)
        for index in 1..<10 { _ = try frame(index, x: 40 + Double(index) * 10) }
        let moving = try #require(try frame(10, x: 140).changed)
        #expect(moving.width > 95 && moving.height <= 4)
        // A second later only the new places are left; going back forgets all.
        let later = try frame(45, x: 200).changed
        #expect(later == nil)
        #expect(try frame(3, x: 60).changed == nil)
    }

    @Test func trailDoesntBridgeAGap() throws {
        let annotator = Annotator()
        func frame(_ index: Int, _ x: Double?) throws -> OverlayPicture {
            var item = object(x.map { Box(x: $0, y: 100, width: 20, height: 20) }, state: x == nil ? .lost : .tracked)
            item.style?.label = false
            item.style?.outline = false
            return try drawn([item], by: annotator, at: Double(index) / 25)
        }
        for index in 0...3 { _ = try frame(index, 40 + Double(index) * 10) }
        for index in 4...6 { _ = try frame(index, nil) }
        _ = try frame(7, 200)
        let picture = try frame(8, 210)
        func column(_ x: Int) -> Bool { (100...120).contains { picture.luma[x, $0] != OverlayPicture.ground } }
        #expect(column(65))
        #expect(!column(120) && !column(180))
        #expect(column(215))
    }

    @Test func classificationGoesUnderTheLabelOfItsTrack() throws {
        let box = Box(x: 100, y: 100, width: 60, height: 60)
        let alone = try #require(try drawn([object(box)]).changed)
        let both = try #require(
            try drawn([object(box), classification(of: 1, [ScoredLabel(label: "mug", confidence: 0.9)])]).changed)
        let lineHeight = alone.height - 62 - 2
        #expect(both.height > alone.height + lineHeight / 2)
        #expect(both.x == alone.x)
        // Also where the object itself isn't drawn.
        var hidden = object(box)
        hidden.style = nil
        let labelOnly = try #require(
            try drawn([hidden, classification(of: 1, [ScoredLabel(label: "mug", confidence: 0.9)])]).changed)
        #expect(labelOnly.height < 20 && labelOnly.bottom <= 100)
    }

    @Test func classesOfThePictureAreListedAtTheTopLeft() throws {
        let labels = (0..<9).map { ScoredLabel(label: "class \($0)", confidence: 0.9 - Double($0) / 10) }
        let changed = try #require(try drawn([classification(of: nil, labels)]).changed)
        #expect(changed.x < 10 && changed.y < 10 && changed.right < 200 && changed.bottom < 120)
    }

    @Test func fixedColourIsUsed() throws {
        var item = object(Box(x: 100, y: 100, width: 60, height: 60))
        item.style?.color = .white
        item.style?.label = false
        let picture = try drawn([item])
        #expect(picture.luma[100, 130] == 255)
        item.style?.opacity = 0
        #expect(try drawn([item]).changed == nil)
    }
}

extension OverlayAnnotatorTests {
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 0, 1e300])
    func absurdStylesDontCrash(value: Double) throws {
        let annotator = Annotator()
        for frame in 0..<4 {
            var items = scene(161, 121, frame: frame)
            for index in items.indices {
                items[index].style?.thickness = value
                items[index].style?.fontSize = value
                items[index].style?.trail = value
                items[index].style?.opacity = value
            }
            let time = frame == 3 ? value : Double(frame)
            #expect(try drawn(items, by: annotator, at: time, width: 161, height: 121).guardsIntact)
        }
    }
}
