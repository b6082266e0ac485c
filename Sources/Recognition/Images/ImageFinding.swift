/// A known picture, or a rectangle that was taken for one.
struct ImageFinding: Finding {
    static let kind = "image"
    static let doc = "A picture that is looked for; its polygon starts at the picture's own top left."
    static let place = Place.polygon

    var isTracked = false
    /// Pose; nil where its size isn't known.
    var pose: EstimatedPose?

    static let fields: [Field<ImageFinding>] = [
        Field("isTracked", \.isTracked, .flag, doc: "Whether the picture is seen just now."),
        EstimatedPose.field(\.pose),
    ]

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

/// The picture that is looked for, as something that goes to stages that want its pixels rather than what is seen of
/// it.
extension ReferencePicture: Attachment {}
