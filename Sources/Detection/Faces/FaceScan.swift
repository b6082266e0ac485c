/// Looks at parts of frames with the face networks. Several threads may ask at once.
final class FaceScan: Sendable {
    let mesh: FaceMesh
    let opinion: FaceOpinion
    private let network: LazyFaceNetwork
    private let sparse: LazyFaceNetwork
    private let shortRange: LazyFaceNetwork
    /// Longest side of the picture as it is searched, from the options, pixels.
    private let longestSide: Int
    let details: [JSONMember]

    /// - Throws: `InferenceError`.
    init(longestSide: Int) throws {
        network = try LazyFaceNetwork(.fullRange, key: "model")
        // Every search needs it: what is wrong with it is said before the first frame.
        _ = try network.loaded()
        sparse = try LazyFaceNetwork(.sparse, key: "sparseModel")
        shortRange = try LazyFaceNetwork(.shortRange, key: "shortRangeModel")
        mesh = try FaceMesh(path: BundledFiles.network("faces", "mesh.tflite"))
        opinion = FaceOpinion(full: network, sparse: sparse, shortRange: shortRange)
        details = [network.details, mesh.details, sparse.details, shortRange.details]
        self.longestSide = longestSide
    }

    func tiles(width: Int, height: Int, minimumSize: Double) -> FaceTiles {
        FaceTiles(width: width, height: height, longestSide: longestSide, minimumSize: minimumSize)
    }

    /// Faces seen in some views of a frame, a face once, the surest first.
    /// - Parameters:
    ///   - isThorough: by all networks, at three times the cost.
    ///   - isOnBlack: What of a view lies beyond the picture is black: of a face that an edge cuts the networks tell more
    ///     beside nothing than beside an edge that goes on.
    func candidates(
        _ views: [FaceView], in source: FaceSource, minimumScore: Double, isThorough: Bool = false,
        isOnBlack: Bool = false
    ) throws -> [FaceCandidate] {
        var found: [FaceCandidate] = []
        let networks = try (isThorough ? [network, sparse, shortRange] : [network]).map { try $0.loaded() }
        for view in views {
            var (side, pixels) = (0, [UInt8]())
            for network in networks {
                if network.side != side {
                    (side, pixels) = (
                        network.side, try source.pixels(of: view, side: network.side, isOnBlack: isOnBlack)
                    )
                }
                found += try network.candidates(pixels, of: view, minimumScore: minimumScore)
            }
        }
        return Self.surest(found)
    }

    /// What a network with other weights sees in some views, as `candidates`.
    func otherCandidates(_ views: [FaceView], in source: FaceSource, minimumScore: Double) throws -> [FaceCandidate] {
        let other = try sparse.loaded()
        return try views.flatMap { view in
            try other.candidates(
                source.pixels(of: view, side: other.side, isOnBlack: true), of: view, minimumScore: minimumScore)
        }
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
