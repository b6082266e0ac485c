/// A kind of thing that a job gives its stages beside its video: a member of the job, which is a list or the path of a
/// file with one. A kind is declared once, by its type: the manifest's reader and schema, files, plans, recipes, `init`
/// and `pick` know it from here, and a stage's contract names it under `takes`.
public protocol Given: Sendable {
    /// The thing in a picture's pixels, as stages get it.
    associatedtype Placed: Sendable

    /// The member of a job, and of a file, that lists them: “regions”.
    static var word: String { get }
    /// What the member means, in one or two sentences.
    static var doc: String { get }
    /// The shape of one of them.
    static var shape: ObjectShape { get }
    /// What a stage does with them, in a sentence: “starts from regions”.
    static var use: String { get }
    /// The tool with which `pick` draws them; nil where it doesn't.
    static var tool: DrawingTool? { get }

    /// Its name, unique among those of its kind that a job has.
    var id: String { get }

    /// Reads one; what is wrong with it is noted.
    /// - Returns: nil for one that can't be used.
    static func read(_ reader: GivenReader) -> Self?

    /// The thing in a picture's pixels.
    func placed(in size: PictureSize) -> Placed

    /// A warning for a job that has none, and stages that take them.
    /// - Parameter stages: The stages' ids, quoted, with commas.
    static func warning(of stages: String) -> String

    /// Notes on those of a job when the last frame is known.
    static func notes(of given: [Self], upTo last: VideoFrame) -> [String]

    /// An example for the manifest that `init` writes, and what its user is to do with it.
    /// - Parameter size: The picture's; nil where it isn't known.
    static func example(in size: PictureSize?) -> (value: JSONValue, gap: String)
}

/// A tool that draws things by hand on a clip's frames. What it writes are `id` and the members named here, in the clip's pixels,
/// the edges of pixels as whole numbers, but of a polygon of a region and of points their middles; `of` with the clip's
/// `[width, height]`, `frame`, `end`, `label` and `keyframes` only where the thing's shape has them.
public enum DrawingTool: String, Sendable {
    /// `box`, a `polygon` of four corners, or `point`, whichever the shape has.
    case region
    /// A single place, `point`.
    case point
    /// An arrow, `from` one point `to` another.
    case line
    /// A `polygon` of three corners or more.
    case zone
    /// A place that is hidden, or something found that is: of covers alone.
    case cover
}

extension Given {
    /// By default there is no tool.
    public static var tool: DrawingTool? { nil }

    /// The stages that want some, by their ids.
    public static func warning(of stages: String) -> String {
        "its graph has stages that take \(word) (\(stages)), and it has none"
    }

    /// By default there are no notes.
    public static func notes(of given: [Self], upTo last: VideoFrame) -> [String] { [] }
}

/// A reader of one thing that a job gives: its JSON, held against its shape already, and where problems go.
public struct GivenReader {
    /// The thing's JSON.
    public let node: JSONNode
    /// Where it stands in the manifest, or in a file of such things.
    public let path: [PathComponent]
    /// Sizes of the job's inputs, each with the name of one.
    public var pictures: [(name: String, size: PictureSize)] = []
    /// Whether the input can be read once only.
    public var isStream = false
    /// The log that problems are noted in.
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

/// The things that one job gives its stages, by kind.
public struct GivenValues: Sendable {
    /// Kinds of which there is one, in the order in which they came.
    private(set) var kinds: [any Given.Type] = []
    private var values: [String: any Sendable] = [:]

    /// No things of any kind.
    public init() {}

    /// The things of a kind, in the manifest's order.
    public subscript<G: Given>(kind: G.Type) -> [G] {
        get { values[G.word] as? [G] ?? [] }
        set {
            if values.updateValue(newValue, forKey: G.word) == nil { kinds.append(kind) }
        }
    }

    /// Whether there is one of a kind.
    package func has<G: Given>(_ kind: G.Type) -> Bool { !self[kind].isEmpty }

    /// Notes on the things when the last frame is known.
    package func notes(upTo last: VideoFrame) -> [String] {
        func notes<G: Given>(of kind: G.Type) -> [String] { G.notes(of: self[kind], upTo: last) }
        return kinds.flatMap { notes(of: $0) }
    }
}
