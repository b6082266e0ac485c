internal import Glibc

/// Takes what a decoder saw back to the frame.
struct ThingPlacing {
    let reading: DetectorReading
    let box: Letterbox
    let part: FramePart
    /// Of the frame, pixels.
    let width: Int
    let height: Int

    /// A place of the input in the frame, both from their corners.
    private func place(_ x: Float, _ y: Float) -> Point { box.place(x, y) + Point(Double(part.x), Double(part.y)) }

    /// nil for what lies beside the picture.
    func thing(_ candidate: DetectionCandidate, _ outputs: [TensorView]) throws -> DetectedThing? {
        var (first, last) = (place(candidate.left, candidate.top), place(candidate.right, candidate.bottom))
        var (corners, angle): ([Point]?, Double?)
        if reading.angle != nil {
            let turned = try self.corners(candidate)
            guard let bounds = Box(around: turned) else { return nil }
            (first, last) = (Point(bounds.x, bounds.y), Point(bounds.right, bounds.bottom))
            corners = turned.map { $0 - Point(0.5, 0.5) }
            let side = turned[1] - turned[0]
            angle = atan2(side.y, side.x) * 180 / .pi
        }
        let (left, top) = (max(0, first.x), max(0, first.y))
        let (right, bottom) = (min(Double(width), last.x), min(Double(height), last.y))
        guard right > left, bottom > top else { return nil }
        var thing = DetectedThing(
            label: Int(candidate.label), score: min(1, Double(candidate.score)),
            box: Box(x: left, y: top, width: right - left, height: bottom - top), corners: corners, angle: angle)
        if let form = reading.masks { thing.mask = mask(of: thing.box, candidate, form, outputs) }
        if let form = reading.joints { thing.joints = try joints(candidate, form, outputs) }
        return thing
    }

    /// A turned box's corners from the frame's corner, clockwise from its own top left.
    private func corners(_ candidate: DetectionCandidate) throws -> [Point] {
        let (x, y) = ((candidate.left + candidate.right) / 2, (candidate.top + candidate.bottom) / 2)
        let (w, h) = ((candidate.right - candidate.left) / 2, (candidate.bottom - candidate.top) / 2)
        let (cosine, sine) = (cosf(candidate.angle), sinf(candidate.angle))
        let corners = [(-w, -h), (w, -h), (w, h), (-w, h)].map { dx, dy in
            place(x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)
        }
        return try within(corners, "a corner")
    }

    /// Pixels: nothing is as far from a picture.
    private static let farthest = 1e7

    private func within(_ places: [Point], _ what: String) throws -> [Point] {
        guard places.allSatisfy({ abs($0.x) <= Self.farthest && abs($0.y) <= Self.farthest }) else {
            throw DetectionCandidate.infinite(reading.layout, what)
        }
        return places
    }

    private func joints(
        _ candidate: DetectionCandidate, _ form: DetectorReading.JointForm, _ outputs: [TensorView]
    ) throws -> [Joint] {
        guard let table = ItemTable(outputs[form.slot.output], form.slot), Int(candidate.item) < table.items,
            table.numbers >= form.slot.offset + form.count * form.numbers
        else { return [] }
        let first = table.base + Int(candidate.item) * table.itemStep
        func number(_ index: Int) -> Float { first[(form.slot.offset + index) * table.numberStep] }
        let (unitX, unitY): (Float, Float) = form.isNormalized ? (Float(box.width), Float(box.height)) : (1, 1)
        let places = try within(
            (0..<form.count).map { index in
                let at = index * form.numbers
                return place(number(at) * unitX, number(at + 1) * unitY) - Point(0.5, 0.5)
            }, "a key point")
        return places.enumerated().map { index, place in
            let at = index * form.numbers
            return Joint(
                place,
                confidence: form.numbers > 2 ? min(1, max(0, Double(number(at + 2)))) : 1)
        }
    }

    /// The part of a box in which a weighted sum of the pictures is above 0: interpolated between the pictures' pixels, as
    /// Ultralytics' `process_mask_native` has it.
    private func mask(
        of bounds: Box, _ candidate: DetectionCandidate, _ form: DetectorReading.MaskForm, _ outputs: [TensorView]
    ) -> RunMask? {
        guard let pictures = MaskPictures(outputs[form.pictures], form),
            let (weights, plane) = weights(candidate, form, outputs)
        else { return nil }
        let pixels = bounds.pixels.intersection(PixelBox(x: 0, y: 0, width: width, height: height))
        guard !pixels.isEmpty else { return nil }
        // Which of the pictures' pixels the frame's lie on. The padding's have no say, as in Ultralytics' reader, which cuts
        // them off first, from pictures that are enlarged until it can.
        func places(
            _ range: Range<Int>, _ start: Int, _ margin: Int, _ inside: Int, _ scale: Double, _ size: Int, _ count: Int
        ) -> [Float] {
            let share = Double(count) / Double(size)
            let finer: Double =
                [1.0, 2].first { (times: Double) -> Bool in
                    (Double(margin) * share * times).truncatingRemainder(dividingBy: 1) == 0
                } ?? 4
            let border = 0.5 / finer
            let least = Double(margin) * share + border, most = Double(margin + inside) * share - border
            return range.map { pixel in
                let place = ((Double(pixel - start) + 0.5) * scale + Double(margin)) * share
                return Float(min(max(place, least), max(least, most)) - 0.5)
            }
        }
        let columns = places(
            pixels.x..<pixels.right, part.x, box.left, box.across, box.scaleX, box.width, pictures.columns)
        let rows = places(pixels.y..<pixels.bottom, part.y, box.top, box.down, box.scaleY, box.height, pictures.rows)
        return RunMask(box: pixels, runs: pictures.runs(weights, from: plane, columns, rows))
    }

    /// What the pictures weigh in a thing's mask, and the number of the first; nil where the outputs haven't that.
    private func weights(
        _ candidate: DetectionCandidate, _ form: DetectorReading.MaskForm, _ outputs: [TensorView]
    ) -> (weights: [Float], plane: Int)? {
        let item = Int(candidate.item)
        guard let slot = form.coefficients else { return item < form.count ? ([1], item) : nil }
        guard let table = ItemTable(outputs[slot.output], slot), item < table.items,
            table.numbers >= slot.offset + form.count
        else { return nil }
        let first = table.base + item * table.itemStep + slot.offset * table.numberStep
        return ((0..<form.count).map { first[$0 * table.numberStep] }, 0)
    }
}
