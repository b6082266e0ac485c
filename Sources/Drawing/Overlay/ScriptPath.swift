/// A drawing of a script: polygons whose union is filled.
///
/// All turn the same way, so that a player, which fills what lines go round at all, unites those that overlap.
struct ScriptPath {
    /// Units of a coordinate in a pixel, and the drawing's mode that says so: 2 to the power of the mode less one.
    static let unit = 16.0
    static let mode = 5

    /// The path as the script has it.
    private(set) var bytes: [UInt8] = []
    /// Edges of the box that polygons are cut to: a player drops a drawing that is huge.
    private let left, top, right, bottom: Double

    /// Pixels about the picture in which a cut's own edge isn't seen.
    private static let margin = 8.0

    init(_ size: PictureSize) {
        (left, top) = (-Self.margin, -Self.margin)
        (right, bottom) = (Double(size.width) + Self.margin, Double(size.height) + Self.margin)
    }

    var isEmpty: Bool { bytes.isEmpty }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Parameters:
    ///   - polygon: The corners in order; integer coordinates are pixel centres.
    ///   - turns: False for one that is known to turn the right way and may cross itself, or is a hole.
    mutating func add(_ polygon: [Point], turns: Bool = true) {
        // Here a pixel is from its number to the next.
        var corners = polygon.map { Point($0.x + 0.5, $0.y + 0.5) }
        if corners.contains(where: { $0.x < left || $0.x > right || $0.y < top || $0.y > bottom }) {
            corners = corners.cut(by: .init(point: Point(left, top), normal: Point(-1, 0)))
                .cut(by: .init(point: Point(right, bottom), normal: Point(1, 0)))
                .cut(by: .init(point: Point(left, top), normal: Point(0, -1)))
                .cut(by: .init(point: Point(right, bottom), normal: Point(0, 1)))
        }
        var places: [SIMD2<Int>] = []
        places.reserveCapacity(corners.count)
        for corner in corners {
            let place = SIMD2(
                Self.place(corner.x * Self.unit), Self.place(corner.y * Self.unit))
            if place != places.last { places.append(place) }
        }
        while places.count > 1, places.first == places.last { places.removeLast() }
        guard places.count > 2 else { return }
        let area = Self.area(places)
        guard area != 0 else { return }
        if area < 0, turns { places.reverse() }
        if !bytes.isEmpty { bytes.append(0x20) }
        for (index, place) in places.enumerated() {
            bytes += index == 0 ? "m ".utf8 : index == 1 ? " l ".utf8 : " ".utf8
            bytes += String(place.x).utf8
            bytes.append(0x20)
            bytes += String(place.y).utf8
        }
    }

    /// A coordinate in units, cut to where areas are still counted exactly.
    private static func place(_ value: Double) -> Int { Int(inRange: min(max(value.rounded(), -1e8), 1e8)) }

    /// Twice the area, above 0 for a polygon that turns clockwise as seen.
    private static func area(_ places: [SIMD2<Int>]) -> Int {
        var sum = 0
        var last = places[places.count - 1]
        for place in places {
            sum += last.x * place.y - last.y * place.x
            last = place
        }
        return sum
    }
}

/// A half plane that is cut off, behind a line.
struct HalfPlane {
    var point: Point
    /// Unit normal that points to what is cut off.
    var normal: Point
}

extension [Point] {
    /// The part of a polygon that a line leaves (Sutherland and Hodgman, “Reentrant polygon clipping”, 1974).
    func cut(by plane: HalfPlane) -> [Point] {
        guard var previous = last else { return [] }
        var kept: [Point] = []
        var before = (previous - plane.point).dot(plane.normal)
        for point in self {
            let now = (point - plane.point).dot(plane.normal)
            if (before <= 0) != (now <= 0) { kept.append(previous + (point - previous) * (before / (before - now))) }
            if now <= 0 { kept.append(point) }
            (previous, before) = (point, now)
        }
        return kept
    }
}
