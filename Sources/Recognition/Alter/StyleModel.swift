internal import CVision

/// A network that turns a picture into another, with what it wants of its input and what its output means. Several
/// threads may ask at once.
final class StyleModel: Sendable {
    /// The input of the style, of a model that has several styles.
    private struct Selector: Sendable {
        var input: Int
        /// Shape of the input; one value is the style's number, more are one for each style, 1 for the one that is
        /// wanted.
        var shape: [Int]
    }

    /// The meaning of the output: value = output · scale + offset, 0…255.
    struct Output: Sendable {
        var scale: Double
        var offset: Double
    }

    private let model: InferenceModel
    private let picture: Int
    private let selector: Selector?
    private let output: Output
    let preprocessing: Preprocessing
    let styles: Int
    /// The input in words, for the header and for messages: `f32 [1,3,224,224]`.
    let inputDescription: String

    /// The largest side of what a model may give.
    private static let largestSide = 4096

    /// - Parameter styles: How many styles a model has that takes a style's number; nil where it wasn't said.
    /// - Throws: `InferenceError`, with what doesn't fit.
    init(path: String, preprocessing: Preprocessing, layoutIsGiven: Bool, output: Output, styles: Int?) throws {
        model = try InferenceModel(path: path, mostInputs: 2)
        guard let picture = model.inputs.firstIndex(where: { $0.shape.count == 4 }) else {
            throw InferenceError("its input is \(model.input); expected four dimensions: a batch of pictures")
        }
        self.picture = picture
        inputDescription = model.inputs[picture].description
        self.preprocessing = try preprocessing.fitted(
            to: model.inputs[picture].shape, layoutIsGiven: layoutIsGiven, described: inputDescription)
        self.output = output
        guard let port = model.outputs.first, port.shape.count == 4, port.shape.contains(where: { $0 == 3 || $0 == -1 })
        else {
            throw InferenceError(
                "its output is \(model.outputs.first?.dimensions ?? "missing"); expected a picture of three channels, "
                    + "as [1,3,height,width]")
        }
        guard model.inputs.count == 2 else {
            if let styles, styles > 1 {
                throw InferenceError("it has no second input; expected one for the style, or no “modelStyles”")
            }
            (selector, self.styles) = (nil, 1)
            return
        }
        let second = model.inputs[1 - picture]
        let shape = second.shape.map { $0 == -1 ? 1 : $0 }
        let count = shape.reduce(1, *)
        guard second.shape.count <= 2, count >= 1, count <= 1000 else {
            throw InferenceError(
                "its second input is \(second); expected a style's number, or a number for each style")
        }
        if count > 1, let styles, styles != count {
            throw InferenceError("its second input is \(second), \(count) styles; “modelStyles” says \(styles)")
        }
        guard let all = count > 1 ? count : styles else {
            throw InferenceError(
                "its second input is \(second), a style's number; expected “modelStyles”, how many styles it has")
        }
        selector = Selector(input: 1 - picture, shape: shape)
        self.styles = all
    }

    var size: PictureSize { PictureSize(width: preprocessing.width, height: preprocessing.height) }

    /// - Parameter source: Of the model's `size`.
    func apply(to source: ReferencePicture, style: Int) throws -> ReferencePicture {
        let (width, height) = (preprocessing.width, preprocessing.height)
        var pixels = source.bgr
        if preprocessing.channelOrder == .rgb {
            for index in stride(from: 0, to: pixels.count - 2, by: 3) { pixels.swapAt(index, index + 2) }
        }
        var tensor = [Float](repeating: 0, count: pixels.count)
        var normalization = preprocessing.normalization
        try check(
            ocv_fill_tensor(pixels, Int64(width * 3), Int32(width), Int32(height), 3, &normalization, &tensor),
            "prepare the network's input")
        var inputs = [
            InferenceModel.Input(
                values: tensor, shape: preprocessing.layout == .nchw ? [1, 3, height, width] : [1, height, width, 3])
        ]
        if let selector {
            let count = selector.shape.reduce(1, *)
            let values = count == 1 ? [Float(style)] : (0..<count).map { $0 == style ? Float(1) : 0 }
            inputs.insert(.init(values: values, shape: selector.shape), at: selector.input)
        }
        guard let result = try model.run(inputs).first else { throw InferenceError("the model has no output") }
        return try picture(from: result)
    }

    private func picture(from result: InferenceModel.Output) throws -> ReferencePicture {
        let shape = result.shape
        let isPlanar = preprocessing.layout == .nchw
        guard shape.count == 4, shape[0] == 1, shape[isPlanar ? 1 : 3] == 3 else {
            throw InferenceError("the output is \(shape); expected a picture of three channels")
        }
        let (height, width) = isPlanar ? (shape[2], shape[3]) : (shape[1], shape[2])
        guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else {
            throw InferenceError("the output is \(shape); expected no more than \(Self.largestSide) pixels a side")
        }
        let (scale, offset) = (Float(output.scale), Float(output.offset))
        let isRGB = preprocessing.channelOrder == .rgb
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { pixels, count in
            for channel in 0..<3 {
                let target = isRGB ? 2 - channel : channel
                for index in 0..<width * height {
                    let value = result.values[isPlanar ? channel * width * height + index : index * 3 + channel]
                    // The order of the comparisons makes NaN 0.
                    pixels[index * 3 + target] = UInt8(min(255, max(0, value * scale + offset)).rounded())
                }
            }
            count = width * height * 3
        }
        return ReferencePicture(width: width, height: height, bgr: pixels)
    }
}
