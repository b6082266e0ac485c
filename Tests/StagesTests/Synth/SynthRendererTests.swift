import Annotate
import Testing

@testable import Synth

/// A rendered frame with memory of its own.
struct RenderedFrame: Equatable {
    let width: Int
    let height: Int
    /// Luma, then Cb, then Cr, without padding.
    let bytes: [UInt8]

    init(_ renderer: SceneRenderer, _ index: Int) {
        let (width, height) = (renderer.scene.width, renderer.scene.height)
        (self.width, self.height) = (width, height)
        bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3 / 2) { buffer, count in
            guard let luma = buffer.baseAddress else { return }
            renderer.renderFrame(
                index,
                into: FramePlanes(
                    luma: luma, lumaStride: width, cb: luma + width * height, cr: luma + width * height * 5 / 4,
                    chromaStride: width / 2))
            count = width * height * 3 / 2
        }
    }

    func luma(_ x: Int, _ y: Int) -> Double { Double(bytes[y * width + x]) }
}

/// Bits that differ with the id, so that no dictionary is needed.
func testBits(_ dictionary: String, _ id: Int) throws -> MarkerBits {
    try MarkerBits(size: 4, isWhite: (0..<16).map { (id * 40503 >> $0) & 1 == 1 })
}

func renderer(_ scene: Scene) throws -> SceneRenderer {
    try SceneRenderer(scene: scene, markerBits: testBits) { path in
        try RGBImage(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255])
    }
}

/// A small scene with one of everything, in motion.
private func busyScene() -> Scene {
    var scene = Scene()
    (scene.width, scene.height) = (160, 90)
    scene.background.pan = [11, -3]
    scene.lighting.amplitude = 0.2
    scene.lighting.vignette = 0.3
    scene.blur.gaussian = 0.6
    scene.blur.shutter = 0.5
    scene.noise.luma = 2
    scene.noise.chroma = 1
    var swing = Motion.Sway()
    (swing.position, swing.rotation) = ([0.1, 0.05, 0.2], [20, 30, 40])
    var motion = Motion(position: [-0.3, 0, 1])
    motion.sway = swing
    var orbit = Motion(position: [0.2, 0.1, 0.9])
    orbit.orbit = Motion.Orbit()
    var image = Picture()
    image.texture.pattern = .image(path: "two.png")
    scene.objects = [
        SceneObject(.marker(MarkerCard(dictionary: "test", id: 3)), motion: motion),
        SceneObject(.picture(image), motion: orbit),
        SceneObject(.object(ColoredShape(shape: .star, texture: TextureStyle(pattern: .stripes))), motion: orbit),
        SceneObject(.occluder(Occluder()), motion: motion),
    ]
    return scene
}

/// A scene that can't be rendered, and what is said about it.
struct OutOfRange: Sendable, CustomTestStringConvertible {
    var scene = Scene()
    let message: String
    var testDescription: String { message }

    init(_ message: String, change: (inout Scene) -> Void) {
        self.message = message
        change(&scene)
    }
}

