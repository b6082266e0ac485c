internal import Annotate
internal import CVision
internal import Glibc

/// A square part of the picture, turned: what a network looks at.
struct FaceView: Sendable, Hashable {
    /// From the picture's top left corner, pixels: a pixel's middle is at half numbers.
    var center: Point
    /// Pixels.
    var side: Double
    /// Clockwise, radians.
    var angle = 0.0

    /// Takes a place of the view, 0…1 from its top left, to the picture (from its corner, as `center`).
    func place(_ x: Double, _ y: Double) -> Point {
        let (c, s) = (cos(angle), sin(angle))
        let (dx, dy) = ((x - 0.5) * side, (y - 0.5) * side)
        return Point(center.x + c * dx - s * dy, center.y + s * dx + c * dy)
    }

    /// False for what no face fills: a few pixels, or far more than any picture.
    var isUsable: Bool {
        (4...1e5).contains(side) && center.x.magnitude < 1e5 && center.y.magnitude < 1e5 && angle.isFinite
    }

    /// Clockwise from its own top left.
    var corners: [Point] { [place(0, 0), place(1, 0), place(1, 1), place(0, 1)] }
}

/// Where the detector sees a face.
struct FaceCandidate: Sendable {
    /// 0…1.
    var score: Double
    /// From the picture's corner, pixels: a square of about brows to chin.
    var box: Box
    /// From the picture's corner: the eye on the picture's left, the other, the tip of the nose, the middle of the mouth,
    /// the ears in the same order.
    var points: [Point]

    /// What the mesh should look at: half as much again, upright by the eyes.
    var view: FaceView {
        let eyes = points[1] - points[0]
        return FaceView(center: box.center, side: max(box.width, box.height) * 1.5, angle: atan2(eyes.y, eyes.x))
    }

    /// As YuNet draws it, from the hairline to the chin and less wide: means over frontal faces.
    var tightBox: Box {
        Box(
            x: box.x + 0.055 * box.width, y: box.y - 0.1 * box.height, width: 0.885 * box.width,
            height: 1.135 * box.height)
    }
}

/// BlazeFace's full-range network (Bazarevsky et al. 2019, as MediaPipe has it): faces from some 16 to 190 of its 192
/// pixels in a square RGB picture. At each cell of one grid a score, a box and six points.
final class FaceNetwork: Sendable {
    static let side = 192
    private static let stride = 4
    private static let cells = (side / stride) * (side / stride)
    private static let values = 16
    /// Boxes of one view that overlap by more are one face, whose place is their mean by score.
    private static let overlap = 0.3

    private let model: InferenceModel
    private let (regressors, scores): (Int, Int)
    let details: JSONMember

    /// - Throws: `InferenceError`.
    init(path: String) throws {
        model = try InferenceModel(path: path)
        let expected = [1, Self.side, Self.side, 3]
        guard model.input.shape == expected,
            let regressors = model.outputs.firstIndex(where: { $0.shape == [1, Self.cells, Self.values] }),
            let scores = model.outputs.firstIndex(where: { $0.shape == [1, Self.cells, 1] })
        else {
            throw InferenceError("“\(path)” is not the full-range face detector; run `make setup`, which puts it there")
        }
        (self.regressors, self.scores) = (regressors, scores)
        details = try faceNetworkDetails("model", path, model, scale: 1 / 127.5, mean: 1)
    }

    /// - Parameters:
    ///   - pixels: `side`² RGB.
    ///   - view: what they show, upright.
    /// - Returns: those of `minimumScore` and more, the surest first.
    func candidates(_ pixels: [UInt8], of view: FaceView, minimumScore: Double) throws -> [FaceCandidate] {
        let tensor = try faceTensor(pixels, side: Self.side, scale: 1 / 127.5, mean: 1)
        let outputs = try model.run(tensor, shape: [1, Self.side, Self.side, 3])
        let (places, scores) = (outputs[regressors].values, outputs[scores].values)
        guard places.count == Self.cells * Self.values, scores.count == Self.cells else {
            throw InferenceError("the face detector gave \(scores.count) cells; expected \(Self.cells)")
        }
        let least = log(minimumScore / (1 - minimumScore))
        let columns = Self.side / Self.stride
        var seen: [FaceCandidate] = []
        for cell in 0..<Self.cells where Double(scores[cell]) >= least {
            let anchor = Point(
                (Double(cell % columns) + 0.5) * Double(Self.stride),
                (Double(cell / columns) + 0.5) * Double(Self.stride))
            func pair(_ index: Int) -> Point {
                Point(Double(places[cell * Self.values + index]), Double(places[cell * Self.values + index + 1]))
            }
            let (middle, size) = (anchor + pair(0), pair(2))
            let points = (0..<6).map { anchor + pair(4 + 2 * $0) }
            guard size.x > 0, size.y > 0, (points + [middle, size]).allSatisfy({ $0.x.isFinite && $0.y.isFinite })
            else {
                continue
            }
            seen.append(
                FaceCandidate(
                    score: 1 / (1 + exp(-Double(scores[cell]))),
                    box: Box(x: middle.x - size.x / 2, y: middle.y - size.y / 2, width: size.x, height: size.y),
                    points: points))
        }
        let scale = view.side / Double(Self.side)
        let origin = view.place(0, 0)
        return Self.merged(seen).map { face in
            FaceCandidate(
                score: face.score,
                box: Box(
                    x: origin.x + face.box.x * scale, y: origin.y + face.box.y * scale, width: face.box.width * scale,
                    height: face.box.height * scale),
                points: face.points.map { origin + $0 * scale })
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

/// What the sidecar's header says of a network.
func faceNetworkDetails(
    _ key: String, _ path: String, _ model: InferenceModel, scale: Double, mean: Double
) throws -> JSONMember {
    JSONMember(
        key: key,
        value: JSONNode(
            .members([
                "name": .string(Files.name(of: path)), "sha256": .string(try SHA256.hash(file: path)),
                "input": .string(model.input.description),
                "preprocessing": .members([
                    "layout": .string("nhwc"), "channelOrder": .string("rgb"), "scale": .number(scale),
                    "mean": .numbers([mean, mean, mean]), "std": .numbers([1, 1, 1]),
                ]),
            ])))
}
