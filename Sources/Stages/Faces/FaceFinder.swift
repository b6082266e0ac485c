internal import Annotate
internal import CVision

/// Everything that is known of the faces of a single frame. Several threads may ask at once.
struct FaceFinder: Sendable {
    let detector: any FaceDetector
    /// nil where the detector's own landmarks, if any, are enough.
    let landmarks: FaceLandmarkModel?
    let comparesAppearance: Bool
    let minimumConfidence: Double
    /// Of the picture's smaller dimension.
    let minimumSize: Double

    var details: [JSONMember] { detector.details + [landmarks?.details].compactMap(\.self) }

    /// The surest first.
    func faces(in frame: VideoFrame) throws -> [FoundFace] {
        let faces = try detector.detect(
            frame, minimumConfidence: minimumConfidence,
            minimumSize: minimumSize * Double(min(frame.width, frame.height)))
        let picture = Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
        // A box may leave the picture, but not as a whole.
        return try faces.filter { $0.box.intersection(picture) != nil }.map { face in
            var face = try landmarks == nil ? detector.levelled(face, in: frame) : face
            if let landmarks { face.landmarks = try landmarks.landmarks(frame, box: face.box) }
            face.angles = try Self.angles(face.landmarks, in: frame)
            if comparesAppearance { face.appearance = try FaceAppearance(frame, box: face.box) }
            return face
        }
    }

    /// The head's angles for a camera whose focal length is the picture's longer side: 53° across, as most have about.
    private static func angles(_ landmarks: [Point], in frame: VideoFrame) throws -> HeadAngles? {
        guard let box = Box(around: landmarks), box.width + box.height > 4 else { return nil }
        var angles = ocv_head_angles()
        let center = ocv_point(x: Double(frame.width - 1) / 2, y: Double(frame.height - 1) / 2)
        try check(
            ocv_head_pose(
                landmarks.map(\.ocv), Int32(landmarks.count), center, Double(max(frame.width, frame.height)),
                &angles), "measure a head's angles")
        let all = [angles.roll, angles.yaw, angles.pitch]
        return all.allSatisfy(\.isFinite) ? HeadAngles(roll: all[0], yaw: all[1], pitch: all[2]) : nil
    }
}
