/// Evidence that an expectation fails: one figure that is out of its bounds, or whatever else doesn't hold.
public struct Evidence: Record, Hashable {
    /// The sentence about it, one of the judgement's complaints.
    public var complaint = ""
    /// The figure's name in a manifest; nil where it is about accepted results.
    public var figure: String?
    /// How much the figure is; nil where nothing gives it.
    public var value: Double?
    /// Bounds that were expected of the figure.
    public var bounds: Expectation.Range?
    /// Number of the frame in which it is worst; nil where no frame tells, as of a count that is too low.
    public var frame: Int?
    /// Time of that frame, seconds.
    public var time: Double?
    /// Number of the track that it is about there; nil where it is about none, or about several.
    public var track: Int?

    public init() {}

    package init(_ complaint: String, at spot: Spot? = nil) {
        self.complaint = complaint
        (frame, time, track) = (spot?.moment.frame, spot?.moment.seconds, spot?.track)
    }

    init(
        _ complaint: String, figure: String, value: Double?, bounds: Expectation.Range, at spot: Spot?
    ) {
        self.init(complaint, at: spot)
        (self.figure, self.value, self.bounds) = (figure, value, bounds)
    }

    /// Without signs that command a terminal.
    package var inOneLine: Evidence {
        var shown = self
        (shown.complaint, shown.figure) = (complaint.inOneLine, figure?.inOneLine)
        return shown
    }

    public static let fields: [Field<Evidence>] = [
        Field("complaint", \.complaint, .text(), doc: "What doesn't hold, with figures: one of the complaints."),
        Field(
            "figure", \.figure, .text(.identifier),
            doc: "The figure's name, as in the expectation; left out where it is about accepted results."),
        Field(
            "value", \.value, .number(Bounds(0)),
            doc: "How much it is, in the units of the expectation; left out where nothing gives it."),
        Field(
            "bounds", \.bounds, .record(doc: "What was expected of it.", name: "bounds"), doc: "What was expected."),
        Field(
            "frame", \.frame, .integer(0...Int.mostCounted),
            doc: "The frame in which it is worst; left out where no frame tells, as of a count that is too low."),
        Field("time", \.time, .number(decimals: 6), unit: "s", doc: "Its time."),
        Field("track", \.track, .integer(1...Int.mostCounted), doc: "The track that it is about there."),
    ]
}

/// Where a figure comes from: a frame, and the track in it.
package struct Spot: Sendable {
    package var moment: Moment
    /// The track's number; nil for none, or for several.
    package var track: Int?

    package init(moment: Moment, track: Int? = nil) { (self.moment, self.track) = (moment, track) }
}
