@testable import Drawing
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// What is drawn on markers lies where the rendered scene's truth says: markers are detected, their poses estimated, things
/// drawn, and found again in the drawn picture.
@Suite struct OverlayTruthTests {
    private static let side = 0.08

    private func makeScene() -> Scene {
        var scene = Scene()
        (scene.width, scene.height) = (1280, 720)
        scene.background = BackgroundStyle(kind: .plain)
        (scene.blur.gaussian, scene.noise.luma) = (0.5, 1)
        let places: [(SIMD3<Double>, SIMD3<Double>)] = [
            ([-0.2, -0.05, 0.6], [-40, 15, 5]), ([0.12, 0.02, 0.75], [35, -30, 60]),
            ([-0.02, 0.14, 0.9], [10, 40, 190]),
        ]
        scene.objects = places.enumerated().map { index, place in
            SceneObject(
                .marker(MarkerCard(dictionary: "aruco-4x4-50", id: index, size: Self.side)),
                motion: Motion(position: place.0, rotation: place.1))
        }
        return scene
    }

    /// The scene's first frame with what a style draws on its markers, the same without, and the truth.
    private func drawn(_ style: DrawStyle) throws -> (
        with: FrameBuffer, without: FrameBuffer, truth: [Observation], Scene
    ) {
        let scene = makeScene()
        let renderer = try SceneRenderer(scene: scene, markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
        let (frame, with) = (try renderer.videoFrame(0), try renderer.videoFrame(0).picture)
        let stage = try MarkersBlueprint(
            options: stageOptions(#"{"dictionary": "aruco-4x4-50", "size": \#(Self.side)}"#)
        ).makeStage(StageContext(id: "m", width: scene.width, height: scene.height, camera: scene.intrinsics))
        let seen = try observations(stage, in: frame)
        #expect(seen.count == scene.objects.count)
        let annotator = Annotator(camera: scene.intrinsics)
        try with.withCanvas { canvas in
            try annotator.draw(seen.map { DrawnObservation($0, style: style) }, at: 0, onto: canvas)
        }
        let truth = renderer.truth(0)
        #expect(truth.count == scene.objects.count)
        return (with, frame.picture, truth, scene)
    }

    private var bare: DrawStyle {
        var style = DrawStyle()
        (style.outline, style.label) = (false, false)
        return style
    }

    /// The middle of what is dark about a place.
    private func darkCentre(_ buffer: FrameBuffer, around center: Point, radius: Int) -> Point? {
        let plane = buffer.planes()[0]
        var (sum, x1, y1) = (0.0, 0.0, 0.0)
        for y in max(Int(center.y) - radius, 0)...min(Int(center.y) + radius, plane.height - 1) {
            for x in max(Int(center.x) - radius, 0)...min(Int(center.x) + radius, plane.width - 1) {
                let dark = max(130 - Double(plane.base[y * plane.stride + x]), 0)
                (sum, x1, y1) = (sum + dark, x1 + dark * Double(x), y1 + dark * Double(y))
            }
        }
        return sum > 200 ? Point(x1 / sum, y1 / sum) : nil
    }

    /// Four small discs near a white picture's corners.
    @Test func aPictureOnAMarker() throws {
        let marks = [(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)]
        var pixels: [SIMD4<UInt8>] = []
        for y in 0..<256 {
            for x in 0..<256 {
                let (u, v) = ((Double(x) + 0.5) / 256, (Double(y) + 0.5) / 256)
                let isMark = marks.contains { (u - $0.0) * (u - $0.0) + (v - $0.1) * (v - $0.1) < 0.03 * 0.03 }
                pixels.append(isMark ? SIMD4(0, 0, 0, 255) : SIMD4(255, 255, 255, 255))
            }
        }
        var style = bare
        style.image = PictureTexture(width: 256, height: 256, pixels: pixels)
        style.imageSize = .sides([0.14, 0.14])
        let (with, _, truth, scene) = try drawn(style)
        let projection = CameraProjection(scene.intrinsics)
        for marker in truth {
            let pose = try #require(marker.asMarker?.pose).pose
            for (u, v) in marks {
                let place = projection.project(pose([(u - 0.5) * 0.14, (0.5 - v) * 0.14, 0]))
                let found = try #require(darkCentre(with, around: place, radius: 7))
                #expect(found.distance(to: place) < 1, "marker \(marker.asMarker?.id ?? -1): \(found) for \(place)")
            }
        }
    }

    /// Dark flags at the upper corners of a white cube's place, on thin air.
    @Test func aModelOnAMarker() throws {
        var text = "mtllib m\nusemtl dark\n"
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]
        for (index, corner) in corners.enumerated() {
            for (dx, dy) in [(-0.12, -0.12), (0.12, -0.12), (0.12, 0.12), (-0.12, 0.12)] {
                text += "v \(corner.0 * 0.88 + dx) \(corner.1 * 0.88 + dy) 1.5\n"
            }
            text += "f \(4 * index + 1) \(4 * index + 2) \(4 * index + 3) \(4 * index + 4)\n"
        }
        // A point below, so that the flags stand 1.5 above the marker; a triangle of nearly no size.
        text += "usemtl white\nv 0 0 0\nv 0.001 0 0\nv 0 0.001 0\nf 17 18 19\n"
        var style = bare
        style.model = try OBJReader.read(Array(text.utf8), up: .z) { _ in
            Array("newmtl dark\nKd 0 0 0\nnewmtl white\nKd 1 1 1\n".utf8)
        }
        // Twice as wide as half the size: the file's 1 is half of it.
        style.modelSize = Self.side
        let (with, without, truth, scene) = try drawn(style)
        let projection = CameraProjection(scene.intrinsics)
        var checked = 0
        for marker in truth {
            let pose = try #require(marker.asMarker?.pose).pose
            for corner in corners {
                let half = Self.side / 2
                let place = projection.project(pose([corner.0 * 0.88 * half, corner.1 * 0.88 * half, 1.5 * half]))
                // Where the ground is dark, the marker's own squares, nothing can be told.
                if darkCentre(without, around: place, radius: 9) != nil { continue }
                let found = try #require(darkCentre(with, around: place, radius: 9))
                #expect(found.distance(to: place) < 1, "marker \(marker.asMarker?.id ?? -1): \(found) for \(place)")
                checked += 1
            }
        }
        #expect(checked >= 4)
    }

    /// The tips of the axes: the blue one is the only thing where it ends.
    @Test(arguments: [CubeStyle.wire, .shaded])
    func axesAndCubesOnAMarker(cube: CubeStyle) throws {
        var style = bare
        (style.axes, style.cube, style.color, style.thickness) = (true, cube, RGB(255, 255, 255), 4)
        let (with, without, truth, scene) = try drawn(style)
        let (after, before) = (with.planes()[0], without.planes()[0])
        let projection = CameraProjection(scene.intrinsics)
        for marker in truth {
            let pose = try #require(marker.asMarker?.pose).pose
            // Every edge of the cube that is seen, and the upright axis, are drawn within a pixel of the truth.
            let box = SpaceBox(pose: pose, extent: [Self.side, Self.side], height: Self.side)
            // Two faces at least are seen: seven edges.
            #expect(box.edges.count { $0.isFront } >= 7)
            for edge in box.edges where edge.isFront {
                for step in 1..<20 {
                    let place = projection.project(edge.from + (edge.to - edge.from) * (Double(step) / 20))
                    let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
                    var change = 0
                    for dy in -1...1 {
                        for dx in -1...1 {
                            let now = Int(after.base[(y + dy) * after.stride + x + dx])
                            let then = Int(before.base[(y + dy) * before.stride + x + dx])
                            change = max(change, abs(now - then))
                        }
                    }
                    #expect(change > 10, "marker \(marker.asMarker?.id ?? -1) at \(place)")
                }
            }
        }
    }
}
