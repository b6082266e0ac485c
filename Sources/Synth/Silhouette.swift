import Glibc

/// The outline of a flat thing in its own plane (metres, x right, y down, origin at the middle of its bounding box).
enum Silhouette {
    case rectangle(halfSize: SIMD2<Float>)
    case circle(radius: Float)
    case polygon(Polygon)
    /// `scale` is metres per unit of the heart below.
    case heart(scale: Float)

    init(_ shape: ShapeKind, size: Double) {
        let half = size / 2
        switch shape {
        case .circle: self = .circle(radius: Float(half))
        case .square: self = .rectangle(halfSize: SIMD2(repeating: Float(half)))
        case .triangle:
            let height = half * 3.0.squareRoot()
            self = .polygon(Polygon([[0, -height / 2], [half, height / 2], [-half, height / 2]]))
        case .star:
            // Five tips; the inner corners lie at 0.45 of the tips' radius: fuller than a pentagram, as drawn stars are.
            let vertices = (0..<10).map { k -> SIMD2<Double> in
                let (turn, radius) = (Double(k) / 10 - 0.25, k % 2 == 0 ? 1 : 0.45)
                return [radius * turnCosine(turn), radius * turnSine(turn)]
            }
            let (width, bottom) = (2 * turnCosine(0.05), turnSine(0.15))
            self = .polygon(Polygon(vertices.map { ($0 - [0, (bottom - 1) / 2]) * (size / width) }))
        case .cross:
            let (a, b) = (size / 6, half)
            self = .polygon(
                Polygon([
                    [-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a],
                    [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a],
                ]))
        case .heart: self = .heart(scale: Float(size / Heart.width))
        }
    }

    /// The distance to the outline in metres: negative inside.
    @inline(__always)
    func distance(_ p: SIMD2<Float>) -> Float {
        switch self {
        case .rectangle(let halfSize):
            let x = abs(p.x) - halfSize.x, y = abs(p.y) - halfSize.y
            if x <= 0 || y <= 0 { return max(x, y) }
            return (x * x + y * y).squareRoot()
        case .circle(let radius): return (p.x * p.x + p.y * p.y).squareRoot() - radius
        case .polygon(let polygon): return polygon.distance(p)
        case .heart(let scale): return Heart.distance(p / scale) * scale
        }
    }

    /// Half the sides of the bounding box in metres.
    var halfSize: SIMD2<Double> {
        switch self {
        case .rectangle(let halfSize): return SIMD2(halfSize)
        case .circle(let radius): return SIMD2(repeating: Double(radius))
        case .polygon, .heart:
            return outline.reduce(SIMD2<Double>.zero) { [max($0.x, abs($1.x)), max($0.y, abs($1.y))] }
        }
    }

    /// The outline, clockwise as seen. Curves have so many corners that a polygon errs by less than 10⁻⁵ of the size.
    var outline: [SIMD2<Double>] {
        switch self {
        case .rectangle(let halfSize):
            let (x, y) = (Double(halfSize.x), Double(halfSize.y))
            return [[-x, -y], [x, -y], [x, y], [-x, y]]
        case .circle(let radius):
            return (0..<720).map {
                [Double(radius) * turnCosine(Double($0) / 720), Double(radius) * turnSine(Double($0) / 720)]
            }
        case .polygon(let polygon): return polygon.vertices
        case .heart(let scale): return Heart.outline.map { $0 * Double(scale) }
        }
    }
}

/// A simple polygon and the exact distance to it.
struct Polygon {
    let vertices: [SIMD2<Double>]
    /// The start and the vector of each side, and the reciprocal of its squared length.
    private let sides: [(start: SIMD2<Float>, vector: SIMD2<Float>, inverseSquare: Float)]

    init(_ vertices: [SIMD2<Double>]) {
        self.vertices = vertices
        sides = vertices.indices.map { k in
            let vector = vertices[(k + 1) % vertices.count] - vertices[k]
            return (SIMD2<Float>(vertices[k]), SIMD2<Float>(vector), Float(1 / (vector * vector).sum()))
        }
    }

    /// The distance in the unit of the vertices: negative inside (even-odd rule).
    func distance(_ p: SIMD2<Float>) -> Float {
        var (nearest, inside) = (Float.infinity, false)
        for (start, vector, inverseSquare) in sides {
            let (wx, wy) = (p.x - start.x, p.y - start.y)
            let t = min(max((wx * vector.x + wy * vector.y) * inverseSquare, 0), 1)
            let (dx, dy) = (wx - vector.x * t, wy - vector.y * t)
            nearest = min(nearest, dx * dx + dy * dy)
            // Does the side cross the horizontal through p, to the right of p?
            if (wy >= 0) != (wy - vector.y >= 0), (wx * vector.y < wy * vector.x) == (vector.y > 0) { inside.toggle() }
        }
        return inside ? -nearest.squareRoot() : nearest.squareRoot()
    }
}

/// A heart of a square on its tip and two half discs, the tip at (0, 0) and y up in the formulas of Inigo Quilez
/// ("2D distance functions", sdHeart); turned over and centred here.
private enum Heart {
    private static let arc = 0.125.squareRoot()
    static let width = 0.5 + 2 * arc
    private static let height = 0.75 + arc

    static func distance(_ q: SIMD2<Float>) -> Float {
        let x = abs(q.x), y = Float(height / 2) - q.y
        if x + y > 1 {
            return ((x - 0.25) * (x - 0.25) + (y - 0.75) * (y - 0.75)).squareRoot() - Float(arc)
        }
        let s = max(x + y, 0) / 2
        let square = min(x * x + (y - 1) * (y - 1), (x - s) * (x - s) + (y - s) * (y - s))
        return x > y ? square.squareRoot() : -square.squareRoot()
    }

    static let outline: [SIMD2<Double>] = {
        // From the middle of the top over the right lobe to the tip, then the mirror image.
        let lobe = (0...360).map { step -> SIMD2<Double> in
            let turn = 0.375 - 0.5 * Double(step) / 360
            return [0.25 + arc * turnCosine(turn), 0.75 + arc * turnSine(turn)]
        }
        let right = lobe + [[0, 0]]
        let left = lobe.dropFirst().reversed().map { SIMD2(-$0.x, $0.y) }
        return (right + left).map { [$0.x, height / 2 - $0.y] }
    }()
}
