internal import Glibc

/// Reads a score for every class at every place.
struct DenseDecoder {
    let form: DetectorReading.DenseForm
    let input: (width: Float, height: Float)

    func candidates(
        _ outputs: [TensorView], _ limits: ScoreLimits, _ reading: DetectorReading
    ) throws -> DetectionCandidates {
        guard let boxes = ItemTable(outputs[form.box.output], form.box),
            let scores = ItemTable(outputs[form.scores.output], form.scores),
            boxes.items == scores.items, boxes.numbers >= form.box.offset + 4,
            scores.numbers >= form.scores.offset + form.count
        else { return DetectionCandidates() }
        var found = DetectionCandidates()
        let angles = reading.angle.flatMap { slot in
            ItemTable(outputs[slot.output], slot).flatMap { $0.items == boxes.items ? ($0, slot.offset) : nil }
        }
        let places = GridPlaces(form.coding, input)
        func add(_ item: Int, _ label: Int, _ score: Float) {
            var candidate = box(boxes, item, places)
            candidate.score = score
            candidate.label = Int32(label - form.skippedBefore)
            if let (angles, offset) = angles {
                candidate.angle = angles.base[item * angles.itemStep + offset * angles.numberStep]
            }
            found.add(candidate, limits)
        }
        if form.activation == .softmax {
            readDistributions(scores, limits, add)
        } else if form.hasSeveral {
            readSeveral(scores, limits, add)
        } else if scores.itemStep == 1, scores.numberStep != 1 {
            readColumns(scores, limits, add)
        } else {
            readRows(scores, limits, add)
        }
        return found
    }

    /// The range of class columns that mean something.
    private var columns: Range<Int> {
        let first = form.scores.offset + form.skippedBefore
        return first..<max(first, form.scores.offset + form.count - form.skippedBehind)
    }

    /// The score of an item as it stands in the output that is as good as this one.
    private func raw(_ score: Float) -> Float {
        form.activation == .sigmoid ? logf(max(score, 1e-6) / max(1 - score, 1e-6)) : score
    }

    private func score(_ raw: Float) -> Float { form.activation == .sigmoid ? sigmoid(raw) : raw }

    // MARK: Loops over scores

    /// Items one after another: most are left by their objectness or their best score alone.
    private func readRows(_ table: ItemTable, _ limits: ScoreLimits, _ add: (Int, Int, Float) -> Void) {
        let (columns, least) = (columns, raw(limits.floor))
        for item in 0..<table.items {
            let row = table.base + item * table.itemStep
            var factor: Float = 1
            if let objectness = form.objectness {
                factor = row[objectness.offset]
                if !(factor >= limits.floor) { continue }
            }
            let first = row + columns.lowerBound
            let best = Self.maximum(first, columns.count)
            guard best >= least else { continue }
            let score = factor * score(best)
            guard score >= limits.floor, let label = (0..<columns.count).first(where: { first[$0] == best }) else {
                continue
            }
            add(item, label + form.skippedBefore, score)
        }
    }

    /// The largest of some numbers; NaN is no number.
    private static func maximum(_ values: UnsafePointer<Float>, _ count: Int) -> Float {
        var index = 0
        var best = -Float.infinity
        if count >= 8 {
            var lanes = SIMD8<Float>(repeating: -.infinity)
            while index + 8 <= count {
                let next = UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
                lanes.replace(with: next, where: next .> lanes)
                index += 8
            }
            best = lanes.max()
        }
        while index < count {
            if values[index] > best { best = values[index] }
            index += 1
        }
        return best
    }

    /// Class after class for all items, as the numbers lie.
    private func readColumns(_ table: ItemTable, _ limits: ScoreLimits, _ add: (Int, Int, Float) -> Void) {
        let (columns, least, items) = (columns, raw(limits.floor), table.items)
        guard !columns.isEmpty, items > 0 else { return }
        let objectness = form.objectness.map { table.base + $0.offset * table.numberStep }
        let first = table.base + columns.lowerBound * table.numberStep
        BestClasses.find(first, classes: columns.count, step: table.numberStep, items: items) { best, labels in
            for item in 0..<items where best[item] >= least {
                let score = score(best[item]) * (objectness?[item] ?? 1)
                if score >= limits.floor { add(item, Int(labels[item]) + form.skippedBefore, score) }
            }
        }
    }

