@testable import Drawing
import Testing

@testable import Annotate

/// Pictures laid into others lie where they belong, in the right colours.
@Suite struct PicturePainterTests {
    private static let quads: [[Point]] = [
        [Point(40, 30), Point(250, 30), Point(250, 180), Point(40, 180)],
        [Point(60.3, 22.7), Point(260.1, 60.2), Point(231.4, 190.8), Point(33.9, 150.5)],
        [Point(200, 20), Point(270, 150), Point(120, 200), Point(40, 90)],
        // Seen from the side: squeezed to a third.
        [Point(100, 30), Point(150, 50), Point(150, 150), Point(100, 190)],
    ]

    /// White, with black discs about four places.
    private static let marks = [(0.15, 0.2), (0.85, 0.2), (0.8, 0.85), (0.2, 0.8)]
    private static func marked(_ side: Int) -> PictureTexture {
        let texel = 1 / Double(side)
        return texture(side, side) { x, y in
            // The discs are far apart: one is the nearest.
            let mark = marks.first { abs(x - $0.0) < 0.05 + texel && abs(y - $0.1) < 0.05 + texel }
            guard let mark else { return SIMD4(255, 255, 255, 255) }
            let (dx, dy) = (x - mark.0, y - mark.1)
            let distance = (dx * dx + dy * dy).squareRoot()
            // Of 64 places on the texel, those on the disc; only on its edge are they some of them.
            var dark = distance < 0.05 ? 64 : 0
            if abs(distance - 0.05) < texel {
                dark = (0..<64).count { step in
                    let (px, py) = (
                        dx + (Double(step % 8) - 3.5) / 8 * texel, dy + (Double(step / 8) - 3.5) / 8 * texel
                    )
                    return px * px + py * py < 0.05 * 0.05
                }
            }
            let code = UInt8(255 - dark * 255 / 64)
            return SIMD4(code, code, code, 255)
        }
    }

