import CFFmpeg
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// Altered pictures: which style when, made from what, and how steady.
@Suite struct AlterTests {
    private func stage(_ options: String, width: Int = 320, height: Int = 240) throws -> TrackerAtWork<AlterTracker> {
        let blueprint = try AlterBlueprint(options: stageOptions(options))
        return TrackerAtWork(blueprint.tracker(StageContext(id: "a", width: width, height: height)))
    }

    /// A frame in colour whose pixels are drawn.
    private func frame(
        _ ordinal: Int, width: Int = 320, height: Int = 240,
        _ luma: (Int, Int) -> UInt8 = { UInt8(($0 * 3 ^ $1 * 5) & 255) }
    ) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        let planes = buffer.planes()
        for y in 0..<height { for x in 0..<width { planes[0].base[y * planes[0].stride + x] = luma(x, y) } }
        for plane in planes.dropFirst() {
            for y in 0..<plane.height {
                for x in 0..<plane.width { plane.base[y * plane.stride + x] = UInt8(90 + (x + y) % 70) }
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private static let quad = [Point(40, 30), Point(200, 40), Point(190, 180), Point(50, 170)]

    private func seen(
        _ quad: [Point] = quad, track: Int? = 1, finding: any Finding = RectangleFinding(), state: TrackState? = nil,
        reference: ReferencePicture? = nil, held: Bool = false
    ) -> Emission {
        Emission(
            Observation(
                finding, stage: "r", track: track.map { TrackReference(stage: "r", number: $0) }, state: state,
                polygon: quad, isHeld: held), reference)
    }

    private func run(
        _ stage: TrackerAtWork<AlterTracker>, _ frame: VideoFrame, _ seen: [Emission]
    ) throws -> [Emission] {
        try stage.update(frame, inputs: [seen])
    }

    /// What is laid over by an emission.
    private func altered(_ emission: Emission?) -> PictureTexture? {
        emission?.attachment(as: AlteredPicture.self)?.picture
    }

    // MARK: Which, and when

    @Test(
        arguments: [
            (0.0, 0, nil, 1.0), (1.99, 0, nil, 1), (2, 1, 0, 0), (2.25, 1, 0, 0.5), (2.5, 1, nil, 1), (4.1, 2, 1, 0.2),
            (6, 0, 2, 0), (8.3, 1, 0, 0.6),
        ] as [(Double, Int, Int?, Double)])
    func stylesFollowOneAnother(time: Double, style: Int, from: Int?, share: Double) {
        let moment = StyleSequence(count: 3, interval: 2, fade: 0.5).moment(at: time)
        #expect(moment.style == style)
        #expect(moment.from == from)
        #expect(abs(moment.share - share) < 1e-9)
    }

    @Test func aSequenceOfOneDoesNotChange() {
        #expect(StyleSequence(count: 1, interval: 2, fade: 1).moment(at: 5).from == nil)
        #expect(StyleSequence(count: 3, interval: 0, fade: 0).moment(at: 500).style == 0)
    }

    @Test func whatTheTrackFileSays() throws {
        let stage = try stage(#"{"styles": ["mosaic", "neon"], "interval": 0.2, "fade": 0.08, "resolution": 64}"#)
        var styles: [String] = []
        for ordinal in 0..<8 {
            let found = try run(stage, frame(ordinal), [seen()])
            #expect(found.count == 1)
            let alteration = try #require(found[0].observation.finding(as: AlterationFinding.self)).alteration
            styles.append(
                alteration.style + (alteration.from.map { "<\($0) \(((alteration.fade ?? 0) * 100).rounded())" } ?? ""))
            #expect(found[0].observation.about == TrackReference(stage: "r", number: 1))
            #expect(found[0].observation.kind == "alteration")
            #expect(found[0].observation.polygon == Self.quad)
        }
        #expect(
            styles == ["mosaic", "mosaic", "mosaic", "mosaic", "mosaic", "neon<mosaic 0.0", "neon<mosaic 50.0", "neon"])
    }

    /// What has no track, is lost, has no area or lies beside the picture is not covered.
    @Test func whatIsNotCovered() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64}"#)
        let quads: [[Point]] = [
            [Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1)],
            [Point(0, 0), Point(90, 90), Point(90, 0), Point(0, 90)],
            [Point(500, 500), Point(600, 500), Point(600, 600), Point(500, 600)],
            [Point(.nan, 0), Point(90, 0), Point(90, 90), Point(0, 90)],
            [Point(-2e6, -2e6), Point(2e6, -2e6), Point(2e6, 2e6), Point(-2e6, 2e6)],
            [Point(0, 0), Point(0, 0), Point(0, 0), Point(0, 0)], [Point(3, 3), Point(50, 3), Point(50, 50)],
        ]
        var emissions = quads.enumerated().map { seen($1, track: 10 + $0) }
        emissions += [seen(track: nil), seen(track: 2, state: .lost), seen(track: 3, state: .ended)]
        #expect(try run(stage, frame(0), emissions).isEmpty)
        #expect(try run(stage, frame(1), [seen()]).count == 1)
    }

    /// Far outside of the picture on every side: a little of it is seen.
    @Test func aHugeQuadIsCoveredAfterAWhile() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64}"#)
        let huge = [Point(-9e5, -9e5), Point(9e5, -9e5), Point(9e5, 9e5), Point(-9e5, 9e5)]
        #expect(try run(stage, frame(0), [seen(huge)]).isEmpty)
        #expect(try run(stage, frame(13), [seen(huge)]).count == 1)
    }

    @Test func severalAtOnceThoseTrackedFirst() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64, "maximumObservations": 3}"#)
        let found = try run(stage, frame(0), (1...5).reversed().map { seen(track: $0) })
        #expect(found.map(\.observation.about?.number) == [1, 2, 3])
    }

    // MARK: Made from what, and how often

    @Test func madeOnceForEachStyleAndTrack() throws {
        let stage = try stage(#"{"styles": ["mosaic", "neon"], "interval": 0.2, "fade": 0, "resolution": 64}"#)
        var pictures: [PictureTexture] = []
        for ordinal in 0..<20 {
            let texture = try #require(altered(try run(stage, frame(ordinal), [seen()]).first))
            if !pictures.contains(texture) { pictures.append(texture) }
        }
        #expect(pictures.count == 2)
    }

    @Test func picturesOfEndedTracksAreDropped() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64, "maximumObservations": 2}"#)
        weak var ended: PictureTexture?
        weak var unseen: PictureTexture?
        try autoreleased {
            ended = altered(try run(stage, frame(0), [seen(track: 1)]).first)
            unseen = altered(try run(stage, frame(1), [seen(track: 2)]).first)
        }
        #expect(ended != nil && unseen != nil)
        _ = try run(stage, frame(2), [seen(track: 1, state: .ended)])
        #expect(ended == nil && unseen != nil)
        _ = try run(stage, frame(2 + 6 * 25), [])
        #expect(unseen == nil)
        // Also where tracks come and go faster than they are forgotten.
        for number in 10..<40 { _ = try run(stage, frame(200 + number), [seen(track: number)]) }
        #expect(stage.tracker.keptTracks <= 5)
    }

    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }

    /// The input's own picture is used where it has one.
    @Test func theReferenceIsUsed() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64}"#)
        let red = ReferencePicture(width: 40, height: 30, bgr: (0..<1200).flatMap { _ in [0, 0, 200] as [UInt8] })
        let texture = try #require(altered(try run(stage, frame(0), [seen(reference: red)]).first))
        let texels = texture.texels.prefix(texture.width * texture.height)
        #expect(texels.allSatisfy { $0.x >= $0.y && $0.x >= $0.z })
        #expect(texels.map { Int($0.x) }.max().map { $0 > 150 } == true)
    }

    /// A rectangle's corners begin with the one nearest to the picture's top left: the altered picture turns with the thing.
    @Test func theFirstCornerStaysTheSame() throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64}"#)
        _ = try run(stage, frame(0), [seen()])
        let turned = Array(Self.quad[1...] + Self.quad[..<1])
        #expect(try run(stage, frame(1), [seen(turned)]).first?.observation.polygon == Self.quad)
        // A marker's are its own.
        let other = try self.stage(#"{"styles": ["mosaic"], "resolution": 64}"#)
        _ = try run(other, frame(0), [seen(finding: MarkerFinding())])
        #expect(try run(other, frame(1), [seen(turned, finding: MarkerFinding())]).first?.observation.polygon == turned)
    }

    @Test(arguments: [false, true])
    func betweenRunsPicturesFollowTheirQuads(live: Bool) throws {
        let stage = try stage(#"{"styles": ["mosaic"], "resolution": 64, "live": \#(live)}"#)
        let first = try run(stage, frame(0), [seen()])
        let moved = Self.quad.map { $0 + Point(5, 3) }
        let carried = try stage.carry(first, frame(1), inputs: [[seen(moved)]])
        #expect(carried.first?.observation.polygon == moved)
        #expect(altered(carried.first) == altered(first.first))
        #expect(try stage.carry(first, frame(2), inputs: [[]]).isEmpty)
        #expect(try run(stage, frame(3), [seen(held: true)]).first?.observation.isHeld == true)
    }

    // MARK: Styles

    private func picture(_ width: Int = 128, _ height: Int = 96, salt: Int = 0) -> ReferencePicture {
        var bgr: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isInside = (x - 60) * (x - 60) + (y - 60) * (y - 60) < 1600
                let noise = (x * 7919 ^ y * 104_729 ^ salt * 15_485_863) % 13
                bgr +=
                    isInside
                    ? [UInt8(clamping: 40 + noise), UInt8(clamping: 80 + y), UInt8(clamping: 200 + noise)]
                    : [UInt8(clamping: 200 - x), UInt8(clamping: 150 + noise), UInt8(clamping: 60 + x / 2)]
            }
        }
        return ReferencePicture(width: width, height: height, bgr: bgr)
    }

    private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
        Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(a.count, 1))
    }

    /// Every two of the eight, and each and the picture itself, differ visibly.
    @Test func stylesAreDistinct() throws {
        let source = picture()
        var results = [source.bgr]
        for style in BuiltInStyle.allCases { results.append(try style.apply(to: source, shownAt: 512).bgr) }
        #expect(results.count == 9)
        for first in results.indices {
            for second in results.indices where second > first {
                let apart = difference(results[first], results[second])
                #expect(apart > 12, "\(first) and \(second): \(apart)")
            }
        }
    }

    @Test(arguments: BuiltInStyle.allCases)
    func aStyleIsTheSameEveryTimeAndTakesAnySize(style: BuiltInStyle) throws {
        #expect(try style.apply(to: picture(), shownAt: 512).bgr == style.apply(to: picture(), shownAt: 512).bgr)
        for (width, height) in [(8, 8), (9, 120), (133, 17)] {
            #expect(try style.apply(to: picture(width, height), shownAt: 90).bgr.count == width * height * 3)
        }
        #expect(throws: VisionError.self) { try style.apply(to: picture(7, 100), shownAt: 90) }
    }
}
