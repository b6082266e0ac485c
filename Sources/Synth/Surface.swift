import Graph

/// What a flat thing looks like in its own plane (metres). A surface falls into at most four regions with sharp borders
/// between them; region 0 is outside of it. Within a region the colour is smooth or a filtered texture.
protocol Surface {
    var silhouette: Silhouette { get }
    /// At most the distance to the nearest border of regions, metres; its sign plays no part.
    func borderDistance(_ p: SIMD2<Float>) -> Float
    func region(_ p: SIMD2<Float>) -> Int
    /// The same where `borderDistance` has told the distance already.
    func region(_ p: SIMD2<Float>, border: Float) -> Int
    /// Whether there is certainly no border within a distance, though `borderDistance` has less; false if in doubt.
    func isUniform(_ p: SIMD2<Float>, within reach: Float) -> Bool
    /// The colour of a region near a place, for a texture's level of detail.
    func color(ofRegion region: Int, _ p: SIMD2<Float>, detail: Float) -> Codes
    /// The texture's level of detail for the size of a pixel in the plane, metres.
    func detail(pixelSize: Double) -> Float
}

extension Surface {
    @inline(__always)
    func region(_ p: SIMD2<Float>, border: Float) -> Int { region(p) }
    @inline(__always)
    func isUniform(_ p: SIMD2<Float>, within reach: Float) -> Bool { false }
}

/// The kinds of surface. Painting switches over it once, so that the code of each kind is specialised.
enum AnySurface {
    case marker(MarkerSurface)
    case picture(PictureSurface)
    case shape(ShapeSurface)

    var silhouette: Silhouette {
        switch self {
        case .marker(let surface): surface.silhouette
        case .picture(let surface): surface.silhouette
        case .shape(let surface): surface.silhouette
        }
    }
}

/// Rounds what is not large; negative values and NaN (a place on the horizon of a tilted plane) become 0. Without the
/// call to the library that `rounded` is on older processors.
@inline(__always)
private func nearestInteger(_ value: Float) -> Float { value > 0 ? Float(Int32(value + 0.5)) : 0 }

/// A marker on its card: 1 is the paper, 2 the ink.
struct MarkerSurface: Surface {
    let silhouette: Silhouette
    private let half: Float
    private let modules: Int
    /// Metres to modules.
    private let modulesPerMetre: Float
    /// One row a word, bit k is the module of column k; set for ink. The border is included.
    private let ink: [UInt64]
    private let paperColor: Codes
    private let inkColor: Codes

    init(_ card: MarkerCard, bits: MarkerBits, coder: ColorCoder) {
        let modules = bits.size + 2
        self.modules = modules
        half = Float(card.size / 2)
        modulesPerMetre = Float(Double(modules) / card.size)
        let cardHalf = card.size / 2 + card.quietZone * card.size / Double(modules)
        silhouette = .rectangle(halfSize: SIMD2(repeating: Float(cardHalf)))
        ink = (0..<modules).map { row in
            (0..<modules).reduce(into: UInt64(0)) { word, column in
                let inside = (1...bits.size).contains(row) && (1...bits.size).contains(column)
                if !inside || !bits.isWhite[(row - 1) * bits.size + column - 1] { word |= 1 << UInt64(column) }
            }
        }
        paperColor = coder.codes(RGB(236, 234, 229))
        inkColor = coder.codes(RGB(27, 27, 29))
    }

    @inline(__always)
    func borderDistance(_ p: SIMD2<Float>) -> Float {
        let card = abs(silhouette.distance(p))
        let x = (p.x + half) * modulesPerMetre, y = (p.y + half) * modulesPerMetre
        let last = Float(modules)
        // Outside of the marker the nearest line is its own edge, inside the nearest line of the grid.
        let gx = nearestInteger(min(max(x, 0), last)), gy = nearestInteger(min(max(y, 0), last))
        let inX = x > 0 && x < last, inY = y > 0 && y < last
        let dx = abs(x - gx), dy = abs(y - gy)
        let grid = inX == inY ? (inX ? min(dx, dy) : max(dx, dy)) : (inX ? dy : dx)
        return min(card, grid / modulesPerMetre)
    }

    @inline(__always)
    func region(_ p: SIMD2<Float>) -> Int {
        let x = (p.x + half) * modulesPerMetre, y = (p.y + half) * modulesPerMetre
        if x >= 0 && y >= 0 && x < Float(modules) && y < Float(modules) {
            return ink[Int(y)] >> UInt64(x) & 1 == 1 ? 2 : 1
        }
        return silhouette.distance(p) < 0 ? 1 : 0
    }

