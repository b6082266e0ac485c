/// What can be known of a detector before it sees a picture: what its file says, and what it gives for one that is made up.
struct DetectorEvidence: Sendable {
    var outputs: [InferenceModel.Port]
    var inputs: [InferenceModel.Port]
    /// Of a run on a picture of `width` × `height`.
    var runs: [InferenceModel.Output]
    var width: Int
    var height: Int
    var metadata: NetworkMetadata
    /// How many names the manifest or the model gives.
    var names: Int?
    /// Whether it is TensorFlow Lite's file.
    var isLite = false
    /// Outputs that are left out of the readings.
    var ignored: Set<Int> = []

    /// The outputs that are to be read, in the file's order.
    var considered: [Int] { outputs.indices.filter { !ignored.contains($0) } }

    /// What TensorFlow's detection graphs give beside their things: these before suppression, and all scores of each.
    private static let besides = ["raw_detection_", "detection_anchor_indices", "detection_multiclass_scores"]

    /// The same without what stands beside things that have names of their own.
    var withoutBesides: DetectorEvidence {
        let named = outputs.indices.filter { isNamed($0, Self.besides) }
        guard !named.isEmpty else { return self }
        let rest = outputs.indices.filter { !named.contains($0) }
        let hasThings = ["detection_boxes", "detection_scores", "detection_classes"].allSatisfy { part in
            rest.contains { isNamed($0, [part]) }
        }
        var fewer = self
        if hasThings { fewer.ignored.formUnion(named) }
        return fewer
    }

    /// `output0 f32 [1,84,8400], output1 f32 [1,32,160,160]`
    var described: String { outputs.map { "\($0.name) \($0)" }.joined(separator: ", ") }

    // MARK: Shapes

    /// Rows and columns of an output that is a table.
    func table(_ output: Int) -> (rows: Int, columns: Int)? {
        let shape = runs[output].shape
        guard (2...4).contains(shape.count) else { return nil }
        // A picture for each class or so is no table.
        if shape.count == 4, shape[0] != 1 || (shape[1] != 1 && shape[2] != 1) { return nil }
        if shape.count == 3, shape[0] != 1 { return nil }
        let dimensions = ItemTable.dimensions(shape)
        return dimensions.count == 2 ? (dimensions[0], dimensions[1]) : nil
    }

    /// The length of an output that is a list of numbers.
    func list(_ output: Int) -> Int? {
        let (shape, declared) = (runs[output].shape, outputs[output].shape)
        // A table of things of which one was there.
        if declared.count == 2, declared[0] < 0, (4...7).contains(declared[1]) { return nil }
        switch shape.count {
        case 1: return shape[0]
        case 2 where shape[0] == 1: return shape[1]
        case 2 where shape[1] == 1: return shape[0]
        case 3 where shape[0] == 1 && shape[2] == 1: return shape[1]
        default: return nil
        }
    }

    /// How many places or things an output has numbers of; nil for few, as other dimensions may be.
    func places(_ output: Int) -> Int? {
        let count =
            planes(output).map { $0.rows * $0.columns } ?? list(output)
            ?? table(output).map { max($0.rows, $0.columns) } ?? 0
        return count > 16 ? count : nil
    }

    /// Channels, rows and columns of an output that is a stack of pictures.
    func planes(_ output: Int) -> (channels: Int, rows: Int, columns: Int)? {
        let shape = runs[output].shape
        guard shape.count == 4, shape[0] == 1, shape[1...].allSatisfy({ $0 > 1 }) else { return nil }
        return (shape[1], shape[2], shape[3])
    }

    func cells(_ stride: Int) -> Int {
        let (columns, rows) = GridPlaces.cells((Float(width), Float(height)), stride)
        return columns * rows
    }

    func cells(_ strides: [Int]) -> Int { strides.reduce(0) { $0 + cells($1) } }

