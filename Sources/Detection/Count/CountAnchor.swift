/// The anchor: the point of a thing whose way is followed.
enum CountAnchor: String, CaseIterable, Sendable {
    case bottom, center, top, left, right

    /// The anchor's place: pixels counted as those of a box, from the picture's edges on. nil for what has no place.
    func point(of observation: Observation) -> Point? {
        if let box = observation.box { return point(of: box) }
        // Corners are pixel centres.
        return observation.polygon.flatMap(Box.init(around:)).map { point(of: $0) + Point(0.5, 0.5) }
    }

    /// The anchor of a box.
    /// - Parameter box: Its numbers as they stand in a track file.
    func point(of box: Box) -> Point {
        switch self {
        case .bottom: Point(box.center.x, box.bottom)
        case .center: box.center
        case .top: Point(box.center.x, box.y)
        case .left: Point(box.x, box.center.y)
        case .right: Point(box.right, box.center.y)
        }
    }
}
