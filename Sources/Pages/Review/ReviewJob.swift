import Annotate

/// One job of a review: what its report says, and what its track file holds.
struct ReviewJob: Sendable {
    let id: String
    /// nil for a track file that no report tells of.
    let outcome: JobOutcome?
    /// The track file's path; nil where there is none.
    let tracks: String?
    /// Paths of the annotated video and of the source, where they are there.
    let annotated: String?
    let source: String?

    /// Doubtful moments of one job that the page lists.
    private static let mostMoments = 2000

    /// What becomes of a job.
    struct Written: Sendable {
        /// Its entry in the page's list, without what belongs to the page: the open object's members.
        var json: String
        /// Bytes of its data; 0 where it has none.
        var bytes = 0
        /// Doubtful moments.
        var moments = 0
        /// Why its track file can't be read.
        var problem: String?
    }

    /// - Parameters:
    ///   - file: Where its data go, as a script that hands them to the page.
    ///   - element: Under which the page knows them.
    ///   - page: The folder of the page, from which videos are named.
    /// - Throws: `FileError` where the data can't be written, `CancelledError`.
    func write(
        to file: String, element: String, page: String, kinds: FindingCatalog, doubtfulBelow limit: Double,
        cancellation: Cancellation
    ) throws -> Written {
        var json = JSONWriter()
        json.member("id", id)
        json.member("status", outcome?.status.rawValue ?? "unknown")
        if let outcome { report(outcome, into: &json) }
        var written = Written(json: "")
        if let tracks {
            let digest: TrackFileDigest
            do {
                digest = try TrackFileDigest(
                    tracks, kinds: kinds, doubtfulBelow: limit, cancellation: cancellation)
            } catch let error as SidecarError {
                json.member("unreadable", error.description)
                return Written(json: json.text, problem: error.description)
            } catch let error as FileError {
                json.member("unreadable", error.description)
                return Written(json: json.text, problem: error.description)
            }
            if outcome == nil { json.member("input", digest.header.source.name) }
            let moments = digest.moments.found
            tell(of: digest, moments, into: &json)
            videos(page, into: &json)
            written.moments = moments.count
            written.bytes = try save(digest, to: file, element: element)
        }
        written.json = json.text
        return written
    }

    // MARK: The report

    private func report(_ outcome: JobOutcome, into json: inout JSONWriter) {
        if let source = outcome.source { json.member("input", Files.name(of: source)) }
        if let error = outcome.error { json.member("error", error) }
        if let found = outcome.found { json.member("found", found) }
        if !outcome.notes.isEmpty { json.member("notes", outcome.notes) }
        if outcome.seconds > 0 { json.member("seconds", outcome.seconds, decimals: 2) }
        guard !outcome.judgements.isEmpty else { return }
        json.key("expectations")
        json.array { json in
            for judgement in outcome.judgements {
                json.object { json in
                    json.member("text", judgement.title)
                    json.member("holds", judgement.holds)
                    if !judgement.complaints.isEmpty { json.member("complaints", judgement.complaints) }
                    if let frame = judgement.frame { json.member("frame", frame) }
                }
            }
        }
    }

    // MARK: The track file

    private func tell(of digest: TrackFileDigest, _ moments: [DoubtfulMoment], into json: inout JSONWriter) {
        let source = digest.header.source
        json.member("frames", digest.count)
        json.member("tracks", digest.summary.tracks.count)
        json.member("size", [source.width, source.height])
        json.member("duration", digest.duration, decimals: 3)
        if let rate = source.frameRate { json.member("rate", [rate.numerator, rate.denominator]) }
        json.member("seen", digest.count == 0 ? 0 : Double(digest.seen) / Double(digest.count), decimals: 4)
        json.member("losses", moments.count { $0.what == .lost || $0.what == .gap })
        json.member("labels", all(digest.labels))
        json.member("states", all(digest.states))
        json.key("stages")
        json.array { json in
            for stage in digest.header.stages {
                let sum = digest.summary.stages?.first { $0.stage == stage.id }
                json.object { json in
                    json.member("id", stage.id)
                    json.member("type", stage.type)
                    if let sum {
                        json.member("observations", sum.observations)
                        json.member("tracks", sum.tracks)
                        json.member("framesWithNothing", sum.framesWithNothing)
                    }
                    json.member("labels", digest.labels[stage.id, default: []].sorted())
                    json.member("states", digest.states[stage.id, default: []].sorted())
                }
            }
        }
        json.key("moments")
        json.array { json in
            for moment in moments.prefix(Self.mostMoments) { write(moment, of: digest, into: &json) }
        }
        if moments.count > Self.mostMoments { json.member("momentsLeftOut", moments.count - Self.mostMoments) }
    }

    private func all(_ words: [String: Set<String>]) -> [String] {
        words.values.reduce(into: Set()) { $0.formUnion($1) }.sorted()
    }

    private func write(_ moment: DoubtfulMoment, of digest: TrackFileDigest, into json: inout JSONWriter) {
        json.object { json in
            json.member("index", moment.first)
            json.member("last", moment.last)
            json.member("best", moment.best)
            json.member("frame", digest.first + moment.first)
            json.member("time", digest.time(moment.first), decimals: 6)
            json.member("what", moment.what.rawValue)
            json.member("things", moment.things)
            if let confidence = moment.confidence { json.member("confidence", confidence, decimals: 3) }
            json.member("text", digest.moments.text(moment, things: digest.things))
        }
    }

    private func videos(_ page: String, into json: inout JSONWriter) {
        json.key("videos")
        json.object { json in
            if let annotated { json.member("annotated", PageAddress.of(annotated, from: page)) }
            if let source { json.member("source", PageAddress.of(source, from: page)) }
        }
    }

    private func save(_ digest: TrackFileDigest, to file: String, element: String) throws -> Int {
        let writer = try ByteWriter(path: file)
        var count = 0
        try writer.write(Array(Self.start(element).utf8))
        try digest.write(for: file) { piece in
            count += piece.count
            try writer.write(piece)
        }
        try writer.write(Array(Self.end.utf8))
        try writer.finish()
        return count
    }

    /// What stands around a job's data in a file beside the page: a script, since a page from a disk may read no other.
    static func start(_ element: String) -> String { "annotateReview.take(\"\(element)\", " }
    static let end = ")\n"
}
