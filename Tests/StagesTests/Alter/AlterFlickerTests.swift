@testable import Drawing
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// How steady altered pictures are, against what they are laid over.
@Suite struct AlterFlickerTests {
    private static let frames = 9

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

    /// The mean of absolute differences.
    private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
        var sum = 0
        for index in 0..<min(a.count, b.count) { sum += abs(Int(a[index]) - Int(b[index])) }
        return Double(sum) / Double(max(a.count, 1))
    }

    private func pixels(_ texture: PictureTexture) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * texture.width * texture.height)
        for texel in texture.texels.prefix(texture.width * texture.height) {
            pixels.append(texel.z)
            pixels.append(texel.y)
            pixels.append(texel.x)
        }
        return pixels
    }

    /// The mean absolute difference from one frame to the next in the rectified quad, grey levels: of the source, and of
    /// what is laid over it.
    private func flicker(_ options: String) throws -> (source: Double, altered: Double) {
        let blueprint = try AlterBlueprint(options: stageOptions(options))
        var tracker = blueprint.tracker(StageContext(id: "a", width: 320, height: 240))
        var last: (source: [UInt8], altered: [UInt8])?
        var (source, altered, count) = (0.0, 0.0, 0)
        for (ordinal, seen) in try Self.clip.get().enumerated() {
            let input = StageInput(frame: seen.frame, results: [[Emission(seen.truth)]])
            let found = try tracker.update((), input)
            let picture = try #require(found.first?.attachment(as: AlteredPicture.self)).picture
            let size = PictureSize(width: picture.width, height: picture.height)
            let now = (
                source: try seen.frame.rectified(try #require(seen.truth.polygon), to: size).bgr,
                altered: pixels(picture)
            )
            if let last, ordinal > 2 {
                source += difference(now.source, last.source)
                altered += difference(now.altered, last.altered)
                count += 1
            }
            last = now
        }
        return (source / Double(count), altered / Double(count))
    }

    /// Rendered once for all tests.
    private static let clip = Result {
        let suite = AlterFlickerTests()
        let renderer = try suite.makeRenderer()
        return try (0..<frames).map { ordinal in
            var truth = try #require(renderer.truth(ordinal).first)
            truth.state = .tracked
            return (frame: try renderer.videoFrame(ordinal), truth: truth)
        }
    }

    /// Made once, a picture moves with the plane and does nothing else.
    @Test func madeOnceItIsStill() throws {
        let (source, altered) = try flicker(#"{"styles": ["mosaic"], "resolution": 128}"#)
        #expect(source > 2)
        #expect(altered == 0)
    }

    /// The same on the annotated picture: what is laid over moves by parts of a pixel, and its lines must not shimmer.
    /// An engraving's lines are black on white and a few pixels apart; they do a little.
    @Test(arguments: BuiltInStyle.allCases)
    func drawnItIsNoWorseThanTheSource(style: BuiltInStyle) throws {
        let blueprint = try AlterBlueprint(
            options: stageOptions(#"{"styles": ["\#(style.rawValue)"], "resolution": 256}"#))
        var tracker = blueprint.tracker(StageContext(id: "a", width: 320, height: 240))
        let size = PictureSize(width: 150, height: 120)
        let renderer = try makeRenderer()
        var last: (source: [UInt8], drawn: [UInt8])?
        var (source, altered) = (0.0, 0.0)
        for (ordinal, seen) in try Self.clip.get().enumerated() {
            let input = StageInput(frame: seen.frame, results: [[Emission(seen.truth)]])
            let emissions = try tracker.update((), input)
            let found = try #require(emissions.first)
            let polygon = try #require(found.observation.polygon)
            let drawn = try renderer.videoFrame(ordinal)
            let texture = try #require(found.attachment(as: AlteredPicture.self)).picture
            let placement = try #require(PicturePlacement(quad: polygon))
            try drawn.picture.withCanvas { canvas in
                PicturePainter().paint([.init(texture: texture, weight: 1)], at: placement, opacity: 1, onto: canvas)
            }
            let now = (
                source: try seen.frame.rectified(polygon, to: size).bgr,
                drawn: try drawn.rectified(polygon, to: size).bgr
            )
            if let last {
                source += difference(now.source, last.source)
                altered += difference(now.drawn, last.drawn)
            }
            last = now
        }
        #expect(source > 0)
        #expect(
            altered <= source * (style == .engraving ? 2 : 1), "\(style.rawValue): \(altered), the source \(source)")
    }

    /// Made anew for every frame, it is blended in time.
    @Test(arguments: BuiltInStyle.allCases)
    func liveItIsNoWorseThanTheSource(style: BuiltInStyle) throws {
        let (source, altered) = try flicker(#"{"styles": ["\#(style.rawValue)"], "live": true, "resolution": 128}"#)
        #expect(altered <= source, "\(style.rawValue): \(altered), the source \(source)")
    }

    @Test func blendingIsWhatMakesTheDifference() throws {
        let (_, raw) = try flicker(#"{"styles": ["mosaic"], "live": true, "resolution": 128, "smoothing": 0}"#)
        let (_, blended) = try flicker(#"{"styles": ["mosaic"], "live": true, "resolution": 128}"#)
        #expect(blended < 0.7 * raw, "\(blended), \(raw) without")
    }
}
