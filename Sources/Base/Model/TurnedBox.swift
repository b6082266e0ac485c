internal import Glibc

/// A box that is turned about its middle.
public struct TurnedBox: Sendable, Hashable {
    /// Middle, pixels; integer coordinates are pixel centres.
    public var center: Point
    /// Width: pixels along the first side, which points to the right at 0°.
    public var width: Double
    /// Height: pixels along the second side, which points down at 0°.
    public var height: Double
    /// Angle, degrees clockwise in the picture.
    public var angle: Double

    /// A box by its middle and size, pixels, and its angle, degrees clockwise; nothing is checked.
    public init(center: Point, width: Double, height: Double, angle: Double) {
        self.center = center
        self.width = width
        self.height = height
        self.angle = angle
    }

    /// The turned box with these corners, or nearly.
    ///
    /// - Parameters:
    ///   - corners: Clockwise from the one that is the top left at 0°.
    ///   - angle: The first side's when left out.
    /// - Returns: nil for other than four corners.
    public init?(corners: [Point], angle: Double? = nil) {
        guard corners.count == 4 else { return nil }
        let across = (corners[1] - corners[0] + corners[2] - corners[3]) * 0.5
        let down = (corners[3] - corners[0] + corners[2] - corners[1]) * 0.5
        self.init(
            center: corners.reduce(Point(0, 0), +) * 0.25, width: across.length, height: down.length,
            angle: angle ?? atan2(across.y, across.x) * 180 / .pi)
    }

    /// The corners, clockwise from the one that is the top left at 0°.
    public var corners: [Point] {
        let radians = angle * .pi / 180
        let across = Point(cos(radians), sin(radians)) * (width / 2)
        let down = Point(-sin(radians), cos(radians)) * (height / 2)
        return [center - across - down, center + across - down, center + across + down, center - across + down]
    }

    /// The same box, not turned.
    public var upright: Box { Box(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height) }
}
