/// A point of a path: where a thing's anchor was seen.
struct PathPoint: Sendable, Hashable {
    var point: Point
    /// Time, seconds.
    var time: Double
    /// Number of the frame.
    var frame: Int
}

/// The history of the sides of one boundary that a thing has been on, and which changes of side count.
///
/// A path is a sequence of stays, now on one side and now on the other. A stay counts when it has lasted for `hold`,
/// and goes deeper than the path trembles or has been seen often enough not to be chance. Whatever lies between two
/// stays that count is trembling: between different sides it is one change, at the last moment of it; between the same
/// side twice it is none, unless the path has gone right through a zone. A path's first and last stay needn't last:
/// nobody saw them whole.
struct SideHistory: Sendable {
    /// A change of side on a path.
    struct Change: Sendable, Hashable {
        var point: Point
        /// Time, seconds, between the two frames.
        var time: Double
        /// The first frame with the thing beyond.
        var frame: Int
        var isMet: Bool
        /// Which line of a chain it was at.
        var member = 0
    }

    /// A change that counts.
    enum Event: Sendable, Hashable {
        /// - Parameter since: The beginning of the stay on the other side.
        case changed(to: Bool, Change, since: Double)
        /// Passed: in and out again at once.
        case passed(into: Change, out: Change)
    }

    private struct Stay {
        var side: Bool
        /// The change that it began with; nil for the path's beginning.
        var begin: Change?
        /// The point that was seen of it first.
        var first: PathPoint?
        var last: PathPoint?
        /// The largest distance from the boundary, and the sum of all.
        var depth = 0.0
        var depths = 0.0
        var sightings = 0
        var counts = false
    }

    private let boundary: any Boundary
    private let isZone: Bool
    private let hold: Double
    /// The side of the last stay that counts.
    private(set) var side: Bool
    /// Time at which the last stay that counts began, seconds.
    private(set) var since: Double
    /// Whether the last stay that counts is the path's first one.
    private var isFirst = true
    private var stay: Stay
    /// The last point of the last stay that counts.
    private var left: PathPoint
    /// That stay: how deep it went, and how often it was seen.
    private var before: Stay
    /// The last stay on the other side since then.
    private var visit: (into: Change, out: Change)?

    /// Standard deviations of its trembling that a path goes beyond where it doesn't only tremble; the same where it
    /// ends; and where it is all that tells that a path came from the other side.
    fileprivate enum Depth: Double {
        case within = 4
        case atEnd = 3
        case alone = 8

        /// The same of the mean of a stay's places, in deviations of a mean; nil where it doesn't tell.
        var ofMean: Double? {
            switch self {
            case .within: 5
            case .atEnd: 3
            case .alone: nil
            }
        }
    }

    /// Sightings in a row on one side that are no trembling; more where it has a longer breath than a frame.
    private static let enough = 20.0
    /// Seconds by which times may be off: they come from ticks as coarse as a microsecond.
    private static let tick = 1e-6
    /// Pixels: who comes no nearer to a side than that stands on the boundary itself, and on neither side.
    private static let onBoundary = 1e-6

    init(_ boundary: any Boundary, isZone: Bool, hold: Double, at point: PathPoint) {
        (self.boundary, self.isZone, self.hold) = (boundary, isZone, hold)
        side = boundary.side(of: point.point)
        since = point.time
        left = point
        stay = Stay(side: side, first: point, counts: true)
        before = stay
        see(point)
        before = stay
    }

    /// The first frame about which more may be told: nil where all is.
    var openFrame: Int? {
        guard !stay.counts else { return nil }
        if stay.side != side { return stay.begin?.frame }
        return isZone && !side ? visit?.into.frame : nil
    }

    /// Goes on to a point.
    mutating func go(from: PathPoint, to: PathPoint, tremble: PathTremble) -> [Event] {
        var events: [Event] = []
        let changes = boundary.changes(of: DirectedLine(from.point, to.point))
        if changes.isEmpty { leave(from, to) }
        for change in changes {
            let point = from.point + (to.point - from.point) * change.share
            let time = from.time + (to.time - from.time) * change.share
            events += settle(at: time, tremble)
            let end = Change(
                point: point, time: time, frame: to.frame, isMet: change.isMet, member: change.member)
            if stay.counts {
                (left, before) = (stay.last ?? from, stay)
            } else if stay.side != side, let begin = stay.begin {
                visit = (begin, end)
            }
            stay = Stay(side: !stay.side, begin: end)
        }
        see(to)
        return events + settle(at: to.time, tremble)
    }