@Suite struct SynthRendererTests {
    @Test func aFrameDependsOnNothingButItsNumber() throws {
        let first = try renderer(busyScene())
        let inOrder = (0..<4).map { RenderedFrame(first, $0) }
        let second = try renderer(busyScene())
        for index in [3, 1, 0, 2, 1] { #expect(RenderedFrame(second, index) == inOrder[index]) }
        #expect(inOrder[0] != inOrder[1])
        #expect(first.truth(2) == second.truth(2))
    }

    @Test func theSeedChangesTheNoise() throws {
        var other = busyScene()
        other.seed = 2
        #expect(RenderedFrame(try renderer(busyScene()), 0) != RenderedFrame(try renderer(other), 0))
    }

    @Test func aPlainSceneHasTheColorsOfItsColorSpace() throws {
        var scene = Scene()
        (scene.width, scene.height) = (32, 16)
        scene.background = BackgroundStyle(kind: .plain)
        scene.background.color = RGB(200, 40, 90)
        for fullRange in [false, true] {
            scene.colorSpace.fullRange = fullRange
            let frame = RenderedFrame(try renderer(scene), 0)
            let codes = scene.colorSpace.codes(of: scene.background.color)
            #expect(frame.bytes[0] == codes.y)
            #expect(frame.bytes[32 * 16] == codes.cb)
            #expect(frame.bytes[32 * 16 * 5 / 4] == codes.cr)
            #expect(Set(frame.bytes[..<(32 * 16)]).count == 1)
        }
    }

    @Test func noiseHasItsStandardDeviation() throws {
        var scene = Scene()
        (scene.width, scene.height) = (128, 128)
        scene.background = BackgroundStyle(kind: .plain)
        scene.noise.luma = 4
        let values = RenderedFrame(try renderer(scene), 5).bytes[..<(128 * 128)].map(Double.init)
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        // Rounding to codes adds a twelfth to the variance.
        #expect(abs((variance - 1.0 / 12).squareRoot() - 4) < 0.1)
    }

    @Test func thePanMovesTheBackgroundByItsSpeed() throws {
        var scene = Scene()
        (scene.width, scene.height, scene.frames) = (64, 64, 50)
        scene.frameRate = FrameRate(25)
        scene.background.pan = [50, -100]
        let still = RenderedFrame(try renderer(scene), 0), moved = RenderedFrame(try renderer(scene), 2)
        // Four pixels to the right and eight up in two frames.
        for (x, y) in [(10, 20), (33, 40), (50, 9)] { #expect(moved.luma(x + 4, y - 8) == still.luma(x, y)) }
    }

    @Test func lightFollowsItsFactor() throws {
        var scene = Scene()
        (scene.width, scene.height) = (64, 64)
        scene.background = BackgroundStyle(kind: .plain)
        let bright = RenderedFrame(try renderer(scene), 0).luma(32, 32) - 16
        scene.lighting.gain = 0.5
        scene.lighting.vignette = 1
        let frame = RenderedFrame(try renderer(scene), 0)
        #expect(abs(frame.luma(32, 32) - 16 - bright / 2) < 1)
        #expect(frame.luma(0, 0) - 16 < 0.06 * bright)
    }

    @Test(arguments: [
        OutOfRange("width: 8.0; expected 16.0…8192.0") { $0.width = 8 },
        OutOfRange("size: 33 × 720; 4:2:0 needs an even width and height") { $0.width = 33 },
        OutOfRange("blur.gaussian: nan; expected 0.0…10.0") { $0.blur.gaussian = .nan },
        OutOfRange("background.pan: 1000001280 × 720 pixels pass through the frame; expected at most 67 million") {
            $0.background.pan = [1000, 0]
            $0.frames = 1_000_000
            $0.frameRate = FrameRate(1)
        },
        OutOfRange("objects[0].keyframes[1].time: 1.0; expected more than 1.0, the time before it") {
            let keyframe = Motion.Keyframe(time: 1)
            $0.objects = [SceneObject(.occluder(Occluder()), motion: Motion(keyframes: [keyframe, keyframe]))]
        },
    ])
    func valuesOutOfRangeAreNamed(example: OutOfRange) {
        #expect(throws: SceneError(example.message)) { try renderer(example.scene) }
    }

    @Test func wrongCountsOfBitsAndPixelsAreErrors() {
        #expect(throws: SceneError.self) { try MarkerBits(size: 4, isWhite: []) }
        #expect(throws: SceneError.self) { try RGBImage(width: 2, height: 2, pixels: [0]) }
    }

    @Test func whatTheClosuresThrowComesThrough() {
        struct Missing: Error {}
        var scene = Scene()
        scene.objects = [SceneObject(.marker(MarkerCard(dictionary: "none", id: 0)))]
        #expect(throws: Missing.self) {
            try SceneRenderer(
                scene: scene, markerBits: { _, _ in throw Missing() }, loadImage: { _ in throw Missing() })
        }
    }
}
