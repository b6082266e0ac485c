internal import Annotate
internal import COpenCV
internal import COpenVINO
internal import Glibc
internal import Synchronization

/// A model could not be loaded or run.
struct InferenceError: Error, CustomStringConvertible {
    var code: Int32
    var description: String

    init(_ status: ovn_status) {
        code = status.code
        description = withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    init(_ description: String) {
        code = Int32(OVN_ARGUMENT)
        self.description = description
    }
}

private func check(_ status: ovn_status) throws {
    guard status.code != OVN_OK else { return }
    throw InferenceError(status)
}

/// The inference library, loaded when the first graph has a model.
enum InferenceRuntime {
    // The handle is never released and its calls are thread-safe.
    private struct Handle: @unchecked Sendable { var runtime: OpaquePointer? }
    private static let shared = Mutex(Handle())

    static func open() throws -> OpaquePointer {
        try shared.withLock { shared in
            if let runtime = shared.runtime { return runtime }
            var runtime: OpaquePointer?
            try check(ovn_runtime_open(directory(), &runtime))
            guard let runtime else { throw InferenceError("the inference library gave no runtime") }
            shared.runtime = runtime
            return runtime
        }
    }

    /// `ANNOTATE_OPENVINO`; beside an installed program; in the checkout that the program was built in.
    private static func directory() -> String {
        if let path = getenv("ANNOTATE_OPENVINO") { return String(cString: path) }
        var folder = Files.parent(of: programPath())
        let installed = folder + "/../lib/annotate-batch/openvino"
        if Files.isDirectory(installed) { return installed }
        while folder != "/" && folder != "." {
            let candidate = folder + "/.deps/openvino"
            if Files.isDirectory(candidate) { return candidate }
            folder = Files.parent(of: folder)
        }
        return ".deps/openvino"
    }

    private static func programPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// How a picture becomes a network's input, as the manifest says it.
struct Preprocessing: Sendable, Hashable {
    enum ChannelOrder: String, CaseIterable, Sendable { case rgb, bgr, gray }
    enum Layout: String, CaseIterable, Sendable { case nchw, nhwc }
    enum Resize: String, CaseIterable, Sendable { case stretch, centerCrop, fit }

    var channelOrder = ChannelOrder.rgb
    var layout = Layout.nchw
    var width = 0
    var height = 0
    var scale = 1.0
    var mean: [Double] = [0, 0, 0]
    var std: [Double] = [1, 1, 1]
    var resize = Resize.stretch
    var antialias = false

    var channels: Int { channelOrder == .gray ? 1 : 3 }

    /// For the sidecar's header.
    var json: JSONValue {
        .members([
            "width": .integer(width), "height": .integer(height), "layout": .string(layout.rawValue),
            "channelOrder": .string(channelOrder.rawValue), "scale": .number(scale), "mean": .numbers(mean),
            "std": .numbers(std), "resize": .string(resize.rawValue), "antialias": .bool(antialias),
        ])
    }
}

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
            var input = ovn_port()
            var output = ovn_port()
            try check(ovn_model_input(model, 0, &input))
            try check(ovn_model_output(model, 0, &output))
            let shape = Self.shape(input)
            inputDescription = "\(input.element.map { String(cString: $0) } ?? "?") [\(shape.map(Self.dimension).joined(separator: ","))]"
            self.preprocessing = try Self.fit(
                preprocessing, to: shape, layoutIsGiven: layoutIsGiven, described: inputDescription)
            let scores = Self.shape(output)
            classes = scores.isEmpty || scores.contains(-1) && scores.dropFirst().contains(-1)
                ? nil : Int(scores.map { $0 == -1 ? 1 : $0 }.reduce(1, *))
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
                throw InferenceError("its input is \(described); “size” asks for a \(name) of \(given), expected \(own)")
            }
            let size = own > 0 ? Int(own) : given
            guard (1...8192).contains(size) else {
                throw InferenceError("its input is \(described), which leaves the \(name) open; expected “size” [width, height]")
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

extension Preprocessing {
    fileprivate var cropOptions: ocv_crop_options {
        ocv_crop_options(
            width: Int32(width), height: Int32(height),
            channels: channelOrder == .gray ? OCV_CHANNELS_GRAY : channelOrder == .rgb ? OCV_CHANNELS_RGB : OCV_CHANNELS_BGR,
            geometry: resize == .stretch
                ? OCV_GEOMETRY_STRETCH : resize == .centerCrop ? OCV_GEOMETRY_CENTER_CROP : OCV_GEOMETRY_FIT,
            antialias: antialias, padding: 0)
    }

    fileprivate var normalization: ocv_normalization {
        func three(_ values: [Double]) -> (Float, Float, Float) {
            let all = values.count == 1 ? [values[0], values[0], values[0]] : values
            return (Float(all[0]), Float(all[1]), Float(all[2]))
        }
        return ocv_normalization(
            layout: layout == .nchw ? OCV_LAYOUT_NCHW : OCV_LAYOUT_NHWC, scale: Float(scale), mean: three(mean),
            std: three(std))
    }
}

extension ocv_picture {
    /// The planes as the decoder laid them out.
    init(_ view: PictureView) {
        self.init()
        format = view.planes.count == 3 ? OCV_PICTURE_YUV : OCV_PICTURE_GRAY
        withUnsafeMutableBytes(of: &planes) { bytes in
            let planes = bytes.bindMemory(to: ocv_plane.self)
            for (index, plane) in view.planes.enumerated() { planes[index] = ocv_plane(plane) }
        }
        chromaShiftX = Int32(view.chromaShift.x)
        chromaShiftY = Int32(view.chromaShift.y)
        matrix =
            switch view.colorSpace.matrix {
            case .bt601: OCV_MATRIX_BT601
            case .bt709: OCV_MATRIX_BT709
            case .bt2020: OCV_MATRIX_BT2020
            }
        siting = view.chromaIsCentered ? OCV_SITING_CENTER : OCV_SITING_LEFT
        fullRange = view.colorSpace.fullRange
    }

    /// A packed picture.
    init(bgr plane: PlaneView) {
        self.init()
        format = OCV_PICTURE_BGR
        planes.0 = ocv_plane(plane)
        fullRange = true
    }
}
