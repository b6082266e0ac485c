/// Something that a stage hands on beside an observation and that is no part of the result: pixels, say.
public protocol Attachment: Sendable {
    /// What is drawn of it.
    func marks(_ observation: Observation) -> [Mark]
}

extension Attachment {
    public func marks(_ observation: Observation) -> [Mark] { [] }
}

/// What a stage gives for one thing in one frame.
public struct Emission: Sendable {
    public var observation: Observation
    public var attachment: (any Attachment)?
    /// The ordinal of the frame that it is of, where its stage is late; nil for the one that it is given for.
    public var frame: Int?

    public init(_ observation: Observation, _ attachment: (any Attachment)? = nil, frame: Int? = nil) {
        self.observation = observation
        self.attachment = attachment
        self.frame = frame
    }

    /// The same with what is read back of the observation when it has been written.
    package var rounded: Emission { Emission(observation.rounded, attachment, frame: frame) }

    /// The attachment, where it is of this type.
    public func attachment<Value: Attachment>(as type: Value.Type) -> Value? { attachment as? Value }
}

/// What a stage may give: observations, or emissions where something goes with them.
public protocol Emitted: Sendable {
    var emission: Emission { get }
    /// The same, carried over to a frame on which its stage doesn't run.
    var held: Self { get }
}

extension Observation: Emitted {
    public var emission: Emission { Emission(self) }
}

extension Emission: Emitted {
    public var emission: Emission { self }
    public var held: Emission { Emission(observation.held, attachment, frame: frame) }
}
