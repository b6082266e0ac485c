/// A style of hiding sound.
public enum SoundStyle: String, Sendable, CaseIterable {
    /// Silence.
    case mute
    /// A tone.
    case bleep
    /// The sound at a third less of its pitch: a voice is another one, its words stay.
    case pitch
}

/// A time of which nobody is to hear what it was like.
public struct HiddenSound: Sendable, Hashable {
    /// Seconds of the source's time.
    public var start: Double
    /// Seconds of the source's time; nil for the end.
    public var end: Double?
    /// How it is hidden.
    public var style: SoundStyle

    /// A time to hide by its start and end, seconds of the source's time, nil for its end; nothing is checked.
    public init(start: Double, end: Double?, style: SoundStyle) {
        (self.start, self.end, self.style) = (start, end, style)
    }
}
