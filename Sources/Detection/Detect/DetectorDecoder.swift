internal import Glibc

/// Reads candidates from a detector's outputs.
struct DetectorDecoder: Sendable {
    let reading: DetectorReading

    /// - Parameters:
    ///   - width: of the network's input, pixels.
    /// - Returns: in an order that depends on the outputs alone.
    /// - Throws: `InferenceError` where the outputs are not of the form that was recognised.
    func candidates(
        _ outputs: [TensorView], width: Int, height: Int, _ limits: ScoreLimits
    ) throws -> DetectionCandidates {
        let input = (width: Float(width), height: Float(height))
        switch reading.form {
        case .dense(let form): return try DenseDecoder(form: form, input: input).candidates(outputs, limits, reading)
        case .list(let form): return try ListDecoder(form: form, input: input).candidates(outputs, limits, reading)
        case .grids(let form): return try GridDecoder(form: form, input: input).candidates(outputs, limits)
        case .fastest(let output): return try FastestDecoder(input: input).candidates(outputs[output], limits)
        }
    }
}

/// The items of an output and where their numbers are.
struct ItemTable {
    let base: UnsafePointer<Float>
    /// How many items there are.
    let items: Int
    /// Numbers of each.
    let numbers: Int
    /// From one item to the next, and from one of its numbers to the next.
    let itemStep: Int
    let numberStep: Int

    /// nil for an output of another form, and for an empty one.
    init?(_ output: TensorView, _ slot: DetectorReading.Slot) {
        guard let base = output.values.baseAddress else { return nil }
        self.base = base
        guard !slot.isFlat else {
            (items, numbers, itemStep, numberStep) = (output.values.count, 1, 1, 1)
            return
        }
        let shape = Self.dimensions(output.shape)
        guard shape.count == 2, output.values.count >= shape[0] * shape[1] else { return nil }
        (items, numbers) = slot.isColumn ? (shape[1], shape[0]) : (shape[0], shape[1])
        (itemStep, numberStep) = slot.isColumn ? (1, shape[1]) : (shape[1], 1)
    }

    /// A table's rows and columns, without the dimensions of 1 beside them.
    static func dimensions(_ shape: [Int]) -> [Int] {
        var shape = shape
        while shape.count > 2, let index = shape.firstIndex(of: 1) { shape.remove(at: index) }
        return shape
    }
}

func sigmoid(_ value: Float) -> Float { 1 / (1 + expf(-value)) }