    /// Most lines of the grid have the same colour on both sides.
    @inline(__always)
    func isUniform(_ p: SIMD2<Float>, within reach: Float) -> Bool {
        // The corners of a square that is smaller than a module see all modules that it touches.
        guard 2 * reach * modulesPerMetre < 1 else { return false }
        let first = region(p + SIMD2(-reach, -reach))
        return first == region(p + SIMD2(reach, -reach)) && first == region(p + SIMD2(-reach, reach))
            && first == region(p + SIMD2(reach, reach))
    }

    @inline(__always)
    func color(ofRegion region: Int, _ p: SIMD2<Float>, detail: Float) -> Codes {
        region == 2 ? inkColor : paperColor
    }

    func detail(pixelSize: Double) -> Float { 0 }
}

/// A framed picture: 1 is the frame, 2 the mat, 3 the inside.
struct PictureSurface: Surface {
    let silhouette: Silhouette
    private let mat: Silhouette
    private let inside: Silhouette
    private let insideSize: SIMD2<Float>
    private let frameColor: Codes
    private let matColor: Codes
    private let texture: Texture

    /// - Parameter scale: pixels per metre where it is nearest.
    init(_ picture: Picture, scale: Double, baker: TextureBaker) throws {
        let half = SIMD2(picture.width, picture.height) / 2
        // A frame or a mat of no width has no border either.
        let matHalf = SIMD2(max(half.x - picture.frame, 0), max(half.y - picture.frame, 0))
        let insideHalf = SIMD2(max(matHalf.x - picture.mat, 1e-9), max(matHalf.y - picture.mat, 1e-9))
        silhouette = .rectangle(halfSize: SIMD2(half))
        mat = .rectangle(halfSize: SIMD2(matHalf))
        inside = .rectangle(halfSize: SIMD2(insideHalf))
        insideSize = SIMD2(2 * insideHalf)
        frameColor = baker.coder.codes(picture.frameColor)
        matColor = baker.coder.codes(picture.matColor)
        texture = try baker.texture(picture.texture, size: 2 * insideHalf, pixels: 2 * insideHalf.max() * scale)
    }

    @inline(__always)
    func borderDistance(_ p: SIMD2<Float>) -> Float {
        min(abs(silhouette.distance(p)), abs(mat.distance(p)), abs(inside.distance(p)))
    }

    @inline(__always)
    func region(_ p: SIMD2<Float>) -> Int {
        if inside.distance(p) < 0 { return 3 }
        if mat.distance(p) < 0 { return 2 }
        return silhouette.distance(p) < 0 ? 1 : 0
    }

    @inline(__always)
    func color(ofRegion region: Int, _ p: SIMD2<Float>, detail: Float) -> Codes {
        switch region {
        case 1: return frameColor
        case 2: return matColor
        default: return texture.sample(p.x / insideSize.x + 0.5, p.y / insideSize.y + 0.5, detail: detail)
        }
    }

    func detail(pixelSize: Double) -> Float {
        texture.detail(texelsPerPixel: pixelSize * Double(Float(texture.width) / insideSize.x))
    }
}

/// A textured shape or bar.
struct ShapeSurface: Surface {
    let silhouette: Silhouette
    private let size: SIMD2<Float>
    private let texture: Texture

    /// - Parameter scale: pixels per metre where it is nearest.
    init(_ silhouette: Silhouette, texture style: TextureStyle, scale: Double, baker: TextureBaker) throws {
        self.silhouette = silhouette
        let size = 2 * silhouette.halfSize
        self.size = SIMD2(size)
        texture = try baker.texture(style, size: size, pixels: size.max() * scale, rim: silhouette)
    }

    @inline(__always)
    func borderDistance(_ p: SIMD2<Float>) -> Float { silhouette.distance(p) }

    @inline(__always)
    func region(_ p: SIMD2<Float>) -> Int { silhouette.distance(p) < 0 ? 1 : 0 }

    @inline(__always)
    func region(_ p: SIMD2<Float>, border: Float) -> Int { border < 0 ? 1 : 0 }

    @inline(__always)
    func color(ofRegion region: Int, _ p: SIMD2<Float>, detail: Float) -> Codes {
        texture.sample(p.x / size.x + 0.5, p.y / size.y + 0.5, detail: detail)
    }

    func detail(pixelSize: Double) -> Float {
        texture.detail(texelsPerPixel: pixelSize * Double(Float(texture.width) / size.x))
    }
}
