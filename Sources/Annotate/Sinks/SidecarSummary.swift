/// What a sidecar's last line says of the whole.
public struct SidecarSummary: Record {
    /// Lines written.
    public var frames = 0
    public var concealed = 0
    public var skipped = 0
    public var isCutOff = false
    public var tracks: [TrackSummary] = []

    public init() {}

    public static let fields: [Field<SidecarSummary>] = [
        Field("frames", \.frames, .integer(0...Int.max), doc: "Lines written."),
        .constant("complete", .bool(true), doc: "true."),
        Field(
            "concealed", .integer(0...Int.max), .optional, doc: "Damaged pictures that the decoder patched up.",
            get: \.concealed, set: { $1.concealed = $0 }),
        Field(
            "skipped", .integer(0...Int.max), .optional, doc: "Damaged packets that the decoder left out.",
            get: \.skipped, set: { $1.skipped = $0 }),
        Field("cutOff", \.isCutOff, .flag, .optional, doc: "True where the source's end is missing."),
        Field("tracks", \.tracks, .list(.record(doc: "One track.")), doc: "Every track."),
    ]
}

/// Sums a job's frames up.
struct SummaryBuilder {
    private var frames = 0
    private var tracks: [Int: TrackSummary] = [:]

    mutating func add(_ frame: FrameRecord) {
        frames += 1
        for observation in frame.observations {
            guard let track = observation.track?.number else { continue }
            tracks[track, default: TrackSummary(observation, track: track, frame: frame.frame)]
                .add(observation, frame: frame.frame)
        }
    }

    func summary(_ outcome: SourceOutcome) -> SidecarSummary {
        var summary = SidecarSummary()
        (summary.frames, summary.concealed, summary.skipped) = (frames, outcome.concealed, outcome.skipped)
        summary.isCutOff = outcome.isCutOff
        summary.tracks = tracks.sorted { $0.key < $1.key }.map(\.value)
        return summary
    }
}

/// What a sidecar's last line says of one track.
public struct TrackSummary: Record, Hashable {
    public var track = 0
    public var stage = ""
    public var kind = ""
    public var label: String?
    public var first = 0
    public var last = 0
    /// Frames with it, lost ones left out.
    public var observations = 0
    /// Over frames in which it was measured; nil for none.
    public var meanConfidence: Double?
    private var confidence = 0.0
    private var measured = 0

    public init() {}

    /// A track that begins.
    init(_ observation: Observation, track: Int, frame: Int) {
        self.track = track
        stage = observation.stage
        kind = observation.kind
        (first, last) = (frame, frame)
    }

    mutating func add(_ observation: Observation, frame: Int) {
        // An annotation's text may come later than its point.
        label = label ?? observation.label
        guard observation.isInSight else { return }
        last = frame
        observations += 1
        if let confidence = observation.confidence, !observation.isHeld {
            self.confidence += confidence
            measured += 1
            meanConfidence = self.confidence / Double(measured)
        }
    }

    /// What this says otherwise than the frames do; nil for nothing.
    func difference(from frames: TrackSummary) -> String? {
        func differ<Value: Equatable>(_ name: String, _ said: Value, _ found: Value) -> String? {
            said == found ? nil : "the summary's track \(track) has \(name) \(said), the frames \(found)"
        }
        let means = (meanConfidence ?? -1, frames.meanConfidence ?? -1)
        return differ("stage", stage, frames.stage) ?? differ("kind", kind, frames.kind)
            ?? differ("label", label ?? "none", frames.label ?? "none") ?? differ("first", first, frames.first)
            ?? differ("last", last, frames.last) ?? differ("observations", observations, frames.observations)
            // Lines are rounded, and the mean is not that of the rounded.
            ?? (abs(means.0 - means.1) < 0.0011 ? nil : differ("meanConfidence", plain(means.0), plain(means.1)))
    }

    public static let fields: [Field<TrackSummary>] = [
        Field("track", \.track, .integer(1...Int.max), doc: "Its number."),
        Field("stage", \.stage, .text(.identifier), doc: "The stage that kept it."),
        Field("kind", \.kind, .text(), doc: "What kind of thing."),
        Field("label", \.label, .text(), doc: "A name."),
        Field("first", \.first, .integer(0...Int.max), doc: "The first frame with it."),
        Field("last", \.last, .integer(0...Int.max), doc: "The last frame with it."),
        Field("observations", \.observations, .integer(0...Int.max), doc: "Frames with it, lost ones left out."),
        Field(
            "meanConfidence", \.meanConfidence, .number(Bounds(0, 1), decimals: 3),
            doc: "Over frames in which it was measured."),
    ]
}
