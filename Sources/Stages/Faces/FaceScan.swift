internal import Annotate

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
    func candidates(_ views: [FaceView], in source: FaceSource, minimumScore: Double) throws -> [FaceCandidate] {
        var found: [FaceCandidate] = []
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
    func mesh(of view: FaceView, in source: FaceSource) throws -> FaceMesh.Fit {
        try mesh.fit(try source.pixels(of: view, side: FaceMesh.side), of: view)
    }
}
