/// `count`: what crosses the job's lines, enters and leaves its zones.
public struct CountBlueprint: StageBlueprint {
    /// The options of `count`: the point of a thing that is followed, how long it has to stay beyond an edge, and which
    /// gaps are bridged.
    public struct Options: Record {
        var anchor = CountAnchor.bottom
        var hold = 0.2
        var bridge = 1.0

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "anchor", \.anchor, Format<CountAnchor>.choice(), .optional,
                doc:
                    "The point of a thing whose way is followed: the middle of its box's lower edge, of the box, or of "
                    + "another edge."),
            Field(
                "hold", \.hold, .number(Bounds(0, 60)), .optional, unit: "s",
                doc:
                    "How long a thing has to be on each side of a line or of a zone's edge: who goes back before that hasn't "
                    + "crossed it."),
            Field(
                "bridge", \.bridge, .number(Bounds(0, 600)), .optional, unit: "s",
                doc:
                    "Gaps in which a thing isn't seen are part of its way up to this length; after a longer one it begins "
                    + "anew."),
        ]
    }

    public static let contract = StageContract(
        type: "count",
        summary: "Counts what crosses the job's lines, and what enters and leaves its zones, with the moment of each.",
        consumes: [.tracks], produces: [], keepsState: true, takes: [Line.self, Zone.self],
        emits: [EventFinding.self, CountFinding.self], options: Options.self)

    private let options: Options

    public init(_ options: Options, _ context: OptionContext) { self.options = options }

    public var labels: LabelSources? { LabelSources(ofInputs: true, namesKinds: true) }

    public func makeStage(_ context: StageContext) throws -> Stage {
        let picture = PictureSize(width: context.width, height: context.height)
        // A stream's size is known only now.
        let complaint =
            context[Line.self].lazy.compactMap { $0.complaint(in: picture, named: "the video") }.first
            ?? context[Zone.self].lazy.compactMap { $0.complaint(in: picture, named: "the video") }.first
        if let complaint { throw StageOptionError(complaint) }
        return Stage(tracker: CountTracker(context, options))
    }
}
