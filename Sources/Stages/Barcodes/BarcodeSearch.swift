internal import Annotate
internal import CVision
internal import CZXing
internal import Glibc

/// Reads the codes of a picture, large, small, blurred or turned: ZXing is given rectified patches of the places that may
/// be codes (`ocv_find_code_regions`), each in several sizes and treatments until one can be read.
struct BarcodeSearch {
    /// One way to look at a place.
    private struct Attempt {
        var treatment: ocv_patch_treatment
        /// The patch's size in proportion to the usual one.
        var zoom: Double
        /// How much is added on each side, of the shorter side.
        var margin: Double
        var globalThreshold = false
    }

    /// The first reads most; the others are for blur, small modules and uneven light.
    private static let attempts = [
        Attempt(treatment: OCV_PATCH_PLAIN, zoom: 1, margin: 0.12),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 1, margin: 0.12),
        Attempt(treatment: OCV_PATCH_PLAIN, zoom: 0.6, margin: 0.25),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 1.5, margin: 0.08, globalThreshold: true),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 0.7, margin: 0.04),
    ]
    private static let mostPlaces = 64

    private struct Place {
        /// Clockwise.
        var corners: [Point]
        /// Its edges have one direction.
        var isBars = false
    }

    private let luma: ocv_plane
    /// A set of the shim's symbologies.
    private let symbologies: UInt32
    /// Each symbol once, though several patches may show it.
    private(set) var found: [FoundBarcode] = []

    /// - Parameter luma: must stay where it is while the search lasts.
    init(_ luma: ocv_plane, symbologies: UInt32) {
        self.luma = luma
        self.symbologies = symbologies
    }

    /// Looks at every place once, then at the likely ones in other ways.
    ///
    /// - Parameters:
    ///   - effort: how many patches are looked at, at the most; what a picture without codes costs grows with it.
    ///   - turn: the frame's number: half of the effort goes to the likeliest places, the other half to others by turns.
    mutating func look(effort: Int, turn: Int) {
        let places = places()
        var looks: [(place: Place, attempt: Attempt)] = []
        var likely = places.count
        for attempt in Self.attempts {
            looks += places[..<likely].map { ($0, attempt) }
            likely = (likely + 1) / 2
        }
        // What there is no time for has its turn in another frame.
        let most = min(looks.count, max(effort, 0))
        let always = most == looks.count ? most : (most + 1) / 2
        for index in 0..<most {
            let later = turn * (most - always) + index - always
            let next = looks[index < always ? index : always + later % (looks.count - always)]
            if !found.contains(where: { Self.areOne($0.polygon, next.place.corners) }) {
                look(at: next.place, next.attempt)
            }
        }
    }

    /// Looks at a place where a code is supposed to be.
    /// - Parameter effort: in how many ways it is looked at, at the most.
    mutating func look(at corners: [Point], effort: Int) {
        for attempt in Self.attempts.prefix(effort) where look(at: Place(corners: corners), attempt) { break }
    }

    private func places() -> [Place] {
        var regions = [ocv_code_region](repeating: ocv_code_region(), count: Self.mostPlaces)
        var count: Int32 = 0
        guard ocv_find_code_regions(luma, &regions, Int32(Self.mostPlaces), &count).code == 0 else { return [] }
        return regions[..<Int(count)].map { region in
            let (a, b, c, d) = region.corners
            return Place(corners: [a, b, c, d].map { Point($0) }, isBars: region.coherence > 0.6)
        }
    }

    /// - Returns: true where something new was read.
    @discardableResult private mutating func look(at place: Place, _ attempt: Attempt) -> Bool {
        let outline = Self.grown(place.corners, by: attempt.margin)
        let sides = Self.sides(outline)
        let (width, height) = ((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
        guard width > 4, height > 4 else { return false }
        // Modules of three pixels and more become some six, and no patch is larger than it takes.
        let usual = min(max(360 / (width * height).squareRoot(), 0.1), 3)
        let zoom = min(usual * attempt.zoom, 1400 / max(width, height))
        let (w, h) = (max(16, Int32((width * zoom).rounded())), max(16, Int32((height * zoom).rounded())))
        let corners = outline.map(\.ocv)
        var pixels = [UInt8](repeating: 0, count: Int(w) * Int(h))
        guard ocv_sample_patch(luma, corners, attempt.treatment, w, h, &pixels).code == 0 else { return false }
        let options = zx_options(
            symbologies: symbologies, tryHarder: true, tryRotate: !place.isBars,
            globalThreshold: attempt.globalThreshold)
        let symbols = pixels.withUnsafeBufferPointer {
            zx_read(zx_picture(data: $0.baseAddress, width: w, height: h, stride: w), options)
        }
        defer { zx_free(symbols) }
        let known = found.count
        for index in 0..<zx_count(symbols) {
            guard var code = FoundBarcode(zx_get(symbols, index)) else { continue }
            if !code.symbology.correctsErrors {
                code.polygon = Self.stretched(code.polygon, attempt.margin, Double(w), Double(h))
            }
            code.polygon = code.polygon.map { Point(ocv_patch_to_picture(corners, w, h, $0.ocv)) }
            if !found.contains(where: { Self.areOne($0.polygon, code.polygon) }) { found.append(code) }
        }
        return found.count > known
    }

    private static func sides(_ quad: [Point]) -> [Double] {
        (0..<4).map { hypot(quad[($0 + 1) % 4].x - quad[$0].x, quad[($0 + 1) % 4].y - quad[$0].y) }
    }

    /// A place with a margin, in shortest sides: moved out along its own sides.
    private static func grown(_ quad: [Point], by margin: Double) -> [Point] {
        let sides = sides(quad)
        let way = margin * sides.reduce(1e9, min)
        return (0..<4).map { index in
            let (p, before, after) = (quad[index], quad[(index + 3) % 4], quad[(index + 1) % 4])
            let (a, b) = (max(sides[(index + 3) % 4], 1e-6), max(sides[index], 1e-6))
            return Point(
                p.x + way * ((p.x - before.x) / a + (p.x - after.x) / b),
                p.y + way * ((p.y - before.y) / a + (p.y - after.y) / b))
        }
    }

    /// Bars are read along a few lines of a patch; they reach from one side of the place to the other.
    private static func stretched(_ quad: [Point], _ margin: Double, _ width: Double, _ height: Double) -> [Point] {
        let isLevel = abs(quad[1].x - quad[0].x) >= abs(quad[1].y - quad[0].y)
        let edge = margin / (1 + 2 * margin) * min(width, height)
        let (low, high) = (edge - 0.5, (isLevel ? height : width) - edge - 0.5)
        // Which side is the symbol's top: read from left to right it is the upper one, and so on round.
        let firstIsLow = isLevel ? quad[1].x >= quad[0].x : quad[1].y < quad[0].y
        return quad.enumerated().map { index, corner in
            let place = firstIsLow == (index < 2) ? low : high
            return isLevel ? Point(corner.x, place) : Point(place, corner.y)
        }
    }

    /// True where the middle of one outline lies in the other.
    private static func areOne(_ a: [Point], _ b: [Point]) -> Bool { contains(a, middle(b)) || contains(b, middle(a)) }

    private static func middle(_ quad: [Point]) -> Point { quad.reduce(Point(0, 0), +) * 0.25 }

    private static func contains(_ quad: [Point], _ point: Point) -> Bool {
        var isInside = false
        for (a, b) in zip(quad, [quad[3]] + quad[..<3])
        where (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
            isInside.toggle()
        }
        return isInside
    }
}
