/// Readings of one table in which everything stands, and of pictures for masks beside it.
extension DetectorRecognition {
    typealias Slot = DetectorReading.Slot

    /// Pictures that masks are sums of.
    private struct Pictures {
        var output: Int
        var count: Int
        var isInterleaved: Bool
    }

    func tables() -> [Guess] {
        let outputs = evidence.considered
        let mains = outputs.filter { evidence.table($0) != nil && evidence.list($0) == nil }
        if outputs.count == 1 {
            if let planes = evidence.planes(outputs[0]) { return fastest(outputs[0], planes.channels) }
            return mains.first.map { plain($0) } ?? []
        }
        guard mains.count == 1, let main = mains.first else { return [] }
        // How many of the things count.
        if outputs.count == 2, let count = outputs.first(where: { $0 != main }), evidence.runs[count].values.count == 1,
            let (items, numbers) = evidence.table(main)
        {
            return endToEnd(main, numbers: numbers, items: items, count: count)
        }
        // Heads before they are decoded, which some exports have beside the table: YOLOv5's and 7's, and YOLOv8's.
        let heads = outputs.filter { $0 != main }
        if heads.allSatisfy({ evidence.runs[$0].shape.count == 5 }) || areHeads(heads, of: main) {
            return plain(main).map { guess in
                var guess = guess
                guess.besides = Set(heads)
                return guess
            }
        }
        return outputs.filter { $0 != main }.flatMap { output -> [Pictures] in
            guard let planes = evidence.planes(output) else { return [] }
            // They have the input's proportions.
            func isPicture(_ rows: Int, _ columns: Int) -> Bool { rows * evidence.width == columns * evidence.height }
            return [
                isPicture(planes.rows, planes.columns)
                    ? Pictures(output: output, count: planes.channels, isInterleaved: false) : nil,
                isPicture(planes.channels, planes.rows)
                    ? Pictures(output: output, count: planes.columns, isInterleaved: true) : nil,
            ].compactMap(\.self).filter { (1...256).contains($0.count) }
        }.flatMap { masked(main, $0) }
    }

    /// Whether outputs have a cell each for the places of a table: as many numbers of each, in a grid for each of its strides.
    private func areHeads(_ outputs: [Int], of main: Int) -> Bool {
        guard let (rows, columns) = evidence.table(main), let strides = evidence.grid(of: max(rows, columns)) else {
            return false
        }
        let grids = outputs.compactMap { evidence.planes($0) }
        return grids.count == strides.count && grids.count == outputs.count && Set(grids.map(\.channels)).count == 1
            && Set(grids.map { $0.rows * $0.columns }) == Set(strides.map { evidence.cells($0) })
    }

    private func plain(_ output: Int) -> [Guess] {
        // A picture, of depths say, and rows of probabilities, of signs say, have shares and sizes too.
        guard let (rows, columns) = evidence.table(output), !evidence.isPicture(output),
            !evidence.areDistributions(output)
        else { return [] }
        var guesses: [Guess] = []
        if columns >= 1, rows >= 5 { guesses += anchorFree(output, numbers: rows, items: columns, isColumn: true) }
        if columns >= 5 {
            guesses += anchorFree(output, numbers: columns, items: rows, isColumn: false)
            guesses += withObjectness(output, numbers: columns, items: rows)
            guesses += endToEnd(output, numbers: columns, items: rows)
            guesses += rows == 0 ? [] : nanodetPlus(output, numbers: columns, items: rows)
            guesses += decoded(output, numbers: columns, items: rows)
        }
        return guesses
    }

    // MARK: YOLOv8 and its kin

    /// How far-fetched a number of items is: none of the known grids has it.
    private func distance(_ items: Int, anchors: Int = 1) -> Int {
        items % anchors == 0 && evidence.grid(of: items / anchors) != nil && items > 0 ? 0 : 2
    }

