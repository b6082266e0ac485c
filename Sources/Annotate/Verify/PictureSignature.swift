/// What a picture looks like in a few numbers, to tell whether two videos show the same: the mean luma of 16 × 9 blocks.
struct PictureSignature {
    static let columns = 16, rows = 9
    /// Empty for pictures smaller than that.
    private var means: [Float] = []

    /// Blocks of a picture, true where something was drawn.
    struct Blocks {
        /// Room for a label of usual length, pixels.
        private static let label = (width: 120.0, height: 48.0)

        private(set) var isDrawn = [Bool](repeating: false, count: columns * rows)

        /// Where a sidecar's line has observations: their boxes with room for labels, and wide around what stands on
        /// something.
        init(of line: JSONNode, width: Int, height: Int) {
            guard width > 0, height > 0 else { return }
            for observation in line["observations"]?.elements ?? [] {
                var points = ["polygon", "landmarks"].flatMap { observation[$0]?.elements ?? [] }.map(Self.numbers)
                if let point = observation["point"] { points.append(Self.numbers(point)) }
                if let box = observation["box"].map(Self.numbers), box.count == 4 {
                    points += [[box[0], box[1]], [box[0] + box[2], box[1] + box[3]]]
                }
                points = points.filter { $0.count == 2 }
                guard let left = points.map({ $0[0] }).min(), let right = points.map({ $0[0] }).max(),
                    let top = points.map({ $0[1] }).min(), let bottom = points.map({ $0[1] }).max()
                else { continue }
                let margin = observation["pose"] == nil ? 0.3 : 1.5
                let room = margin * max(right - left, bottom - top)
                let (across, down) = (room + Self.label.width, room + Self.label.height)
                mark(
                    (left - across) / Double(width), (right + across) / Double(width), (top - down) / Double(height),
                    (bottom + down) / Double(height))
            }
        }

        private static func numbers(_ node: JSONNode) -> [Double] { node.elements?.compactMap(\.number) ?? [] }

        private mutating func mark(_ left: Double, _ right: Double, _ top: Double, _ bottom: Double) {
            func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
                let first = Int(max(0, min(low, 1)) * Double(count))
                return first..<max(first, min(count, Int((max(0, min(high, 1)) * Double(count)).rounded(.up))))
            }
            for row in range(top, bottom, rows) {
                for column in range(left, right, columns) { isDrawn[row * columns + column] = true }
            }
        }
    }

    init(_ frame: VideoFrame) {
        guard frame.width >= Self.columns, frame.height >= Self.rows else { return }
        means.reserveCapacity(Self.columns * Self.rows)
        frame.withLuma { luma in
            for row in 0..<Self.rows {
                for column in 0..<Self.columns {
                    let (left, right) = (column * luma.width / Self.columns, (column + 1) * luma.width / Self.columns)
                    let (top, bottom) = (row * luma.height / Self.rows, (row + 1) * luma.height / Self.rows)
                    var sum = 0, count = 0
                    // Some rows and columns of a large picture tell enough.
                    let (down, across) = (max(1, (bottom - top) / 16), max(1, (right - left) / 16))
                    for y in stride(from: top, to: bottom, by: down) {
                        let line = luma.base + y * luma.stride
                        for x in stride(from: left, to: right, by: across) {
                            sum += Int(line[x])
                            count += 1
                        }
                    }
                    means.append(Float(sum) / Float(count))
                }
            }
        }
    }

    /// True where two pictures can't be the same, whatever brightness and contrast they were given on the way, and however
    /// coarsely they were encoded.
    func isOther(than other: PictureSignature, besides drawn: Blocks) -> Bool {
        guard means.count == other.means.count, !means.isEmpty else { return false }
        let open = means.indices.filter { !drawn.isDrawn[$0] }
        // Too little that was left alone tells nothing.
        guard open.count >= 36 else { return false }
        func centred(_ values: [Float]) -> (values: [Float], spread: Float) {
            let mean = open.reduce(Float(0)) { $0 + values[$1] } / Float(open.count)
            let centred = open.map { values[$0] - mean }
            return (centred, (centred.reduce(0) { $0 + $1 * $1 } / Float(open.count)).squareRoot())
        }
        let (a, b) = (centred(means), centred(other.means))
        // Pictures without contrast can't be told apart but from such with some.
        guard max(a.spread, b.spread) >= 8 else { return false }
        guard min(a.spread, b.spread) >= 2 else { return true }
        let product = zip(a.values, b.values).reduce(Float(0)) { $0 + $1.0 * $1.1 } / Float(open.count)
        return product / (a.spread * b.spread) < 0.6
    }
}
