internal import Annotate
internal import COpenVINO
internal import Glibc

/// A compiled network: a tensor for each input, its outputs out. Results don't depend on the number of threads.
///
/// Safe to use from several threads: the shim's model is, and each request is used by one thread at a time.
final class InferenceModel: Sendable {
    /// An input or output as the file declares it.
    struct Port: Sendable, CustomStringConvertible {
        var name: String
        var element: String
        /// −1 for a dimension that the file leaves open.
        var shape: [Int]

        /// `f32 [1,3,224,224]`, with `?` for an open dimension.
        var description: String { "\(element) \(dimensions)" }

        /// `[1,3,224,224]`
        var dimensions: String { "[\(shape.map { $0 < 0 ? "?" : String($0) }.joined(separator: ","))]" }
    }

    /// One output of one run: row-major, dense.
    struct Output: Sendable {
        var values: [Float]
        var shape: [Int]
    }

    let inputs: [Port]
    /// The only input, or the first.
    var input: Port { inputs[0] }
    let outputs: [Port]
    private let requests: ResourcePool<Request>

    /// Loads and compiles a model.
    /// - Parameters:
    ///   - mostInputs: How many inputs it may have.
    ///   - expecting: What they are, where that is neither one picture nor a picture and a style; it must have them all.
    ///   - shape: Another size of its only input than the file has.
    /// - Throws: `InferenceError`, also for a model with other inputs.
    init(path: String, mostInputs: Int32 = 1, expecting: String? = nil, shape: [Int] = []) throws {
        let model = try ModelHandle(path: path, shape: shape)
        let count = ovn_model_input_count(model.pointer)
        guard count >= 1, count <= mostInputs, expecting == nil || count == mostInputs else {
            let expected = expecting ?? "one picture" + (mostInputs > 1 ? ", or a picture and a style" : "")
            throw InferenceError("it has \(count) input\(count == 1 ? "" : "s"); expected \(expected)")
        }
        var port = ovn_port()
        inputs = try (0..<count).map { index in
            try check(ovn_model_input(model.pointer, index, &port))
            return Port(port)
        }
        outputs = try (0..<ovn_model_output_count(model.pointer)).map { index in
            try check(ovn_model_output(model.pointer, index, &port))
            return Port(port)
        }
        requests = ResourcePool { try Request(model) }
    }

    /// Computes the outputs, in the file's order.
    /// - Parameters:
    ///   - values: row-major, dense.
    ///   - shape: as the file has it, with a size in place of every open dimension.
    func run(_ values: [Float], shape: [Int]) throws -> [Output] { try run([Input(values: values, shape: shape)]) }

    /// Values for one input: row-major, dense.
    struct Input: Sendable {
        var values: [Float]
        /// As the file has it, with a size in place of every open dimension.
        var shape: [Int]
    }

    /// Computes the outputs from a tensor for each input, in the file's order.
    func run(_ inputs: [Input]) throws -> [Output] { try requests.withResource { try $0.run(inputs) } }

    /// The shim's model.
    ///
    /// `@unchecked Sendable`: several threads may ask the shim's model for requests.
    private final class ModelHandle: @unchecked Sendable {
        let pointer: OpaquePointer

        init(path: String, shape: [Int]) throws {
            let runtime = try InferenceRuntime.open()
            let cores = Int32(clamping: min(Machine.cores, 256))
            var model: OpaquePointer?
            try check(
                ovn_model_open(runtime, path, cores, shape.map(Int64.init), Int32(shape.count), &model))
            guard let model else { throw InferenceError("the model could not be opened") }
            pointer = model
        }

        deinit { ovn_model_close(pointer) }
    }

    /// One inference at a time.
    private final class Request {
        private let handle: OpaquePointer
        private let outputs: Int32

        init(_ model: ModelHandle) throws {
            var handle: OpaquePointer?
            try check(ovn_request_create(model.pointer, &handle))
            guard let handle else { throw InferenceError("no request could be made") }
            self.handle = handle
            outputs = ovn_model_output_count(model.pointer)
        }

        deinit { ovn_request_free(handle) }

        func run(_ inputs: [Input]) throws -> [Output] {
            for input in inputs
            where input.shape.count > Int(OVN_MAX_RANK) || input.shape.reduce(1, *) != input.values.count {
                throw InferenceError("\(input.values.count) values don't fill a tensor of \(input.shape)")
            }
            try run(inputs[...], [])
            return try (0..<outputs).map { index in
                var output = ovn_tensor()
                try check(ovn_request_output(handle, index, &output))
                let shape = withUnsafeBytes(of: output.shape) {
                    $0.bindMemory(to: Int64.self).prefix(Int(output.rank)).map(Int.init)
                }
                let values = output.values.map { UnsafeBufferPointer(start: $0, count: shape.reduce(1, *)) }
                return Output(values: values.map(Array.init) ?? [], shape: shape)
            }
        }

        /// Opens the scopes in which the inputs' values stay where they are, one in the other.
        private func run(_ left: ArraySlice<Input>, _ tensors: [ovn_tensor]) throws {
            guard let input = left.first else {
                return try check(ovn_request_run(handle, tensors, Int32(tensors.count)))
            }
            try input.values.withUnsafeBufferPointer { buffer in
                var tensor = ovn_tensor()
                tensor.values = buffer.baseAddress
                tensor.rank = Int32(input.shape.count)
                withUnsafeMutableBytes(of: &tensor.shape) { bytes in
                    let sizes = bytes.bindMemory(to: Int64.self)
                    for (index, size) in input.shape.enumerated() { sizes[index] = Int64(size) }
                }
                try run(left.dropFirst(), tensors + [tensor])
            }
        }
    }
}

extension InferenceModel.Port {
    fileprivate init(_ port: ovn_port) {
        name = port.name.map { String(cString: $0) } ?? "?"
        element = port.element.map { String(cString: $0) } ?? "?"
        shape = withUnsafeBytes(of: port.shape) {
            $0.bindMemory(to: Int64.self).prefix(max(0, Int(port.rank))).map(Int.init)
        }
    }
}
