/// Suppression: of boxes that are one face the surest stays.
enum FaceSuppression {
    /// Intersection over union above which boxes are one face, as `cv::FaceDetectorYN` has it.
    static let overlap = 0.3

    /// - Returns: the surest first.
    static func surest(_ faces: [FoundFace]) -> [FoundFace] {
        Suppression(overlap: overlap).kept(of: faces.map(\.box), confidences: faces.map(\.confidence)).map {
            faces[$0]
        }
    }

    /// Share of a box's area in a surer one above which it is a part of that face: a forehead, say.
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
