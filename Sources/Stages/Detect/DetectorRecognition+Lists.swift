/// Readings of outputs that have boxes, scores and labels apart.
extension DetectorRecognition {
    func lists() -> [Guess] {
        let outputs = Array(evidence.outputs.indices)
        guard outputs.count > 1 else { return [] }
        let tables = outputs.filter { evidence.table($0) != nil && evidence.list($0) == nil }
        let boxes = tables.filter { [4, 5].contains(evidence.table($0)?.columns) }
        var guesses: [Guess] = []
        for box in boxes {
            guard let (count, columns) = evidence.table(box) else { continue }
            let others = outputs.filter { $0 != box }
            let flat = others.filter { evidence.list($0) == count }
            if columns == 5 {
                guesses += withScores(box, labels: flat)
                continue
            }
            guesses += separate(box, flat, others: others)
            for scores in tables where scores != box && evidence.table(scores)?.rows == count {
                // What stands there beside a list of things are the steps to it.
                guesses += dense(box, scores).map { guess in
                    var guess = guess
                    if outputs.count > 2 { guess.distance += 1 }
                    return guess
                }
            }
        }
        return guesses
    }

    // MARK: A list of scores

    /// Boxes with their scores behind them, and maybe labels.
    private func withScores(_ box: Int, labels: [Int]) -> [Guess] {
        let slot = Slot(output: box, offset: 0)
        guard labels.count <= 1 else { return [] }
        let form = DetectorReading.ListForm(
            box: slot, coding: .corners, isNormalized: evidence.areNormalized(slot),
            score: Slot(output: box, offset: 4), label: labels.first.map { Slot(output: $0, offset: 0, isFlat: true) })
        return [
            Guess(
                reading: DetectorReading(
                    layout: .boxes, form: .list(form), classes: labels.isEmpty ? 1 : nil, isRaw: false,
                    reasons: ["shape", "scores behind the boxes"]),
                isPlausible: evidence.ranges(slot, 4..<5)[0].isShare && evidence.areCorners(slot))
        ]
    }

    private func separate(_ box: Int, _ flat: [Int], others: [Int]) -> [Guess] {
        guard !flat.isEmpty, let (scores, labels, how) = sorted(flat) else { return [] }
        let slot = Slot(output: box, offset: 0)
        let isNormalized = evidence.areNormalized(slot)
        let count = others.first { evidence.runs[$0].values.count == 1 && !flat.contains($0) }
        let isTensorFlow = evidence.isNamed(box, ["detection_boxes"])
        let hasSizes = evidence.inputs.count > 1
        var form = DetectorReading.ListForm(
            box: slot, coding: .corners, isNormalized: isNormalized,
            score: Slot(output: scores, offset: 0, isFlat: true),
            label: labels.map { Slot(output: $0, offset: 0, isFlat: true) }, count: count)
        func guess(_ layout: DetectorLayout, _ isPlausible: Bool, _ reason: String) -> Guess {
            Guess(
                reading: DetectorReading(
                    layout: layout, form: .list(form), classes: labels == nil ? 1 : nil, isRaw: labels == nil,
                    reasons: [how, reason]), isPlausible: isPlausible)
        }
        let corners = evidence.areCorners(slot)
        guard !hasSizes else {
            // What it was told the picture's size is, its boxes are in.
            form.isNormalized = false
            return [guess(.rtdetr, labels != nil && corners, "an input for the picture's size")]
        }
        var guesses: [Guess] = []
        if labels != nil {
            // Theirs alone have a count without a name, and boxes in shares of the picture.
            let isLikely = isTensorFlow || count != nil && isNormalized == true && !evidence.isNamed(box, ["det_boxes"])
            form.coding = .cornersByRow
            form.firstLabel = firstLabel(labels)
            guesses.append(
                guess(
                    .tensorflow, isLikely && corners,
                    isTensorFlow ? "names" : "a count, and boxes in shares of the picture"))
            form.coding = .corners
            form.firstLabel = 0
            guesses.append(guess(.boxes, !isLikely && corners, "shape"))
        } else {
            guesses.append(guess(.boxes, corners, "a score a box"))
        }
        return guesses
    }

