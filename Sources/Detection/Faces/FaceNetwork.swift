internal import CVision
internal import Glibc

/// A view: a square part of the picture, turned, that a network looks at.
struct FaceView: Sendable, Hashable {
    /// Middle, pixels from the picture's top left corner: a pixel's middle is at half numbers.
    var center: Point
    /// Side, pixels.
    var side: Double
    /// Angle, clockwise, radians.
    var angle = 0.0
    /// Whether left and right are exchanged in it.
    var isMirrored = false

    /// Takes a place of the view, 0…1 from its top left, to the picture (from its corner, as `center`).
    func place(_ x: Double, _ y: Double) -> Point {
        let (c, s) = (cos(angle), sin(angle))
        let (dx, dy) = ((isMirrored ? 0.5 - x : x - 0.5) * side, (y - 0.5) * side)
        return Point(center.x + c * dx - s * dy, center.y + s * dx + c * dy)
    }

    /// Whether an upright one shows something of a place in the picture.
    func reaches(_ place: Box) -> Bool {
        place.intersection(Box(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)) != nil
    }

    /// Whether a face can fill it: it isn't a few pixels, or far more than any picture.
    var isUsable: Bool {
        (4...1e5).contains(side) && center.x.magnitude < 1e5 && center.y.magnitude < 1e5 && angle.isFinite
    }

    /// Corners: its own top left, top right, bottom right and bottom left.
    var corners: [Point] { [place(0, 0), place(1, 0), place(1, 1), place(0, 1)] }
}

/// A candidate: a place where the detector sees a face.
struct FaceCandidate: Sendable, Hashable {
    /// Score, 0…1.
    var score: Double
    /// Box, pixels from the picture's corner: a square of about brows to chin.
    var box: Box
    /// Points, pixels from the picture's corner: the eye on the picture's left, the other, the tip of the nose, the
    /// middle of the mouth, the ears in the same order.
    var points: [Point]

    /// View for the mesh: half as much again, upright by the eyes.
    var view: FaceView {
        let eyes = points[1] - points[0]
        return FaceView(center: box.center, side: max(box.width, box.height) * 1.5, angle: atan2(eyes.y, eyes.x))
    }

    var tightBox: Box { Self.tight(box) }

    /// The square that a box as YuNet draws it stands for: the inverse of `tight`, on average.
    static func loose(_ box: Box) -> Box {
        let side = (box.width / 0.885 * box.height / 1.135).squareRoot()
        return Box(x: box.center.x - side / 2, y: box.center.y + 0.03 * side - side / 2, width: side, height: side)
    }

    /// A box as YuNet draws it, from the hairline to the chin and less wide: means over frontal faces.
    static func tight(_ box: Box) -> Box {
        Box(
            x: box.x + 0.055 * box.width, y: box.y - 0.1 * box.height, width: 0.885 * box.width,
            height: 1.135 * box.height)
    }
}

/// A BlazeFace network (Bazarevsky et al. 2019, as MediaPipe has them): faces in a square RGB picture. At each anchor of one
/// or two grids a score, a box and six points.
final class FaceNetwork: Sendable {
    /// The form of a network: what tells the networks apart.
    struct Form: Sendable {
        var file: String
        /// Side of the input, pixels.
        var side: Int
        /// Pixels between a grid's cells, and anchors at each.
        var grids: [(stride: Int, anchors: Int)]

        /// Faces from some 16 to 190 pixels of the input.
        static let fullRange = Form(file: "full-range.tflite", side: 192, grids: [(4, 1)])
        /// Other weights of the same form, most of them zero.
        static let sparse = Form(file: "full-range-sparse.tflite", side: 192, grids: [(4, 1)])
        /// Faces from some 30 pixels of the input; trained apart from the others, on faces that fill more of a picture.
        static let shortRange = Form(file: "short-range.tflite", side: 128, grids: [(8, 2), (16, 6)])

        func path() throws -> String { try BundledFiles.network("faces", file) }

        /// Member of the track file's header about it.
        func details(_ key: String) throws -> JSONMember {
            try faceNetworkDetails(key, path(), input: "f32 [1,\(side),\(side),3]", scale: 1 / 127.5, mean: 1)
        }

        /// Places of the anchors, pixels of the input.
        var anchors: [Point] {
            grids.flatMap { stride, count in
                let columns = side / stride
                return (0..<columns * columns * count).map { index in
                    let cell = index / count
                    return Point(
                        (Double(cell % columns) + 0.5) * Double(stride), (Double(cell / columns) + 0.5) * Double(stride)
                    )
                }
            }
        }
    }

    private static let values = 16
    /// Intersection over union above which boxes of one view are one face, whose place is their mean by score.
    private static let overlap = 0.3

    /// Side of the input, pixels.
    let side: Int
    private let anchors: [Point]
    private let model: InferenceModel
    private let (regressors, scores): (Int, Int)

