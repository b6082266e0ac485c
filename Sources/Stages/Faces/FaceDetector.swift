internal import Annotate

/// A face in one frame, before it has a track.
struct FoundFace: Sendable {
    var box: Box
    /// 0…1.
    var confidence: Double
    /// 5, 68 or none, as `FaceFeatures` says.
    var landmarks: [Point] = []
    var angles: HeadAngles?
    var appearance: FaceAppearance?
}

/// Finds faces in single frames; what is behind `faces`. Several threads may ask at once.
protocol FaceDetector: Sendable {
    /// - Parameters:
    ///   - minimumConfidence: what has less is left out.
    ///   - minimumSize: of a box's shorter side, pixels.
    /// - Returns: the surest first.
    func detect(_ frame: VideoFrame, minimumConfidence: Double, minimumSize: Double) throws -> [FoundFace]

    /// The face with landmarks that are right where it is tilted.
    func levelled(_ face: FoundFace, in frame: VideoFrame) throws -> FoundFace

    /// What the sidecar's header says of it.
    var details: [JSONMember] { get }
}

extension FaceDetector {
    func levelled(_ face: FoundFace, in frame: VideoFrame) throws -> FoundFace { face }
}
