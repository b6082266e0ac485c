internal import Graph

/// Non-maximum suppression: of boxes that are one face the surest stays.
enum FaceSuppression {
    /// Boxes that overlap by more are one face, as `cv::FaceDetectorYN` has it.
    static let overlap = 0.3
    /// How many are looked at; more of them is noise.
    private static let limit = 5000

    /// - Returns: the surest first.
    static func surest(_ faces: [FoundFace]) -> [FoundFace] {
        // Ties by order, so that the result is the same every time.
        let order = faces.indices.sorted {
            (faces[$0].confidence, $1) > (faces[$1].confidence, $0)
        }
        var kept: [FoundFace] = []
        for index in order.prefix(limit) {
            let face = faces[index]
            if kept.allSatisfy({ $0.box.intersectionOverUnion(face.box) <= overlap }) { kept.append(face) }
        }
        return kept
    }

    /// A box that lies in a surer one by more than this of its area is a part of that face: a forehead, say.
    private static let most = 0.5

    /// - Parameter faces: the surest first.
    static func whole(_ faces: [FoundFace]) -> [FoundFace] {
        var kept: [FoundFace] = []
        for face in faces {
            let isPart = kept.contains { ($0.box.intersection(face.box)?.area ?? 0) > most * face.box.area }
            if !isPart { kept.append(face) }
        }
        return kept
    }
}