    /// - Parameter color: Red, green, blue and alpha at a place of 0…1 across and down.
    private static func texture(
        _ width: Int, _ height: Int, _ color: (Double, Double) -> SIMD4<UInt8>
    ) -> PictureTexture {
        var pixels: [SIMD4<UInt8>] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels.append(color((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height)))
            }
        }
        return PictureTexture(width: width, height: height, pixels: pixels)
    }

    private static func plain(_ color: SIMD4<UInt8>) -> PictureTexture { texture(4, 4) { _, _ in color } }

    private func paint(
        _ texture: PictureTexture, _ placement: PicturePlacement, on picture: OverlayPicture, opacity: Double = 1
    ) {
        picture.draw { canvas in
            PicturePainter().paint([.init(texture: texture, weight: 1)], at: placement, opacity: opacity, onto: canvas)
        }
        #expect(picture.guardsIntact)
    }

    /// The middle of what is darker than white about a place.
    private func darkCentre(_ picture: OverlayPicture, around center: Point, radius: Int = 14) -> Point {
        var (sum, x1, y1) = (0.0, 0.0, 0.0)
        for y in max(Int(center.y) - radius, 0)...min(Int(center.y) + radius, picture.height - 1) {
            for x in max(Int(center.x) - radius, 0)...min(Int(center.x) + radius, picture.width - 1) {
                let dark = 255 - Double(picture.luma[x, y])
                (sum, x1, y1) = (sum + dark, x1 + dark * Double(x), y1 + dark * Double(y))
            }
        }
        return Point(x1 / sum, y1 / sum)
    }

    /// Where the middle of a disc's image is: that of many points on it, each counting for the area that it becomes.
    private func discCentre(_ mark: (Double, Double), _ project: (Double, Double) -> Point) -> Point {
        var (sum, total) = (Point(0, 0), 0.0)
        for i in -20...20 {
            for j in -20...20 where i * i + j * j < 400 {
                let (u, v) = (mark.0 + Double(i) * 0.0025, mark.1 + Double(j) * 0.0025)
                let p = project(u, v)
                let area = abs((project(u + 1e-4, v) - p).cross(project(u, v + 1e-4) - p))
                sum = sum + p * area
                total += area
            }
        }
        return sum * (1 / total)
    }

    @Test(arguments: quads, [64, 200, 700])
    func contentLiesInPerspective(quad: [Point], side: Int) throws {
        let picture = OverlayPicture(300, 220)
        // White all round, so that what is dark is a disc.
        picture.draw { canvas in
            Painter().fill(Box(x: 0, y: 0, width: 300, height: 220), color: .white, onto: canvas)
        }
        paint(Self.marked(side), try #require(PicturePlacement(quad: quad)), on: picture)
        let map = try #require(Homography(unitSquareTo: quad))
        for mark in Self.marks {
            let truth = discCentre(mark) { map(Point($0, $1)) }
            let found = darkCentre(picture, around: truth, radius: 11)
            #expect(found.distance(to: truth) < 0.25, "\(found) for \(truth)")
        }
    }

    @Test(arguments: quads)
    func edgesLieOnTheQuad(quad: [Point]) throws {
        let picture = OverlayPicture(300, 220)
        paint(Self.plain(SIMD4(255, 255, 255, 255)), try #require(PicturePlacement(quad: quad)), on: picture)
        let area = abs((quad[2] - quad[0]).cross(quad[3] - quad[1])) / 2
        // A quad through pixel centres covers half of the pixels on its sides.
        #expect(abs(picture.whiteArea - area) / area < 0.003)
    }

    @Test func aPictureOfTheQuadsSizeIsCopied() throws {
        let picture = OverlayPicture(64, 48, shift: (0, 0))
        let texture = Self.texture(32, 24) { x, y in
            SIMD4(UInt8(x * 255), UInt8(y * 255), UInt8((x + y) * 127), 255)
        }
        let quad = [Point(9.5, 9.5), Point(41.5, 9.5), Point(41.5, 33.5), Point(9.5, 33.5)]
        paint(texture, try #require(PicturePlacement(quad: quad)), on: picture)
        let space = ColorSpace(matrix: .bt601, fullRange: true)
        for y in 0..<24 {
            for x in 0..<32 {
                let texel = texture.texels[y * 32 + x]
                let codes = space.codes(of: RGB(texel.x, texel.y, texel.z))
                let found = picture.planes.map { Int($0[x + 10, y + 10]) }
                #expect(zip(found, [codes.y, codes.cb, codes.cr]).allSatisfy { abs($0 - Int($1)) <= 1 })
            }
        }
    }

    @Test(arguments: [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)], [false, true])
    func coloursAreThoseOfPaintedShapes(shift: (Int, Int), gray: Bool) throws {
        let color = RGB(200, 60, 20)
        for size in [(64, 48), (33, 27)] {
            let (laid, filled) = (
                OverlayPicture(size.0, size.1, shift: shift, gray: gray),
                OverlayPicture(size.0, size.1, shift: shift, gray: gray)
            )
            let quad = [Point(5.2, 3.1), Point(60, 6), Point(50, 40), Point(8, 30.5)]
            paint(Self.plain(SIMD4(200, 60, 20, 255)), try #require(PicturePlacement(quad: quad)), on: laid)
            filled.draw { canvas in Painter().fill(quad, color: color, onto: canvas) }
            for (a, b) in zip(laid.planes, filled.planes) {
                #expect(zip(a.pixels, b.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
            }
        }
    }

    @Test(arguments: [10, 12, 16])
    func deepCanvases(depth: Int) throws {
        let shallow = OverlayPicture(64, 48)
        let deep = DeepPicture(like: shallow, depth: depth)
        let placement = try #require(
            PicturePlacement(quad: [Point(5.2, 3.1), Point(60, 6), Point(50, 40), Point(8, 30.5)]))
        let texture = Self.marked(40)
        paint(texture, placement, on: shallow)
        deep.draw { canvas in
            PicturePainter().paint([.init(texture: texture, weight: 1)], at: placement, opacity: 1, onto: canvas)
        }
        #expect(deep.guardsIntact)
        let unit = Double(1 << (depth - 8))
        for (a, b) in zip(shallow.planes, deep.planes) {
            #expect(zip(a.pixels, b.samples).allSatisfy { abs(Double($0) - Double($1) / unit) <= 2 })
        }
    }

    /// Lines of a texel each, squeezed to less than a pixel, become grey, from the front and from the side.
    @Test(arguments: [64.0, 23.7, 9.0], [false, true])
    func fineLinesBecomeGrey(height: Double, lying: Bool) throws {
        let stripes = Self.texture(512, 512) { x, y in
            let line = Int((lying ? y : x) * 512) % 2 == 0
            return line ? SIMD4(255, 255, 255, 255) : SIMD4(0, 0, 0, 255)
        }
        let picture = OverlayPicture(120, 100)
        let quad = [Point(10, 10), Point(90, 10), Point(90, 10 + height), Point(10, 10 + height)]
        paint(stripes, try #require(PicturePlacement(quad: quad)), on: picture)
        for y in 12...Int(8 + height) {
            for x in 12...88 { #expect(abs(Int(picture.luma[x, y]) - 128) <= 8, "\(x), \(y)") }
        }
    }

    @Test func transparencyAndOpacity() throws {
        let quad = [Point(9.5, 9.5), Point(41.5, 9.5), Point(41.5, 33.5), Point(9.5, 33.5)]
        let placement = try #require(PicturePlacement(quad: quad))
        let (half, faint, none) = (OverlayPicture(64, 48), OverlayPicture(64, 48), OverlayPicture(64, 48))
        paint(Self.plain(SIMD4(255, 255, 255, 128)), placement, on: half)
        paint(Self.plain(SIMD4(255, 255, 255, 255)), placement, on: faint, opacity: 0.5)
        paint(Self.plain(SIMD4(255, 255, 255, 0)), placement, on: none)
        #expect(abs(Int(half.luma[20, 20]) - 178) <= 1)
        #expect(abs(Int(faint.luma[20, 20]) - 178) <= 1)
        #expect(none.changed == nil)
    }

    @Test func twoPicturesAreMixed() throws {
        let picture = OverlayPicture(64, 48)
        let placement = try #require(
            PicturePlacement(quad: [Point(10, 10), Point(40, 12), Point(42, 33), Point(9, 30)]))
        picture.draw { canvas in
            PicturePainter().paint(
                [
                    .init(texture: Self.plain(SIMD4(255, 255, 255, 255)), weight: 0.25),
                    .init(texture: Self.plain(SIMD4(0, 0, 0, 255)), weight: 0.75),
                ], at: placement, opacity: 1, onto: canvas)
        }
        #expect(abs(Int(picture.luma[25, 20]) - 64) <= 1)
    }

    /// What no picture has is left out, and huge ones take no more than the canvas.
    private static let unusable: [[Point]] = [
        [Point(0, 0), Point(0, 0), Point(0, 0), Point(0, 0)], [Point(1, 1), Point(9, 9), Point(20, 20), Point(30, 30)],
        [Point(0, 0), Point(50, 50), Point(50, 0), Point(0, 50)],
        [Point(.nan, 0), Point(50, 0), Point(50, 50), Point(0, 50)],
        [Point(0, 0), Point(.infinity, 0), Point(50, 50), Point(0, 50)],
        [Point(-2e6, 0), Point(2e6, 0), Point(2e6, 50), Point(-2e6, 50)],
    ]

    @Test(arguments: unusable)
    func unusableQuads(quad: [Point]) { #expect(PicturePlacement(quad: quad) == nil) }

    /// Quads with what they change of a picture of 64×48 pixels.
    private static let extreme: [([Point], PixelRect?)] = [
        (
            [Point(-9e5, -9e5), Point(9e5, -9e5), Point(9e5, 9e5), Point(-9e5, 9e5)],
            PixelRect(x: 0, y: 0, width: 64, height: 48)
        ),
        (
            [Point(-9e5, 10), Point(9e5, 11), Point(9e5, 12), Point(-9e5, 13)],
            PixelRect(x: 0, y: 11, width: 64, height: 2)
        ),
        ([Point(5000, 5000), Point(6000, 5000), Point(6000, 6000), Point(5000, 6000)], nil),
        ([Point(10, 10), Point(10.01, 10), Point(10.01, 10.01), Point(10, 10.01)], nil),
        ([Point(10, 10), Point(50, 10), Point(31, 10.0001), Point(30, 10.0001)], nil),
    ]

    @Test(arguments: extreme)
    func extremeQuads(quad: [Point], changed: PixelRect?) throws {
        let picture = OverlayPicture(64, 48)
        paint(Self.marked(64), try #require(PicturePlacement(quad: quad)), on: picture)
        #expect(picture.changed == changed)
    }

    // MARK: In space

    private static let bent = CameraIntrinsics(
        width: 300, height: 220, focalLength: Point(240, 244), principalPoint: Point(146, 112),
        distortion: [-0.3, 0.1, 0.002, -0.001, 0])

    @Test(arguments: [CameraIntrinsics(width: 300, height: 220, fieldOfView: 60), bent])
    func inAPlaneTheLensBends(camera: CameraIntrinsics) throws {
        let projection = CameraProjection(camera)
        let pose = Pose(rotation: Rotation(rodrigues: [2.6, 0.3, -0.4]), translation: [0.02, -0.01, 0.5])
        let size = SIMD2(0.34, 0.26)
        let placement = try #require(PicturePlacement(pose: pose, size: size, projection: projection))
        let picture = OverlayPicture(300, 220)
        picture.draw { canvas in
            Painter().fill(Box(x: 0, y: 0, width: 300, height: 220), color: .white, onto: canvas)
        }
        paint(Self.marked(300), placement, on: picture)
        for mark in Self.marks {
            let truth = discCentre(mark) { u, v in
                projection.project(pose([(u - 0.5) * size.x, (0.5 - v) * size.y, 0]))
            }
            let found = darkCentre(picture, around: truth)
            #expect(found.distance(to: truth) < 0.25, "\(found) for \(truth)")
        }
    }

    @Test func raysComeBack() {
        let projection = CameraProjection(Self.bent)
        for (x, y) in [(0.0, 0.0), (299, 219), (150, 110), (10, 200)] {
            let back = projection.project(projection.ray(through: Point(x, y)))
            #expect(back.distance(to: Point(x, y)) < 0.01)
        }
    }

    @Test(arguments: [0.05, 0.0, -0.5])
    func nearAndBehind(depth: Double) {
        for camera in [Self.bent, CameraIntrinsics(width: 300, height: 220, fieldOfView: 60)] {
            let pose = Pose(rotation: Rotation(rodrigues: [2.6, 0.3, -0.4]), translation: [0, 0, depth])
            let placement = PicturePlacement(pose: pose, size: [0.3, 0.3], projection: CameraProjection(camera))
            let picture = OverlayPicture(300, 220)
            if let placement { paint(Self.marked(50), placement, on: picture) }
            if depth < -0.2 { #expect(picture.changed == nil) }
        }
    }
}
