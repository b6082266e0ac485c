import Annotate
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// One dark square on a light background, without shadow or blur; its luma is uniform.
private func squareScene(_ motion: Motion, size: Double = 0.12) -> Scene {
    var scene = Scene()
    (scene.width, scene.height) = (320, 240)
    scene.camera = Camera(.focalLength(500))
    scene.background = BackgroundStyle(kind: .plain)
    scene.background.color = RGB(230, 230, 230)
    scene.lighting.shadow.strength = 0
    var picture = Picture()
    (picture.width, picture.height, picture.frame, picture.mat) = (size, size, size / 2, 0)
    picture.frameColor = RGB(20, 20, 20)
    scene.objects = [SceneObject(.picture(picture), motion: motion)]
    return scene
}

/// Area and centroid of what is darker than the background, from the intensities alone.
private func darkArea(_ frame: RenderedFrame) -> (area: Double, center: Point) {
    let light = frame.luma(0, 0),
        dark =
            (0..<frame.height).flatMap { y in (0..<frame.width).map { frame.luma($0, y) } }
            .min() ?? 0
    var (area, x1, y1) = (0.0, 0.0, 0.0)
    for y in 0..<frame.height {
        for x in 0..<frame.width {
            let share = (light - frame.luma(x, y)) / (light - dark)
            area += share
            x1 += share * Double(x)
            y1 += share * Double(y)
        }
    }
    return (area, Point(x1 / area, y1 / area))
}

/// Area and centroid of a polygon by the shoelace formula.
private func areaAndCentroid(_ polygon: [Point]) -> (area: Double, center: Point) {
    var (twice, sum) = (0.0, Point(0, 0))
    for k in polygon.indices {
        let (a, b) = (polygon[k], polygon[(k + 1) % polygon.count])
        twice += a.cross(b)
        sum = sum + (a + b) * a.cross(b)
    }
    return (twice / 2, sum * (1 / (3 * twice)))
}

@Suite struct SynthTruthTests {
    @Test(
        arguments: [
            ([0, 0, 1], [0, 0, 0]), ([0.013, -0.0271, 1], [0, 0, 0]), ([0.0304, 0.0117, 0.93], [0, 0, 31]),
            ([-0.05, 0.02, 1.1], [35, -40, 12]), ([0.02, 0.03, 0.8], [-50, 20, 77]),
        ] as [(SIMD3<Double>, SIMD3<Double>)])
    func aSquareIsWhereTheTruthSays(position: SIMD3<Double>, rotation: SIMD3<Double>) throws {
        let renderer = try renderer(squareScene(Motion(position: position, rotation: rotation)))
        let seen = darkArea(RenderedFrame(renderer, 0))
        let polygon = try #require(renderer.truth(0).first?.polygon)
        let fullyVisible = areaAndCentroid(polygon)
        #expect(seen.center.distance(to: fullyVisible.center) < 0.005)
        // As if every edge were moved outwards by the same distance.
        #expect(abs(seen.area.squareRoot() - fullyVisible.area.squareRoot()) / 2 < 0.01)
    }

    @Test func aSquareFacingTheCameraHasItsCornersWhereThePinholePutsThem() throws {
        // 0.12 m at 1 m and 500 px: 60 px about the middle of 320 × 240.
        let renderer = try renderer(squareScene(Motion(position: [0, 0, 1])))
        let polygon = try #require(renderer.truth(0).first?.polygon)
        let expected = [Point(129.5, 89.5), Point(189.5, 89.5), Point(189.5, 149.5), Point(129.5, 149.5)]
        for (a, b) in zip(polygon, expected) { #expect(a.distance(to: b) < 1e-9) }
        // The edges lie between pixels, so that no pixel is mixed.
        let frame = RenderedFrame(renderer, 0)
        #expect(frame.luma(129, 120) == frame.luma(0, 0))
        #expect(frame.luma(130, 120) == frame.luma(160, 120))
    }

    @Test(arguments: [0.0, 0.8])
    func blurAndMotionLeaveTheCentreInPlace(gaussian: Double) throws {
        var motion = Motion(keyframes: [
            Motion.Keyframe(time: 0, position: [-0.1, 0, 1]), Motion.Keyframe(time: 1, position: [0.1, 0.05, 1]),
        ])
        motion.interpolation = .linear
        var scene = squareScene(motion)
        (scene.blur.gaussian, scene.blur.shutter) = (gaussian, 0.8)
        let renderer = try renderer(scene)
        let seen = darkArea(RenderedFrame(renderer, 12))
        let polygon = try #require(renderer.truth(12).first?.polygon)
        #expect(seen.center.distance(to: areaAndCentroid(polygon).center) < 0.02)
    }

    @Test(arguments: ShapeKind.allCases)
    func aShapeFillsItsBox(shape: ShapeKind) throws {
        var scene = squareScene(Motion())
        let style = TextureStyle(pattern: .plain, color: RGB(40, 40, 40))
        let motion = Motion(position: [0.01, 0.02, 1], rotation: [20, 30, 25])
        scene.objects = [SceneObject(.object(ColoredShape(shape: shape, size: 0.2, texture: style)), motion: motion)]
        let renderer = try renderer(scene)
        let truth = try #require(renderer.truth(0).first)
        #expect(
            truth.kind == "object" && truth.label == shape.rawValue && truth.polygon == nil && truth.confidence == 1)
        let (box, frame) = (try #require(truth.box), RenderedFrame(renderer, 0))
        let light = frame.luma(0, 0)
        var touched: [Point] = []
        for y in 0..<240 {
            for x in 0..<320 where frame.luma(x, y) < light - 2 { touched.append(Point(Double(x), Double(y))) }
        }
        let seen = try #require(Box(around: touched))
        // The pixels touched are those that the box overlaps; the last sliver of a tip may not change a code.
        #expect(abs(seen.x - box.x.rounded(.down)) <= 1 && abs(seen.y - box.y.rounded(.down)) <= 1)
        #expect(
            abs(seen.right + 1 - box.right.rounded(.up)) <= 1 && abs(seen.bottom + 1 - box.bottom.rounded(.up)) <= 1)
    }

