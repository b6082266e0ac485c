import Testing

@testable import Annotate

@Suite struct SparseAssignmentTests {
    @Test(
        arguments: [
            ([[]], [nil]),
            ([[(0, 0.5)]], [0]),
            // The best pair isn't part of the best pairing.
            ([[(0, 0.9), (1, 0.8)], [(0, 0.85)]], [1, 0]),
            // One has to stay alone.
            ([[(0, 0.3)], [(0, 0.7)], [(0, 0.5)]], [nil, 0, nil]),
            // Others make room, one after the other.
            ([[(0, 5), (1, 4)], [(0, 5), (1, 4.5), (2, 1)], [(0, 5)]], [1, 2, 0] as [Int?]),
        ] as [([[(Int, Double)]], [Int?])])
    func smallOnes(rows: [[(Int, Double)]], columns: [Int?]) {
        #expect(SparseAssignment.solve(rows.map { $0.map { (column: $0.0, weight: $0.1) } }) == columns)
    }

    /// Against all pairings there are.
    @Test func theBestOfAll() {
        var random = SystemLikeRandom(state: 7)
        for _ in 0..<300 {
            let rows = (0..<4).map { _ in
                (0..<4).filter { _ in random.next() % 3 > 0 }
                    .map { (column: $0, weight: Double(random.next() % 1000 + 1) / 1000) }
            }
            let columns = SparseAssignment.solve(rows)
            let chosen = columns.compactMap(\.self)
            #expect(Set(chosen).count == chosen.count)
            let sum = zip(rows, columns).reduce(0.0) { sum, one in
                sum + (one.0.first { $0.column == one.1 }?.weight ?? 0)
            }
            #expect(abs(sum - best(rows[...], without: [])) < 1e-9)
        }
    }

    private func best(_ rows: ArraySlice<[(column: Int, weight: Double)]>, without taken: Set<Int>) -> Double {
        guard let row = rows.first else { return 0 }
        let rest = rows.dropFirst()
        return row.filter { !taken.contains($0.column) }
            .map { $0.weight + best(rest, without: taken.union([$0.column])) }
            .reduce(best(rest, without: taken), max)
    }
}

private struct SystemLikeRandom {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
