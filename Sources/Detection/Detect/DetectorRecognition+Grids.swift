/// Readings of outputs of which there are as many for each grid of cells.
extension DetectorRecognition {
    private typealias Map = DetectorReading.GridForm.Map

    func grids() -> [Guess] {
        let outputs = evidence.considered
        guard outputs.count > 1 else { return [] }
        for strides in DetectorEvidence.grids + [[8, 16], [16, 32, 64], [8, 16, 32, 64]] {
            let one = outputs.count == strides.count ? together(strides) : []
            if !one.isEmpty { return one }
            // Rockchip's exports have the classes' sum beside them.
            let sums = outputs.count == 3 * strides.count ? self.sums(strides) : []
            if outputs.count - sums.count == 2 * strides.count, let guesses = paired(strides, without: sums) {
                return guesses.map { guess in
                    var guess = guess
                    guess.besides = Set(sums)
                    return guess
                }
            }
        }
        return []
    }

    /// Cells of an output's grid and the numbers of each.
    private func grid(_ output: Int) -> (cells: Int, numbers: Int, isPlanar: Bool)? {
        if let planes = evidence.planes(output) { return (planes.rows * planes.columns, planes.channels, true) }
        let shape = evidence.runs[output].shape
        if shape.count == 4, shape[..<2] == [1, 1], shape[2] > 1, shape[3] > 1 {
            return (shape[2] * shape[3], 1, true)
        }
        return evidence.table(output).map { ($0.rows, $0.columns, false) }
    }

    /// The last output with a single number for each of a grid's cells, for each of some grids that has one.
    private func sums(_ strides: [Int]) -> [Int] {
        strides.compactMap { stride in
            evidence.considered.last { output in
                grid(output).map { $0.cells == evidence.cells(stride) && $0.numbers == 1 } ?? false
            }
        }
    }

    private func range(_ output: Int, _ numbers: Range<Int>, _ isPlanar: Bool) -> DetectorEvidence.Range {
        let run = evidence.runs[output]
        guard let (cells, all, _) = grid(output) else { return DetectorEvidence.Range() }
        var range = DetectorEvidence.Range()
        for cell in 0..<cells {
            for number in numbers {
                let value = run.values[isPlanar ? number * cells + cell : cell * all + number]
                range.least = min(range.least, value)
                range.most = max(range.most, value)
            }
        }
        return range
    }

    /// Scores in one output, distances in another.
    private func paired(_ strides: [Int], without sums: [Int]) -> [Guess]? {
        var pairs: [(Int, Int)] = []
        for stride in strides {
            let own = evidence.considered.filter {
                grid($0)?.cells == evidence.cells(stride) && !sums.contains($0)
            }
            guard own.count == 2 else { return nil }
            pairs.append((own[0], own[1]))
        }
        /// Whether the outputs that come second have the distances.
        func guess(_ isSecond: Bool) -> Guess? {
            var (levels, bins, classes, isPlausible) = ([DetectorReading.GridForm.Level](), 0, 0, true)
            var isLogit = false
            for (stride, pair) in zip(strides, pairs) {
                let sorted = isSorted(pair) == isSecond ? pair : (pair.1, pair.0)
                guard let scores = grid(sorted.0), let distances = grid(sorted.1), distances.numbers % 4 == 0,
                    distances.numbers >= 8, bins == 0 || bins == distances.numbers / 4,
                    classes == 0 || classes == scores.numbers
                else { return nil }
                (bins, classes) = (distances.numbers / 4, scores.numbers)
                if !range(sorted.0, 0..<classes, scores.isPlanar).isShare { isLogit = true }
                if ![8, 16].contains(bins) && evidence.names != classes { isPlausible = false }
                if range(sorted.1, 0..<4 * bins, distances.isPlanar).isShare { isPlausible = false }
                levels.append(
                    DetectorReading.GridForm.Level(
                        stride: stride, scores: Map(output: sorted.0, isPlanar: scores.isPlanar),
                        distances: Map(output: sorted.1, isPlanar: distances.isPlanar)))
            }
            let layout: DetectorLayout = bins == 16 ? .yolov8Heads : .nanodet
            return reading(
                layout, levels, bins, classes, isLogit: isLogit, isPlausible,
                "for each of \(strides.count) strides, classes and \(bins) bins a side")
        }
        return [guess(true), guess(false)].compactMap(\.self)
    }

