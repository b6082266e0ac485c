import CFFmpeg
import Testing

@testable import Annotate
@testable import Stages
@testable import Synth

/// How steady altered pictures are, against what they are laid over.
@Suite struct AlterFlickerTests {
    private static let frames = 14

    /// A framed picture that moves before a noisy camera.
    private func makeRenderer() throws -> SceneRenderer {
        var scene = Scene()
        (scene.width, scene.height) = (320, 240)
        scene.camera = Camera(.focalLength(400))
        (scene.noise.luma, scene.noise.chroma) = (3, 1.5)
        var picture = Picture()
        (picture.width, picture.height, picture.frame, picture.mat) = (0.3, 0.24, 0.01, 0.015)
        picture.texture = TextureStyle(pattern: .noise, color: RGB(220, 60, 30), accent: RGB(20, 110, 190))
        var motion = Motion(position: [0, 0, 0.8], rotation: [10, -15, 4])
        var sway = Motion.Sway()
        (sway.position, sway.rotation, sway.period) = ([0.02, 0.01, 0.02], [4, 6, 3], 2)
        motion.sway = sway
        scene.objects = [SceneObject(.picture(picture), motion: motion)]
        return try renderer(scene)
    }

    private func frame(_ renderer: SceneRenderer, _ ordinal: Int) throws -> VideoFrame {
        let rendered = RenderedFrame(renderer, ordinal)
        let buffer = try FrameBuffer(width: rendered.width, height: rendered.height, format: AV_PIX_FMT_YUV420P)
        var offset = 0
        for plane in buffer.planes() {
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    plane.base[y * plane.stride + x] = rendered.bytes[offset + y * plane.width + x]
                }
            }
            offset += plane.width * plane.height
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
        Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(a.count, 1))
    }

    /// The mean absolute difference from one frame to the next in the rectified quad, grey levels: of the source, and of the
    /// picture as it is painted.
    private func flicker(_ options: String) throws -> (source: Double, altered: Double) {
        let renderer = try makeRenderer()
        let blueprint = try AlterBlueprint(options: stageOptions(options))
        let stage = try #require(
            try blueprint.makeStage(StageContext(id: "a", width: 320, height: 240)) as? AlterStage)
        let annotator = Annotator()
        var last: (source: ReferencePicture, altered: ReferencePicture)?
        var (source, altered, count) = (0.0, 0.0, 0)
        for ordinal in 0..<Self.frames {
            var truth = try #require(renderer.truth(ordinal).first)
            truth.state = .tracked
            let quad = try #require(truth.polygon)
            let frame = try frame(renderer, ordinal)
            let input = StageInput(frame: frame, observations: [[truth]])
            let found = try stage.update(stage.detect(input), input)
            #expect(found.count == 1)
            let size = PictureSize(width: 120, height: 96)
            let before = try frame.rectified(quad, to: size)
            try frame.picture.withCanvas { canvas in
                try annotator.draw(
                    found.map { NumberedObservation(observation: $0, style: DrawStyle(for: .alteration)) },
                    at: frame.seconds, onto: canvas)
            }
            let after = try frame.rectified(quad, to: size)
            if let last, ordinal > 3 {
                source += difference(before.bgr, last.source.bgr)
                altered += difference(after.bgr, last.altered.bgr)
                count += 1
            }
            last = (before, after)
        }
        return (source / Double(count), altered / Double(count))
    }

    /// Made once, a picture moves with the plane and does nothing else.
    @Test(arguments: ["mosaic", "engraving"])
    func madeOnceItIsStill(style: String) throws {
        let (source, altered) = try flicker(#"{"styles": ["\#(style)"], "resolution": 128}"#)
        #expect(source > 2)
        #expect(altered < source, "\(style): \(altered), the source \(source)")
    }

    /// Made anew for every frame, it is blended in time.
    @Test(arguments: BuiltInStyle.allCases)
    func liveItIsNoWorseThanTheSource(style: BuiltInStyle) throws {
        let (source, altered) = try flicker(#"{"styles": ["\#(style.rawValue)"], "live": true, "resolution": 128}"#)
        #expect(altered <= source, "\(style.rawValue): \(altered), the source \(source)")
    }

    @Test func blendingIsWhatMakesTheDifference() throws {
        let (_, raw) = try flicker(#"{"styles": ["pencilSketch"], "live": true, "resolution": 128, "smoothing": 0}"#)
        let (_, blended) = try flicker(#"{"styles": ["pencilSketch"], "live": true, "resolution": 128}"#)
        #expect(blended < 0.7 * raw, "\(blended), \(raw) without")
    }
}
