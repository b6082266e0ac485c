/// A line from one point to another, and on which of its sides others lie.
///
/// No point lies on it: every one is taken as if it were moved by (ε, ε²), ε being positive and smaller than any number, as
/// are the points of a path. So a path that goes exactly through the end that two lines share crosses one of them, and a
/// path along a line doesn't cross it (Edelsbrunner and Mücke, “Simulation of simplicity”, 1990).
struct DirectedLine: Sendable, Hashable {
    var from: Point
    var to: Point

    init(_ from: Point, _ to: Point) { (self.from, self.to) = (from, to) }

    /// Whether a point lies to the right of the arrow, as it is drawn on a picture, whose y runs downwards.
    func hasOnRight(_ point: Point) -> Bool {
        let side = cross(point)
        if side != 0 { return side > 0 }
        let way = to - from
        return way.y != 0 ? way.y < 0 : way.x > 0
    }

    /// The place at which a straight way from one point to another meets the line between its two ends.
    /// - Returns: The share of the way before it, 0…1; nil where it doesn't.
    func meeting(of way: DirectedLine) -> Double? {
        guard let share = change(of: way), way.hasOnRight(end: from) != way.hasOnRight(end: to) else { return nil }
        return share
    }

    /// The place at which a straight way changes the side of the line, which has no ends for this.
    /// - Returns: The share of the way before it, 0…1; nil where it stays on one side.
    func change(of way: DirectedLine) -> Double? {
        guard hasOnRight(way.from) != hasOnRight(way.to) else { return nil }
        let (before, after) = (abs(cross(way.from)), abs(cross(way.to)))
        return before + after > 0 ? before / (before + after) : 1
    }

    /// The distance of a point from the line, which has no ends for this, pixels.
    func distance(to point: Point) -> Double {
        let length = (to - from).length
        return length > 0 ? abs(cross(point)) / length : from.distance(to: point)
    }

    /// The distance of a point from the line between its ends, pixels.
    func distanceWithinEnds(to point: Point) -> Double {
        let way = to - from
        let square = way.dot(way)
        guard square > 0 else { return from.distance(to: point) }
        let share = min(max((point - from).dot(way) / square, 0), 1)
        return (from + way * share).distance(to: point)
    }

    /// The side of a point that isn't moved while the line is: a line's end beside a way.
    private func hasOnRight(end: Point) -> Bool {
        let side = cross(end)
        if side != 0 { return side > 0 }
        let way = to - from
        return way.y != 0 ? way.y > 0 : way.x < 0
    }

    /// Twice the area of the triangle with a point: positive to the right.
    private func cross(_ point: Point) -> Double { (to - from).cross(point - from) }
}
