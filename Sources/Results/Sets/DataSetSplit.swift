/// A part of a data set.
enum Subset: String, CaseIterable, Sendable {
    case train, val, test
}

/// Which clip of a data set is for what. A clip is for one thing: its pictures are much alike.
struct DataSetSplit {
    /// The parts that have a share, also one that no clip is left for.
    let subsets: [Subset]
    private var places: [String: Subset] = [:]

    /// - Parameters:
    ///   - shares: For training, validation and tests; any numbers, their sum is all.
    ///   - seed: Another one gives another order.
    init(_ ids: [String], shares: [Double], seed: Int) {
        let parts = zip(Subset.allCases, shares).filter { $0.1 > 0 }
        subsets = parts.isEmpty ? [.train] : parts.map(\.0)
        let counts = Self.counts(of: ids.count, parts.map(\.1))
        let shuffled = ids.map { (SHA256.hash(Array("\(seed)\n\($0)".utf8)), $0) }.sorted { $0 < $1 }.map(\.1)
        var rest = shuffled[...]
        for (subset, count) in zip(subsets, counts) {
            for id in rest.prefix(count) { places[id] = subset }
            rest = rest.dropFirst(count)
        }
    }

    subscript(id: String) -> Subset { places[id] ?? .train }

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