    /// Whether the pair stands in the order in which all pairs are looked at: fewer numbers first, or the order of the file.
    private func isSorted(_ pair: (Int, Int)) -> Bool {
        let (first, second) = (grid(pair.0)?.numbers ?? 0, grid(pair.1)?.numbers ?? 0)
        return first == second ? true : first < second
    }

    /// What grids are refused for that have boxes as shares of anchors, whose sizes no file says; nil for others.
    var anchorsNote: String? {
        let outputs = evidence.considered
        let areGrids =
            outputs.count > 1
            && outputs.allSatisfy { output in
                let shape = evidence.runs[output].shape
                if shape.count == 5 { return shape.contains(3) && shape[4] > 5 }
                return evidence.planes(output).map { hasAnchors($0.channels) || hasAnchors($0.columns) } ?? false
            }
        // Of any number of classes, where nobody says how many there are.
        let channels = outputs.compactMap { evidence.planes($0)?.channels }
        let areAlike =
            evidence.names == nil && evidence.metadata.task == nil && outputs.count > 1
            && channels.count == outputs.count && Set(channels).count == 1 && channels[0] % 3 == 0 && channels[0] > 15
            && DetectorEvidence.grids.contains { grid in
                outputs.allSatisfy { output in
                    evidence.planes(output).map { planes in
                        grid.contains { evidence.cells($0) == planes.rows * planes.columns }
                    } ?? false
                }
            }
        return areGrids || areAlike
            ? "its outputs are \(evidence.described), grids of three anchors a cell, and the anchors' sizes are not in the "
                + "file; expected an export whose boxes are decoded: [1,N,5+classes]"
            : nil
    }

    /// Whether so many numbers of a cell are those of three anchors: of as many classes as there are names, or of COCO's.
    private func hasAnchors(_ numbers: Int) -> Bool {
        numbers % 3 == 0 && numbers / 3 - 5 == evidence.names ?? 80 && evidence.metadata.task == nil
    }

    /// YOLOv8's heads: distances of 16 bins, then classes.
    private func together(_ strides: [Int]) -> [Guess] {
        var (levels, classes, areShares) = ([DetectorReading.GridForm.Level](), 0, true)
        for stride in strides {
            let own = evidence.considered.filter { grid($0)?.cells == evidence.cells(stride) }
            guard own.count == 1, let map = grid(own[0]), map.isPlanar, map.numbers > 64,
                classes == 0 || classes == map.numbers - 64, !hasAnchors(map.numbers)
            else { return [] }
            classes = map.numbers - 64
            if !range(own[0], 64..<map.numbers, true).isShare { areShares = false }
            levels.append(
                DetectorReading.GridForm.Level(
                    stride: stride, scores: Map(output: own[0], offset: 64, isPlanar: true),
                    distances: Map(output: own[0], isPlanar: true)))
        }
        return [
            reading(
                .yolov8Heads, levels, 16, classes, isLogit: !areShares, true,
                "for each of \(strides.count) strides, 16 bins a side and classes")
        ]
    }

    private func reading(
        _ layout: DetectorLayout, _ levels: [DetectorReading.GridForm.Level], _ bins: Int, _ classes: Int,
        isLogit: Bool, _ isPlausible: Bool, _ reason: String
    ) -> Guess {
        let form = DetectorReading.GridForm(
            levels: levels, bins: bins, count: classes, origin: 0.5, isLogit: isLogit)
        return Guess(
            reading: DetectorReading(
                layout: layout, form: .grids(form), classes: classes, isRaw: true, reasons: ["shape", reason]),
            isPlausible: isPlausible)
    }
}