    /// Ends the path: what it was at last counts, however short it was.
    mutating func end(tremble: PathTremble) -> [Event] {
        guard !stay.counts, stay.sightings > 0, stay.depth > Self.onBoundary else { return [] }
        let bounds = boundary.bounds(of: tremble)
        guard isClear(stay, bounds, .atEnd) else { return [] }
        return take(isFounded: isFounded(bounds, .atEnd) || isDeep(stay, bounds, .within))
    }

    /// A stay on the very boundary is none on either side: that on the other side begins where the path leaves it.
    private mutating func leave(_ from: PathPoint, _ to: PathPoint) {
        guard !stay.counts, stay.begin != nil, stay.sightings > 0, stay.depth <= Self.onBoundary,
            boundary.distance(to: to.point) > Self.onBoundary
        else { return }
        // Come straight from the other side, it goes through it where it is left.
        let through = boundary.changes(of: DirectedLine(from.point * 2 - to.point, to.point))
        stay.begin = Change(
            point: from.point, time: from.time, frame: to.frame, isMet: through.first?.isMet ?? true,
            member: through.first?.member ?? stay.begin?.member ?? 0)
    }

    private mutating func see(_ point: PathPoint) {
        if stay.first == nil { stay.first = point }
        stay.last = point
        stay.sightings += 1
        let distance = boundary.distance(to: point.point)
        stay.depth = max(stay.depth, distance)
        stay.depths += distance
    }

    /// Takes the stay as one that counts, if it has lasted.
    private mutating func settle(at time: Double, _ tremble: PathTremble) -> [Event] {
        guard !stay.counts, let begin = stay.begin, time - begin.time >= hold - Self.tick,
            stay.depth > Self.onBoundary
        else { return [] }
        let bounds = boundary.bounds(of: tremble)
        guard isClear(stay, bounds, .within) else { return [] }
        if isFounded(bounds, .within) || isDeep(stay, bounds, .alone) { return take(isFounded: true) }
        return isLong(stay, bounds, .within) ? take(isFounded: false) : []
    }

    /// Whether the path was on the other side before. One that begins trembling on a line came from neither; who began in a
    /// zone was told of.
    private func isFounded(_ bounds: TrembleBounds?, _ depth: Depth) -> Bool {
        isZone || !isFirst || stay.side == side || isClear(before, bounds, depth)
    }

    private func isClear(_ stay: Stay, _ bounds: TrembleBounds?, _ depth: Depth) -> Bool {
        isLong(stay, bounds, depth) || isDeep(stay, bounds, depth)
    }

    /// Whether it has been seen too often in a row for trembling.
    private func isLong(_ stay: Stay, _ bounds: TrembleBounds?, _ depth: Depth) -> Bool {
        Double(stay.sightings) >= Self.enough * (bounds?.tremble(depth).breath ?? 1)
    }

    private func isDeep(_ stay: Stay, _ bounds: TrembleBounds?, _ depth: Depth) -> Bool {
        // At the end nothing more will be known of a short path.
        guard let tremble = bounds?.tremble(depth) else { return depth == .atEnd }
        if stay.depth >= depth.rawValue * tremble.deviation { return true }
        // Many places a little beyond say as much as one that lies far beyond, where each says something of its own.
        let root = (Double(stay.sightings) * tremble.breath).squareRoot()
        return depth.ofMean.map { stay.depths >= $0 * tremble.deviation * root } ?? false
    }

    /// Takes the stay as one that counts.
    private mutating func take(isFounded: Bool) -> [Event] {
        defer { visit = nil }
        stay.counts = true
        guard stay.side == side else {
            guard let begin = stay.begin else { return [] }
            defer { (side, since, isFirst) = (stay.side, begin.time, false) }
            return begin.isMet && isFounded ? [.changed(to: stay.side, begin, since: since)] : []
        }
        // Who only touches a corner was never in.
        guard isZone, !side, let visit, let first = stay.first,
            visit.into.point.distance(to: visit.out.point) > Self.onBoundary,
            boundary.changes(of: DirectedLine(left.point, first.point)).count > 1
        else { return [] }
        return [.passed(into: visit.into, out: visit.out)]
    }
}

extension TrembleBounds {
    /// Who is cut off at the end isn't asked for more than the path tells.
    fileprivate func tremble(_ depth: SideHistory.Depth) -> Tremble { depth == .atEnd ? least : most }
}
