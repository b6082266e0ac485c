/// An event: what a thing did at a line or in a zone.
///
/// The head has the thing's name under `label`, and its track under `of`.
public struct EventFinding: Finding {
    /// What the thing did.
    public enum Event: String, CaseIterable, Sendable {
        /// It crossed a line, entered a zone, or left one.
        case crossed, entered, left
    }

    /// The way that a line was crossed: forward is from the left of its arrow to its right.
    public enum Direction: String, CaseIterable, Sendable {
        /// From the left of the line's arrow to its right, or back.
        case forward, backward
    }

    public static let kind = "event"
    public static let doc = "What a thing did at one of the job's lines, or in one of its zones."
    public static let place = Place.none
    public static let style = DrawStyle { $0.label = false }
    public static let isThing = false

    /// What the thing did.
    public var event = Event.crossed
    /// The line's id, where one was crossed.
    public var line: String?
    /// The zone's id, where one was entered or left.
    public var zone: String?
    /// The way that a line was crossed; nil at a zone.
    public var direction: Direction?
    /// When it happened: seconds of the source's clock, between the frames before and after it.
    public var time = 0.0
    /// Number of the first frame with the thing's anchor beyond; of the last one with it where it was lost.
    public var frame = 0
    /// Place of the thing's anchor at that moment, pixels.
    public var point = Point(0, 0)
    /// How long it was in the zone that it left, seconds.
    public var dwell: Double?
    /// Whether it left a zone because it wasn't seen any more.
    public var isLost = false

    public init() {}

    public static let fields: [Field<EventFinding>] = [
        Field("event", \.event, Format<Event>.choice(), doc: "What it did."),
        Field("line", \.line, .text(), doc: "The id of the line that it crossed."),
        Field("zone", \.zone, .text(), doc: "The id of the zone that it entered or left."),
        Field(
            "direction", \.direction, Format<Direction>.choice(),
            doc: "Of a crossing: forward from the left of the line's arrow to its right."),
        Field(
            "time", \.time, .number(decimals: 6), unit: "s",
            doc: "When its anchor was on the line or on the zone's edge, between two frames."),
        Field(
            "frame", \.frame, .integer(0...Int.mostCounted),
            doc: "The first frame with its anchor beyond; the last one with it where it was lost."),
        Field("point", \.point, .point, unit: "px", doc: "Where its anchor was then."),
        Field(
            "dwell", \.dwell, .number(Bounds(0), decimals: 6), unit: "s",
            doc: "How long what left was in the zone: since it entered, or since it was first seen there."),
        Field(
            "lost", \.isLost, .flag, .optional,
            doc: "True where it left a zone because it wasn't seen any more: frame and time are then the last ones."),
    ]

    /// `gate forward`, `crossing entered`: leavings are one sort, however they came about.
    public var subject: String? {
        [line ?? zone, direction?.rawValue ?? event.rawValue].compactMap(\.self).joined(separator: " ")
    }

    /// `gate forward`, `crossing entered`.
    public func title(_ head: Observation) -> String? {
        [line ?? zone, direction?.rawValue ?? (isLost ? "lost" : event.rawValue)].compactMap(\.self)
            .joined(separator: " ")
    }

    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] { [.pin(point - Point(0.5, 0.5))] }
}
