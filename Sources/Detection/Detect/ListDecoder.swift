/// Reads an item a thing.
struct ListDecoder {
    let form: DetectorReading.ListForm
    let input: (width: Float, height: Float)

    func candidates(
        _ outputs: [TensorView], _ limits: ScoreLimits, _ reading: DetectorReading
    ) throws -> DetectionCandidates {
        var found = DetectionCandidates()
        // Where nothing is seen, nothing may be there at all.
        guard let boxes = ItemTable(outputs[form.box.output], form.box),
            let scores = ItemTable(outputs[form.score.output], form.score), boxes.items == scores.items,
            boxes.numbers >= form.box.offset + 4, scores.numbers > form.score.offset
        else { return found }
        let labels = form.label.flatMap { slot in ItemTable(outputs[slot.output], slot).map { ($0, slot.offset) } }
        var items = boxes.items
        if let count = form.count.flatMap({ outputs[$0].values.first }), count >= 0 { items = min(items, Int(count)) }
        let angles = reading.angle.flatMap { slot in ItemTable(outputs[slot.output], slot).map { ($0, slot.offset) } }
        let unit = isNormalized(boxes, items) ? input : (1, 1)
        for item in 0..<items {
            let score = scores.base[item * scores.itemStep + form.score.offset * scores.numberStep]
            guard score >= limits.floor else { continue }
            let box = boxes.base + item * boxes.itemStep + form.box.offset * boxes.numberStep
            let step = boxes.numberStep
            var candidate = boxed(box[0], box[step], box[2 * step], box[3 * step], form.coding, unit, item)
            candidate.score = score
            if let (labels, offset) = labels, item < labels.items {
                let label = labels.base[item * labels.itemStep + offset * labels.numberStep].rounded()
                if label == 0, form.firstLabel == 1, score > ScoreLimits.telling {
                    throw InferenceError(
                        "its outputs tell of class 0, and are read as “\(reading.layout.rawValue)”, whose classes begin with 1; "
                            + "expected “decoder” “boxes”")
                }
                guard label >= Float(form.firstLabel), label < 1e6 else {
                    // Rows that only fill the list up have such classes, and no score.
                    guard limits.others <= score, score > ScoreLimits.telling else { continue }
                    throw InferenceError(
                        "its outputs, read as “\(reading.layout.rawValue)”, tell of class \(label) with a score of \(score); expected "
                            + "classes from \(form.firstLabel): another “decoder” fits")
                }
                candidate.label = Int32(label) - Int32(form.firstLabel)
            }
            if let (angles, offset) = angles, item < angles.items {
                candidate.angle = angles.base[item * angles.itemStep + offset * angles.numberStep]
            }
            found.add(candidate, limits)
        }
        return found
    }

    private func isNormalized(_ boxes: ItemTable, _ items: Int) -> Bool {
        if let known = form.isNormalized { return known }
        for item in 0..<items {
            for number in 0..<4 {
                let at = item * boxes.itemStep + (form.box.offset + number) * boxes.numberStep
                if boxes.base[at].magnitude > 2 { return false }
            }
        }
        return true
    }
}
