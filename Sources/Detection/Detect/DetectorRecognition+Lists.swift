/// Readings of outputs that have boxes, scores and labels apart.
extension DetectorRecognition {
    func lists() -> [Guess] {
        let outputs = evidence.considered
        guard outputs.count > 1 else { return [] }
        let tables = outputs.filter { evidence.table($0) != nil && evidence.list($0) == nil }
        var guesses: [Guess] = []
        for box in tables {
            guard let (rows, columns) = evidence.table(box) else { continue }
            let others = outputs.filter { $0 != box }
            if [4, 5].contains(columns) {
                let flat = lists(of: rows, among: others)
                if columns == 5 {
                    guesses += withScores(box, labels: flat)
                    continue
                }
                guesses += separate(box, flat, others: others)
            }
            guard columns == 4 || rows == 4 && columns > 4 else { continue }
            let place = Slot(output: box, offset: 0, isColumn: columns != 4)
            let items = columns == 4 ? rows : columns
            // Of one class, a table is a list.
            let columnsAlone = outputs.filter { evidence.list($0) != nil && evidence.runs[$0].shape.count == 3 }
            for scores in tables + columnsAlone where scores != box {
                guard let table = evidence.table(scores), items > 0 else { continue }
                // A row a place, or a row a class.
                for isColumn in [false, true] where (isColumn ? table.columns : table.rows) == items {
                    let values = Slot(output: scores, offset: 0, isColumn: isColumn)
                    let classes = isColumn ? table.rows : table.columns
                    // What stands there beside a list of things are the steps to it.
                    guesses += dense(place, values, items: items, classes: classes).map { guess in
                        var guess = guess
                        if outputs.count > 2 { guess.distance += 1 }
                        return guess
                    }
                    if table.rows == table.columns { break }
                }
            }
        }
        return guesses
    }