    /// The strides that detectors have grids of.
    static let grids = [
        [8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [8, 16, 32, 64, 128], [16, 32],
    ]

    /// The strides of the grids that have this many cells altogether.
    func grid(of count: Int) -> [Int]? { Self.grids.first { cells($0) == count } }

    // MARK: A look

    /// What values one number of all items has.
    struct Range {
        var least = Float.infinity
        var most = -Float.infinity
        var isWhole = true
        var (count, negatives) = (0, 0)
        var isEmpty: Bool { least > most }

        /// Whether they may be probabilities.
        var isShare: Bool { isEmpty || least >= -0.001 && most <= 1.001 }

        /// Whether they may be widths or heights: where there is nothing, some networks give a few below 0.
        var isSize: Bool { 10 * negatives <= count }
    }

    func range(_ slot: DetectorReading.Slot) -> Range { ranges(slot, slot.offset..<slot.offset + 1)[0] }

    func ranges(_ slot: DetectorReading.Slot, _ numbers: Swift.Range<Int>) -> [Range] {
        withTable(slot) { table in
            numbers.map { number in
                var range = Range()
                guard let table, number < table.numbers else { return range }
                for item in 0..<table.items {
                    let value = table.base[item * table.itemStep + number * table.numberStep]
                    range.least = min(range.least, value)
                    range.most = max(range.most, value)
                    range.count += 1
                    if value < 0 { range.negatives += 1 }
                    if value != value.rounded() { range.isWhole = false }
                }
                return range
            }
        }
    }

    /// Whether a table is a picture of the input, or one of as many of its pixels along both sides.
    func isPicture(_ output: Int) -> Bool {
        guard let (rows, columns) = table(output), rows > 7, columns > 7, height % rows == 0, width % columns == 0,
            height / rows == width / columns
        else { return false }
        // Of three dimensions, things may be as many as pixels by chance.
        let (scale, isPlane) = (height / rows, runs[output].shape.count == 4 && runs[output].shape[..<2] == [1, 1])
        return isPlane ? scale <= 32 : scale <= 2
    }

    /// Whether the numbers of every item, of a table's row or of a place in a stack of pictures, are probabilities that add up
    /// to 1: those of one thing that is this or that.
    func areDistributions(_ output: Int) -> Bool {
        let run = runs[output]
        let (numbers, step, places): (Int, Int, [Int])
        if let planes = planes(output) {
            let cells = planes.rows * planes.columns
            (numbers, step, places) = (planes.channels, cells, Array(0..<cells))
        } else if let (rows, columns) = table(output) {
            (numbers, step, places) = (columns, 1, (0..<rows).map { $0 * columns })
        } else {
            return false
        }
        guard numbers > 1, !places.isEmpty, run.values.count >= numbers * places.count else { return false }
        return places.allSatisfy { place in
            let sum = (0..<numbers).reduce(Float(0)) { $0 + run.values[place + $1 * step] }
            return abs(sum - 1) < 0.01
        }
    }

    func withTable<Result>(_ slot: DetectorReading.Slot, _ body: (ItemTable?) -> Result) -> Result {
        let run = runs[slot.output]
        return run.values.withUnsafeBufferPointer { body(ItemTable(TensorView(values: $0, shape: run.shape), slot)) }
    }

    /// Whether four numbers of all items can be shares of the input; nil where nothing tells.
    func areNormalized(_ box: DetectorReading.Slot) -> Bool? {
        let ranges = ranges(box, box.offset..<box.offset + 4).filter { !$0.isEmpty }
        guard let most = ranges.map({ max($0.most, -$0.least) }).max(), most > 0 else { return nil }
        return most <= 2
    }

    /// Whether nearly all boxes go from their top left to their bottom right.
    func areCorners(_ box: DetectorReading.Slot) -> Bool {
        withTable(box) { table in
            guard let table, table.items > 0 else { return true }
            let odd = (0..<table.items).count { item in
                let first = table.base + item * table.itemStep + box.offset * table.numberStep
                return first[2 * table.numberStep] < first[0] || first[3 * table.numberStep] < first[table.numberStep]
            }
            return Double(odd) <= 0.01 * Double(table.items)
        }
    }

    // MARK: Names

    func name(_ output: Int) -> String { outputs[output].name.lowercased() }

    func isNamed(_ output: Int, _ parts: [String]) -> Bool { parts.contains { name(output).contains($0) } }

    /// Whether one of the inputs beside the picture has such a name.
    func hasInput(_ parts: [String]) -> Bool {
        inputs.contains { input in parts.contains { input.name.lowercased().contains($0) } }
    }

    func isInteger(_ output: Int) -> Bool {
        ["i64", "i32", "i16", "i8", "u8", "u16", "u32", "u64"].contains(outputs[output].element)
    }
}
