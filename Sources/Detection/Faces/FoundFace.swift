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

    /// The face, where it is in a frame of which a part was looked at.
    func placed(in part: FramePart) -> FoundFace {
        let way = Point(Double(part.x), Double(part.y))
        var face = self
        face.box = box.moved(by: way)
        face.landmarks = landmarks.map { $0 + way }
        return face
    }
}