    /// Every class of every item, as detectors with a focal loss mean it.
    private func readSeveral(_ table: ItemTable, _ limits: ScoreLimits, _ add: (Int, Int, Float) -> Void) {
        let (columns, least) = (columns, raw(limits.floor))
        for item in 0..<table.items {
            let row = table.base + item * table.itemStep
            for column in columns where row[column * table.numberStep] >= least {
                let score = score(row[column * table.numberStep])
                if score >= limits.floor { add(item, column - form.scores.offset, score) }
            }
        }
    }

    /// Scores that a softmax over all columns gives, those of no class included.
    private func readDistributions(_ table: ItemTable, _ limits: ScoreLimits, _ add: (Int, Int, Float) -> Void) {
        let all = form.scores.offset..<(form.scores.offset + form.count)
        let columns = columns
        for item in 0..<table.items {
            let row = table.base + item * table.itemStep
            guard let peak = all.map({ row[$0 * table.numberStep] }).max(), peak.isFinite,
                let best = columns.max(by: { row[$0 * table.numberStep] < row[$1 * table.numberStep] })
            else { continue }
            let sum = all.reduce(Float(0)) { $0 + expf(row[$1 * table.numberStep] - peak) }
            let score = expf(row[best * table.numberStep] - peak) / sum
            if score >= limits.floor { add(item, best - form.scores.offset, score) }
        }
    }

    // MARK: Boxes

    private func box(_ table: ItemTable, _ item: Int, _ places: GridPlaces?) -> DetectionCandidate {
        let first = table.base + item * table.itemStep + form.box.offset * table.numberStep
        let step = table.numberStep
        var (a, b, c, d) = (first[0], first[step], first[2 * step], first[3 * step])
        if let places {
            let cell = places.cell(item)
            (a, b) = ((a + cell.column) * cell.stride, (b + cell.row) * cell.stride)
            (c, d) = (expf(c) * cell.stride, expf(d) * cell.stride)
        }
        return boxed(a, b, c, d, form.coding, form.isNormalized ? input : (1, 1), item)
    }
}

/// A box from its four numbers.
func boxed(
    _ a: Float, _ b: Float, _ c: Float, _ d: Float, _ coding: DetectorReading.Coding,
    _ unit: (width: Float, height: Float), _ item: Int
) -> DetectionCandidate {
    var box: DetectionCandidate
    switch coding {
    case .corners:
        box = DetectionCandidate(left: a, top: b, right: c, bottom: d, score: 0, label: 0, item: Int32(item))
    case .cornersByRow:
        box = DetectionCandidate(left: b, top: a, right: d, bottom: c, score: 0, label: 0, item: Int32(item))
    case .centerAndSize, .grid:
        box = DetectionCandidate(
            left: a - c / 2, top: b - d / 2, right: a + c / 2, bottom: b + d / 2, score: 0, label: 0, item: Int32(item))
    }
    box.left *= unit.width
    box.right *= unit.width
    box.top *= unit.height
    box.bottom *= unit.height
    return box
}

/// Which cell an item belongs to, in grids of several strides one after another, by rows.
struct GridPlaces {
    private var grids: [(first: Int, columns: Int, stride: Int)] = []

    init?(_ coding: DetectorReading.Coding, _ input: (width: Float, height: Float)) {
        guard case .grid(let strides) = coding else { return nil }
        var first = 0
        for stride in strides {
            let (columns, rows) = GridPlaces.cells(input, stride)
            grids.append((first, columns, stride))
            first += columns * rows
        }
    }

    /// How many cells of a stride the input has.
    static func cells(_ input: (width: Float, height: Float), _ stride: Int) -> (columns: Int, rows: Int) {
        ((Int(input.width) + stride - 1) / stride, (Int(input.height) + stride - 1) / stride)
    }

    func cell(_ item: Int) -> (column: Float, row: Float, stride: Float) {
        guard let grid = grids.last(where: { $0.first <= item }) else { return (0, 0, 1) }
        let cell = item - grid.first
        return (Float(cell % grid.columns), Float(cell / grid.columns), Float(grid.stride))
    }
}
