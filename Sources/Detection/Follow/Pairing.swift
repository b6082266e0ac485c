/// Pairs detections with tracks so that most speaks for the pairs together, and says which pairs might be others as well.
struct Pairing {
    /// Each row's column.
    let columns: [Int?]
    private let rows: [[(column: Int, weight: Double)]]
    private var rowOf: [Int: Int] = [:]

    /// - Parameter rows: For each detection the tracks that it may be of, and what speaks for each, nats; pairs for which less
    ///   than nothing speaks aren't made.
    init(_ rows: [[(column: Int, weight: Double)]]) {
        self.rows = rows
        columns = SparseAssignment.solve(rows.map { $0.filter { $0.weight > 0 } })
        for (row, column) in columns.enumerated() {
            if let column { rowOf[column] = row }
        }
    }

    /// How much more speaks for a row's pair than for the best change of it: with another track, or another detection.
    /// - Parameter isRival: Whether a track may be the other one.
    func margin(of row: Int, isRival: (_ column: Int) -> Bool) -> Double {
        guard let column = columns[row], let own = weight(row, column) else { return .infinity }
        var least = Double.infinity
        for (other, weight) in rows[row] where other != column && isRival(other) {
            guard let rival = rowOf[other] else {
                least = min(least, own - weight)
                continue
            }
            // Both change.
            let swapped = weight + max(self.weight(rival, column) ?? 0, 0)
            least = min(least, own + (self.weight(rival, other) ?? 0) - swapped)
        }
        for other in rows.indices where other != row && columns[other] == nil {
            if let weight = weight(other, column) { least = min(least, own - weight) }
        }
        return least
    }

    /// What speaks for a pair; nil where it can't be.
    func weight(_ row: Int, _ column: Int) -> Double? { rows[row].first { $0.column == column }?.weight }
}
