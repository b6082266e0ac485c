internal import Annotate
internal import COpenCV
internal import Glibc

/// Faces with five landmarks by YuNet (Wu, Peng and Yu, “YuNet: A Tiny Millisecond-level Face Detector”, 2023), read out
/// as `cv::FaceDetectorYN` does: at each cell of three grids a class, an objectness, a box and five points.
final class YuNetDetector: FaceDetector {
    private static let strides = [8, 16, 32]
    private static let kinds = [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)]

    private let model: InferenceModel
    /// Indices of the outputs: by stride, then class, objectness, box and points.
    private let outputs: [[Int]]
    /// The model's own input, pixels; nil where it takes any multiple of 32.
    private let fixed: (width: Int, height: Int)?
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
                        "sha256": .string(try SHA256.hash(file: path)), "input": .string(model.input.description),
                        "preprocessing": .members([
                            "longestSide": .integer(self.longestSide), "layout": .string("nchw"),
                            "channelOrder": .string("bgr"), "scale": .number(1), "mean": .numbers([0, 0, 0]),
                            "std": .numbers([1, 1, 1]), "resize": .string("fitTopLeft"), "antialias": .bool(true),
                        ]), "suppression": .number(FaceSuppression.overlap),
                    ])))
        ]
    }

    /// How a picture lies in the network's input: scaled into its top left, black beyond. It is never enlarged.
    private struct Placement {
        var inputWidth: Int
        var inputHeight: Int
        /// Of the scaled picture.
        var width: Int
        var height: Int

        init(_ frame: VideoFrame, fixed: (width: Int, height: Int)?, longestSide: Int) {
            let (w, h) = (Double(frame.width), Double(frame.height))
            let room = fixed ?? (longestSide, longestSide)
            let scale = min(1, Double(room.width) / w, Double(room.height) / h)
            width = max(1, Int((w * scale).rounded()))
            height = max(1, Int((h * scale).rounded()))
            (inputWidth, inputHeight) = fixed ?? ((width + 31) / 32 * 32, (height + 31) / 32 * 32)
        }
    }

    func detect(_ frame: VideoFrame, minimumConfidence: Double, minimumSize: Double) throws -> [FoundFace] {
        let place = Placement(frame, fixed: fixed, longestSide: longestSide)
        let (width, height) = (place.inputWidth, place.inputHeight)
        var picture = [UInt8](repeating: 0, count: width * height * 3)
        let (scaleX, scaleY) = try fill(&picture, from: frame, place)
        let faces = try read(
            picture, width, height, minimumConfidence: minimumConfidence, scaleX: scaleX, scaleY: scaleY)
        return FaceSuppression.surest(faces.filter { min($0.box.width, $0.box.height) >= minimumSize })
    }

    /// The five points lag behind a face that is tilted: a third to a half of the tilt is all that they show. So the
    /// face is looked at again, upright by what is known so far; then once more from either side, where what is left of
    /// the lag is equal and opposite.
    func levelled(_ face: FoundFace, in frame: VideoFrame) throws -> FoundFace {
        guard let first = face.landmarks.tilt, abs(first) > Self.leastTilt,
            max(face.box.width, face.box.height) >= Self.leastLevelled
        else { return face }
        var tilt = first * Self.tiltGain
        for _ in 0..<2 {
            guard let rest = try look(at: face, in: frame, tilted: tilt)?.tilt else { return face }
            tilt += rest * Self.tiltGain
            if abs(rest) < 0.1 { break }
        }
        guard let left = try look(at: face, in: frame, tilted: tilt - Self.aside)?.tilt,
            let right = try look(at: face, in: frame, tilted: tilt + Self.aside)?.tilt
        else { return face }
        tilt += (left + right) / 2 * Self.tiltGain
        guard let upright = try look(at: face, in: frame, tilted: tilt), let rest = upright.tilt else { return face }
        var levelled = face
        let turn = Turn(by: tilt - rest, about: face.box.center)
        levelled.landmarks = upright.map { turn.place(of: $0) }
        return levelled
    }

    /// The points of a face, pixels of the frame, about its middle in a picture that is turned about it.
    private func look(at face: FoundFace, in frame: VideoFrame, tilted angle: Double) throws -> [Point]? {
        let (width, height) = fixed ?? (Self.levelSide, Self.levelSide)
        let scale = Self.levelMargin * max(face.box.width, face.box.height) / Double(min(width, height))
        let turn = Turn(by: angle, about: face.box.center)
        let half = Point(Double(width), Double(height)) * (scale / 2)
        let corners = [Point(-half.x, -half.y), Point(half.x, -half.y), half, Point(-half.x, half.y)]
        var picture = [UInt8](repeating: 0, count: width * height * 3)
        let options = ocv_crop_options(
            width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_BGR, geometry: OCV_GEOMETRY_STRETCH,
            antialias: true, padding: 0)
        try frame.crop(corners.map { turn.place(of: $0) }, options, into: &picture, stride: width * 3)
        let middle = Point(Double(width), Double(height)) * 0.5
        func distance(_ face: FoundFace) -> Double { face.box.center.distance(to: middle) }
        let found = try read(picture, width, height, minimumConfidence: 0.3, scaleX: 1, scaleY: 1)
        guard let nearest = FaceSuppression.surest(found).min(by: { distance($0) < distance($1) }),
            distance(nearest) < middle.x.magnitude / 2
        else { return nil }
        return nearest.landmarks.map { ($0 + Point(0.5, 0.5) - middle) * scale }
    }

    /// Of the line through the eyes, radians: what is looked at again, and how much more than that a face is tilted.
    private static let leastTilt = 0.12
    private static let tiltGain = 1.6
    /// How far to either side it is looked at, radians.
    private static let aside = 0.2
    /// Pixels of a face's longer side: smaller ones have no points to speak of.
    private static let leastLevelled = 40.0
    /// Pixels of a square that a face is looked at in, and its side over the face's.
    private static let levelSide = 160
    private static let levelMargin = 1.5

    /// A turn about a place of the frame.
    private struct Turn {
        private let center: Point
        private let right: Point

        /// - Parameter angle: clockwise, radians.
        init(by angle: Double, about center: Point) {
            self.center = center
            right = Point(cos(angle), sin(angle))
        }

        /// - Parameter offset: from the centre, before the turn.
        func place(of offset: Point) -> Point { center + right * offset.x + Point(-right.y, right.x) * offset.y }
    }

    /// What the network sees in its input.
    /// - Parameter scaleX: pixels of the result for each of the input.
    private func read(
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

    /// Scales the frame into the network's picture.
    /// - Returns: pixels of the frame for each of the picture.
    private func fill(_ picture: inout [UInt8], from frame: VideoFrame, _ place: Placement) throws -> (Double, Double) {
        var options = ocv_crop_options(
            width: Int32(place.width), height: Int32(place.height), channels: OCV_CHANNELS_BGR,
            geometry: OCV_GEOMETRY_STRETCH, antialias: false, padding: 0)
        // 8 bits are enough to find a face: the planes do, also where there is a richer original.
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
        /// Pixels of the input.
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

extension [Point] {
    /// Of the line from the first to the second, the eyes, radians clockwise; nil where there is none.
    fileprivate var tilt: Double? {
        guard count == 5, self[0].distance(to: self[1]) > 1 else { return nil }
        return atan2(self[1].y - self[0].y, self[1].x - self[0].x)
    }
}
