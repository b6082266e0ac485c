/// An observation with the way to draw it, and what its stage handed on beside it.
public struct DrawnObservation: Sendable {
    /// With the file's track numbers.
    public var observation: Observation
    /// nil where it isn't to be drawn.
    public var style: DrawStyle?
    var attachment: (any Attachment)?
    /// Its stage's, for the bones between its joints.
    var skeleton: Skeleton?

    public init(
        _ observation: Observation, style: DrawStyle?, attachment: (any Attachment)? = nil, skeleton: Skeleton? = nil
    ) {
        self.observation = observation
        self.style = style
        self.attachment = attachment
        self.skeleton = skeleton
    }
}
