/// A network as a stage uses it: a tensor for each input, its outputs out. Results don't depend on the number of threads, and
/// several may ask at once.
package final class InferenceModel: Sendable {
    /// An input or output as the file declares it.
    package struct Port: Hashable, Sendable, CustomStringConvertible {
        package var name: String
        package var element: String
        /// Sizes of the dimensions; −1 for one that the file leaves open.
        package var shape: [Int]

        /// Element type and shape: `f32 [1,3,224,224]`, with `?` for an open dimension.
        package var description: String { "\(element) \(dimensions)" }

        /// Shape in words: `[1,3,224,224]`.
        package var dimensions: String { "[\(shape.map { $0 < 0 ? "?" : String($0) }.joined(separator: ","))]" }
    }

    /// One output of one run: row-major, dense.
    package struct Output: Sendable {
        package var values: [Float]
        package var shape: [Int]

        package init(values: [Float], shape: [Int]) { (self.values, self.shape) = (values, shape) }
    }

    package var inputs: [Port] { network.inputs }
    /// The only input, or the first.
    package var input: Port { inputs[0] }
    package var outputs: [Port] { network.outputs }
    /// The network, which others that name the file share.
    private let network: Network

    /// Looks at a model.
    /// - Parameters:
    ///   - mostInputs: How many inputs it may have.
    ///   - expecting: What they are, where that is neither one picture nor a picture and a style; it must have them all.
    ///   - allowing: The same, where it need not have them all.
    ///   - shape: Another size of its only input than the file has.
    /// - Throws: `InferenceError`, also for a model with other inputs; `FileError`.
    package init(
        path: String, mostInputs: Int = 1, expecting: String? = nil, allowing: String? = nil, shape: [Int] = []
    ) throws {
        network = try NetworkShelf.shared.network(path: path, shape: shape)
        let count = network.inputs.count
        guard count >= 1, count <= mostInputs, expecting == nil || count == mostInputs else {
            let expected =
                expecting ?? allowing ?? "one picture" + (mostInputs > 1 ? ", or a picture and a style" : "")
            throw InferenceError("it has \(count) input\(count == 1 ? "" : "s"); expected \(expected)")
        }
    }

    /// Computes the outputs, in the file's order.
    /// - Parameters:
    ///   - values: row-major, dense.
    ///   - shape: as the file has it, with a size in place of every open dimension.
    package func run(_ values: [Float], shape: [Int]) throws -> [Output] {
        try run([Input(values: values, shape: shape)])
    }

    /// Computes the outputs and has them read where they lie.
    /// - Parameter body: Gets them in the file's order; they are gone when it returns.
    /// - Throws: `InferenceError`; what `body` throws.
    package func run<Result>(_ inputs: [Input], _ body: ([TensorView]) throws -> Result) throws -> Result {
        try network.withRequest { try $0.run(inputs, body) }
    }

    /// Values for one input: row-major, dense.
    package struct Input: Sendable {
        package var values: [Float]
        /// Shape as the file has it, with a size in place of every open dimension.
        package var shape: [Int]

        package init(values: [Float], shape: [Int]) { (self.values, self.shape) = (values, shape) }
    }

    /// Computes the outputs from a tensor for each input, in the file's order.
    package func run(_ inputs: [Input]) throws -> [Output] { try network.withRequest { try $0.run(inputs) } }
}