    private func anchorFree(_ output: Int, numbers: Int, items: Int, isColumn: Bool) -> [Guess] {
        // The items are columns as a rule, and more than the numbers of each.
        let distance = distance(items) + (isColumn ? 0 : 1)
        guard distance < 2 || isColumn && items > numbers || items > 1000 || evidence.metadata.isUltralytics else {
            return []
        }
        let slot = Slot(output: output, offset: 0, isColumn: isColumn)
        let ranges = evidence.ranges(slot, 0..<numbers)
        let isNormalized = evidence.areNormalized(slot) ?? false
        // Three places a cell have an objectness.
        let isFree =
            isColumn ? distance < 2 || items > 1000 || items == 0 : distance < 2 || self.distance(items, anchors: 3) > 0
        // Nowhere in the picture is a thing twice as wide as it is far from the left.
        let areCorners = items > 100 && evidence.areCorners(slot)
        func guess(_ layout: DetectorLayout, _ classes: Int, _ isPlausible: Bool) -> Guess {
            var scores = slot
            scores.offset = 4
            let form = DetectorReading.DenseForm(
                box: slot, coding: .centerAndSize, isNormalized: isNormalized, scores: scores, count: classes)
            let sizes = ranges[2].isSize && ranges[3].isSize
            let odd = ranges[4..<4 + classes].first { !$0.isShare }
            var guess = Guess(
                reading: DetectorReading(
                    layout: layout, form: .dense(form), classes: classes, isRaw: true,
                    reasons: ["shape", isNormalized ? "boxes in shares of the input" : "boxes in the input's pixels"]),
                isPlausible: isPlausible && isFree && sizes && odd == nil && !areCorners, distance: distance)
            if isPlausible, isFree, sizes, !areCorners { guess.oddScores = odd }
            return guess
        }
        var guesses = [guess(.yolov8, numbers - 4, true)]
        if numbers > 5 {
            // Angles go from −45° to 135°: some of so many are no probabilities.
            var turned = guess(.yolov8Obb, numbers - 5, !ranges[numbers - 1].isShare || knows(task: "obb"))
            turned.reading.angle = Slot(output: output, offset: numbers - 1, isColumn: isColumn)
            let angles = ranges[numbers - 1]
            let areAngles = angles.isEmpty || angles.least >= -3.2 && angles.most <= 3.2
            // Some networks leave their range where they see nothing.
            if areAngles || knows(task: "obb") { guesses.append(turned) }
        }
        for (classes, points, each) in points(numbers - 4, Array(ranges[4...])) {
            var posed = guess(.yolov8Pose, classes, true)
            posed.reading.joints = DetectorReading.JointForm(
                slot: Slot(output: output, offset: 4 + classes, isColumn: isColumn), count: points, numbers: each,
                isNormalized: isNormalized)
            guesses.append(posed)
        }
        return guesses
    }

    private func knows(task: String) -> Bool { evidence.metadata.task == task }

    /// Classes, points and numbers of each that the numbers behind a box can be.
    private func points(_ count: Int, _ ranges: [DetectorEvidence.Range]) -> [(classes: Int, points: Int, each: Int)] {
        if let (points, each) = evidence.metadata.keyPoints {
            let classes = count - points * each
            return classes >= 1 ? [(classes, points, each)] : []
        }
        let first = ranges.firstIndex { !$0.isShare } ?? evidence.names.flatMap { $0 < count ? $0 : nil }
        guard let first, first >= 1, first < count else { return [] }
        let left = count - first
        let confidences = stride(from: first + 2, to: count, by: 3)
        if left % 3 == 0, confidences.allSatisfy({ ranges[$0].isShare }) { return [(first, left / 3, 3)] }
        return left % 2 == 0 ? [(first, left / 2, 2)] : []
    }

    // MARK: With an objectness

