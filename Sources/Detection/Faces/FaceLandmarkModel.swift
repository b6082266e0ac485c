internal import CVision

/// 68 landmarks by a network over a square around a face, PFLD (Guo et al. 2019) say: pictures RGB 0…1 in; x and y of
/// each landmark in turn out, 0…1 of the square.
final class FaceLandmarkModel: Sendable {
    private static let count = 68
    /// Side of the square, in longer sides of the face's box.
    private static let margin = 1.1

    private let model: InferenceModel
    private let width: Int
    private let height: Int
    let details: JSONMember

    /// - Throws: `InferenceError`, with what doesn't fit.
    init(path: String) throws {
        model = try InferenceModel(path: path)
        let shape = model.input.shape
        guard shape.count == 4, [1, -1].contains(shape[0]), shape[1] == 3, (16...1024).contains(shape[2]),
            (16...1024).contains(shape[3])
        else {
            throw InferenceError("its input is \(model.input); expected one RGB picture as [1,3,height,width]")
        }
        guard model.outputs.count == 1, let output = model.outputs.first,
            output.shape.filter({ $0 > 1 }) == [2 * Self.count]
        else {
            throw InferenceError(
                "its outputs are \(model.outputs.map(\.description).joined(separator: ", ")); expected one of "
                    + "\(2 * Self.count) values: x and y of \(Self.count) landmarks")
        }
        (height, width) = (shape[2], shape[3])
        details = JSONMember(
            key: "landmarksModel",
            value: JSONNode(
                .members([
                    "sha256": .string(try ModelFile.sha256(path)), "input": .string(model.input.description),
                    "preprocessing": .members([
                        "width": .integer(width), "height": .integer(height), "layout": .string("nchw"),
                        "channelOrder": .string("rgb"), "scale": .number(1.0 / 255), "mean": .numbers([0, 0, 0]),
                        "std": .numbers([1, 1, 1]), "margin": .number(Self.margin), "antialias": .bool(false),
                    ]),
                ])))
    }

    /// The landmarks of the face in a box, pixels of the frame.
    func landmarks(_ frame: VideoFrame, box: Box) throws -> [Point] {
        let side = max(box.width, box.height) * Self.margin
        // A box's pixels begin half a pixel before the centre of the first.
        let origin = box.center - Point(side / 2 + 0.5, side / 2 + 0.5)
        var crop = [UInt8](repeating: 0, count: width * height * 3)
        try frame.crop(
            Box(x: origin.x, y: origin.y, width: side, height: side).corners,
            ocv_crop_options(
                width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_RGB,
                geometry: OCV_GEOMETRY_STRETCH, antialias: false, padding: 0), into: &crop, stride: width * 3)
        var normalization = ocv_normalization(
            layout: OCV_LAYOUT_NCHW, scale: 1.0 / 255, mean: (0, 0, 0), std: (1, 1, 1))
        var tensor = [Float](repeating: 0, count: crop.count)
        try check(
            ocv_fill_tensor(crop, Int64(width * 3), Int32(width), Int32(height), 3, &normalization, &tensor),
            "prepare the network's input")
        guard let values = try model.run(tensor, shape: [1, 3, height, width]).first?.values,
            values.count == 2 * Self.count, values.allSatisfy(\.isFinite)
        else { throw InferenceError("the landmark model gave no \(Self.count) places") }
        return (0..<Self.count).map { index in
            origin + Point(Double(values[2 * index]), Double(values[2 * index + 1])) * side
        }
    }
}
