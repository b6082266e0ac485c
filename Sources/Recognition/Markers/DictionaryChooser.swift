internal import Glibc

/// Finds out which one dictionary a video's markers are of.
///
/// Each clean reading (no bit corrected, a border without a fault) tells for its dictionary by as many bits as it is unlikely
/// in a quad of random cells: cells − log₂(4 · markers) — 26 for 6×6 with 250, 8 for 4×4 with 50. Where one place reads in
/// several, the least likely reading counts alone: a 6×6 marker that looks like a 4×4 one is no 4×4 one. Every further frame
/// that shows an id adds half as much, since what misleads once often misleads again. Of many places that have a marker's
/// border some read as something by chance: each reading tells by as much less as there are more such places to one of it.
struct DictionaryChooser {
    /// Dictionaries that share their codes, the smaller being the first of the larger.
    struct Family {
        /// Names and sizes, the smallest first.
        var members: [(name: String, count: Int)]
        /// Cells of a code.
        var cells: Int

        /// Evidence of one reading, bits.
        func weight(_ member: Int) -> Double { Double(cells) - log2(4 * Double(members[member].count)) }

        /// The smallest that has an id.
        func member(holding id: Int) -> Int { members.firstIndex { id < $0.count } ?? members.count - 1 }
    }

    /// A marker that was read cleanly.
    struct Reading: Sendable {
        var family: Int
        var id: Int
        var corners: [Point]
    }

    /// The readings of one frame.
    struct Sight: Sendable {
        var readings: [Reading] = []
        /// How many places have a marker's border and none of the codes, by family.
        var unread: [Int] = []
    }

    struct Choice {
        var name: String
        /// Different ids that were seen.
        var ids: [Int]
        var frames: Int
        var bits: Double
        /// The next best dictionary, and how many ids of it were seen.
        var rival: (name: String, ids: Int)?
    }

    /// Evidence that a choice needs, bits: the chance of it being wrong is some 2⁻¹⁶ a quad.
    static let enough = 16.0
    /// Evidence that a choice needs in a photo, which has one frame to tell by, bits: from 2⁻⁸ on.
    static let enoughForStill = 8.0
    /// Evidence by which a choice has to lead, bits.
    private static let lead = 8.0

    let families: [Family]
    private var sightings: [[Int: Int]]
    /// Readings, and places that could have been one, in all frames, by family.
    private var tries: [(read: Int, unread: Int)]
    private(set) var frames = 0

    init(_ families: [Family]) {
        self.families = families
        sightings = families.map { _ in [:] }
        tries = families.map { _ in (0, 0) }
    }

    mutating func add(_ sight: Sight) {
        frames += 1
        for (family, count) in sight.unread.enumerated() { tries[family].unread += count }
        // What another explains was a try as well.
        for reading in sight.readings { tries[reading.family].unread += 1 }
        for reading in Self.leastLikely(sight.readings, families) {
            sightings[reading.family][reading.id, default: 0] += 1
            tries[reading.family].read += 1
            tries[reading.family].unread -= 1
        }
    }

    /// Of readings at one place the one that chance would make the least often.
    private static func leastLikely(_ readings: [Reading], _ families: [Family]) -> [Reading] {
        func weight(_ reading: Reading) -> Double {
            families[reading.family].weight(families[reading.family].member(holding: reading.id))
        }
        let sorted = readings.enumerated().sorted { a, b in
            let (p, q) = (weight(a.element), weight(b.element))
            return p != q ? p > q : a.offset < b.offset
        }.map(\.element)
        var kept: [Reading] = []
        for reading in sorted
        where !kept.contains(where: { overlap($0.corners, reading.corners) }) { kept.append(reading) }
        return kept
    }

    /// Whether two quads overlap: no marker lies on another.
    private static func overlap(_ a: [Point], _ b: [Point]) -> Bool {
        guard let a = Box(around: a), let b = Box(around: b), let shared = a.intersection(b) else { return false }
        return shared.area > 0.2 * min(a.area, b.area)
    }

    /// Evidence for a family: its smallest member that holds the ids, which ones they are, and how much it is.
    private func evidence(_ family: Int) -> Choice? {
        let seen = sightings[family]
        // Ids that were seen far less often than others are slips.
        let most = seen.values.max() ?? 0
        let ids = seen.filter { $0.value * 4 >= most }.keys.sorted()
        guard let last = ids.last else { return nil }
        let kind = families[family], member = kind.member(holding: last)
        let places = Double(tries[family].read + tries[family].unread) / Double(max(1, tries[family].read))
        let weight = max(0, kind.weight(member) - log2(places))
        let bits = ids.reduce(0) { sum, id in sum + weight * (1 + 0.5 * Double((seen[id] ?? 1) - 1)) }
        return Choice(name: kind.members[member].name, ids: ids, frames: most, bits: bits)
    }

    /// The best so far, whether it is enough or not; nil where nothing was read.
    var best: Choice? {
        let all = families.indices.compactMap { family in evidence(family).map { (family, $0) } }
        guard
            var best = all.max(by: { a, b in a.1.bits != b.1.bits ? a.1.bits < b.1.bits : a.0 > b.0 })
        else { return nil }
        best.1.rival = all.filter { $0.0 != best.0 }.max { $0.1.bits < $1.1.bits }.map { ($0.1.name, $0.1.ids.count) }
        return best.1
    }

    /// The dictionary, once enough tells for one and for no other.
    func choice(isStill: Bool) -> Choice? {
        guard let best, best.bits >= (isStill ? Self.enoughForStill : Self.enough) else { return nil }
        let second = families.indices.compactMap { evidence($0) }.filter { $0.name != best.name }.map(\.bits).max() ?? 0
        return best.bits - second >= (isStill ? Self.lead / 2 : Self.lead) ? best : nil
    }
}