    /// - Throws: `InferenceError`.
    init(_ form: Form) throws {
        let path = try form.path()
        let anchors = form.anchors
        model = try InferenceModel(path: path)
        guard model.input.shape == [1, form.side, form.side, 3],
            let regressors = model.outputs.firstIndex(where: { $0.shape == [1, anchors.count, Self.values] }),
            let scores = model.outputs.firstIndex(where: { $0.shape == [1, anchors.count, 1] })
        else {
            throw InferenceError(
                "“\(path)” is not the face detector that belongs there; run `make setup`, which puts it there")
        }
        (side, self.anchors) = (form.side, anchors)
        (self.regressors, self.scores) = (regressors, scores)
    }

    /// - Parameters:
    ///   - pixels: `side`² RGB.
    ///   - view: what they show.
    /// - Returns: in the picture, but their boxes along the view's sides about their middles; those of `minimumScore` and more, the surest first.
    func candidates(_ pixels: [UInt8], of view: FaceView, minimumScore: Double) throws -> [FaceCandidate] {
        let tensor = try faceTensor(pixels, side: side, scale: 1 / 127.5, mean: 1)
        let outputs = try model.run(tensor, shape: [1, side, side, 3])
        let (places, scores) = (outputs[regressors].values, outputs[scores].values)
        guard places.count == anchors.count * Self.values, scores.count == anchors.count else {
            throw InferenceError("the face detector gave \(scores.count) scores; expected \(anchors.count)")
        }
        let least = log(minimumScore / (1 - minimumScore))
        var seen: [FaceCandidate] = []
        for (index, anchor) in anchors.enumerated() where Double(scores[index]) >= least {
            func pair(_ value: Int) -> Point {
                Point(Double(places[index * Self.values + value]), Double(places[index * Self.values + value + 1]))
            }
            let (middle, size) = (anchor + pair(0), pair(2))
            let points = (0..<6).map { anchor + pair(4 + 2 * $0) }
            guard size.x > 0, size.y > 0, (points + [middle, size]).allSatisfy({ $0.x.isFinite && $0.y.isFinite })
            else {
                continue
            }
            seen.append(
                FaceCandidate(
                    score: 1 / (1 + exp(-Double(scores[index]))),
                    box: Box(x: middle.x - size.x / 2, y: middle.y - size.y / 2, width: size.x, height: size.y),
                    points: points))
        }
        let scale = view.side / Double(side)
        func place(_ point: Point) -> Point { view.place(point.x / Double(side), point.y / Double(side)) }
        return Self.merged(seen).map { face in
            let (middle, size) = (place(face.box.center), Point(face.box.width, face.box.height) * scale)
            return FaceCandidate(
                score: face.score,
                box: Box(x: middle.x - size.x / 2, y: middle.y - size.y / 2, width: size.x, height: size.y),
                points: face.points.map(place))
        }
    }

    /// Boxes that are one face become their mean, weighted by score, under the best score.
    private static func merged(_ seen: [FaceCandidate]) -> [FaceCandidate] {
        var left = seen.indices.sorted { (seen[$0].score, $1) > (seen[$1].score, $0) }
        var faces: [FaceCandidate] = []
        while let best = left.first {
            let group = left.filter { $0 == best || seen[$0].box.intersectionOverUnion(seen[best].box) > overlap }
            left.removeAll { group.contains($0) }
            let total = group.reduce(0) { $0 + seen[$1].score }
            var face = FaceCandidate(
                score: seen[best].score, box: Box(x: 0, y: 0, width: 0, height: 0),
                points: Array(repeating: Point(0, 0), count: 6))
            for index in group {
                let (one, weight) = (seen[index], seen[index].score / total)
                face.box.x += one.box.x * weight
                face.box.y += one.box.y * weight
                face.box.width += one.box.width * weight
                face.box.height += one.box.height * weight
                for point in 0..<6 { face.points[point] = face.points[point] + one.points[point] * weight }
            }
            faces.append(face)
        }
        return faces
    }
}

/// RGB pixels as a network's input: value · scale − mean.
func faceTensor(_ pixels: [UInt8], side: Int, scale: Float, mean: Float) throws -> [Float] {
    var normalization = ocv_normalization(
        layout: OCV_LAYOUT_NHWC, scale: scale, mean: (mean, mean, mean), std: (1, 1, 1))
    var tensor = [Float](repeating: 0, count: pixels.count)
    try check(
        ocv_fill_tensor(pixels, Int64(side * 3), Int32(side), Int32(side), 3, &normalization, &tensor),
        "prepare the network's input")
    return tensor
}

/// Member of the track file's header about a network.
func faceNetworkDetails(
    _ key: String, _ path: String, input: String, scale: Double, mean: Double
) throws -> JSONMember {
    JSONMember(
        key: key,
        value: JSONNode(
            .members([
                "name": .string(Files.name(of: path)), "sha256": .string(try ModelFile.sha256(path)),
                "input": .string(input),
                "preprocessing": .members([
                    "layout": .string("nhwc"), "channelOrder": .string("rgb"), "scale": .number(scale),
                    "mean": .numbers([mean, mean, mean]), "std": .numbers([1, 1, 1]),
                ]),
            ])))
}
