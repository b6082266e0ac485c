/// Pairs rows with columns so that the weights of the pairs add up to the most; nobody has to be paired.
///
/// Shortest augmenting paths (Jonker and Volgenant, 1987) over the pairs that there are: the cost is that of the rows and
/// columns that hang together, not of all.
public enum SparseAssignment {
    /// The assignment with the largest sum of weights.
    /// - Parameter rows: For each row, the columns that it can be paired with, from 0, and their weights, over 0.
    /// - Returns: Each row's column; nil for a row that stays alone.
    public static func solve(_ rows: [[(column: Int, weight: Double)]]) -> [Int?] {
        var solver = Solver(rows)
        for row in rows.indices { solver.place(row) }
        var columns = [Int?](repeating: nil, count: rows.count)
        for (column, row) in solver.owner where column >= 0 { columns[row] = column }
        return columns
    }

    private struct Solver {
        /// How a column was reached from the row that is to be placed.
        struct Reach {
            var distance: Double
            /// The column whose row it was reached from; nil for the row itself.
            var from: Int?
        }

        let rows: [[(column: Int, weight: Double)]]
        var owner: [Int: Int] = [:]
        var rowPrice: [Double]
        var columnPrice: [Int: Double] = [:]

        init(_ rows: [[(column: Int, weight: Double)]]) {
            // A column of its own, which nobody else can have and is worth nothing: to stay alone.
            self.rows = rows.enumerated().map { row, pairs in pairs + [(-1 - row, 0)] }
            rowPrice = [Double](repeating: 0, count: rows.count)
        }

        /// Finds the cheapest place for a row, others making room.
        mutating func place(_ row: Int) {
            var reached: [Int: Reach] = [:]
            var settled: Set<Int> = []
            var last: Int?
            while true {
                let current = last.flatMap { owner[$0] } ?? row
                for (column, weight) in rows[current] where !settled.contains(column) {
                    let distance = -weight - rowPrice[current] - columnPrice[column, default: 0]
                    if distance < reached[column]?.distance ?? .infinity {
                        reached[column] = Reach(distance: distance, from: last)
                    }
                }
                // The same of several alike, whatever a dictionary's order.
                let nearest = reached.filter { !settled.contains($0.key) }
                    .min { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }
                // A row's own column is always within reach.
                guard let (column, reach) = nearest else { return }
                rowPrice[row] += reach.distance
                for other in settled {
                    if let owner = owner[other] { rowPrice[owner] += reach.distance }
                    columnPrice[other, default: 0] -= reach.distance
                }
                for other in reached.keys where !settled.contains(other) {
                    reached[other]?.distance -= reach.distance
                }
                settled.insert(column)
                last = column
                if owner[column] == nil { break }
            }
            while let column = last {
                let from = reached[column]?.from
                owner[column] = from.flatMap { owner[$0] } ?? row
                last = from
            }
        }
    }
}
