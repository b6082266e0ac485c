internal import Annotate
internal import COpenCV
internal import COpenVINO
internal import Glibc

/// A compiled classification network with its preprocessing: a region of a picture in, a score a class out.
///
/// `@unchecked Sendable`: the shim's model is thread-safe, and each request is used by one thread at a time.
final class Classifier: @unchecked Sendable {
    private let model: OpaquePointer
    private let requests: ResourcePool<Request>
    let preprocessing: Preprocessing
    /// nil where the file leaves it open.
    let classes: Int?
    /// What the model's input is, for the header and for messages: `f32 [1,3,224,224]`.
    let inputDescription: String

    /// Loads and compiles a model and holds the preprocessing against its input.
    /// - Throws: `InferenceError`, with what doesn't fit.
    init(path: String, preprocessing: Preprocessing, layoutIsGiven: Bool) throws {
        let runtime = try InferenceRuntime.open()
        var model: OpaquePointer?
        let cores = Int32(clamping: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        try check(ovn_model_open(runtime, path, cores, &model))
        guard let model else { throw InferenceError("the model could not be opened") }
        self.model = model
        let shared = SharedModel(handle: model)
        requests = ResourcePool { try Request(shared.handle) }
        do {
            guard ovn_model_input_count(model) == 1 else {
                throw InferenceError("it has \(ovn_model_input_count(model)) inputs; expected one picture")
            }
            guard ovn_model_output_count(model) == 1 else {
                throw InferenceError(
                    "it has \(ovn_model_output_count(model)) outputs; expected one, with a score for each class")
            }
            var input = ovn_port()
            var output = ovn_port()
            try check(ovn_model_input(model, 0, &input))
            try check(ovn_model_output(model, 0, &output))
            let shape = Self.shape(input)
            inputDescription =
                "\(input.element.map { String(cString: $0) } ?? "?") [\(shape.map(Self.dimension).joined(separator: ","))]"
            self.preprocessing = try Self.fit(
                preprocessing, to: shape, layoutIsGiven: layoutIsGiven, described: inputDescription)
            let scores = Self.shape(output)
            guard !scores.isEmpty, scores.filter({ $0 != 1 && $0 != -1 }).count <= 1 else {
                throw InferenceError(
                    "its output is [\(scores.map(Self.dimension).joined(separator: ","))]; expected one score for each "
                        + "class, as [1,classes]")
            }
            classes = scores.first { $0 > 1 }.map(Int.init)
        } catch {
            ovn_model_close(model)
            throw error
        }
    }

    deinit { ovn_model_close(model) }

    // The shim's model may be asked for requests by several threads.
    private struct SharedModel: @unchecked Sendable { let handle: OpaquePointer }

    private static func shape(_ port: ovn_port) -> [Int64] {
        withUnsafeBytes(of: port.shape) { Array($0.bindMemory(to: Int64.self).prefix(max(0, Int(port.rank)))) }
    }

    private static func dimension(_ size: Int64) -> String { size < 0 ? "?" : String(size) }

    /// The preprocessing with the model's own size, once it is known to fit.
    private static func fit(
        _ wanted: Preprocessing, to shape: [Int64], layoutIsGiven: Bool, described: String
    ) throws -> Preprocessing {
        var fitted = wanted
        guard shape.count == 4 else {
            throw InferenceError("its input is \(described); expected four dimensions: a batch of pictures")
        }
        guard shape[0] == 1 || shape[0] == -1 else {
            throw InferenceError("its input is \(described), a batch of \(shape[0]); expected a batch of 1")
        }
        let isLast = ![1, 3, -1].contains(shape[1]) && [1, 3].contains(shape[3])
        if !layoutIsGiven { fitted.layout = isLast ? .nhwc : .nchw }
        let (channels, height, width) =
            fitted.layout == .nchw ? (shape[1], shape[2], shape[3]) : (shape[3], shape[1], shape[2])
        guard channels == -1 || channels == fitted.channels else {
            throw InferenceError(
                "its input is \(described), \(channels) channels as \(fitted.layout.rawValue); “channelOrder” "
                    + "“\(fitted.channelOrder.rawValue)” gives \(fitted.channels)")
        }
        func size(_ given: Int, _ own: Int64, _ name: String) throws -> Int {
            if own > 0, given > 0, given != Int(own) {
                throw InferenceError(
                    "its input is \(described); “size” asks for a \(name) of \(given), expected \(own)")
            }
            let size = own > 0 ? Int(own) : given
            guard (1...8192).contains(size) else {
                throw InferenceError(
                    "its input is \(described), which leaves the \(name) open; expected “size” [width, height]")
            }
            return size
        }
        fitted.width = try size(wanted.width, width, "width")
        fitted.height = try size(wanted.height, height, "height")
        return fitted
    }

    /// The scores of every class for a region of the frame.
    /// - Parameter region: four corners, clockwise from the region's own top left; nil for the whole picture.
    func scores(_ frame: VideoFrame, region: [Point]?) throws -> [Float] {
        let count = preprocessing.width * preprocessing.height * preprocessing.channels
        var tensor = [Float](repeating: 0, count: count)
        var crop = [UInt8](repeating: 0, count: count)
        let stride = Int64(preprocessing.width * preprocessing.channels)
        try sample(frame, region: region, into: &crop, stride: stride)
        var normalization = preprocessing.normalization
        try check(
            ocv_fill_tensor(
                crop, stride, Int32(preprocessing.width), Int32(preprocessing.height), Int32(preprocessing.channels),
                &normalization, &tensor), "prepare the network's input")
        return try requests.withResource { try $0.run(tensor, preprocessing) }
    }

    private func sample(_ frame: VideoFrame, region: [Point]?, into crop: inout [UInt8], stride: Int64) throws {
        var options = preprocessing.cropOptions
        var quad = ocv_quad()
        if let region, region.count == 4 {
            quad.corners = (region[0].ocv, region[1].ocv, region[2].ocv, region[3].ocv)
        }
        let isWhole = region == nil
        func run(_ picture: ocv_picture) throws {
            var picture = picture
            let status =
                isWhole
                ? ocv_crop(&picture, nil, &options, &crop, stride) : ocv_crop(&picture, &quad, &options, &crop, stride)
            try check(status, "cut a region out of the picture")
        }
        if frame.hasRicherOriginal {
            try frame.bgr().withPixels { try run(ocv_picture(bgr: $0)) }
        } else {
            try frame.withPicture { try run(ocv_picture($0)) }
        }
    }

    /// One inference at a time.
    private final class Request {
        private let handle: OpaquePointer

        init(_ model: OpaquePointer) throws {
            var handle: OpaquePointer?
            try check(ovn_request_create(model, &handle))
            guard let handle else { throw InferenceError("no request could be made") }
            self.handle = handle
        }

        deinit { ovn_request_free(handle) }

        func run(_ values: [Float], _ preprocessing: Preprocessing) throws -> [Float] {
            try values.withUnsafeBufferPointer { buffer in
                var tensor = ovn_tensor()
                tensor.values = buffer.baseAddress
                tensor.rank = 4
                let (c, h, w) = (
                    Int64(preprocessing.channels), Int64(preprocessing.height), Int64(preprocessing.width)
                )
                let shape: [Int64] = preprocessing.layout == .nchw ? [1, c, h, w] : [1, h, w, c]
                withUnsafeMutableBytes(of: &tensor.shape) { $0.copyBytes(from: shape.withUnsafeBytes { Array($0) }) }
                try check(ovn_request_run(handle, &tensor, 1))
            }
            var output = ovn_tensor()
            try check(ovn_request_output(handle, 0, &output))
            let count = withUnsafeBytes(of: output.shape) {
                $0.bindMemory(to: Int64.self).prefix(Int(output.rank)).reduce(1, *)
            }
            guard let scores = output.values else { return [] }
            return Array(UnsafeBufferPointer(start: scores, count: Int(count)))
        }
    }
}
