import Testing
@testable import Annotate
@testable import Drawing
@testable import Annotate
@testable import TestSupport

/// How points and their texts are drawn.
@Suite struct OverlayPinTests {
    private func drawn(
        _ point: Point?, text: String?, state: TrackState = .tracked, width: Int = 320, height: Int = 240
    ) throws -> OverlayPicture {
        let picture = OverlayPicture(width, height)
        let observation = Observation(
            AnnotationFinding(point: point), stage: "l", region: "p", label: text, confidence: 0.9, state: state)
        try picture.draw { canvas throws(TextError) in
            try Annotator().draw(
                [DrawnObservation(observation, track: 1, style: AnnotationFinding.style)], at: 0, onto: canvas)
        }
        return picture
    }

    @Test func aPinMarksThePoint() throws {
        // Until the text is known there is a pin alone; its id is nobody's text.
        let changed = try #require(try drawn(Point(160, 120), text: nil).changed)
        #expect(changed.x >= 150 && changed.right <= 171 && changed.y >= 110 && changed.bottom <= 131)
        #expect(abs(changed.x + changed.right - 321) <= 2 && abs(changed.y + changed.bottom - 241) <= 2)
    }

    @Test func theTextIsBesideIt() throws {
        let changed = try #require(try drawn(Point(160, 120), text: "a cup").changed)
        #expect(changed.width > 30)
        // Above the point, on a line.
        #expect(changed.y < 105)
    }

    @Test(arguments: [Point(0, 0), Point(319, 0), Point(319, 239), Point(0, 239), Point(-0.5, 100)])
    func textsStayInThePicture(point: Point) throws {
        let picture = try drawn(point, text: "a rather long text")
        #expect(picture.guardsIntact)
        #expect(try #require(picture.changed).width > 80)
    }

    @Test(arguments: [TrackState.lost, .ended])
    func nothingIsDrawnForWhatIsOutOfSight(state: TrackState) throws {
        #expect(try drawn(nil, text: "a cup", state: state).changed == nil)
    }
}
