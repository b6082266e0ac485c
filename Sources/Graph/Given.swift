/// What a job gives its stages beside its video: each kind of it is a member of the job, a list or the path of a file with
/// one. A kind is declared once, by its type: the manifest's reader and schema, files, plans, recipes, `init` and `pick`
/// know it from here, and a stage's contract names it under `takes`.
public protocol Given: Sendable {
    /// What stages get of it: the same in pixels.
    associatedtype Placed: Sendable

    /// The member of a job, and of a file, that lists them: “regions”.
    static var word: String { get }
    /// What the member says: one or two sentences.
    static var doc: String { get }
    /// What one looks like.
    static var shape: ObjectShape { get }
    /// What a stage does with them: “starts from regions”.
    static var use: String { get }
    /// How `pick` draws them; nil where it doesn't.
    static var tool: DrawingTool? { get }

    /// Unique among those of its kind that a job has.
    var id: String { get }

    /// Reads one; what is wrong with it is noted.
    /// - Returns: nil for one that can't be used.
    static func read(_ reader: GivenReader) -> Self?

    /// Where it is in a picture.
    func placed(in size: PictureSize) -> Placed

    /// What a user should know of a job that has none, and stages that take them.
    /// - Parameter stages: The stages' ids, quoted, with commas.
    static func warning(of stages: String) -> String

    /// What a user should know of a job's when the last frame is known.
    static func notes(of given: [Self], upTo last: VideoFrame) -> [String]

    /// One for the manifest that `init` writes, and what its user is to do with it.
    /// - Parameter size: The picture's; nil where it isn't known.
    static func example(in size: PictureSize?) -> (value: JSONValue, gap: String)
}

/// What things are drawn with by hand, on a clip's frames.
public enum DrawingTool: String, Sendable {
    /// A box or quad, with keyframes.
    case region
    case point
    /// An arrow from one point to another.
    case line
    /// A polygon of three corners or more.
    case zone
}

extension Given {
    public static var tool: DrawingTool? { nil }

    public static func warning(of stages: String) -> String {
        "its graph has stages that take \(word) (\(stages)), and it has none"
    }

    public static func notes(of given: [Self], upTo last: VideoFrame) -> [String] { [] }
}

/// One of the things that a job gives, as the manifest has it, held against its shape already.
public struct GivenReader {
    public let node: JSONNode
    public let path: [PathComponent]
    /// The sizes that the job's inputs have, each with the name of one.
    public var pictures: [(name: String, size: PictureSize)] = []
    /// True where the input can be read once only.
    public var isStream = false
    public let log: ProblemLog

    package init(
        node: JSONNode, path: [PathComponent], pictures: [(name: String, size: PictureSize)] = [],
        isStream: Bool = false, log: ProblemLog
    ) {
        self.node = node
        self.path = path
        self.pictures = pictures
        self.isStream = isStream
        self.log = log
    }
}

/// What one job gives, by kind.
public struct GivenValues: Sendable {
    /// Those of which there is one, in the order in which they came.
    private(set) var kinds: [any Given.Type] = []
    private var values: [String: any Sendable] = [:]

    public init() {}

    public subscript<G: Given>(kind: G.Type) -> [G] {
        get { values[G.word] as? [G] ?? [] }
        set {
            if values.updateValue(newValue, forKey: G.word) == nil { kinds.append(kind) }
        }
    }

    /// Whether there is one of a kind.
    package func has<G: Given>(_ kind: G.Type) -> Bool { !self[kind].isEmpty }

    /// What a user should know of them when the last frame is known.
    package func notes(upTo last: VideoFrame) -> [String] {
        func notes<G: Given>(of kind: G.Type) -> [String] { G.notes(of: self[kind], upTo: last) }
        return kinds.flatMap { notes(of: $0) }
    }
}
