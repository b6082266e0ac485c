/// A track file's last line.
public struct TrackFileSummary: Record {
    /// How many frames' lines were written.
    public var frames = 0
    /// How many damaged pictures the decoder patched up.
    public var concealed = 0
    /// How many pictures are missing because of damage.
    public var skipped = 0
    /// Whether the source's end is missing.
    public var isCutOff = false
    /// The stages, in the header's order; nil in files of before there were any.
    public var stages: [StageSummary]?
    /// The tracks, by their numbers.
    public var tracks: [TrackSummary] = []
    /// Things that carry a number and had several tracks.
    public var ids: [IdentitySummary] = []
    /// Lines and zones at which something was counted.
    public var gates: [GateSummary] = []
    /// The covers of the annotated video; nil where it hides nothing, and in files of before it was said.
    public var cover: CoverSummary?

    public init() {}

    public static let fields: [Field<TrackFileSummary>] = [
        Field("frames", \.frames, .integer(0...Int.mostCounted), doc: "Lines written."),
        .constant("complete", .bool(true), doc: "true."),
        Field(
            "concealed", .integer(0...Int.mostCounted), .optional, doc: "Damaged pictures that the decoder patched up.",
            get: \.concealed, set: { $1.concealed = $0 }),
        Field(
            "skipped", .integer(0...Int.mostCounted), .optional, doc: "Damaged packets that the decoder left out.",
            get: \.skipped, set: { $1.skipped = $0 }),
        Field("cutOff", \.isCutOff, .flag, .optional, doc: "True where the source's end is missing."),
        Field("stages", \.stages, .list(.record(doc: "One stage.")), doc: "Every stage, in the header's order."),
        Field("tracks", \.tracks, .list(.record(doc: "One track.")), doc: "Every track."),
        Field(
            "ids", \.ids, .list(.record(doc: "One number.")), .optional, tellsDefault: false,
            doc:
                "What carries a number and had several tracks, as a marker that comes back; left out where there is none."
        ),
        Field(
            "counts", \.gates, .list(.record(doc: "One line or zone.")), .optional, tellsDefault: false,
            doc: "Every line and zone at which something was counted; left out where there is none."),
        Field(
            "cover", \.cover, .record(doc: "What the annotated video hides.", name: "coverSummary"),
            doc: "What the annotated video hides; left out where it hides nothing."),
    ]
}

/// One stage in a track file's last line.
public struct StageSummary: Record, Hashable {
    /// Id of the stage.
    public var stage = ""
    /// Observations in all frames, without lost and ended ones.
    public var observations = 0
    /// Tracks that it kept.
    public var tracks = 0
    /// Frames in which nothing of it was in sight.
    public var framesWithNothing = 0

    public init() {}

    init(stage: String) { self.stage = stage }

    public static let fields: [Field<StageSummary>] = [
        Field("stage", \.stage, .text(.identifier), doc: "Its id."),
        Field(
            "observations", \.observations, .integer(0...Int.mostCounted),
            doc: "What it saw in all frames; what is lost or has ended left out."),
        Field("tracks", \.tracks, .integer(0...Int.mostCounted), doc: "Tracks that it kept."),
        Field(
            "framesWithNothing", \.framesWithNothing, .integer(0...Int.mostCounted),
            doc: "Frames in which nothing of it was in sight."),
    ]

    /// What this says otherwise than the frames do; nil for nothing.
    package func difference(from frames: StageSummary) -> String? {
        guard self != frames else { return nil }
        func text(_ sum: StageSummary) -> String {
            "\(sum.observations) observations, \(sum.tracks) tracks, \(sum.framesWithNothing) frames with nothing"
        }
        return "the summary's stage “\(stage)” has \(text(self)), the frames \(text(frames))"
    }
}

