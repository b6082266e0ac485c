/// An observation with the file-wide numbers of its tracks and the way to draw it.
public struct NumberedObservation: Sendable, Hashable {
    public var observation: Observation
    /// The number, unique in the file, of the observation's own track; nil until it is confirmed.
    public var track: Int?
    /// The number of the track that a classification or an alteration is about.
    public var of: Int?
    /// nil where it isn't to be drawn.
    public var style: DrawStyle?

    public init(observation: Observation, track: Int? = nil, of: Int? = nil, style: DrawStyle?) {
        self.observation = observation
        self.track = track
        self.of = of
        self.style = style
    }
}
