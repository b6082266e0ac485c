/// A model's outputs as the numbers that they stand for.
struct DetectorOutputs: Sendable {
    let model: InferenceModel
    /// By output, where it has integers for other numbers.
    let quantization: [TFLiteFile.Quantization?]

    /// Computes the outputs and has them read where they lie.
    /// - Parameter body: Gets them in the file's order; they are gone when it returns.
    /// - Throws: `InferenceError`; what `body` throws.
    func run<Result>(_ inputs: [InferenceModel.Input], _ body: ([TensorView]) throws -> Result) throws -> Result {
        try model.run(inputs) { views in
            guard quantization.contains(where: { $0 != nil }) else { return try body(views) }
            let values = zip(views, quantization).flatMap { view, quantization -> [Float] in
                guard let quantization else { return Array(view.values) }
                return view.values.map { ($0 - quantization.zeroPoint) * quantization.scale }
            }
            return try values.withUnsafeBufferPointer { values in
                var first = 0
                return try body(
                    views.map { view in
                        defer { first += view.values.count }
                        return TensorView(
                            values: UnsafeBufferPointer(rebasing: values[first..<first + view.values.count]),
                            shape: view.shape)
                    })
            }
        }
    }
}
