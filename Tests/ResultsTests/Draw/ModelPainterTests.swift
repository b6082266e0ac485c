@testable import Drawing
import Testing

@testable import Annotate

/// Bodies are drawn where the camera sees them, the nearer before the farther.
@Suite struct ModelPainterTests {
    private static let straight = CameraIntrinsics(width: 300, height: 220, fieldOfView: 60)
    private static let bent = CameraIntrinsics(
        width: 300, height: 220, focalLength: Point(240, 244), principalPoint: Point(146, 112),
        distortion: [-0.3, 0.1, 0.002, -0.001, 0])
    /// Face-on: the thing's x is right and its y up in the picture.
    private static let facing = Pose(rotation: Rotation(rodrigues: [.pi, 0, 0]), translation: [0, 0, 0.5])
    private static let slanted = Pose(
        rotation: Rotation(rodrigues: [2.6, 0.3, -0.4]), translation: [0.02, -0.01, 0.5])

    private func model(_ text: String, materials: String = "") throws -> SpaceModel {
        try OBJReader.read(Array(text.utf8), up: .z) { _ in Array(materials.utf8) }
    }

    private func draw(
        _ model: SpaceModel, _ pose: Pose, _ camera: CameraIntrinsics = straight, size: Double = 0.2,
        opacity: Double = 1, on picture: OverlayPicture = OverlayPicture(300, 220)
    ) -> OverlayPicture {
        picture.draw { canvas in
            ModelPainter(projection: CameraProjection(camera)).draw(
                model, pose: pose, size: size, opacity: opacity, onto: canvas)
        }
        #expect(picture.guardsIntact)
        return picture
    }

    private static let square = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n"
    private static let cube =
        square + "v -1 -1 2\nv 1 -1 2\nv 1 1 2\nv -1 1 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"

