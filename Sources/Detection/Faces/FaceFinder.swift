internal import CVision

/// The faces of a single frame, or of regions of it, by a model of the user's.
struct FaceFinder: Detector {
    let detector: YuNetDetector
    let reader: FaceReader
    let minimumConfidence: Double
    /// Least side of a face, as a part of the picture's smaller side.
    let minimumSize: Double
    /// Around a region, of its size; nil where the frame is looked at.
    let margin: Double?

    /// The faces of a frame.
    /// - Returns: The surest first.
    func detect(_ input: StageInput) throws -> [FoundFace] {
        let frame = input.frame
        let least = minimumSize * Double(min(frame.width, frame.height))
        func faces(in part: FramePart?) throws -> [FoundFace] {
            try detector.detect(frame, part, minimumConfidence: minimumConfidence, minimumSize: least)
        }
        guard let margin else { return try read(faces(in: nil), in: frame) }
        let parts = SearchedRegions(input, margin: margin).parts
        // What a region cuts another one may show whole.
        let whole = try parts.flatMap { part in try faces(in: part).filter { !part.cuts($0.box, in: frame) } }
        return try read(FaceSuppression.surest(whole), in: frame)
    }

    private func read(_ faces: [FoundFace], in frame: VideoFrame) throws -> [FoundFace] {
        try faces.filter { $0.isWithin(frame) }.map { face in
            try reader.read(reader.landmarksModel == nil ? detector.levelled(face, in: frame) : face, in: frame)
        }
    }
}

/// Reads a face that was found: landmarks, the head's angles, its appearance. Several threads may ask at once.
struct FaceReader: Sendable {
    /// The mesh's places that are reported.
    enum Landmarks: String, CaseIterable, Sendable { case none, five, contours, mesh }

    /// Network for landmarks; nil where those that came with the face are enough.
    let landmarksModel: FaceLandmarkModel?
    let landmarks: Landmarks
    let comparesAppearance: Bool

    func read(_ face: FoundFace, in frame: VideoFrame) throws -> FoundFace {
        var face = face
        if let landmarksModel {
            face.landmarks = try landmarksModel.landmarks(frame, box: face.box)
            face.angles = try Self.angles(face.landmarks, in: frame)
        } else if face.landmarks.count == FaceMesh.count {
            let contours = FaceFeatures.sixtyEightOfMesh.map { face.landmarks[$0] }
            face.angles = try Self.angles(contours, in: frame)
            switch landmarks {
            case .none: face.landmarks = []
            case .five: face.landmarks = FaceFeatures.fiveOf(contours)
            case .contours: face.landmarks = contours
            case .mesh: break
            }
        } else {
            face.angles = try Self.angles(face.landmarks, in: frame)
        }
        if comparesAppearance { face.appearance = try FaceAppearance(frame, box: face.box) }
        return face
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

extension FoundFace {
    /// Whether the box lies in the picture: it may leave it, but not as a whole.
    func isWithin(_ frame: VideoFrame) -> Bool {
        box.intersection(Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))) != nil
    }
}
