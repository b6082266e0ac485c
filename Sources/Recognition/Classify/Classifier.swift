internal import CVision

/// A classification network with its preprocessing: a region of a picture in, a score a class out. Several threads may ask
/// at once.
final class Classifier: Sendable {
    private let model: InferenceModel
    let preprocessing: Preprocessing
    /// How many classes there are; nil where the file leaves it open.
    let classes: Int?
    /// The model's input in words, for the header and for messages: `f32 [1,3,224,224]`.
    let inputDescription: String

    /// Loads and compiles a model and holds the preprocessing against its input.
    /// - Throws: `InferenceError`, with what doesn't fit.
    init(path: String, preprocessing: Preprocessing, layoutIsGiven: Bool) throws {
        model = try InferenceModel(path: path)
        guard model.outputs.count == 1, let output = model.outputs.first else {
            throw InferenceError("it has \(model.outputs.count) outputs; expected one, with a score for each class")
        }
        inputDescription = model.input.description
        self.preprocessing = try preprocessing.fitted(
            to: model.input.shape, layoutIsGiven: layoutIsGiven, described: inputDescription)
        guard !output.shape.isEmpty, output.shape.filter({ $0 != 1 && $0 != -1 }).count <= 1 else {
            throw InferenceError(
                "its output is \(output.dimensions); expected one score for each class, as [1,classes]")
        }
        classes = output.shape.first { $0 > 1 }
    }

    /// The scores of every class for a region of the frame.
    /// - Parameter region: four corners, clockwise from the region's own top left; nil for the whole picture.
    func scores(_ frame: VideoFrame, region: [Point]?) throws -> [Float] {
        let (width, height, channels) = (preprocessing.width, preprocessing.height, preprocessing.channels)
        var crop = [UInt8](repeating: 0, count: width * height * channels)
        try frame.crop(
            region, preprocessing.cropOptions, into: &crop, stride: width * channels, fromOriginal: true)
        var tensor = [Float](repeating: 0, count: crop.count)
        var normalization = preprocessing.normalization
        try check(
            ocv_fill_tensor(
                crop, Int64(width * channels), Int32(width), Int32(height), Int32(channels), &normalization, &tensor),
            "prepare the network's input")
        let shape = preprocessing.layout == .nchw ? [1, channels, height, width] : [1, height, width, channels]
        return try model.run(tensor, shape: shape).first?.values ?? []
    }
}
