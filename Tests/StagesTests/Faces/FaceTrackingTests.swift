import Annotate
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct FaceTrackingTests {
    private func face(_ x: Double, _ y: Double, side: Double = 40, confidence: Double = 0.9) -> FoundFace {
        FoundFace(box: Box(x: x, y: y, width: side, height: side), confidence: confidence)
    }

    private func tracking(timeout: Double = 1, maximum: Int = 0) -> FaceTracking {
        var options = FacesBlueprint.Options()
        (options.timeout, options.maximumObservations) = (timeout, maximum)
        return FaceTracking(options, width: 640, height: 480)
    }

    @Test func nothingGivesNothing() {
        var tracking = tracking()
        #expect(tracking.update([], at: 0).isEmpty)
    }

    @Test func aNewFaceNeedsMoreConfidenceThanATrackedOne() {
        var tracking = tracking()
        #expect(tracking.update([face(100, 100, confidence: 0.5)], at: 0).isEmpty)
        #expect(tracking.update([face(100, 100, confidence: 0.6)], at: 0.04).map(\.track) == [1])
        let next = tracking.update([face(102, 100, confidence: 0.35)], at: 0.08)
        #expect(next.map(\.track) == [1])
        #expect(next.first?.state == .tracked)
    }

    @Test func twoFacesKeepTheirNumbersInAnyOrder() {
        var tracking = tracking()
        #expect(tracking.update([face(100, 100), face(300, 100)], at: 0).map(\.track) == [1, 2])
        let next = tracking.update([face(304, 100), face(98, 100)], at: 0.04)
        #expect(next.map(\.track) == [1, 2])
        #expect(next.map { $0.box?.x } == [98, 304])
    }

    /// 200 pixels a second to the right, out of sight for a while, and the confidence fades.
    @Test func aHiddenFaceIsPredictedThenLostThenRecovered() {
        var tracking = tracking()
        for frame in 0...10 { _ = tracking.update([face(100 + 8 * Double(frame), 100)], at: 0.04 * Double(frame)) }
        let hidden = tracking.update([], at: 0.44).first
        #expect(hidden?.state == .predicted)
        #expect(abs((hidden?.box?.x ?? 0) - 188) < 2)
        #expect((hidden?.confidence ?? 1) < 0.9)
        let lost = tracking.update([], at: 1).first
        #expect(lost?.state == .lost)
        #expect(lost?.box == nil)
        let again = tracking.update([face(240, 100)], at: 1.2)
        #expect(again.map(\.track) == [1])
        #expect(again.first?.state == .recovered)
        #expect(tracking.update([face(242, 100)], at: 1.24).first?.state == .tracked)
    }

    /// What was seen once, with nothing but a score to speak for it, isn't predicted for long; seen twice, it is.
    @Test(arguments: [1, 2]) func aGlimpse(sightings: Int) {
        var tracking = tracking()
        var glimpse = face(100, 100)
        glimpse.isFeatureless = true
        for frame in 0..<sightings { _ = tracking.update([glimpse], at: 0.04 * Double(frame)) }
        let end = 0.04 * Double(sightings - 1)
        #expect(tracking.update([], at: end + 0.04).map(\.state) == [.predicted])
        #expect(tracking.update([], at: end + 0.12).map(\.state) == [sightings == 1 ? .lost : .predicted])
    }

    @Test func aFaceThatStaysAwayEndsOnce() {
        var tracking = tracking()
        _ = tracking.update([face(100, 100)], at: 0)
        var states: [TrackState] = []
        for frame in 1...40 { states += tracking.update([], at: 0.04 * Double(frame)).map(\.state) }
        #expect(states.count { $0 == .ended } == 1)
        #expect(states.last == .ended)
        #expect(states.contains(.predicted) && states.contains(.lost))
        // Whoever comes then is someone else.
        #expect(tracking.update([face(100, 100)], at: 2).map(\.track) == [2])
    }

    /// Frames a minute apart: what was seen in the last one may be here in this one.
    @Test func framesFarApart() {
        var tracking = tracking()
        _ = tracking.update([face(100, 100)], at: 0)
        #expect(tracking.update([face(110, 100)], at: 60).map(\.track) == [1])
    }

    @Test func anotherSizeIsAnotherFace() {
        var tracking = tracking()
        _ = tracking.update([face(100, 100, side: 40)], at: 0)
        let next = tracking.update([face(70, 70, side: 100)], at: 0.04)
        #expect(next.map(\.track) == [1, 2])
        #expect(next.first?.state == .predicted)
    }

    @Test func noMoreThanAskedFor() {
        var tracking = tracking(maximum: 1)
        #expect(tracking.update([face(100, 100), face(300, 100)], at: 0).map(\.track) == [1])
        // The one that is tracked stays, though another is surer.
        let next = tracking.update([face(300, 100, confidence: 0.99), face(101, 100, confidence: 0.7)], at: 0.04)
        #expect(next.map(\.track) == [1])
        #expect(next.first?.box?.x == 101)
    }

    /// What turns at once is where its motion doesn't lead: one that looks the same a little farther is it, another isn't.
    @Test(arguments: [(true, 60.0), (false, 60), (true, 100)]) func whatTurnsAtOnce(isAlike: Bool, way: Double) {
        let looks = [4, 128].map { period in
            FaceAppearance(pixels: (0..<256).map { $0 % period < period / 2 ? 40 : 200 })
        }
        func seen(_ x: Double, _ look: FaceAppearance) -> FoundFace {
            var face = face(x, 100)
            face.appearance = look
            return face
        }
        var tracking = tracking()
        for frame in 0..<4 { _ = tracking.update([seen(100 + 20 * Double(frame), looks[0])], at: 0.04 * Double(frame)) }
        let turned = tracking.update([seen(160 - way, looks[isAlike ? 0 : 1])], at: 0.16)
        #expect(turned.map(\.track) == (isAlike && way < 80 ? [1] : [1, 2]))
    }

    /// Two faces change places while both are hidden: only their looks tell.
    @Test func looksTellFacesApart() {
        let dark = FaceAppearance(pixels: (0..<256).map { $0 < 128 ? 40 : 200 })
        let striped = FaceAppearance(pixels: (0..<256).map { $0 % 2 == 0 ? 40 : 200 })
        func faces(_ a: FaceAppearance, _ b: FaceAppearance) -> [FoundFace] {
            [(face(100, 100), a), (face(140, 100), b)].map { face, look in
                var face = face
                face.appearance = look
                return face
            }
        }
        var tracking = tracking(timeout: 2)
        _ = tracking.update(faces(dark, striped), at: 0)
        _ = tracking.update([], at: 1)
        let again = tracking.update(faces(striped, dark), at: 1.04)
        #expect(again.map(\.track) == [1, 2])
        #expect(again.map { $0.box?.x } == [140, 100])
    }

    @Test func theSurestOfOverlappingBoxesStays() {
        let kept = FaceSuppression.surest([
            face(100, 100, confidence: 0.7), face(104, 100, confidence: 0.9), face(200, 100, confidence: 0.5),
        ])
        #expect(kept.map(\.confidence) == [0.9, 0.5])
        #expect(FaceSuppression.surest([]).isEmpty)
    }

    @Test func aPartOfAFaceIsNone() {
        let forehead = FoundFace(box: Box(x: 105, y: 98, width: 15, height: 20), confidence: 0.6)
        let beside = FoundFace(box: Box(x: 135, y: 100, width: 15, height: 20), confidence: 0.5)
        let kept = FaceSuppression.whole([face(100, 100, confidence: 0.9), forehead, beside])
        #expect(kept.map(\.confidence) == [0.9, 0.5])
    }
}