    private func withObjectness(_ output: Int, numbers: Int, items: Int) -> [Guess] {
        guard numbers >= 6 else { return [] }
        let slot = Slot(output: output, offset: 0)
        let ranges = evidence.ranges(slot, 0..<numbers)
        let shares = ranges[4...].allSatisfy(\.isShare)
        func guess(
            _ layout: DetectorLayout, _ coding: DetectorReading.Coding, _ isPlausible: Bool, _ distance: Int,
            _ reason: String
        ) -> Guess {
            let isGrid = if case .grid = coding { true } else { false }
            let isNormalized = !isGrid && evidence.areNormalized(slot) ?? false
            let form = DetectorReading.DenseForm(
                box: slot, coding: coding, isNormalized: isNormalized, objectness: Slot(output: output, offset: 4),
                scores: Slot(output: output, offset: 5), count: numbers - 5)
            return Guess(
                reading: DetectorReading(
                    layout: layout, form: .dense(form), classes: numbers - 5, isRaw: true, reasons: ["shape", reason]),
                isPlausible: isPlausible && shares, distance: distance)
        }
        let most = ranges[..<4].map { max($0.most, -$0.least) }.max() ?? 0
        // The logarithm of a size in strides, and a place in a cell, are small; places in the input are not.
        let isRaw = most <= 16
        let sizes = ranges[2].isEmpty || ranges[2].least >= 0 && ranges[3].least >= 0
        guard let strides = evidence.grid(of: items), items > 0 else {
            let distance = distance(items, anchors: 3)
            guard distance == 0 || items > 1000 else {
                // As many places as no grid has: it is for the manifest to say that they are some.
                return [guess(.yolov5, .centerAndSize, false, 4, "boxes in the input's pixels")]
            }
            let posed = points(numbers - 5, Array(ranges[5...])).filter { $0.each == 3 }.map { found in
                var posed = guess(.yolov7Pose, .centerAndSize, sizes, distance, "\(items) places, three a cell")
                posed.reading.joints = DetectorReading.JointForm(
                    slot: Slot(output: output, offset: 5 + found.classes), count: found.points, numbers: 3)
                posed.isPlausible = sizes && ranges[4..<5 + found.classes].allSatisfy(\.isShare)
                posed.reading.classes = found.classes
                if case .dense(var form) = posed.reading.form {
                    form.count = found.classes
                    posed.reading.form = .dense(form)
                }
                return posed
            }
            return [
                guess(.yolov5, .centerAndSize, sizes, distance, "\(items) places, three a cell")
            ] + posed
        }
        let isSure = !ranges[4].isEmpty && ranges[4].least > 0.999 && ranges[4].most < 1.001
        let places = "\(items) places, one a cell"
        return [
            // Without a logarithm below 0 they may as well be shares of the input.
            guess(.yolox, .grid(strides: strides), isRaw && !isSure, sizes ? 1 : 0, places + ", not decoded"),
            guess(.yoloxDecoded, .centerAndSize, !isRaw && !isSure && sizes, 1, places + ", decoded"),
            // YOLOv6 has an objectness of 1 everywhere.
            guess(.yolov5, .centerAndSize, isSure && sizes, 0, places + ", objectness 1"),
        ]
    }

    // MARK: NanoDet-Plus

    private func nanodetPlus(_ output: Int, numbers: Int, items: Int) -> [Guess] {
        guard let strides = [[8, 16, 32, 64], [8, 16, 32]].first(where: { evidence.cells($0) == items }), numbers > 32
        else { return [] }
        let (bins, classes) = (8, numbers - 32)
        let ranges = evidence.ranges(Slot(output: output, offset: 0), 0..<numbers)
        var first = 0
        let levels = strides.map { stride in
            defer { first += evidence.cells(stride) }
            return DetectorReading.GridForm.Level(
                stride: stride, scores: .init(output: output, skipped: first),
                distances: .init(output: output, skipped: first, offset: classes))
        }
        // Logarithms of a distribution are no probabilities.
        let isPlausible = ranges[..<classes].allSatisfy(\.isShare) && !ranges[classes...].allSatisfy(\.isShare)
        let form = DetectorReading.GridForm(levels: levels, bins: bins, count: classes, origin: 0, isLogit: false)
        return [
            Guess(
                reading: DetectorReading(
                    layout: .nanodetPlus, form: .grids(form), classes: classes, isRaw: true,
                    reasons: ["shape", "\(items) places: the cells of \(strides.count) strides"]),
                isPlausible: isPlausible, distance: strides.count == 4 ? 0 : 1)
        ]
    }

