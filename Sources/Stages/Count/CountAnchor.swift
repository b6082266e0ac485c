internal import Annotate

/// The point of a thing whose way is followed.
enum CountAnchor: String, CaseIterable, Sendable {
    case bottom, center, top, left, right

    /// - Parameter box: Around the thing: its numbers as they stand in a track file.
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
