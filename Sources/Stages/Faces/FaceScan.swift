internal import Annotate
internal import CVision

/// Looks at parts of frames with the face networks. Several threads may ask at once.
final class FaceScan: Sendable {
    let network: FaceNetwork
    let mesh: FaceMesh
    /// The picture's, from the options.
    private let longestSide: Int

    /// - Throws: `InferenceError`.
    init(longestSide: Int) throws {
        network = try FaceNetwork(path: Supplied.network("faces", "full-range.tflite"))
        mesh = try FaceMesh(path: Supplied.network("faces", "mesh.tflite"))
        self.longestSide = longestSide
    }

    var details: [JSONMember] { [network.details, mesh.details] }

    func tiles(width: Int, height: Int, minimumSize: Double) -> [FaceView] {
        FaceTiles(width: width, height: height, longestSide: longestSide, minimumSize: minimumSize).tiles
    }

    /// Faces seen in some views of a frame, a face once, the surest first.
    func candidates(_ views: [FaceView], in frame: VideoFrame, minimumScore: Double) throws -> [FaceCandidate] {
        guard !views.isEmpty else { return [] }
        var found: [FaceCandidate] = []
        let source = FaceSource(frame)
        for view in views {
            let pixels = try source.pixels(of: view, side: FaceNetwork.side)
            found += try network.candidates(pixels, of: view, minimumScore: minimumScore)
        }
        return Self.surest(found)
    }

    /// A face that two views show counts once; so does one that is seen whole in one and cut off in the other.
    static func surest(_ candidates: [FaceCandidate]) -> [FaceCandidate] {
        let order = candidates.indices.sorted { (candidates[$0].score, $1) > (candidates[$1].score, $0) }
        var kept: [FaceCandidate] = []
        for index in order {
            let box = candidates[index].box
            let isNew = kept.allSatisfy { known in
                guard let common = known.box.intersection(box) else { return true }
                return common.area <= 0.6 * min(known.box.area, box.area)
                    && known.box.intersectionOverUnion(box) <= FaceSuppression.overlap
            }
            if isNew { kept.append(candidates[index]) }
        }
        return kept
    }

    /// The mesh of the face that a view of a frame shows.
    func mesh(of view: FaceView, in frame: VideoFrame) throws -> FaceMesh.Fit {
        try mesh.fit(try FaceSource(frame).pixels(of: view, side: FaceMesh.side), of: view)
    }
}

/// A frame's pixels for the networks: views that are far larger than the network are averaged, the others sampled.
struct FaceSource {
    private let frame: VideoFrame

    init(_ frame: VideoFrame) { self.frame = frame }

    /// - Returns: `side`² RGB. Beyond the picture an upright view is black, and a turned one goes on as its border.
    func pixels(of view: FaceView, side: Int) throws -> [UInt8] {
        let (width, height) = (Double(frame.width), Double(frame.height))
        var corners = view.corners
        var geometry = OCV_GEOMETRY_STRETCH
        let isWider = view.side > width + 1e-6 || view.side > height + 1e-6
        if view.angle == 0, isWider {
            let left = max(0, view.center.x - view.side / 2), right = min(width, view.center.x + view.side / 2)
            let top = max(0, view.center.y - view.side / 2), bottom = min(height, view.center.y + view.side / 2)
            // The fitted part is in the middle, as it is in the view.
            if abs(left + right - 2 * view.center.x) < 1e-6, abs(top + bottom - 2 * view.center.y) < 1e-6 {
                corners = Box(x: left, y: top, width: right - left, height: bottom - top).corners
                geometry = OCV_GEOMETRY_FIT
            }
        }
        let options = ocv_crop_options(
            width: Int32(side), height: Int32(side), channels: OCV_CHANNELS_RGB, geometry: geometry, antialias: true,
            padding: 0)
        var pixels = [UInt8](repeating: 0, count: side * side * 3)
        // A pixel begins half a pixel before its middle.
        try frame.crop(corners.map { $0 - Point(0.5, 0.5) }, options, into: &pixels, stride: side * 3)
        return pixels
    }
}
