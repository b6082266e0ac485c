/// A thing that a `TrackBook` can track: something with a place in the picture.
public protocol Trackable {
    /// The place that its motion is measured by, pixels.
    var center: Point { get }
    /// The same thing elsewhere: all of it moved by a vector, pixels.
    func moved(by way: Point) -> Self
}

/// A thing whose place is a polygon, pixels.
public protocol PolygonTrackable: Trackable {
    /// Corners, pixels.
    var polygon: [Point] { get set }
}

extension PolygonTrackable {
    /// The mean of the corners.
    public var center: Point { polygon.reduce(Point(0, 0), +) * (1 / Double(max(1, polygon.count))) }

    public func moved(by way: Point) -> Self {
        var moved = self
        moved.polygon = polygon.map { $0 + way }
        return moved
    }
}

extension Box: Trackable {
    public func moved(by way: Point) -> Box { Box(x: x + way.x, y: y + way.y, width: width, height: height) }
}