    /// TensorFlow's graphs count classes from 1; what was made of them for small devices from 0.
    private func firstLabel(_ labels: Int?) -> Int {
        guard let labels else { return 0 }
        let least = evidence.runs[labels].values.min()
        return least.map { $0 >= 1 } ?? true ? 1 : 0
    }

    /// Which of some lists has scores, and which labels.
    private func sorted(_ flat: [Int]) -> (scores: Int, labels: Int?, how: String)? {
        if flat.count == 1 { return (flat[0], nil, "shape") }
        let integers = flat.filter(evidence.isInteger)
        let fractions = flat.filter { !evidence.isInteger($0) }
        if integers.count == 1, let scores = fractions.first(where: isScores) ?? fractions.first {
            return (scores, integers[0], "types of the outputs")
        }
        let named = flat.filter { evidence.isNamed($0, ["label", "class"]) }
        if named.count == 1, let scores = flat.first(where: { evidence.isNamed($0, ["score", "conf"]) }) {
            return (scores, named[0], "names")
        }
        let scores = flat.filter { isScores($0) && !isWhole($0) }
        let labels = flat.filter { isWhole($0) && !scores.contains($0) }
        guard scores.count == 1, labels.count == 1 else { return nil }
        return (scores[0], labels[0], "whole numbers in one list, 0…1 in the other")
    }

    private func isScores(_ output: Int) -> Bool {
        evidence.runs[output].values.allSatisfy { $0 >= -0.001 && $0 <= 1.001 }
    }

    private func isWhole(_ output: Int) -> Bool { evidence.runs[output].values.allSatisfy { $0 == $0.rounded() } }

    // MARK: A score for every class

    private func dense(_ box: Int, _ scores: Int) -> [Guess] {
        guard let (items, classes) = evidence.table(scores), items > 0 else { return [] }
        let (place, values) = (Slot(output: box, offset: 0), Slot(output: scores, offset: 0))
        let ranges = evidence.ranges(values, 0..<classes)
        let areShares = ranges.allSatisfy(\.isShare)
        let isNormalized = evidence.areNormalized(place) ?? false
        let boxes = evidence.ranges(place, 0..<4)
        // Centres and sizes in shares of the picture, as all of the DETR family give them.
        let areCenters =
            boxes.allSatisfy { $0.least >= -0.5 && $0.most <= 1.5 } && boxes[2...].allSatisfy { $0.least >= 0 }
        let isNamedBox = evidence.isNamed(box, ["box", "dets", "loc", "reg"])
        let isNamedScores = evidence.isNamed(scores, ["label", "logit", "score", "conf", "cls", "class"])
        // Four classes' logits look like boxes, and boxes like four classes' shares.
        let isTwin = evidence.table(scores)?.columns == 4
        let namesFit = !isTwin || isNamedBox && isNamedScores || !(evidence.isNamed(scores, ["box", "dets"]))
        if areShares, !(isTwin && !namesFit) {
            return shares(place, values, classes, isNormalized, items)
        }
        guard areCenters, isNormalized, !areShares else { return [] }
        let form = DetectorReading.DenseForm(
            box: place, coding: .centerAndSize, isNormalized: true, scores: values, count: classes)
        func guess(
            _ layout: DetectorLayout, _ activation: DetectorReading.DenseForm.Activation, behind: Int, _ distance: Int,
            _ isPlausible: Bool, _ reason: String
        ) -> Guess {
            var form = form
            form.activation = activation
            form.skippedBehind = behind
            form.hasSeveral = activation == .sigmoid
            return Guess(
                reading: DetectorReading(
                    layout: layout, form: .dense(form), classes: classes - behind, isRaw: false,
                    reasons: ["shape", "logits, and boxes in shares of the picture", reason]), isPlausible: isPlausible,
                distance: distance)
        }
        let hasNone = lastIsNone(values, classes)
        let dets = evidence.isNamed(box, ["dets"]) && evidence.isNamed(scores, ["label"])
        let logits = evidence.isNamed(box, ["pred_boxes"])
        // COCO's numbers go to 90, and RF-DETR has a column more.
        let names = evidence.names
        let drops = dets || names == classes - 1 || classes == 91 || names.map { $0 < classes } ?? false
        let keeps = !dets && (names == classes || names == nil && (logits || classes != 91))
        return [
            guess(.detr, .softmax, behind: 1, 0, hasNone, "most queries are of the last class: none"),
            guess(
                .rfdetr, .sigmoid, behind: 1, 0, !hasNone && (drops || names == nil && !logits),
                dets ? "names" : "number of classes"),
            guess(
                .rtdetrLogits, .sigmoid, behind: 0, 0,
                !hasNone && keeps && classes != 91 || !hasNone && names == classes,
                logits ? "names" : "number of classes"),
        ]
    }

