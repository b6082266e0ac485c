internal import CVision
internal import Glibc

/// 468 places on a face by MediaPipe's mesh network (Kartynnik et al., “Real-time Facial Surface Geometry from Monocular
/// Video on Mobile GPUs”, 2019), and how much what it sees is a face.
final class FaceMesh: Sendable {
    static let side = 192
    static let count = 468
    /// Side of a face's view, in longer sides of its mesh.
    private static let margin = 1.5
    /// Height of the hairline over the mesh, in heights of the mesh, as YuNet's boxes have it on average.
    private static let hairline = 0.1

    private let model: InferenceModel
    private let (places, presence): (Int, Int)
    let details: JSONMember

    /// The network's result for a view.
    struct Fit: Sendable {
        /// Places of the mesh, pixels of the picture; integer coordinates are pixel centres.
        var points: [Point]
        /// Confidence that the view shows a face, 0…1.
        var confidence: Double

        /// The face's box, from the hairline to the chin.
        var box: Box? {
            let up = (points[10] - points[152]) * FaceMesh.hairline
            let brow = FaceMesh.forehead.map { points[$0] + up }
            // A box begins half a pixel before its first pixel's centre.
            return Box(around: points + brow)?.moved(by: Point(0.5, 0.5))
        }

        /// View in which the face is looked for next.
        var view: FaceView? {
            guard let box = Box(around: points) else { return nil }
            let eyes = points[263] - points[33]
            return FaceView(
                center: box.center + Point(0.5, 0.5), side: max(box.width, box.height) * FaceMesh.margin,
                angle: atan2(eyes.y, eyes.x))
        }
    }

    private static let forehead = [54, 103, 67, 109, 10, 338, 297, 332, 284]

    /// - Throws: `InferenceError`.
    init(path: String) throws {
        model = try InferenceModel(path: path)
        let sizes = model.outputs.map { $0.shape.reduce(1, *) }
        guard model.input.shape == [1, Self.side, Self.side, 3], let places = sizes.firstIndex(of: 3 * Self.count),
            let presence = sizes.firstIndex(of: 1)
        else { throw InferenceError("“\(path)” is not the face mesh; run `make setup`, which puts it there") }
        (self.places, self.presence) = (places, presence)
        details = try faceNetworkDetails(
            "landmarksModel", path, input: model.input.description, scale: 1.0 / 255, mean: 0)
    }

    /// - Parameters:
    ///   - pixels: `side`² RGB.
    ///   - view: what they show.
    func fit(_ pixels: [UInt8], of view: FaceView) throws -> Fit {
        let tensor = try faceTensor(pixels, side: Self.side, scale: 1.0 / 255, mean: 0)
        let outputs = try model.run(tensor, shape: [1, Self.side, Self.side, 3])
        let (values, presence) = (outputs[places].values, outputs[presence].values)
        guard values.count == 3 * Self.count, presence.count == 1, values.allSatisfy(\.isFinite), presence[0].isFinite
        else { throw InferenceError("the face mesh gave no \(Self.count) places") }
        let scale = 1 / Double(Self.side)
        let points = (0..<Self.count).map { index in
            view.place(Double(values[3 * index]) * scale, Double(values[3 * index + 1]) * scale) - Point(0.5, 0.5)
        }
        // Of faces the network gives some 8 to 50, of what is none −11 to 0: the middle between counts as a half.
        return Fit(points: points, confidence: 1 / (1 + exp((6 - Double(presence[0])) / 4)))
    }
}
