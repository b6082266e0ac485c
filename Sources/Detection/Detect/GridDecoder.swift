internal import Glibc

/// Reads distances to a box's sides, each a distribution over bins (Li et al., “Generalized Focal Loss”, 2020).
struct GridDecoder {
    let form: DetectorReading.GridForm
    let input: (width: Float, height: Float)

    /// The numbers of one grid's cells.
    private struct Cells {
        let base: UnsafePointer<Float>
        let cellStep: Int
        let numberStep: Int

        init?(_ outputs: [TensorView], _ map: DetectorReading.GridForm.Map, cells: Int, numbers: Int) {
            let output = outputs[map.output]
            var shape = output.shape
            while shape.count > (map.isPlanar ? 3 : 2), shape.first == 1 { shape.removeFirst() }
            guard let base = output.values.baseAddress, shape.count == (map.isPlanar ? 3 : 2) else { return nil }
            let (there, per) = map.isPlanar ? (shape[1] * shape[2], shape[0]) : (shape[0], shape[1])
            guard there >= map.skipped + cells, per >= map.offset + numbers,
                output.values.count >= there * per
            else { return nil }
            (cellStep, numberStep) = map.isPlanar ? (1, there) : (per, 1)
            self.base = base + map.skipped * cellStep + map.offset * numberStep
        }
    }

    func candidates(_ outputs: [TensorView], _ limits: ScoreLimits) throws -> DetectionCandidates {
        var found = DetectionCandidates()
        var first = 0
        let least = form.isLogit ? logf(max(limits.floor, 1e-6) / max(1 - limits.floor, 1e-6)) : limits.floor
        for level in form.levels {
            let (columns, rows) = GridPlaces.cells(input, level.stride)
            let count = columns * rows
            guard let scores = Cells(outputs, level.scores, cells: count, numbers: form.count),
                let distances = Cells(outputs, level.distances, cells: count, numbers: 4 * form.bins)
            else {
                throw InferenceError(
                    "its outputs have not the cells of an input of \(Int(input.width))×\(Int(input.height))")
            }
            for cell in 0..<count {
                let own = scores.base + cell * scores.cellStep
                var (best, label) = (own[0], 0)
                for index in 1..<max(1, form.count) where own[index * scores.numberStep] > best {
                    (best, label) = (own[index * scores.numberStep], index)
                }
                guard best >= least else { continue }
                let x = (Float(cell % columns) + form.origin) * Float(level.stride)
                let y = (Float(cell / columns) + form.origin) * Float(level.stride)
                let sides = (0..<4).map { side in
                    let start = distances.base + cell * distances.cellStep + side * form.bins * distances.numberStep
                    return mean(start, distances.numberStep) * Float(level.stride)
                }
                found.add(
                    DetectionCandidate(
                        left: x - sides[0], top: y - sides[1], right: x + sides[2], bottom: y + sides[3],
                        score: form.isLogit ? sigmoid(best) : best, label: Int32(label), item: Int32(first + cell)),
                    limits)
            }
            first += count
        }
        return found
    }

    /// The mean bin of a distribution, of which there are the logarithms.
    private func mean(_ values: UnsafePointer<Float>, _ step: Int) -> Float {
        var peak = values[0]
        for bin in 1..<max(1, form.bins) { peak = max(peak, values[bin * step]) }
        var (sum, moment): (Float, Float) = (0, 0)
        for bin in 0..<form.bins {
            let weight = expf(values[bin * step] - peak)
            sum += weight
            moment += weight * Float(bin)
        }
        return moment / sum
    }
}

/// Reads FastestDet's grid, as the `handle_preds` of its repository does.
struct FastestDecoder {
    let input: (width: Float, height: Float)

    func candidates(_ output: TensorView, _ limits: ScoreLimits) throws -> DetectionCandidates {
        var found = DetectionCandidates()
        var shape = output.shape
        while shape.count > 3, shape.first == 1 { shape.removeFirst() }
        guard shape.count == 3, shape[0] > 5, let base = output.values.baseAddress else { return found }
        let (classes, rows, columns) = (shape[0] - 5, shape[1], shape[2])
        let cells = rows * columns
        BestClasses.find(base + 5 * cells, classes: classes, step: cells, items: cells) { best, labels in
            for cell in 0..<cells {
                // Even the surest class makes no more of it than its root, which its square tells sooner than powers do.
                let thing = max(0, base[cell])
                guard thing >= limits.floor * limits.floor else { continue }
                let score = powf(thing, 0.6) * powf(max(0, best[cell]), 0.4)
                guard score >= limits.floor else { continue }
                func number(_ index: Int) -> Float { base[index * cells + cell] }
                let x = (tanhf(number(1)) + Float(cell % columns)) / Float(columns)
                let y = (tanhf(number(2)) + Float(cell / columns)) / Float(rows)
                var candidate = boxed(x, y, sigmoid(number(3)), sigmoid(number(4)), .centerAndSize, input, cell)
                candidate.score = score
                candidate.label = labels[cell]
                found.add(candidate, limits)
            }
        }
        return found
    }
}
