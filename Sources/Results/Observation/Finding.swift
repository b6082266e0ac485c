/// One kind of result: what an observation of it says beyond its head.
///
/// Its `fields` are declared once, in its stage's room; they drive the track file, reading it back, the schema, `verify`,
/// the reference and tables.
public protocol Finding: Record, Hashable {
    /// The word under `kind` in a track file.
    static var kind: String { get }
    /// What such a thing is, in one sentence.
    static var doc: String { get }
    /// The places that the head has of such a thing.
    static var place: Place { get }
    /// Whether pictures that its stage made show it, which no form of results but pixels has.
    static var showsPictures: Bool { get }
    /// Whether it is a thing that was seen. False for what is said of things that other stages saw.
    static var isThing: Bool { get }
    /// How it is drawn where the manifest says nothing.
    static var style: DrawStyle { get }

    /// The words of its label, without number and confidence; nil for none.
    /// - Parameter head: The whole observation.
    func title(_ head: Observation) -> String?

    /// A number that the thing itself carries, by which it is the same thing whatever its track: a marker's id.
    var identity: Int? { get }

    /// What it is said of, where that is no thing with a track: a line, a zone. What is said of one is never the same as what is said of
    /// another.
    var subject: String? { get }

    /// What is drawn of it, whatever parts of it the style shows.
    ///
    /// - Parameters:
    ///   - head: The whole observation. A lost one's has the place in which it was seen last.
    ///   - size: The picture's.
    func marks(_ head: Observation, in size: PictureSize) -> [Mark]
}

/// The kind of place that an observation's head has for a thing.
public enum Place: Sendable {
    /// A box, an outline or neither.
    case any
    /// A box, while it is in sight.
    case box
    /// An outline, while it is in sight.
    case polygon
    /// No place: the kind's own fields may say it.
    case none
}

extension Finding {
    /// By default a box, an outline or neither.
    public static var place: Place { .any }
    /// By default it shows no pictures.
    public static var showsPictures: Bool { false }
    /// By default it is a thing that was seen.
    public static var isThing: Bool { true }
    /// The default style.
    public static var style: DrawStyle { DrawStyle() }

    /// By default no number of its own.
    public var identity: Int? { nil }

    /// By default no subject.
    public var subject: String? { nil }

    /// The head's label; else its region.
    public func title(_ head: Observation) -> String? { head.label ?? head.region }

    /// The outline, and masks and joints where the kind has them.
    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] { head.outline + head.parts }

    /// Whether the kind's things carry numbers of their own.
    package static var carriesIDs: Bool { fields.contains { $0.name == "id" } }

    fileprivate func equals(_ other: any Finding) -> Bool { other as? Self == self }
}

/// A finding of any kind, with equality and a hash.
public struct AnyFinding: Sendable, Hashable {
    /// The finding as its own type.
    public let base: any Finding

    /// A finding in a box; two are equal where their types and all that they say are.
    public init(_ base: any Finding) { self.base = base }

    public static func == (a: AnyFinding, b: AnyFinding) -> Bool { a.base.equals(b.base) }
    public func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}