/// One track in a track file's last line.
public struct TrackSummary: Record, Hashable {
    /// The track's number.
    public var track = 0
    /// Id of the stage that kept it.
    public var stage = ""
    /// Kind of the thing.
    public var kind = ""
    /// Name of the thing; nil for none.
    public var label: String?
    /// Number of the first frame with it.
    public var first = 0
    /// Number of the last frame with it.
    public var last = 0
    /// Frames with it in sight.
    public var observations = 0
    /// Frames in which it was measured: neither lost, predicted nor held. nil, like what follows, in files of before
    /// there was any.
    public var seen: Int?
    /// Frames between its first and its last line in which it was not in sight.
    public var lost: Int?
    /// Frames in which its place was predicted.
    public var predicted: Int?
    /// First and last frame of each run of frames with it in sight.
    public var spans: [[Int]]?
    /// The longest time without it between two frames with it, seconds; 0 for none.
    public var longestGap: Double?
    /// The least confidence of frames in which it was measured; nil for none.
    public var minConfidence: Double?
    /// The mean confidence of frames in which it was measured; nil for none.
    public var meanConfidence: Double?

    public init() {}

    public static let fields: [Field<TrackSummary>] = [
        Field("track", \.track, .integer(1...Int.mostCounted), doc: "Its number."),
        Field("stage", \.stage, .text(.identifier), doc: "The stage that kept it."),
        Field("kind", \.kind, .text(), doc: "What kind of thing."),
        Field("label", \.label, .text(), doc: "A name."),
        Field("first", \.first, .integer(0...Int.mostCounted), doc: "The first frame with it."),
        Field("last", \.last, .integer(0...Int.mostCounted), doc: "The last frame with it."),
        Field(
            "observations", \.observations, .integer(0...Int.mostCounted), doc: "Frames with it, lost ones left out."),
        Field(
            "seen", \.seen, .integer(0...Int.mostCounted),
            doc: "Frames in which it was measured: neither lost, predicted nor held."),
        Field(
            "lost", \.lost, .integer(0...Int.mostCounted),
            doc:
                "Frames between its first and its last line in which it was not in sight: said to be lost, or not there."
        ),
        Field("predicted", \.predicted, .integer(0...Int.mostCounted), doc: "Frames in which its place was predicted."),
        Field(
            "spans", \.spans, .list(.list(.integer(0...Int.mostCounted), count: 2...2)),
            doc: "[first, last] of each run of frames with it in sight."),
        Field(
            "longestGap", \.longestGap, .number(Bounds(0), decimals: 6), unit: "s",
            doc:
                "The longest time without it between two frames with it: from the first frame without it to the next one "
                + "with it. 0 for none."),
        Field(
            "minConfidence", \.minConfidence, .number(Bounds(0, 1), decimals: 3),
            doc: "Over frames in which it was measured."),
        Field(
            "meanConfidence", \.meanConfidence, .number(Bounds(0, 1), decimals: 3),
            doc: "Over frames in which it was measured."),
    ]

    /// What this says otherwise than the frames do; nil for nothing.
    package func difference(from frames: TrackSummary) -> String? {
        func differ<Value: Equatable>(_ name: String, _ said: Value, _ found: Value) -> String? {
            said == found ? nil : "the summary's track \(track) has \(name) \(said), the frames \(found)"
        }
        // A file of before says nothing of some.
        func differ<Value: Equatable>(_ name: String, ifSaid said: Value?, _ found: Value?) -> String? {
            guard let said, let found else { return nil }
            return differ(name, said, found)
        }
        // Lines are rounded, and the mean is not that of the rounded.
        func near(_ name: String, _ said: Double?, _ found: Double?, _ tolerance: Double) -> String? {
            abs((said ?? -1) - (found ?? -1)) < tolerance
                ? nil : differ(name, plain(said ?? -1), plain(found ?? -1))
        }
        let differences = [
            differ("stage", stage, frames.stage), differ("kind", kind, frames.kind),
            differ("label", label ?? "none", frames.label ?? "none"), differ("first", first, frames.first),
            differ("last", last, frames.last), differ("observations", observations, frames.observations),
            differ("seen", ifSaid: seen, frames.seen), differ("lost", ifSaid: lost, frames.lost),
            differ("predicted", ifSaid: predicted, frames.predicted), differ("spans", ifSaid: spans, frames.spans),
            longestGap.flatMap { near("longestGap", $0, frames.longestGap, 1e-5) },
            seen == nil ? nil : near("minConfidence", minConfidence, frames.minConfidence, 0.0011),
            seen == nil ? nil : near("meanConfidence", meanConfidence, frames.meanConfidence, 0.0011),
        ]
        return differences.lazy.compactMap(\.self).first
    }
}
