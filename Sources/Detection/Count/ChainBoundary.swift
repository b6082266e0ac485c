internal import Glibc

/// Lines of a job that share ends, from one end to the other: one boundary, whatever trembles through a joint.
///
/// Past both ends it goes straight on, where nobody crosses it, and round about the picture far away: so its right is the
/// inside of a polygon.
struct ChainBoundary: Boundary {
    /// A line of a job in a chain.
    struct Member: Sendable, Hashable {
        /// Its index.
        var line: Int
        /// Whether its arrow goes against the chain.
        var isTurned: Bool
    }

    private let lines: [DirectedLine]
    /// From the far end of the way before the first line to that of the way behind the last one.
    private let sides: [DirectedLine]
    private let inside: ZoneBoundary

    /// Pixels: farther than any picture reaches.
    private static let far = 1e7

    /// - Parameter lines: Each begins where the one before it ends.
    /// - Returns: nil for lines that meet anywhere else, or whose ways past the ends do: they have no two sides.
    init?(_ lines: [DirectedLine]) {
        guard let first = lines.first, let last = lines.last,
            let (start, end) = Self.way(first.to, first.from).flatMap({ start in
                Self.way(last.from, last.to).map { (start, $0) }
            })
        else { return nil }
        let (before, behind) = (first.from + start * Self.far, last.to + end * Self.far)
        sides = [DirectedLine(before, first.from)] + lines + [DirectedLine(last.to, behind)]
        for (index, side) in sides.enumerated() {
            for other in sides.dropFirst(index + 2) where Self.meet(side, other) { return nil }
        }
        self.lines = lines
        // Round about on the right, which is where angles grow: y runs downwards.
        let from = atan2(end.y, end.x)
        var turn = atan2(start.y, start.x) - from
        // Ends that run the same way, as those of a U, leave it open which side is inside: its lines count each for itself.
        guard abs(turn.remainder(dividingBy: 2 * .pi)) > 0.01 else { return nil }
        if turn <= 0 { turn += 2 * .pi }
        let steps = max(2, Int((turn / 0.5).rounded(.up)))
        let middle = first.from
        let arc = (1..<steps).map { step in
            let angle = from + turn * Double(step) / Double(steps)
            return middle + Point(cos(angle), sin(angle)) * Self.far
        }
        inside = ZoneBoundary(sides.map(\.from) + [behind] + arc)
    }

    /// The direction from one point to another, of length 1; nil where they are one.
    private static func way(_ from: Point, _ to: Point) -> Point? {
        let way = to - from
        return way.length > 0 ? way * (1 / way.length) : nil
    }

    private static func meet(_ one: DirectedLine, _ other: DirectedLine) -> Bool {
        one.meeting(of: other) != nil || one.distanceWithinEnds(to: other.from) == 0
            || one.distanceWithinEnds(to: other.to) == 0
    }

    func side(of point: Point) -> Bool { inside.side(of: point) }

    func changes(of way: DirectedLine) -> [SideChange] {
        let met = sides.enumerated().compactMap { place, side in
            side.meeting(of: way).map { share in
                SideChange(
                    share: share, isMet: lines.indices.contains(place - 1),
                    member: min(max(place - 1, 0), lines.count - 1))
            }
        }.sorted { $0.share < $1.share }
        let (from, to) = (side(of: way.from), side(of: way.to))
        guard met.count.isMultiple(of: 2) != (from == to) else { return met }
        // Numbers are too coarse to tell, by a hair's breadth from a corner: the ends' sides hold.
        return from == to ? [] : [met.first ?? SideChange(share: 1, isMet: true)]
    }

    func distance(to point: Point) -> Double {
        sides.map { $0.distanceWithinEnds(to: point) }.min() ?? .infinity
    }

    func bounds(of tremble: PathTremble) -> TrembleBounds? {
        let all = lines.compactMap { LineBoundary(line: $0).bounds(of: tremble) }
        guard all.count == lines.count, let first = all.first else { return nil }
        return all.dropFirst().reduce(first) { $0.joined(with: $1) }
    }

    // MARK: Which lines make chains

    /// Puts lines together that share an end with one other line.
    /// - Returns: Boundaries with their lines, each line once.
    static func chains(of lines: [DirectedLine]) -> [(boundary: any Boundary, members: [Member])] {
        var ends: [Point: [Int]] = [:]
        for (index, line) in lines.enumerated() where line.from != line.to {
            ends[line.from, default: []].append(index)
            ends[line.to, default: []].append(index)
        }
        /// The line at the other side of a joint.
        func next(_ index: Int, at end: Point) -> Int? {
            guard let here = ends[end], here.count == 2 else { return nil }
            return here[0] == index ? here[1] : here[0]
        }
        var found: [(boundary: any Boundary, members: [Member])] = []
        var isTaken: Set<Int> = []
        for index in lines.indices where !isTaken.contains(index) {
            var members = [Member(line: index, isTurned: false)]
            isTaken.insert(index)
            var isRound = false
            // On from its arrow's end, then back from its beginning.
            for isBehind in [true, false] {
                var (at, end) = (index, isBehind ? lines[index].to : lines[index].from)
                while !isRound, let other = next(at, at: end) {
                    guard other != index else {
                        isRound = true
                        break
                    }
                    isTaken.insert(other)
                    let begins = lines[other].from == end
                    let member = Member(line: other, isTurned: begins != isBehind)
                    members.insert(member, at: isBehind ? members.count : 0)
                    (at, end) = (other, begins ? lines[other].to : lines[other].from)
                }
            }
            let way = members.map { member in
                let line = lines[member.line]
                return member.isTurned ? DirectedLine(line.to, line.from) : line
            }
            if members.count > 1, !isRound, let chain = ChainBoundary(way) {
                found.append((chain, members))
            } else {
                found += members.map {
                    (LineBoundary(line: lines[$0.line]), [Member(line: $0.line, isTurned: false)])
                }
            }
        }
        return found
    }
}
