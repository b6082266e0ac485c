/// One stage of one graph, with its options read and what they name looked at; makes a fresh `Stage` for each job, so
/// that no state leaks from one video into the next.
public protocol StageBlueprint: Sendable {
    /// The options of such a stage in a manifest, each member declared once.
    associatedtype Options: Record = NoOptions

    /// The contract of the stage type.
    static var contract: StageContract { get }

    /// Reads a stage of a graph.
    /// - Parameters:
    ///   - options: What the manifest says, and the defaults of what it doesn't.
    ///   - context: What stands around them.
    /// - Throws: `StageOptionError`, `StageOptionErrors` where the options can't be used.
    init(_ options: Options, _ context: OptionContext) throws

    /// The stage at work on a job's video.
    /// - Throws: Where it can't work on it, or a file or model fails; the job fails.
    func makeStage(_ context: StageContext) throws -> Stage

    /// Members of the track file's header that say more of the stage than its options, a model's hash say.
    var details: [JSONMember] { get }

    /// Names and bones of the joints of the things that it gives, in their order, for kinds that are `JointedFinding`s;
    /// nil for a stage that gives none, or hands on those of its inputs.
    var skeleton: Skeleton? { get }

    /// Where the labels of its results come from; nil where nobody knows before it runs.
    var labels: LabelSources? { get }

    /// Files that the files named in its options lead to: paths that can be opened.
    var files: [String] { get }

    /// Whether results depend on the job's camera.
    var usesCamera: Bool { get }

    /// A hint, where to look when the stage saw nothing in a whole video; nil where there is none.
    var hintWhenBlind: String? { get }
}

extension StageBlueprint {
    /// By default there are no members.
    public var details: [JSONMember] { [] }
    /// By default there is no skeleton.
    public var skeleton: Skeleton? { nil }
    /// By default nobody knows the labels before it runs.
    public var labels: LabelSources? { nil }
    /// By default no further files.
    public var files: [String] { [] }
    /// By default results don't depend on the camera.
    public var usesCamera: Bool { false }
    /// By default there is no hint.
    public var hintWhenBlind: String? { nil }

    /// Reads the options of a stage of a manifest, which have been held against the contract's shapes.
    package init(reading node: JSONNode, _ context: OptionContext) throws { try self.init(Options(node), context) }
}

/// The options of a stage that has none.
public struct NoOptions: Record {
    public init() {}

    public static let fields: [Field<NoOptions>] = []
}
