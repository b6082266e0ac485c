/// What passes between stages, for checking which may follow which.
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

/// Who uses the attachments that a stage hands on beside its results, which the track file hasn't.
public enum AttachmentUse: String, Sendable, CaseIterable {
    /// Nobody: it hands nothing on.
    case nothing
    /// Stages that take its results.
    case toStages
    /// The annotated video: they are drawn.
    case toDrawing
}

/// The contract of a stage type, apart from how it does it: the catalogue's entry, from which `stages`, `schema`,
/// validation and the reference derive.
public struct StageContract: Sendable {
    /// The type's name in a manifest.
    public var type: String
    /// What it does, in one sentence.
    public var summary: String
    /// Ports of which an input must give one. A stage that takes no `regions` reads the frame alone.
    public var consumes: [Port]
    /// Ports that its results are of.
    public var produces: [Port]
    /// Whether a frame's result depends on earlier frames.
    public var keepsState: Bool
    /// Kinds of things that it takes from a job.
    public var takes: [any Given.Type]
    /// The stage's own options, as its record declares them.
    public var options: [Property]
    /// Kinds of results that it emits.
    public var emits: [any Finding.Type]
    /// Members that it may have in the track file's header beyond its options.
    public var details: [Property]
    /// Who uses what it hands on beside its results.
    public var attachmentUse: AttachmentUse
    /// Whether its tracks have numbers already, from elsewhere, which they keep.
    public var keepsNumbers: Bool
    /// Whether it looks for its things in the whole of each picture: one in which it finds nothing has nothing of the sort.
    public var searchesPictures: Bool

    /// A contract; what is left out, the stage doesn't take, have or do.
    public init(
        type: String, summary: String, consumes: [Port] = [.frame], produces: [Port], keepsState: Bool,
        takes: [any Given.Type] = [], emits: [any Finding.Type],
        options: any Record.Type = NoOptions.self, details: [Property] = [], attachmentUse: AttachmentUse = .nothing,
        keepsNumbers: Bool = false, searchesPictures: Bool = false
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
        self.attachmentUse = attachmentUse
        self.keepsNumbers = keepsNumbers
        self.searchesPictures = searchesPictures
    }
}

extension StageContract {
    /// Whether the stage takes a kind of thing from a job.
    public func takes(_ kind: any Given.Type) -> Bool { takes.contains { $0 == kind } }

    /// Whether what it tells are its inputs' things once more.
    package var retells: Bool { produces.contains(.regions) && !consumes.contains(.frame) }

    /// What is known of its results, whatever they are.
    var traits: StageTraits {
        StageTraits(
            places: produces.contains(.regions), searches: searchesPictures, isPointed: !takes.isEmpty,
            retells: retells)
    }
}