    // MARK: With masks

    private func masked(_ output: Int, _ pictures: Pictures) -> [Guess] {
        guard let (rows, columns) = evidence.table(output) else { return [] }
        func masks(_ guess: Guess, _ layout: DetectorLayout, _ offset: Int, isColumn: Bool) -> Guess {
            var guess = guess
            guess.reading.layout = layout
            guess.reading.masks = DetectorReading.MaskForm(
                coefficients: Slot(output: output, offset: offset, isColumn: isColumn), pictures: pictures.output,
                count: pictures.count, isInterleaved: pictures.isInterleaved)
            guess.reading.reasons.append("pictures for masks in “\(evidence.outputs[pictures.output].name)”")
            return guess
        }
        var guesses: [Guess] = []
        for (numbers, items, isColumn) in [(rows, columns, true), (columns, rows, false)] {
            let slot = Slot(output: output, offset: 0, isColumn: isColumn)
            let (free, owned) = (numbers - 4 - pictures.count, numbers - 5 - pictures.count)
            func dense(_ first: Int, _ classes: Int, _ objectness: Slot?, _ distance: Int) -> Guess {
                let ranges = evidence.ranges(slot, 0..<first + classes)
                let form = DetectorReading.DenseForm(
                    box: slot, coding: .centerAndSize, isNormalized: evidence.areNormalized(slot) ?? false,
                    objectness: objectness, scores: Slot(output: output, offset: first, isColumn: isColumn),
                    count: classes)
                return Guess(
                    reading: DetectorReading(
                        layout: .yolov8Seg, form: .dense(form), classes: classes, isRaw: true, reasons: ["shape"]),
                    isPlausible: ranges[4...].allSatisfy(\.isShare), distance: distance)
            }
            if free >= 1 {
                let far = distance(items) + (isColumn && numbers > items ? 2 : 0)
                guesses.append(
                    masks(dense(4, free, nil, far), .yolov8Seg, 4 + free, isColumn: isColumn))
            }
            if owned >= 1, !isColumn {
                let objectness = Slot(output: output, offset: 4)
                guesses.append(
                    masks(
                        dense(5, owned, objectness, distance(items, anchors: 3)), .yolov5Seg, 5 + owned, isColumn: false
                    ))
            }
            if !isColumn, numbers == 6 + pictures.count {
                let own = evidence.ranges(slot, 4..<6)
                let form = DetectorReading.ListForm(
                    box: slot, coding: .corners, isNormalized: evidence.areNormalized(slot),
                    score: Slot(output: output, offset: 4), label: Slot(output: output, offset: 5))
                let guess = Guess(
                    reading: DetectorReading(
                        layout: .endToEndSeg, form: .list(form), classes: nil, isRaw: false, reasons: ["shape"]),
                    isPlausible: own[0].isShare && own[1].isWhole, distance: 0)
                guesses.append(masks(guess, .endToEndSeg, 6, isColumn: false))
            }
        }
        return guesses
    }

    // MARK: FastestDet

    private func fastest(_ output: Int, _ channels: Int) -> [Guess] {
        // A cell is 16 pixels; maps of segments or of joints have other ones, or are probabilities altogether.
        guard channels > 5, let values = evidence.planes(output),
            (evidence.width / 16, evidence.height / 16) == (values.columns, values.rows),
            !evidence.areDistributions(output)
        else { return [] }
        let cells = values.rows * values.columns
        let run = evidence.runs[output].values
        let isShare = (0..<channels).filter { $0 == 0 || $0 > 4 }.allSatisfy { channel in
            run[channel * cells..<(channel + 1) * cells].allSatisfy { $0 >= -0.001 && $0 <= 1.001 }
        }
        return [
            Guess(
                reading: DetectorReading(
                    layout: .fastestdet, form: .fastest(output: output), classes: channels - 5, isRaw: true,
                    reasons: ["shape", "objectness and classes in 0…1"]), isPlausible: isShare)
        ]
    }
}
