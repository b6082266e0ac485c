/// A part of a data set.
enum Subset: String, CaseIterable, Sendable {
    case train, val, test
}

/// Which clip of a data set is for what. A clip is for one thing, and so are all clips of one video: their pictures are much alike.
struct DataSetSplit {
    /// The parts that have a share, also one that no clip is left for.
    let subsets: [Subset]
    /// A sentence on parts for which no clip is left; nil for none.
    let note: String?
    private var places: [String: Subset] = [:]

    /// - Parameters:
    ///   - groups: Ids of the clips, those of one video together.
    ///   - shares: For training, validation and tests; any numbers, their sum is all.
    ///   - seed: Another one gives another order.
    init(_ groups: [[String]], shares: [Double], seed: Int) {
        let parts = zip(Subset.allCases, shares).filter { $0.1 > 0 }
        subsets = parts.isEmpty ? [.train] : parts.map(\.0)
        let all = groups.reduce(0) { $0 + $1.count }
        var left = Self.counts(of: all, parts.map(\.1))
        let shuffled = groups.map { (SHA256.hash(Array("\(seed)\n\($0[0])".utf8)), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        var own: [[[String]]] = subsets.map { _ in [] }
        func put(_ group: [String], in place: Int) {
            left[place] -= group.count
            own[place].append(group)
        }
        // The largest first, while all parts lack much; of those as large in their order.
        let together = shuffled.enumerated().filter { $0.element.count > 1 }.sorted {
            ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }
        for (_, group) in together { put(group, in: Self.most(of: left)) }
        let alone = shuffled.filter { $0.count == 1 }
        // What one part has too much of the others lack alike.
        if left.contains(where: { $0 < 0 }) { left = Self.rest(of: alone.count, left) }
        for group in alone { put(group, in: left.firstIndex { $0 > 0 } ?? Self.most(of: left)) }
        // A large group may have taken the last room of another part.
        for place in own.indices where own[place].isEmpty && groups.count >= own.count {
            guard let most = own.indices.max(by: { own[$0].count < own[$1].count }),
                let least = own[most].indices.min(by: { own[most][$0].count < own[most][$1].count })
            else { continue }
            own[place].append(own[most].remove(at: least))
        }
        for (subset, groups) in zip(subsets, own) { for id in groups.joined() { places[id] = subset } }
        let without = zip(subsets, own).filter(\.1.isEmpty).map { "\($0.0)" }
        let videos = groups.count == 1 ? "one video" : "\(groups.count) videos"
        note =
            without.isEmpty || all == 0
            ? nil
            : all < subsets.count
                ? "no clip is left for \(without.joined(separator: " and ")): there are pictures of \(all == 1 ? "one clip" : "\(all) clips")"
                : "no clip is left for \(without.joined(separator: " and ")): clips of one video stay together, and all are of \(videos)"
    }

    subscript(id: String) -> Subset { places[id] ?? .train }

    /// The part that lacks most, of those that lack as much the first one.
    private static func most(of left: [Int]) -> Int {
        left.indices.max { (left[$0], $1) < (left[$1], $0) } ?? left.startIndex
    }

    /// So many clips in the place of all that the parts lack, in proportion.
    private static func rest(of all: Int, _ left: [Int]) -> [Int] {
        let places = left.indices.filter { left[$0] > 0 }
        var rest = left.map { min($0, 0) }
        for (place, count) in zip(places, counts(of: all, places.map { Double(left[$0]) })) { rest[place] = count }
        return rest
    }

    /// Clips of each part: the shares' whole numbers, the rest to the largest remainders; one for each where there are as many.
    private static func counts(of all: Int, _ shares: [Double]) -> [Int] {
        guard !shares.isEmpty else { return [all] }
        let sum = shares.reduce(0, +)
        let exact = shares.map { $0 / sum * Double(all) }
        // 30 × 0.8 is a little less than 24.
        var counts = exact.map { Int(($0 + 1e-9).rounded(.down)) }
        let byRest = exact.indices.sorted {
            let (a, b) = (exact[$0] - Double(counts[$0]), exact[$1] - Double(counts[$1]))
            return a > b + 1e-9 || abs(a - b) <= 1e-9 && $0 < $1
        }
        var left = all - counts.reduce(0, +)
        for index in byRest where left > 0 {
            counts[index] += 1
            left -= 1
        }
        guard all >= counts.count else { return counts }
        for index in counts.indices where counts[index] == 0 {
            guard let largest = counts.indices.max(by: { counts[$0] < counts[$1] }) else { continue }
            counts[largest] -= 1
            counts[index] += 1
        }
        return counts
    }
}
