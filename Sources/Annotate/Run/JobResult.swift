/// Results of a job besides its files: a worker answers with them, and they are a part of the job's outcome.
public struct JobResult: Record {
    /// How many frames were written.
    public var frames = 0
    /// How many tracks were found.
    public var tracks = 0
    /// How many damaged pictures the decoder patched up.
    public var concealed = 0
    /// How many pictures are missing because of damage.
    public var skipped = 0
    /// Things that a user should know of a job that went well.
    public var notes: [String] = []
    /// A sentence on what was seen; nil for nothing.
    public var found: String?
    /// The track file's summary of stages and tracks, as JSON, cut where it is very long.
    var summary: String?
    /// Judgements of the expectations, one each.
    public var judgements: [Judgement] = []
    /// Of the input's contents, and of the track file's, from which stages' results can be taken.
    var contents: String?
    var trackFile: String?
    /// The stages that didn't run, since their results were known.
    public var reused: [String] = []
    /// Seconds of video that were worked on.
    public var duration = 0.0
    /// How the video is divided, where that was asked.
    var division: JobDivision?
    /// Detections that were taken from parts of the video, and those that weren't, but were looked for as if there were none.
    var taken = 0
    var missed = 0
    /// Bytes of memory that the job took, where that is known: who watches a worker knows it, and isn't told.
    var memory = 0

    public init() {}

    public static let fields: [Field<JobResult>] = [
        Field("frames", \.frames, .integer(), doc: "Frames."), Field("tracks", \.tracks, .integer(), doc: "Tracks."),
        Field("concealed", \.concealed, .integer(), doc: "Damaged pictures."),
        Field("skipped", \.skipped, .integer(), doc: "Damaged packets."),
        Field("notes", \.notes, .list(.text()), doc: "For users."),
        Field("found", \.found, .text(), doc: "What was seen."),
        Field("summary", \.summary, .text(), doc: "Stages and tracks, as JSON."),
        Field("judgements", \.judgements, .list(.record(doc: "One.")), doc: "Of the expectations."),
        Field("contents", \.contents, .text(), doc: "A hash of the input."),
        Field("trackFile", \.trackFile, .text(), doc: "A hash of the track file."),
        Field("reused", \.reused, .list(.text()), doc: "Stages that didn't run."),
        Field("duration", \.duration, .number(), unit: "s", doc: "Of video."),
        Field("division", \.division, .record(doc: "Its parts."), doc: "How the video is divided."),
        Field("taken", \.taken, .integer(), doc: "Detections that were known."),
        Field("missed", \.missed, .integer(), doc: "Detections that weren't."),
    ]

    /// Bytes of a summary that goes into the report; the track file has all of it.
    static let longestSummary = 1 << 15

    /// As it is shown to people and written into a report, whoever said it: no text of it commands a terminal, and what is to
    /// be JSON is. nil where its numbers are none.
    func believed(of task: JobTask) -> JobResult? {
        guard [frames, tracks, concealed, skipped, taken, missed].allSatisfy((0...1 << 40).contains) else { return nil }
        var result = self
        (result.notes, result.found) = (notes.map(\.inOneLine), found.map(\.inOneLine))
        for index in result.judgements.indices {
            result.judgements[index].title = result.judgements[index].title.inOneLine
            result.judgements[index].complaints = result.judgements[index].complaints.map(\.inOneLine)
            result.judgements[index].evidence = result.judgements[index].evidence.map(\.inOneLine)
        }
        result.summary = summary.flatMap(Self.object)
        result.reused = reused.filter(task.reused.contains)
        result.division = division?.believed(ranges: task.ranges)
        return result
    }

    private static func object(_ text: String) -> String? {
        guard text.utf8.count <= longestSummary, let node = try? JSONParser.parse(Array(text.utf8)), node.members != nil
        else { return nil }
        var json = JSONWriter()
        json.value(node.value)
        return json.text
    }
}

extension TrackFileSummary {
    /// Stages and tracks as the report has them: as many tracks as fit, from the first one on.
    var reported: String {
        var json = JSONWriter()
        json.object { json in
            json.key("stages")
            json.array { json in for stage in stages ?? [] { stage.write(into: &json) } }
            if !ids.isEmpty {
                json.key("ids")
                // Of very many the first, as of tracks.
                json.array { json in for id in ids.prefix(50) { id.write(into: &json) } }
            }
            if !gates.isEmpty {
                json.key("counts")
                json.array { json in for gate in gates { gate.write(into: &json) } }
            }
            if let cover {
                json.key("cover")
                cover.write(into: &json)
            }
            var left = tracks.count
            json.key("tracks")
            json.array { json in
                for track in tracks {
                    var one = JSONWriter()
                    track.write(into: &one)
                    guard json.bytes.count + one.bytes.count < JobResult.longestSummary - 100 else { break }
                    track.write(into: &json)
                    left -= 1
                }
            }
            if left > 0 {
                json.key("tracksLeftOut")
                json.value(left)
            }
        }
        return json.text
    }
}
