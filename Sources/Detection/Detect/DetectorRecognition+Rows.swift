/// Readings of a table with a row a thing.
extension DetectorRecognition {
    /// - Parameters:
    ///   - numbers: of a row.
    ///   - count: the output that says how many rows count, where there is one.
    func endToEnd(_ output: Int, numbers: Int, items: Int, count: Int? = nil) -> [Guess] {
        let isGrid = evidence.grid(of: items) != nil && items > 1000 || items % 3 == 0 && items >= 3000
        let rows = Rows(evidence, output, numbers: numbers, items: items, count: count)
        guard !isGrid else { return numbers == 6 ? unsuppressed(rows) : [] }
        switch numbers {
        case 6: return sixes(rows)
        case 7: return sevens(rows) + posed(rows)
        default: return numbers > 7 ? posed(rows) : []
        }
    }

    /// What is looked at of such a table.
    private struct Rows {
        let output: Int
        let numbers: Int
        let items: Int
        let count: Int?
        /// Dimensions of the output.
        let rank: Int
        let ranges: [DetectorEvidence.Range]
        private let evidence: DetectorEvidence

        init(_ evidence: DetectorEvidence, _ output: Int, numbers: Int, items: Int, count: Int?) {
            (self.evidence, self.output, self.numbers, self.items, self.count) = (
                evidence, output, numbers, items, count
            )
            rank = evidence.runs[output].shape.count
            ranges = evidence.ranges(Slot(output: output, offset: 0), 0..<numbers)
        }

        func slot(_ offset: Int) -> Slot { Slot(output: output, offset: offset) }
        func isNamed(_ part: String) -> Bool { evidence.isNamed(output, [part]) }
        func isScore(_ number: Int) -> Bool { ranges[number].isShare }

        func isWhole(_ number: Int) -> Bool {
            ranges[number].isEmpty || ranges[number].isWhole && ranges[number].least >= -1
        }

        /// Whether numbers can be x and y by turns, near the picture at least; what masks are made of is small.
        func areInPicture(_ numbers: Range<Int>, _ units: Bool?) -> Bool {
            let side = units == true ? 1 : Float(max(evidence.width, evidence.height))
            let most = numbers.map { ranges[$0].most }.max() ?? 0
            return numbers.allSatisfy { ranges[$0].least >= -side / 2 && ranges[$0].most <= 1.5 * side }
                && (items == 0 || most > side / 16)
        }

        func guess(
            _ layout: DetectorLayout, box: Int, _ coding: DetectorReading.Coding, score: Int, label: Int,
            firstLabel: Int = 0, isNormalized: Bool? = false, _ isPlausible: Bool
        ) -> Guess {
            let form = DetectorReading.ListForm(
                box: slot(box), coding: coding, isNormalized: isNormalized, score: slot(score), label: slot(label),
                firstLabel: firstLabel, count: count)
            return Guess(
                reading: DetectorReading(
                    layout: layout, form: .list(form), classes: nil, isRaw: false,
                    reasons: ["shape", "number \(label) of each item is whole, number \(score) in 0…1"]),
                isPlausible: isPlausible && isScore(score) && isWhole(label), distance: areSorted(slot(score)) ? 0 : 1)
        }

        /// Whether there are scores, the best first.
        private func areSorted(_ scores: Slot) -> Bool {
            evidence.withTable(scores) { table in
                guard let table, table.items > 1 else { return false }
                func score(_ item: Int) -> Float {
                    table.base[item * table.itemStep + scores.offset * table.numberStep]
                }
                return score(0) > 0 && (1..<table.items).allSatisfy { score($0) <= score($0 - 1) }
            }
        }
    }

    private func sixes(_ rows: Rows) -> [Guess] {
        let units = evidence.areNormalized(rows.slot(0))
        // RT-DETR's as Ultralytics exports it since 2026 has shares of the picture, and centres.
        let areCenters = units == true && (evidence.metadata.isRTDETR || !evidence.areCorners(rows.slot(0)))
        let isPaddle = rows.isNamed("multiclass_nms") || evidence.hasInput(["scale_factor", "im_shape"])
        var ofPaddle = rows.guess(
            .paddle, box: 2, .corners, score: 1, label: 0, isNormalized: evidence.areNormalized(rows.slot(2)) ?? false,
            isPaddle || rows.rank == 2 && (rows.ranges[1].isEmpty || rows.ranges[1].most > 0))
        if isPaddle { ofPaddle.distance = 0 }
        return [
            rows.guess(
                .endToEnd, box: 0, .corners, score: 4, label: 5, isNormalized: units,
                !areCenters && !isPaddle && (units == true || evidence.areCorners(rows.slot(0)))),
            rows.guess(
                .rtdetr, box: 0, .centerAndSize, score: 4, label: 5, isNormalized: true, areCenters && !isPaddle),
            ofPaddle,
        ]
    }

    /// The best class of every place, as exports for DeepStream have it: the same numbers as those of things, and nothing was
    /// suppressed.
    private func unsuppressed(_ rows: Rows) -> [Guess] {
        let units = evidence.areNormalized(rows.slot(0))
        let places = evidence.ranges(rows.slot(2), 0..<2)
        // Centres lie farther right than most things are wide.
        let areCorners = evidence.areCorners(rows.slot(0)) && places.allSatisfy { $0.most > 0 }
        var guess = rows.guess(
            .endToEnd, box: 0, .corners, score: 4, label: 5, isNormalized: units, areCorners)
        guess.reading.isRaw = true
        guess.reading.reasons.append("\(rows.items) places, corner to corner")
        guess.distance = -1
        return [guess]
    }