    /// Outputs with a number for each of so many things; without how many there are, where there is just one.
    private func lists(of count: Int, among outputs: [Int]) -> [Int] {
        let flat = outputs.filter { evidence.list($0) == count }
        return flat.count > 2 ? flat.filter { !evidence.isNamed($0, ["num", "count"]) } : flat
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
                isPlausible: evidence.ranges(slot, 4..<5)[0].isShare && evidence.areCorners(slot),
                besides: ofThings(box, evidence.considered).subtracting([box]).subtracting(labels))
        ]
    }

    private func separate(_ box: Int, _ flat: [Int], others: [Int]) -> [Guess] {
        guard !flat.isEmpty, let (scores, labels, how) = sorted(flat) else { return [] }
        let slot = Slot(output: box, offset: 0)
        let isNormalized = evidence.areNormalized(slot)
        let count = others.first { evidence.runs[$0].values.count == 1 && !flat.contains($0) }
        let isTensorFlow = evidence.isNamed(box, ["detection_boxes", "detection_postprocess"])
        let hasSizes = evidence.inputs.count > 1 && !evidence.hasInput(["mask", "scale_factor"])
        // As many things as places: nothing chose among them.
        let items = evidence.table(box)?.rows ?? 0
        let isRaw = labels == nil || items > 0 && (evidence.grid(of: items) != nil || items > 1000)
        var form = DetectorReading.ListForm(
            box: slot, coding: .corners, isNormalized: isNormalized,
            score: Slot(output: scores, offset: 0, isFlat: true),
            label: labels.map { Slot(output: $0, offset: 0, isFlat: true) }, count: count)
        func guess(_ layout: DetectorLayout, _ isPlausible: Bool, _ reason: String) -> Guess {
            var guess = Guess(
                reading: DetectorReading(
                    layout: layout, form: .list(form), classes: labels == nil ? 1 : nil, isRaw: isRaw,
                    reasons: [how, reason]), isPlausible: isPlausible)
            // Of as many places as a grid has they may be what the scores are to be multiplied with.
            if !isRaw { guess.besides = ofThings(box, others).subtracting(guess.reading.outputs) }
            return guess
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
            form.firstLabel = firstLabel(labels, scores)
            let how = isTensorFlow ? "names" : "a count, and boxes in shares of the picture"
            guesses.append(guess(.tensorflow, isLikely && corners, "\(how), classes from \(form.firstLabel)"))
            form.coding = .corners
            form.firstLabel = 0
            let counts = isRaw || isLikely || count != nil ? false : countsFromOne(box, labels)
            guesses.append(guess(.boxes, !isLikely && corners && counts != true, "shape"))
            form.firstLabel = 1
            guesses.append(guess(.torchvision, !isLikely && corners && counts != false, "shape"))
        } else {
            // A score for each place of a grid, in a column of its own, is a table of scores with one class.
            let isColumn = evidence.runs[scores].shape.count == 3 && evidence.grid(of: items) != nil
            guesses.append(guess(.boxes, corners && !isColumn, "a score a box"))
        }
        // What YOLO's exports with suppression inside are called by: their pictures are made as YOLO's are.
        if evidence.isNamed(box, ["det_boxes"]), evidence.isNamed(scores, ["det_scores"]) {
            for index in guesses.indices { guesses[index].reading.resize = .fit }
        }
        return guesses
    }

    /// Outputs with something of each of a list's things that isn't told: masks, points, pictures' numbers.
    private func ofThings(_ box: Int, _ others: [Int]) -> Set<Int> {
        guard let items = evidence.table(box)?.rows else { return [] }
        return Set(others.filter { evidence.runs[$0].shape.prefix(2).contains(items) })
    }

    /// TensorFlow's graphs count classes from 1; what was made of them for small devices from 0: TensorFlow Lite's files, and
    /// its own suppression.
    private func firstLabel(_ labels: Int?, _ scores: Int) -> Int {
        guard let labels, !evidence.isLite, !evidence.isNamed(labels, ["detection_postprocess"]) else { return 0 }
        // Rows that mean nothing may have any.
        let seen = zip(evidence.runs[labels].values, evidence.runs[scores].values).filter { $0.1 > 0 }.map(\.0)
        return seen.min().map { $0 >= 1 } ?? true ? 1 : 0
    }

    /// Whether labels are counted from 1, as torchvision's, which has 0 for nothing; nil where that can't be told.
    private func countsFromOne(_ box: Int, _ labels: Int?) -> Bool? {
        guard let labels, evidence.isInteger(labels) else { return false }
        let values = evidence.runs[labels].values
        guard !values.contains(0) else { return false }
        guard evidence.outputs[box].shape.count == 2, evidence.outputs[labels].shape.count == 1 else {
            // Most that have a dimension for the picture count from 0; of many things one would be of the first class.
            guard values.count >= Self.many, values.allSatisfy({ $0 >= 1 }) else { return false }
            return values.contains { Int($0) == evidence.names } ? true : nil
        }
        if let names = evidence.names, values.contains(where: { Int($0) >= names }) { return true }
        if evidence.name(box) == "boxes", evidence.name(labels) == "labels" { return true }
        return evidence.isNamed(labels, ["class"]) || evidence.considered.count > 3 ? false : nil
    }

    /// So many things of a picture that means nothing that some should be of the first class.
    private static let many = 20

    /// Which of some lists has scores, and which labels.
    private func sorted(_ flat: [Int]) -> (scores: Int, labels: Int?, how: String)? {
        if flat.count == 1 { return (flat[0], nil, "shape") }
        // TensorFlow Lite's suppression has four outputs of one name: boxes, classes, scores, count.
        if flat.count == 2, flat.allSatisfy({ evidence.isNamed($0, ["detection_postprocess"]) }) {
            return (flat[1], flat[0], "names")
        }
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

    private func dense(_ place: Slot, _ values: Slot, items: Int, classes: Int) -> [Guess] {
        let (box, scores) = (place.output, values.output)
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
        let isTwin = classes == 4
        let namesFit = !isTwin || isNamedBox && isNamedScores || !(evidence.isNamed(scores, ["box", "dets"]))
        if areShares, !(isTwin && !namesFit) {
            return shares(place, values, classes, isNormalized, items)
        }
        let areOthers = isTwin && evidence.isNamed(scores, ["box"]) && evidence.isNamed(box, ["score", "conf", "prob"])
        guard areCenters, isNormalized, !areShares, !areOthers else { return [] }
        let form = DetectorReading.DenseForm(
            box: place, coding: .centerAndSize, isNormalized: true, scores: values, count: classes)
        let pictures = evidence.considered.first {
            $0 != box && $0 != scores && evidence.planes($0)?.channels == items
        }
        func guess(
            _ layout: DetectorLayout, _ activation: DetectorReading.DenseForm.Activation, behind: Int, _ distance: Int,
            _ isPlausible: Bool, _ reason: String
        ) -> Guess {
            var form = form
            form.activation = activation
            form.skippedBehind = behind
            form.hasSeveral = activation == .sigmoid
            // Hugging Face's exports give what is inside as well.
            let isNamed = evidence.isNamed(box, ["pred_boxes"]) && evidence.isNamed(scores, ["logits"])
            let inside = evidence.considered.filter { isNamed && evidence.isNamed($0, ["hidden_state"]) }
            var reading = DetectorReading(
                layout: layout, form: .dense(form), classes: classes - behind, isRaw: false,
                reasons: ["shape", "logits, and boxes in shares of the picture", reason])
            if let pictures {
                reading.masks = DetectorReading.MaskForm(pictures: pictures, count: items, isInterleaved: false)
                reading.reasons.append("a mask a thing in “\(evidence.outputs[pictures].name)”")
            }
            return Guess(reading: reading, isPlausible: isPlausible, besides: Set(inside), distance: distance)
        }
        let hasNone = lastIsNone(values, classes)
        let dets = evidence.isNamed(box, ["dets"]) && evidence.isNamed(scores, ["label"])
        let logits = evidence.isNamed(box, ["pred_boxes"])
        // RF-DETR has a column more than classes, but for COCO's own numbers, 1 to 90.
        let names = evidence.names
        let drops = dets || names == classes - 1 || classes == 91 || names.map { $0 < classes } ?? false
        let keeps = !dets && (names == classes || names == nil && (logits || classes != 91))
        return [
            guess(.detr, .softmax, behind: 1, 0, hasNone, "most queries are of the last class: none"),
            guess(
                .rfdetr, .sigmoid, behind: classes == 91 && names != 90 ? 0 : 1, 0,
                !hasNone && (drops || names == nil && !logits),
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
                let last = row[(classes - 1) * table.numberStep]
                return (0..<classes - 1).allSatisfy { row[$0 * table.numberStep] + 0.7 < last } && last > 0
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
        // Keras' YOLOv3, beside which stands what its suppression keeps.
        let isKeras =
            evidence.hasInput(["image_shape"]) && evidence.considered.count == 3
            && evidence.considered.contains {
                ![box.output, scores.output].contains($0) && evidence.runs[$0].shape.last == 3
            }
        if isKeras { form.coding = .cornersByRow }
        let layout: DetectorLayout =
            isKeras ? .yolov3 : isNAS ? .yolonas : !isRaw && isNormalized ? .rtdetrLogits : .boxes
        // What a suppression would keep: picture, class and place of each.
        let kept = evidence.considered.filter { evidence.isInteger($0) && evidence.runs[$0].shape.last == 3 }
        func guess(_ layout: DetectorLayout, _ isPlausible: Bool) -> Guess {
            Guess(
                reading: DetectorReading(
                    layout: layout, form: .dense(form), classes: count, isRaw: isRaw, reasons: reasons),
                isPlausible: isPlausible,
                besides: isKeras ? Set(evidence.considered).subtracting([box.output, scores.output]) : Set(kept))
        }
        let sizes = evidence.ranges(box, 2..<4).allSatisfy { $0.isEmpty || $0.least >= 0 }
        let others = [DetectorLayout.boxes, .yolonas].filter { $0 != layout && !isKeras }
        return [guess(layout, corners || sizes)] + others.map { guess($0, false) }
    }

    /// The class that most items are of where their scores add up to 1; nil where they don't.
    private func noneOfDistribution(_ scores: Slot, _ classes: Int) -> Int? {
        evidence.withTable(scores) { table in
            guard let table, classes > 1, table.items > 0 else { return nil }
            var (first, last) = (0, 0)
            for item in 0..<table.items {
                let row = table.base + item * table.itemStep
                let sum = (0..<classes).reduce(Float(0)) { $0 + row[$1 * table.numberStep] }
                guard (sum - 1).magnitude < 0.01 else { return nil }
                if row[0] > 0.5 { first += 1 }
                if row[(classes - 1) * table.numberStep] > 0.5 { last += 1 }
            }
            return max(first, last) * 2 > table.items ? (first >= last ? 0 : classes - 1) : nil
        }
    }
}