    @Test func markersAreNamedAndStartAtTheirOwnTopLeft() throws {
        var scene = squareScene(Motion())
        let card = MarkerCard(dictionary: "aruco-4x4-50", id: 7, size: 0.1)
        scene.objects = [SceneObject(.marker(card), motion: Motion(position: [0, 0, 1], rotation: [0, 0, 90]))]
        let truth = try #require(try renderer(scene).truth(0).first)
        #expect(truth.asMarker?.id == 7 && truth.label == "aruco-4x4-50/7" && truth.box == nil)
        // A quarter turn clockwise takes the top left to the top right.
        let corner = try #require(truth.polygon?.first)
        #expect(corner.distance(to: Point(159.5 + 25, 119.5 - 25)) < 1e-9)
    }

    @Test func confidenceIsTheVisibleShare() throws {
        // Half of the square is beyond the left edge, which is 160 px = 0.32 m from the middle.
        let edge = try renderer(squareScene(Motion(position: [-0.32, 0, 1]))).truth(0)
        #expect(abs(try #require(edge.first?.confidence) - 0.5) < 0.03)
        #expect(try renderer(squareScene(Motion(position: [-0.45, 0, 1]))).truth(0).isEmpty)
        #expect(try renderer(squareScene(Motion(position: [0, 0, -1]))).truth(0).isEmpty)

        var scene = squareScene(Motion(position: [0, 0, 1]))
        var bar = Occluder()
        (bar.width, bar.height) = (0.03, 1)
        // At half the distance the bar is twice as wide: it hides the right half.
        scene.objects.append(SceneObject(.occluder(bar), motion: Motion(position: [0.015, 0, 0.5])))
        let half = try renderer(scene).truth(0)
        #expect(half.count == 1)
        #expect(abs(try #require(half.first?.confidence) - 0.5) < 0.03)
        scene.objects[1].motion = Motion(position: [0.015, 0, 1.5])
        #expect(try renderer(scene).truth(0).first?.confidence == 1)
        bar.width = 1
        scene.objects[1] = SceneObject(.occluder(bar), motion: Motion(position: [0, 0, 0.5]))
        #expect(try renderer(scene).truth(0).first?.confidence == 0)
        // A sliver that no sample of the area meets is still something missing.
        bar.width = 0.0299
        scene.objects[1] = SceneObject(.occluder(bar), motion: Motion(position: [0.0449, 0, 0.5]))
        #expect(try renderer(scene).truth(0).first?.confidence == 0.999)
    }

    @Test func boxesEndAtTheFrame() throws {
        var scene = squareScene(Motion())
        scene.objects = [
            SceneObject(.object(ColoredShape(shape: .circle, size: 0.12)), motion: Motion(position: [-0.32, 0, 1]))
        ]
        let box = try #require(try renderer(scene).truth(0).first?.box)
        #expect(box.x == 0 && abs(box.right - 30) < 0.01 && abs(box.height - 60) < 0.01)
    }

    @Test func timesAndTracks() throws {
        var scene = squareScene(Motion())
        scene.objects = [
            SceneObject(.occluder(Occluder()), motion: Motion(position: [2, 0, 1])),
            SceneObject(.object(ColoredShape(shape: .heart)), motion: Motion(position: [0, 0, 2]), name: "far"),
            SceneObject(.object(ColoredShape(shape: .star)), motion: Motion(position: [0, 0, 3]), name: "farther"),
        ]
        scene.objects[1].from = 0.2
        scene.objects[1].to = 0.4
        let renderer = try renderer(scene)
        #expect(renderer.truth(4).map(\.region) == ["farther"])
        #expect(renderer.truth(5).map(\.region) == ["far", "farther"])
        #expect(renderer.truth(5).map(\.track?.number) == [1, 2])
        #expect(renderer.truth(10).map(\.track?.number) == [2])
    }
}
