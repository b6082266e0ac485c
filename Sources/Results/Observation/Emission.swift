/// An attachment: what a stage hands on beside an observation and that is no part of the result, pixels say.
public protocol Attachment: Sendable {
    /// Marks that show it in a picture.
    func marks(_ observation: Observation) -> [Mark]
}

extension Attachment {
    /// No marks.
    public func marks(_ observation: Observation) -> [Mark] { [] }
}

/// An emission: what a stage gives for one thing in one frame.
public struct Emission: Sendable {
    /// The result.
    public var observation: Observation
    /// What goes with it beside the result; nil for nothing.
    public var attachment: (any Attachment)?
    /// The number of the frame that it is of, from a stage that answers late; nil for the frame that the stage was
    /// given.
    public var frame: Int?

    /// A result with what goes with it; `frame` is for a stage that answers late.
    public init(_ observation: Observation, _ attachment: (any Attachment)? = nil, frame: Int? = nil) {
        self.observation = observation
        self.attachment = attachment
        self.frame = frame
    }

    /// The emission with its observation as it is read back when it has been written.
    package var rounded: Emission { Emission(observation.rounded, attachment, frame: frame) }

    /// The attachment, where it is of this type.
    public func attachment<Value: Attachment>(as type: Value.Type) -> Value? { attachment as? Value }
}

/// A result of a stage: an observation, or an emission where something goes with it.
public protocol Emitted: Sendable {
    /// The result as an emission.
    var emission: Emission { get }
    /// The result as it is carried over to a frame on which its stage doesn't run.
    var held: Self { get }
}

extension Observation: Emitted {
    public var emission: Emission { Emission(self) }
}

extension Emission: Emitted {
    public var emission: Emission { self }
    public var held: Emission { Emission(observation.held, attachment, frame: frame) }
}
