internal import Graph

/// A face in one frame, before it has a track.
struct FoundFace: Sendable {
    var box: Box
    /// 0…1.
    var confidence: Double
    /// 5, 68, 468 or none, as `FaceFeatures` says.
    var landmarks: [Point] = []
    var angles: HeadAngles?
    /// Where the mesh should look for it in the next frame; nil where no mesh fits it.
    var view: FaceView?
    var appearance: FaceAppearance?
    /// True where a score is all that speaks for it: no network fits features to it.
    var isFeatureless = false
}
