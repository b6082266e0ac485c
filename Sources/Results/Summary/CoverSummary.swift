/// The covers of an annotated video, in a track file's last line.
public struct CoverSummary: Record, Hashable {
    /// Frames in which something is covered.
    public var frames = 0
    /// First and last frame of each run of frames in which something is covered.
    public var spans: [[Int]] = []
    /// Frames in which a cover is where something may be, and not where it was seen.
    public var growing = 0
    /// How many moments are doubtful.
    public var doubtful = 0
    /// The first of the doubtful moments.
    public var moments: [CoverDoubt] = []
    /// Things that a second look found uncovered in the annotated video itself, the first of them; nil where nobody
    /// looked.
    public var found: [CoverDoubt]?

    public init() {}

    /// Moments that are told one by one.
    package static let mostMoments = 50

    public static let fields: [Field<CoverSummary>] = [
        Field("frames", \.frames, .integer(0...Int.mostCounted), doc: "Frames in which something is covered."),
        Field(
            "spans", \.spans, .list(.list(.integer(0...Int.mostCounted), count: 2...2)),
            doc: "[first, last] of each run of them."),
        Field(
            "growing", \.growing, .integer(0...Int.mostCounted),
            doc: "Frames in which a cover is where something may be, and not where its stage saw it."),
        Field(
            "doubtful", \.doubtful, .integer(0...Int.mostCounted),
            doc: "Moments at which something may have been missed."),
        Field("moments", \.moments, .list(.record(doc: "One.", name: "coverDoubt")), doc: "The first of them."),
        Field(
            "found", \.found, .list(.record(doc: "One.", name: "coverDoubt")),
            doc:
                "What a second look found in the annotated video itself, and no cover hides; left out where nobody looked."
        ),
    ]

    /// What is odd about it, for users. A stage that saw nothing is told of for itself.
    package var notes: [String] {
        func told(_ all: [CoverDoubt], _ count: Int, _ what: String) -> [String] {
            let few = all.prefix(3).map { "\(what): " + $0.sentence }
            return few + (count > few.count ? ["\(what): … and \(count - few.count) more such moments"] : [])
        }
        let blind = moments.count { $0.reason == .nothing }
        return told(moments.filter { $0.reason != .nothing }, doubtful - blind, "cover is doubtful")
            + told(found ?? [], found?.count ?? 0, "not covered")
    }

    /// What this says otherwise than what is worked out anew; nil for nothing.
    package func difference(from other: CoverSummary) -> String? {
        guard (frames, spans, growing, doubtful) != (other.frames, other.spans, other.growing, other.doubtful) else {
            return nil
        }
        func text(_ sum: CoverSummary) -> String {
            "\(sum.frames) covered frames, \(sum.growing) of them by a guess, and \(sum.doubtful) doubtful moments"
        }
        return "the summary's cover has \(text(self)), source and frames \(text(other))"
    }
}

/// A moment at which something that was to be hidden may have been missed.
public struct CoverDoubt: Record, Hashable {
    /// The reason to doubt.
    public enum Reason: String, Sendable, CaseIterable {
        /// The stage saw nothing in the whole video.
        case nothing
        /// It is seen for the first time well inside the picture, and what was there before isn't known.
        case late
        /// It is seen for the last time well inside the picture, and where it went isn't known.
        case lost
        /// It is never seen surely.
        case unsure
        /// It is found in the annotated video.
        case found
    }

    /// The reason to doubt.
    public var reason = Reason.nothing
    /// Id of the stage that covers.
    public var stage = ""
    /// Number of the track in the file; nil for what has no track.
    public var track: Int?
    /// The frame to look at.
    public var frame = 0
    /// Time of that frame, seconds.
    public var time = 0.0
    /// Place to look at, pixels; nil where nobody knows one.
    public var box: Box?

    public init() {}

    package init(_ reason: Reason, stage: String, track: Int? = nil, frame: Int, time: Double, box: Box? = nil) {
        (self.reason, self.stage, self.track) = (reason, stage, track)
        (self.frame, self.time, self.box) = (frame, time, box)
    }

    public static let fields: [Field<CoverDoubt>] = [
        Field(
            "reason", \.reason, Format<Reason>.choice(), .always,
            doc:
                "“nothing” was seen in the whole video; it is seen “late”, or “lost”, well inside the picture; it is “unsure” "
                + "all along; or it is “found” in the annotated video."),
        Field("stage", \.stage, .text(.identifier), doc: "The stage that covers."),
        Field("track", \.track, .integer(1...Int.mostCounted), doc: "The thing's track."),
        Field("frame", \.frame, .integer(0...Int.mostCounted), doc: "The frame to look at."),
        Field("time", \.time, .number(decimals: 6), unit: "s", doc: "Its time."),
        Field("box", \.box, .box, doc: "Where it is."),
    ]

    /// In words: `frame 12 (0.48 s): “f” lost track 3 at 40, 40, 64×48 pixels`.
    public var sentence: String {
        let when = "frame \(frame) (\(plain((time * 1000).rounded() / 1000)) s): "
        let place = box.map {
            " at \(Int(inRange: $0.x)), \(Int(inRange: $0.y)), \(Int(inRange: $0.width))×\(Int(inRange: $0.height)) pixels"
        }
        let thing = (track.map { "track \($0)" } ?? "something") + (place ?? "")
        return switch reason {
        case .nothing: "stage “\(stage)” found nothing to cover in the whole video"
        case .late: when + "stage “\(stage)” finds \(thing) for the first time, well inside the picture"
        case .lost: when + "stage “\(stage)” loses \(thing), well inside the picture"
        case .unsure: when + "stage “\(stage)” is unsure of \(thing) all along"
        case .found: when + "stage “\(stage)” finds something\(place ?? "") in the annotated video that no cover hides"
        }
    }
}