    /// Whether a softmax would give most items to the last class.
    private func lastIsNone(_ scores: Slot, _ classes: Int) -> Bool {
        evidence.withTable(scores) { table in
            guard let table, table.items > 0, classes > 1 else { return false }
            let none = (0..<table.items).count { item in
                let row = table.base + item * table.itemStep
                return (0..<classes - 1).allSatisfy { row[$0] + 0.7 < row[classes - 1] } && row[classes - 1] > 0
            }
            return Double(none) > 0.5 * Double(table.items)
        }
    }

    /// Boxes and probabilities.
    private func shares(
        _ box: Slot, _ scores: Slot, _ classes: Int, _ isNormalized: Bool, _ items: Int
    ) -> [Guess] {
        let corners = evidence.areCorners(box)
        var form = DetectorReading.DenseForm(
            box: box, coding: corners ? .corners : .centerAndSize, isNormalized: isNormalized, scores: scores,
            count: classes)
        var reasons = ["shape", "scores in 0…1", corners ? "boxes corner to corner" : "boxes by centre and size"]
        if let none = noneOfDistribution(scores, classes) {
            (form.skippedBefore, form.skippedBehind) = none == 0 ? (1, 0) : (0, 1)
            reasons.append("most is of class \(none): none")
        }
        let count = classes - form.skippedBefore - form.skippedBehind
        // DETRs have a few hundred queries and nothing twice.
        let isRaw = corners || items > 1000 || evidence.grid(of: items) != nil
        let isNAS = corners && !isNormalized && evidence.grid(of: items) != nil
        let layout: DetectorLayout = isNAS ? .yolonas : !isRaw && isNormalized ? .rtdetrLogits : .boxes
        func guess(_ layout: DetectorLayout, _ isPlausible: Bool) -> Guess {
            Guess(
                reading: DetectorReading(
                    layout: layout, form: .dense(form), classes: count, isRaw: isRaw, reasons: reasons),
                isPlausible: isPlausible)
        }
        let sizes = evidence.ranges(box, 2..<4).allSatisfy { $0.isEmpty || $0.least >= 0 }
        return [guess(layout, corners || sizes)] + [.boxes, .yolonas].filter { $0 != layout }.map { guess($0, false) }
    }

    /// The class that most items are of where their scores add up to 1; nil where they don't.
    private func noneOfDistribution(_ scores: Slot, _ classes: Int) -> Int? {
        evidence.withTable(scores) { table in
            guard let table, classes > 1, table.items > 0 else { return nil }
            var (first, last) = (0, 0)
            for item in 0..<table.items {
                let row = table.base + item * table.itemStep
                let sum = (0..<classes).reduce(Float(0)) { $0 + row[$1] }
                guard (sum - 1).magnitude < 0.01 else { return nil }
                if row[0] > 0.5 { first += 1 }
                if row[classes - 1] > 0.5 { last += 1 }
            }
            return max(first, last) * 2 > table.items ? (first >= last ? 0 : classes - 1) : nil
        }
    }
}
