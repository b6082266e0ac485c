/// An observation with its style, as the annotator draws it.
public struct DrawnObservation: Sendable {
    /// The observation, with the file's track numbers.
    public var observation: Observation
    /// How it is drawn; nil where it isn't.
    public var style: DrawStyle?
    var attachment: (any Attachment)?
    /// Skeleton of its stage, for the bones between its joints.
    var skeleton: Skeleton?

    /// An observation in its style, nil for what isn't drawn, with the stage's attachment and skeleton where it has
    /// such.
    public init(
        _ observation: Observation, style: DrawStyle?, attachment: (any Attachment)? = nil, skeleton: Skeleton? = nil
    ) {
        self.observation = observation
        self.style = style
        self.attachment = attachment
        self.skeleton = skeleton
    }
}
