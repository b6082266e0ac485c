internal import Graph

/// A face in one frame, before it has a track.
struct FoundFace: Sendable {
    var box: Box
    /// Confidence, 0…1.
    var confidence: Double
    /// Landmarks, pixels: 5, 68, 468 or none, as `FaceFeatures` says.
    var landmarks: [Point] = []
    var angles: HeadAngles?
    /// View in which the mesh should look for it in the next frame; nil where no mesh fits it.
    var view: FaceView?
    var appearance: FaceAppearance?
    /// Whether a score is all that speaks for it: no network fits features to it.
    var isFeatureless = false
}
