/// A place in the picture as shown: pixels, origin at the top left, x right, y down; integer coordinates are pixel
/// centres, as in OpenCV.
public struct Point: Sendable, Hashable {
    /// Pixels to the right of the centre of the leftmost column.
    public var x: Double
    /// Pixels below the centre of the topmost row.
    public var y: Double

    /// A point, or a vector, by its coordinates in pixels.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// A point moved by a vector, or the sum of two vectors.
    public static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    /// The vector from the second point to the first, or the difference of two vectors.
    public static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    /// A vector, or a point's distance from the origin, scaled in both directions alike.
    public static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }

    /// The z component of the cross product of two vectors.
    public func cross(_ other: Point) -> Double { x * other.y - y * other.x }
    /// The dot product of two vectors.
    public func dot(_ other: Point) -> Double { x * other.x + y * other.y }
    /// The length of the vector, pixels.
    public var length: Double { (x * x + y * y).squareRoot() }
    /// The distance between two points, pixels.
    public func distance(to other: Point) -> Double { (self - other).length }
}

/// An upright box: left, top, width and height in pixels. A box of width 1 at x = 3 covers the pixel column 3.
public struct Box: Sendable, Hashable {
    /// Left edge, pixels.
    public var x: Double
    /// Top edge, pixels.
    public var y: Double
    /// Width, pixels.
    public var width: Double
    /// Height, pixels.
    public var height: Double

    /// A box by its upper left corner and its size, pixels; nothing is checked.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The smallest box around some points; nil for none.
    public init?(around points: [Point]) {
        guard let first = points.first else { return nil }
        var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
        for point in points.dropFirst() {
            left = min(left, point.x)
            right = max(right, point.x)
            top = min(top, point.y)
            bottom = max(bottom, point.y)
        }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// How near the picture's edge something comes and goes without doubt, of its own size.
    private static let edge = 0.5

    /// Whether what lies here may have come over the picture's edge, or go over it.
    package func isNearEdge(of size: PictureSize) -> Bool {
        let room = (x: width * Self.edge, y: height * Self.edge)
        return x <= room.x || y <= room.y || right >= Double(size.width) - room.x
            || bottom >= Double(size.height) - room.y
    }

    /// Right edge, pixels.
    public var right: Double { x + width }
    /// Bottom edge, pixels.
    public var bottom: Double { y + height }
    /// Middle, in the coordinates of the edges: where these count from the picture's edge, half a pixel more each way
    /// than a `Point` of pixel centres.
    public var center: Point { Point(x + width / 2, y + height / 2) }
    /// Area, square pixels.
    public var area: Double { width * height }

    /// The corners, clockwise from the top left.
    public var corners: [Point] { [Point(x, y), Point(right, y), Point(right, bottom), Point(x, bottom)] }

    /// The part that both boxes cover; nil where they have none in common.
    public func intersection(_ other: Box) -> Box? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (w, h) = (min(right, other.right) - left, min(bottom, other.bottom) - top)
        return w > 0 && h > 0 ? Box(x: left, y: top, width: w, height: h) : nil
    }

    /// The smallest box around both.
    package func joined(_ other: Box) -> Box {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Box(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    /// Intersection over union, 0…1.
    public func intersectionOverUnion(_ other: Box) -> Double {
        guard let common = intersection(other)?.area else { return 0 }
        return common / (area + other.area - common)
    }
}