    /// A flat square covers what its outline encloses, its edges shared out among the pixels.
    @Test(arguments: [straight, bent], [facing, slanted])
    func theOutlineIsTheProjectedOne(camera: CameraIntrinsics, pose: Pose) throws {
        let projection = CameraProjection(camera)
        let drawn = draw(try model(Self.square), pose, camera)
        let outline = projection.outline(
            [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0]].map { pose($0) })
        let filled = OverlayPicture(300, 220)
        filled.draw { canvas in Painter().fill(outline, color: .white, onto: canvas) }
        // By the share of each pixel that is covered.
        let inside = drawn.luma.pixels.max() ?? 0
        let full = inside == OverlayPicture.ground ? (drawn.luma.pixels.min() ?? 0) : inside
        var worst = 0.0
        for (a, b) in zip(drawn.luma.pixels, filled.luma.pixels) {
            let shareA = (Double(a) - 100) / (Double(full) - 100), shareB = (Double(b) - 100) / 155
            worst = max(worst, abs(shareA - shareB))
        }
        #expect(worst < 0.3)
        #expect(filled.changed.map { $0.width > 60 } == true)
    }

    /// Of a cube, whichever way round its faces run, the outline is that of the box that is drawn with lines.
    @Test func aCubeIsTheBoxOfTheOtherOverlays() throws {
        let cube = draw(try model(Self.cube), Self.slanted, Self.bent)
        let box = SpaceBox(pose: Self.slanted, extent: [0.2, 0.2], height: 0.2)
        let projection = CameraProjection(Self.bent)
        let outline = OverlayPicture(300, 220)
        outline.draw { canvas in
            for face in box.faces where face.isFront {
                Painter().fill(projection.outline(face.corners), color: .white, onto: canvas)
            }
        }
        for y in 0..<220 {
            for x in 0..<300 where outline.luma[x, y] == 255 || outline.luma[x, y] == OverlayPicture.ground {
                #expect((cube.luma[x, y] != OverlayPicture.ground) == (outline.luma[x, y] == 255), "\(x), \(y)")
            }
        }
    }

    /// A red square before a green one, in either order of the file.
    @Test(arguments: [false, true])
    func theNearerHidesTheFarther(nearFirst: Bool) throws {
        let corners = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -0.5 -0.5 1\nv 0.5 -0.5 1\nv 0.5 0.5 1\nv -0.5 0.5 1\n"
        let (near, far) = ("usemtl red\nf 5 6 7 8\n", "usemtl green\nf 1 2 3 4\n")
        let model = try model(
            "mtllib m\n" + corners + (nearFirst ? near + far : far + near),
            materials: "newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n")
        let picture = draw(model, Self.facing)
        // Red has a high Cr, green a low one; in the middle and half way to the corner.
        #expect(picture.planes[2][75, 55] > 150)
        let outer = CameraProjection(Self.straight).project(Self.facing([0.08, 0.08, 0]))
        #expect(picture.planes[2][Int(outer.x / 2), Int(outer.y / 2)] < 80)
    }

    /// What passes through something else is seen on both sides of the cut.
    @Test func bodiesMayCutEachOther() throws {
        let crossing =
            "mtllib m\nusemtl red\nv -1 -1 -1\nv 1 -1 1\nv 1 1 1\nv -1 1 -1\nf 1 2 3 4\n"
            + "usemtl green\nv -1 -1 1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 1\nf 5 6 7 8\n"
        let picture = draw(
            try model(crossing, materials: "newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n"), Self.facing)
        let middle = CameraProjection(Self.straight).project(Self.facing([0, 0, 0.1])).x / 2
        #expect(picture.planes[2][Int(middle) + 12, 55] > 150)
        #expect(picture.planes[2][Int(middle) - 12, 55] < 80)
    }

    /// Triangles that share an edge leave neither a gap nor a seam.
    @Test(arguments: [straight, bent])
    func noGapsBetweenNeighbours(camera: CameraIntrinsics) throws {
        var text = ""
        for y in 0...9 { for x in 0...9 { text += "v \(x) \(y) 0\n" } }
        for y in 0..<9 {
            for x in 0..<9 {
                let corner = y * 10 + x + 1
                text += "f \(corner) \(corner + 1) \(corner + 11) \(corner + 10)\n"
            }
        }
        let (fine, whole) = (
            draw(try model(text), Self.slanted, camera), draw(try model(Self.square), Self.slanted, camera)
        )
        // On the outline the corners' rounding, and the pieces of the lens's curve, may differ; a seam is hundreds of pixels.
        let differing = zip(fine.luma.pixels, whole.luma.pixels).count { abs(Int($0) - Int($1)) > 2 }
        #expect(differing < 80)
    }

    @Test func opacityLetsTheGroundThrough() throws {
        let (full, half) = (
            draw(try model(Self.square), Self.facing), draw(try model(Self.square), Self.facing, opacity: 0.5)
        )
        let (a, b) = (Double(full.luma[150, 110]), Double(half.luma[150, 110]))
        #expect(abs(b - (a + 100) / 2) <= 1)
    }

    @Test(arguments: [0.15, 0.05, 0.0, -0.1, -0.5])
    func nearAndBehind(depth: Double) throws {
        for camera in [Self.straight, Self.bent] {
            var pose = Self.slanted
            pose.translation = [0, 0, depth]
            let picture = draw(try model(Self.cube), pose, camera)
            if depth < -0.4 { #expect(picture.changed == nil) }
        }
    }

    @Test(arguments: [(1, 1), (7, 5), (161, 121)], [(0, 0), (1, 1)])
    func canvasesOfAnySize(size: (Int, Int), shift: (Int, Int)) throws {
        let camera = CameraIntrinsics(width: size.0, height: size.1, fieldOfView: 60)
        let picture = draw(
            try model(Self.cube), Self.slanted, camera, size: 2, on: OverlayPicture(size.0, size.1, shift: shift))
        #expect(picture.changed != nil)
    }

    /// The same calls paint the same, whatever was painted before.
    @Test func aPainterKeepsNothing() throws {
        let model = try model(Self.cube)
        let painter = ModelPainter(projection: CameraProjection(Self.straight))
        var pictures: [[UInt8]] = []
        for round in 0..<2 {
            let picture = OverlayPicture(300, 220)
            picture.draw { canvas in
                painter.draw(model, pose: Self.slanted, size: 0.2, opacity: 1, onto: canvas)
            }
            pictures.append(picture.luma.pixels)
            if round == 0 {
                OverlayPicture(300, 220).draw { canvas in
                    painter.draw(model, pose: Self.facing, size: 0.3, opacity: 1, onto: canvas)
                }
            }
        }
        #expect(pictures[0] == pictures[1])
    }
}