    private func sevens(_ rows: Rows) -> [Guess] {
        let isOfPicture = rows.isWhole(0) && rows.isScore(0)
        // Google's and Deci's exports have names of their own.
        let isGoogle = rows.rank == 3 && rows.isNamed("detections")
        let isFlat = rows.isNamed("flat_predictions")
        // The order of the numbers, in the name that a collection of converted networks gives.
        let isSSD = rows.isNamed("batchno_classid_score")
        let (second, first) = (evidence.areNormalized(rows.slot(1)), evidence.areNormalized(rows.slot(0)))
        var flat = rows.guess(
            .yolov7EndToEnd, box: 1, .corners, score: 5, label: 6, rows.rank == 2 && isOfPicture)
        flat.distance += isFlat ? 0 : 1
        var turned = rows.guess(
            .endToEndObb, box: 0, .centerAndSize, score: 4, label: 5, isNormalized: first ?? false,
            rows.rank == 3 && !isGoogle)
        turned.reading.angle = rows.slot(6)
        let guesses = [
            rows.guess(
                .ssd, box: 3, .corners, score: 2, label: 1, isNormalized: nil,
                rows.isWhole(0) && (rows.rank == 4 || rows.items > 0 || isSSD) && !isGoogle),
            rows.guess(
                .yolov7EndToEnd, box: 1, .corners, score: 6, label: 5, rows.rank == 2 && isOfPicture && !isFlat),
            flat, turned,
            rows.guess(
                .efficientdet, box: 1, .cornersByRow, score: 5, label: 6, firstLabel: 1, isNormalized: second ?? false,
                rows.rank == 3 && isOfPicture),
        ]
        return rows.rank == 4 || isSSD ? guesses.filter { $0.reading.layout == .ssd } : guesses
    }

    /// With points behind the class.
    private func posed(_ rows: Rows) -> [Guess] {
        let (more, units) = (rows.numbers - 6, evidence.areNormalized(rows.slot(0)))
        guard more > 1 else { return [] }
        let known = evidence.metadata.keyPoints.map { [$0] }
        let each = known ?? [3, 2].filter { more % $0 == 0 }.map { (more / $0, $0) }
        var guesses: [Guess] = []
        for (points, each) in each where points * each == more {
            let confidences = stride(from: 8, to: rows.numbers, by: 3).map { rows.ranges[$0] }
            // Without metadata three numbers a point have a confidence, and two lie in the picture.
            let fits = each == 3 ? confidences.allSatisfy(\.isShare) : rows.areInPicture(6..<rows.numbers, units)
            var posed = rows.guess(
                .endToEndPose, box: 0, .corners, score: 4, label: 5, isNormalized: units, known != nil || fits)
            posed.reading.joints = DetectorReading.JointForm(
                slot: rows.slot(6), count: points, numbers: each, isNormalized: units ?? false)
            guesses.append(posed)
            if posed.isPlausible { break }
        }
        return guesses
    }

    /// The share of items of which one of some numbers is greater.
    private func share(of slot: Slot, _ numbers: Range<Int>, above least: Float) -> Double {
        evidence.withTable(slot) { table in
            guard let table, table.items > 0 else { return 0 }
            let high = (0..<table.items).count { item in
                numbers.contains { table.base[item * table.itemStep + $0 * table.numberStep] > least }
            }
            return Double(high) / Double(table.items)
        }
    }

    /// RT-DETR as Ultralytics exported it before 2026, boxes with scores as OpenVINO's converters give them.
    func decoded(_ output: Int, numbers: Int, items: Int) -> [Guess] {
        guard items > 0, evidence.grid(of: items) == nil || items <= 1000 else { return [] }
        let slot = Slot(output: output, offset: 0)
        let ranges = evidence.ranges(slot, 0..<numbers)
        var guesses: [Guess] = []
        if numbers == 5 {
            let form = DetectorReading.ListForm(
                box: slot, coding: .corners, isNormalized: evidence.areNormalized(slot),
                score: Slot(output: output, offset: 4))
            guesses.append(
                Guess(
                    reading: DetectorReading(
                        layout: .boxes, form: .list(form), classes: 1, isRaw: false, reasons: ["shape"]),
                    isPlausible: ranges[4].isShare && evidence.areCorners(slot)
                        && share(of: slot, 4..<5, above: 0.4) <= 0.25, distance: 1))
        }
        let form = DetectorReading.DenseForm(
            box: slot, coding: .centerAndSize, isNormalized: true, scores: Slot(output: output, offset: 4),
            count: numbers - 4)
        // Of queries few see something where there is nothing; probabilities of something else are as they come.
        let isDetector = items > 10 && share(of: slot, 4..<numbers, above: 0.4) <= 0.25
        let isPlausible =
            isDetector && ranges.allSatisfy(\.isShare) && !(ranges.count > 5 && ranges[5].isWhole)
            && !(numbers == 5 && evidence.areCorners(slot))
        guesses.append(
            Guess(
                reading: DetectorReading(
                    layout: .rtdetrLogits, form: .dense(form), classes: numbers - 4, isRaw: false,
                    reasons: ["shape", "boxes in shares of the input"]), isPlausible: isPlausible, distance: 1))
        return guesses
    }
}
