/// What passes between stages.
public enum Port: String, Sendable, CaseIterable {
    /// The picture itself.
    case frame
    /// Boxes or quads in the picture.
    case regions
    /// Regions that keep a number over time.
    case tracks
    /// Names with confidences.
    case labels
}

/// What a stage hands on beside its results, which the track file hasn't.
public enum Handover: String, Sendable, CaseIterable {
    case nothing
    /// Stages that take its results want it too.
    case toStages
    /// It is drawn.
    case toDrawing
}

/// What a stage type promises, apart from how it does it: the catalogue's entry, from which `stages`, `schema`,
/// validation and the reference derive.
public struct StageContract: Sendable {
    public var type: String
    /// One sentence.
    public var summary: String
    /// What an input may give. A stage that takes no `regions` reads the frame alone.
    public var consumes: [Port]
    public var produces: [Port]
    /// True where a frame's result depends on earlier frames.
    public var keepsState: Bool
    /// What of that which a job gives it wants.
    public var takes: [any Given.Type]
    /// Of the stage itself, as its record declares them.
    public var options: [Property]
    /// Every kind of result that it emits.
    public var emits: [any Finding.Type]
    /// What the track file's header may say of it beyond its options.
    public var details: [Property]
    public var handsOn: Handover
    /// True where its tracks have numbers already, from elsewhere, which they keep.
    public var keepsNumbers: Bool

    public init(
        type: String, summary: String, consumes: [Port] = [.frame], produces: [Port], keepsState: Bool,
        takes: [any Given.Type] = [], emits: [any Finding.Type],
        options: any Record.Type = NoOptions.self, details: [Property] = [], handsOn: Handover = .nothing,
        keepsNumbers: Bool = false
    ) {
        self.type = type
        self.summary = summary
        self.consumes = consumes
        self.produces = produces
        self.keepsState = keepsState
        self.takes = takes
        self.emits = emits
        self.options = options.properties
        self.details = details
        self.handsOn = handsOn
        self.keepsNumbers = keepsNumbers
    }
}

extension StageContract {
    /// Whether the stage wants one kind of that which a job gives.
    public func takes(_ kind: any Given.Type) -> Bool { takes.contains { $0 == kind } }
}
