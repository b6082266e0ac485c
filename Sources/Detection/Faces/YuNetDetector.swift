internal import CVision
internal import Glibc

/// Faces with five landmarks by YuNet (Wu, Peng and Yu, “YuNet: A Tiny Millisecond-level Face Detector”, 2023), read out
/// as `cv::FaceDetectorYN` does: at each cell of three grids a class, an objectness, a box and five points.
final class YuNetDetector: Sendable {
    private static let strides = [8, 16, 32]
    private static let kinds = [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)]

    private let model: InferenceModel
    /// Indices of the outputs: by stride, then class, objectness, box and points.
    private let outputs: [[Int]]
    /// The model's own input, pixels; nil where it takes any multiple of 32.
    let fixed: (width: Int, height: Int)?
    private let longestSide: Int
    let details: [JSONMember]

    /// - Parameter longestSide: of the picture that a model of open size sees, pixels; nil when not asked for.
    /// - Throws: `InferenceError`, with what doesn't fit.
    init(path: String, longestSide: Int?) throws {
        model = try InferenceModel(path: path)
        let shape = model.input.shape
        guard shape.count == 4, [1, -1].contains(shape[0]), [3, -1].contains(shape[1]) else {
            throw InferenceError("its input is \(model.input); expected one BGR picture as [1,3,height,width]")
        }
        let names = model.outputs.map(\.name)
        outputs = try Self.strides.map { stride in
            try Self.kinds.map { kind, _ in
                guard let index = names.firstIndex(of: "\(kind)_\(stride)") else {
                    throw InferenceError(
                        "it has no output “\(kind)_\(stride)”; expected a YuNet face detector with cls, obj, bbox and "
                            + "kps at the strides 8, 16 and 32")
                }
                return index
            }
        }
        if shape[2] > 0, shape[3] > 0 {
            guard shape[2] % 32 == 0, shape[3] % 32 == 0 else {
                throw InferenceError("its input is \(model.input); expected a height and width in multiples of 32")
            }
            if let longestSide, longestSide != max(shape[2], shape[3]) {
                throw InferenceError(
                    "its input is \(model.input), and “inputSize” asks for \(longestSide); leave “inputSize” out, or "
                        + "take a model of open size")
            }
            fixed = (shape[3], shape[2])
            self.longestSide = max(shape[2], shape[3])
        } else {
            fixed = nil
            self.longestSide = longestSide ?? 640
        }
        details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(path)), "input": .string(model.input.description),
                        "preprocessing": .members([
                            "longestSide": .integer(self.longestSide), "layout": .string("nchw"),
                            "channelOrder": .string("bgr"), "scale": .number(1), "mean": .numbers([0, 0, 0]),
                            "std": .numbers([1, 1, 1]), "resize": .string("fitTopLeft"), "antialias": .bool(true),
                        ]), "suppression": .number(FaceSuppression.overlap),
                    ])))
        ]
    }

    /// Placement of a picture in the network's input: scaled into its top left, black beyond. It is never enlarged.
    private struct Placement {
        var inputWidth: Int
        var inputHeight: Int
        /// Of the scaled picture.
        var width: Int
        var height: Int

        init(_ part: FramePart, fixed: (width: Int, height: Int)?, longestSide: Int) {
            let (w, h) = (Double(part.width), Double(part.height))
            let room = fixed ?? (longestSide, longestSide)
            let scale = min(1, Double(room.width) / w, Double(room.height) / h)
            width = max(1, Int((w * scale).rounded()))
            height = max(1, Int((h * scale).rounded()))
            (inputWidth, inputHeight) = fixed ?? ((width + 31) / 32 * 32, (height + 31) / 32 * 32)
        }
    }

    /// - Parameters:
    ///   - part: in which faces are looked for; nil for all of the frame.
    ///   - minimumConfidence: what has less is left out.
    ///   - minimumSize: of a box's shorter side, pixels.
    /// - Returns: the surest first.
    func detect(
        _ frame: VideoFrame, _ part: FramePart? = nil, minimumConfidence: Double, minimumSize: Double
    ) throws -> [FoundFace] {
        let whole = FramePart(x: 0, y: 0, width: frame.width, height: frame.height)
        let place = Placement(part ?? whole, fixed: fixed, longestSide: longestSide)
        let (width, height) = (place.inputWidth, place.inputHeight)
        var picture = [UInt8](repeating: 0, count: width * height * 3)
        let (scaleX, scaleY) = try fill(&picture, from: frame, part, place)
        var faces = try read(
            picture, width, height, minimumConfidence: minimumConfidence, scaleX: scaleX, scaleY: scaleY)
        if let part { faces = faces.map { $0.placed(in: part) } }
        return FaceSuppression.surest(faces.filter { min($0.box.width, $0.box.height) >= minimumSize })
    }

    /// Faces in the network's input.
    /// - Parameter scaleX: pixels of the result for each of the input.
    func read(
        _ picture: [UInt8], _ width: Int, _ height: Int, minimumConfidence: Double, scaleX: Double, scaleY: Double
    ) throws -> [FoundFace] {
        var normalization = ocv_normalization(
            layout: OCV_LAYOUT_NCHW, scale: 1, mean: (0, 0, 0), std: (1, 1, 1))
        var tensor = [Float](repeating: 0, count: picture.count)
        try check(
            ocv_fill_tensor(picture, Int64(width * 3), Int32(width), Int32(height), 3, &normalization, &tensor),
            "prepare the network's input")
        let results = try model.run(tensor, shape: [1, 3, height, width])
        var faces: [FoundFace] = []
        for (stride, indices) in zip(Self.strides, outputs) {
            let grid = Grid(columns: width / stride, rows: height / stride, stride: Double(stride))
            let values = indices.map { results[$0].values }
            for (values, kind) in zip(values, Self.kinds) where values.count != grid.columns * grid.rows * kind.1 {
                throw InferenceError(
                    "the output \(kind.0)_\(stride) has \(values.count) values; expected \(kind.1) for each of "
                        + "\(grid.columns)×\(grid.rows) cells")
            }
            faces += grid.faces(values, minimumConfidence: minimumConfidence, scaleX: scaleX, scaleY: scaleY)
        }
        return faces
    }

    /// Scales the frame, or a part of it, into the network's picture.
    /// - Returns: pixels of the frame for each of the picture.
    private func fill(
        _ picture: inout [UInt8], from frame: VideoFrame, _ part: FramePart?, _ place: Placement
    ) throws -> (Double, Double) {
        var options = ocv_crop_options(
            width: Int32(place.width), height: Int32(place.height), channels: OCV_CHANNELS_BGR,
            geometry: OCV_GEOMETRY_STRETCH, antialias: part != nil, padding: 0)
        // 8 bits are enough to find a face: the planes do, also where there is a richer original.
        if let part {
            try frame.crop(part.outline, options, into: &picture, stride: place.inputWidth * 3)
            return (Double(part.width) / Double(place.width), Double(part.height) / Double(place.height))
        }
        return try frame.withPicture { view in
            let halved = try HalvedPicture(view, noSmallerThan: (place.width, place.height))
            try halved.withPicture { source in
                var source = source
                try check(
                    ocv_crop(&source, nil, &options, &picture, Int64(place.inputWidth * 3)), "scale the picture")
            }
            return (
                Double(halved.covered(frame.width)) / Double(place.width),
                Double(halved.covered(frame.height)) / Double(place.height)
            )
        }
    }

    /// The cells of one stride.
    private struct Grid {
        var columns: Int
        var rows: Int
        /// Stride, pixels of the input.
        var stride: Double

        /// - Parameter scaleX: pixels of the frame for each of the input.
        func faces(
            _ values: [[Float]], minimumConfidence: Double, scaleX: Double, scaleY: Double
        ) -> [FoundFace] {
            var faces: [FoundFace] = []
            for cell in 0..<columns * rows {
                let likelihood = min(max(values[0][cell], 0), 1) * min(max(values[1][cell], 0), 1)
                let confidence = Double(likelihood).squareRoot()
                guard confidence >= minimumConfidence else { continue }
                let (column, row) = (Double(cell % columns), Double(cell / columns))
                let box = (0..<4).map { Double(values[2][cell * 4 + $0]) }
                let (w, h) = (exp(box[2]) * stride, exp(box[3]) * stride)
                let (x, y) = ((column + box[0]) * stride - w / 2, (row + box[1]) * stride - h / 2)
                let points = (0..<5).map { point in
                    Point(
                        (column + Double(values[3][cell * 10 + 2 * point])) * stride * scaleX,
                        (row + Double(values[3][cell * 10 + 2 * point + 1])) * stride * scaleY)
                }
                let isFinite = (points + [Point(x, y), Point(w, h)]).allSatisfy { $0.x.isFinite && $0.y.isFinite }
                guard isFinite else { continue }
                faces.append(
                    FoundFace(
                        box: Box(x: x * scaleX, y: y * scaleY, width: w * scaleX, height: h * scaleY),
                        confidence: confidence, landmarks: points))
            }
            return faces
        }
    }
}
