internal import COpenVINO
internal import Glibc

/// The shim's model.
///
/// `@unchecked Sendable`: several threads may ask the shim's model for requests.
package final class ModelHandle: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// - Parameter isCompiled: False for one that is only looked at.
    package init(path: String, shape: [Int], isCompiled: Bool = true) throws {
        if path.hasSuffix(".tflite"), let bytes = try? Files.read(path), !TFLiteFile.isWhole(bytes) {
            // One that can't be read OpenVINO says more of.
            throw InferenceError("model “\(path)” is damaged or cut off; expected a whole TensorFlow Lite file")
        }
        let runtime = try InferenceRuntime.open()
        var model: OpaquePointer?
        do {
            try check(
                ovn_model_open(
                    runtime, path, isCompiled ? Int32(NetworkCompiler.concurrency) : 0, shape.map(Int64.init),
                    Int32(shape.count), &model))
        } catch var error as InferenceError {
            // OpenVINO has other words for it, and other paths.
            if let lack = ONNXFile.lack(ofNumbersOf: path) { error.description = lack }
            throw error
        }
        guard let model else { throw InferenceError("the model could not be opened") }
        pointer = model
    }

    /// A network that was compiled before.
    /// - Throws: `InferenceError`, also where what was kept isn't what it was.
    package init(_ kept: NetworkCompiler.Kept) throws {
        guard let bytes = kept.cache.bytes(of: kept.entry) else {
            throw InferenceError("what was kept of the model can't be read")
        }
        let runtime = try InferenceRuntime.open()
        let (inputs, outputs) = (PortList(kept.description.inputs), PortList(kept.description.outputs))
        var model: OpaquePointer?
        try check(
            ovn_model_import(
                runtime, bytes, bytes.count, Int32(NetworkCompiler.concurrency), inputs.ports,
                Int32(inputs.ports.count), outputs.ports, Int32(outputs.ports.count), &model))
        guard let model else { throw InferenceError("what was kept of the model can't be used") }
        pointer = model
        withExtendedLifetime((inputs, outputs)) {}
    }

    /// Ports as the shim has them, with texts of their own.
    private final class PortList {
        let ports: [ovn_port]
        private let texts: [UnsafeMutablePointer<CChar>]

        init(_ list: [InferenceModel.Port]) {
            var texts: [UnsafeMutablePointer<CChar>] = []
            func copy(_ text: String) -> UnsafePointer<CChar>? {
                guard let copy = strdup(text) else { return nil }
                texts.append(copy)
                return UnsafePointer(copy)
            }
            ports = list.map { port in
                var made = ovn_port()
                (made.name, made.element) = (copy(port.name), copy(port.element))
                // A list of none stands for an open rank too: a network without dimensions has no use here.
                made.rank = port.shape.isEmpty ? -1 : Int32(clamping: min(port.shape.count, Int(OVN_MAX_RANK)))
                withUnsafeMutableBytes(of: &made.shape) { bytes in
                    let sizes = bytes.bindMemory(to: Int64.self)
                    for (index, size) in zip(sizes.indices, port.shape) { sizes[index] = Int64(size) }
                }
                return made
            }
            self.texts = texts
        }

        deinit { for text in texts { free(text) } }
    }

    deinit { ovn_model_close(pointer) }

    package var inputs: [InferenceModel.Port] {
        get throws {
            try (0..<ovn_model_input_count(pointer)).map { index in
                var port = ovn_port()
                try check(ovn_model_input(pointer, index, &port))
                return InferenceModel.Port(port)
            }
        }
    }

    package var outputs: [InferenceModel.Port] {
        get throws {
            try (0..<ovn_model_output_count(pointer)).map { index in
                var port = ovn_port()
                try check(ovn_model_output(pointer, index, &port))
                return InferenceModel.Port(port)
            }
        }
    }
}

/// One inference at a time.
package final class InferenceRequest {
    private let handle: OpaquePointer
    private let outputs: Int32
    private let model: ModelHandle

    package init(_ model: ModelHandle) throws {
        var handle: OpaquePointer?
        try check(ovn_request_create(model.pointer, &handle))
        guard let handle else { throw InferenceError("no request could be made") }
        self.handle = handle
        self.model = model
        outputs = ovn_model_output_count(model.pointer)
    }

    deinit { ovn_request_free(handle) }

    package func run(_ inputs: [InferenceModel.Input]) throws -> [InferenceModel.Output] {
        try run(inputs) { $0.map { InferenceModel.Output(values: Array($0.values), shape: $0.shape) } }
    }

    /// - Parameter body: Gets the outputs where they lie; they are gone when it returns.
    package func run<Result>(_ inputs: [InferenceModel.Input], _ body: ([TensorView]) throws -> Result) throws -> Result
    {
        for input in inputs
        where input.shape.count > Int(OVN_MAX_RANK) || input.shape.reduce(1, *) != input.values.count {
            throw InferenceError("\(input.values.count) values don't fill a tensor of \(input.shape)")
        }
        try run(inputs[...], [])
        let views = try (0..<outputs).map { index in
            var output = ovn_tensor()
            try check(ovn_request_output(handle, index, &output))
            let shape = withUnsafeBytes(of: output.shape) {
                $0.bindMemory(to: Int64.self).prefix(Int(output.rank)).map(Int.init)
            }
            let values = output.values.map { UnsafeBufferPointer(start: $0, count: shape.reduce(1, *)) }
            let view = TensorView(values: values ?? UnsafeBufferPointer(start: nil, count: 0), shape: shape)
            guard !view.hasNoNumber else { throw noNumber(in: index) }
            return view
        }
        return try withExtendedLifetime(self) { try body(views) }
    }

    /// The error of an output of which nothing can be made: whatever a stage made of it would be wrong without a word.
    private func noNumber(in index: Int32) -> any Error {
        do {
            let name = try model.outputs[Int(index)].name.inOneLine
            return InferenceError(
                "its output “\(name)” has what is no number (NaN); expected numbers: half precision may overflow, and so may a wrong "
                    + "“scale”, “mean” or “std” of the input")
        } catch { return error }
    }

    /// Opens the scopes in which the inputs' values stay where they are, one in the other.
    private func run(_ left: ArraySlice<InferenceModel.Input>, _ tensors: [ovn_tensor]) throws {
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

extension InferenceModel.Port {
    fileprivate init(_ port: ovn_port) {
        name = port.name.map { String(cString: $0) } ?? "?"
        element = port.element.map { String(cString: $0) } ?? "?"
        shape = withUnsafeBytes(of: port.shape) {
            $0.bindMemory(to: Int64.self).prefix(max(0, Int(port.rank))).map(Int.init)
        }
    }
}
