/// One stage of one graph, with its options read and what they name looked at; makes a fresh `Stage` for each job, so
/// that no state leaks from one video into the next.
public protocol StageBlueprint: Sendable {
    /// What the manifest may say of such a stage, each member declared once.
    associatedtype Options: Record = NoOptions

    static var contract: StageContract { get }

    /// - Parameters:
    ///   - options: What the manifest says, and the defaults of what it doesn't.
    ///   - context: What stands around them.
    /// - Throws: `StageOptionError`, `StageOptionErrors` where the options can't be used.
    init(_ options: Options, _ context: OptionContext) throws

    func makeStage(_ context: StageContext) throws -> Stage

    /// What the track file's header says of the stage beyond its options, a model's hash say.
    var details: [JSONMember] { get }

    /// What the joints are of the things that it gives, in their order, for kinds that are `JointedFinding`s; nil for a stage
    /// that gives none, or hands on those of its inputs.
    var skeleton: Skeleton? { get }

    /// The files that those that its options name lead to: paths that can be opened.
    var files: [String] { get }

    /// True where results depend on the job's camera.
    var usesCamera: Bool { get }

    /// Where to look when the stage saw nothing in a whole video; nil where there is nothing to say.
    var hintWhenBlind: String? { get }
}

extension StageBlueprint {
    public var details: [JSONMember] { [] }
    public var skeleton: Skeleton? { nil }
    public var files: [String] { [] }
    public var usesCamera: Bool { false }
    public var hintWhenBlind: String? { nil }

    /// Reads the options of a stage of a manifest, which have been held against the contract's shapes.
    package init(reading node: JSONNode, _ context: OptionContext) throws { try self.init(Options(node), context) }
}

/// The options of a stage that has none.
public struct NoOptions: Record {
    public init() {}

    public static let fields: [Field<NoOptions>] = []
}
