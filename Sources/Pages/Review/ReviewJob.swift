import Annotate

/// One job of a review: what its report says, and what its track file holds.
struct ReviewJob: Sendable {
    let id: String
    /// Outcome of the job; nil for a track file that no report tells of.
    let outcome: JobOutcome?
    /// The track file's path; nil where there is none.
    let tracks: String?
    /// Paths of the annotated video and of the source, where they are there.
    let annotated: String?
    let source: String?

    /// The most doubtful moments of one job that the page lists.
    private static let mostMoments = 2000

    /// The figures of what was written of a job.
    struct Written: Sendable {
        /// Its entry in the page's list, without what belongs to the page: the open object's members.
        var json: String
        /// Bytes of its data; 0 where it has none.
        var bytes = 0
        /// Doubtful moments.
        var moments = 0
        /// Why its track file can't be read; nil where it can.
        var problem: String?
        /// Notes on pictures that are missing, a sentence each.
        var notes: [String] = []
    }

    /// - Parameters:
    ///   - file: Where its data go, as a script that hands them to the page.
    ///   - element: Under which the page knows them.
    ///   - page: The folder of the page, from which videos are named.
    ///   - embeds: Whether the page gets pictures.
    ///   - isForRelease: Whether it gets those of what to look at before a release.
    /// - Throws: `FileError` where the data can't be written, `CancelledError`.
    func write(
        to file: String, element: String, page: String, kinds: FindingCatalog, doubtfulBelow limit: Double,
        embeds: Bool, isForRelease: Bool = false, cancellation: Cancellation
    ) throws -> Written {
        var json = JSONWriter()
        json.member("id", id)
        json.member("status", outcome?.status.rawValue ?? "unknown")
        if let outcome { report(outcome, into: &json) }
        var written = Written(json: "")
        if let tracks {
            let expected = ExpectedMoment.all(of: outcome?.judgements ?? [])
            let digest: TrackFileDigest
            do {
                digest = try TrackFileDigest(
                    tracks, kinds: kinds, doubtfulBelow: limit, expected: expected, cancellation: cancellation)
            } catch let error as TrackFileError {
                json.member("unreadable", error.description)
                return Written(json: json.text, problem: error.description)
            } catch let error as FileError {
                json.member("unreadable", error.description)
                return Written(json: json.text, problem: error.description)
            }
            if outcome == nil { json.member("input", digest.header.source.name) }
            let moments = digest.moments.found
            tell(of: digest, moments, into: &json)
            // Before a release the covered pictures are looked at, and no others.
            let wantsPictures = embeds || isForRelease && annotated != nil
            let pictures = wantsPictures ? try pictures(for: digest, cancellation, &written.notes) : nil
            try tell(moments, expected, of: digest, pictures, &written.notes, into: &json)
            if isForRelease {
                // What is decided is decided of this video.
                if let annotated, let hash = try? ContentHash.of([annotated]) { json.member("videoHash", hash) }
                try tellRelease(ReleaseMoment.all(of: digest), of: digest, pictures, &written.notes, into: &json)
            }
            if moments.count > Self.mostMoments {
                json.member("momentsLeftOut", moments.count - Self.mostMoments)
            }
            if !digest.events.isEmpty {
                json.key("events")
                json.array { json in for event in digest.events { event.write(of: digest, into: &json) } }
            }
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
                    if let time = judgement.time { json.member("time", time, decimals: 6) }
                    guard !judgement.evidence.isEmpty else { return }
                    json.key("evidence")
                    json.array { json in for evidence in judgement.evidence { evidence.write(into: &json) } }
                }
            }
        }
    }

    // MARK: The track file

    private func tell(of digest: TrackFileDigest, _ moments: [DoubtfulMoment], into json: inout JSONWriter) {
        let source = digest.header.source
        json.member("first", digest.first)
        json.member("frames", digest.count)
        json.member("tracks", digest.things.count { $0.track != nil })
        json.member("size", [source.width, source.height])
        json.member("duration", digest.duration, decimals: 3)
        if let rate = source.frameRate { json.member("rate", [rate.numerator, rate.denominator]) }
        if !digest.summary.ids.isEmpty {
            json.key("ids")
            json.array { json in for id in digest.summary.ids { id.write(into: &json) } }
        }
        json.member("seen", digest.count == 0 ? 0 : Double(digest.seen) / Double(digest.count), decimals: 4)
        json.member("losses", moments.count { $0.what == .lost || $0.what == .gap })
        json.member("doubtful", moments.count { $0.what == .doubtful })
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
    }

    // MARK: Moments

    /// Pictures of the job; nil where there is no video to take them from, which is noted.
    private func pictures(
        for digest: TrackFileDigest, _ cancellation: Cancellation, _ notes: inout [String]
    ) throws -> ReviewPictures? {
        guard digest.count > 0 else { return nil }
        let source = digest.header.source
        // Pictures go with the page to whoever gets it.
        if annotated == nil, let path = self.source,
            !(outcome.map { TrackFileSource.isInput(path, of: $0) } ?? false)
        {
            notes.append(
                "no pictures: the report names \(path.inOneLine), which isn't, or no longer, what the job read")
            return nil
        }
        do {
            return try ReviewPictures(
                annotated: annotated, source: self.source, first: digest.first, count: digest.count,
                size: PictureSize(width: source.width, height: source.height), cancellation: cancellation)
        } catch let error as FileError {
            notes.append("no pictures: \(error)")
            return nil
        }
    }

    /// - Parameter expected: Where expectations fail. They are few, and have their pictures before the moments.
    private func tell(
        _ moments: [DoubtfulMoment], _ expected: [ExpectedMoment], of digest: TrackFileDigest,
        _ pictures: ReviewPictures?, _ notes: inout [String], into json: inout JSONWriter
    ) throws {
        // What can't be decoded is told once.
        var failure: FileError?
        func take<Result>(_ picture: () throws -> Result) throws -> Result? {
            do {
                return try picture()
            } catch let error as FileError {
                failure = failure ?? error
                return nil
            }
        }
        // In the middle there is more to see than at a beginning.
        if let pictures, let thumbnail = try take({ try pictures.thumbnail(digest.count / 2) }) {
            json.member("thumbnail", thumbnail)
        }
        // A report's numbers may be any.
        let last = digest.first &+ digest.count
        let inFile = expected.filter { $0.frame >= digest.first && $0.frame < last }
        let shots = pictures == nil ? [] : Array(inFile.prefix(ReviewPictures.most))
        if let pictures, !shots.isEmpty {
            json.key("shots")
            try json.array { json in
                for shot in shots {
                    let (index, place) = (shot.frame - digest.first, digest.expectedPlaces[shot])
                    guard let picture = try take({ try pictures.picture(index, around: place) }) else { continue }
                    json.object { json in
                        json.member("frame", shot.frame)
                        if let track = shot.track { json.member("track", track) }
                        write(picture, into: &json)
                    }
                }
            }
        }
        let most = ReviewPictures.most - shots.count
        json.key("moments")
        try json.array { json in
            for (index, moment) in moments.prefix(Self.mostMoments).enumerated() {
                let picture =
                    try index < most
                    ? pictures.flatMap { pictures in
                        try take { try pictures.picture(moment.best, around: moment.place) }
                    }
                    : nil
                write(moment, of: digest, picture, into: &json)
            }
        }
        if let failure { notes.append("some pictures are missing: \(failure)") }
        guard pictures != nil else { return }
        if shots.count < expected.count {
            notes.append("only \(shots.count) of \(expected.count) frames in which expectations fail have pictures")
        }
        if moments.count > most {
            notes.append(
                most == 0
                    ? "none of \(moments.count) moments has a picture"
                    : "only the first \(most) of \(moments.count) moments have pictures")
        }
    }

    private func tellRelease(
        _ moments: [ReleaseMoment], of digest: TrackFileDigest, _ pictures: ReviewPictures?, _ notes: inout [String],
        into json: inout JSONWriter
    ) throws {
        var failure: FileError?
        json.key("release")
        json.array { json in
            for moment in moments {
                json.object { json in
                    json.member("what", moment.what.rawValue)
                    json.member("text", moment.text)
                    json.member("frame", digest.first &+ moment.index)
                    json.member("time", digest.time(moment.index), decimals: 6)
                    do {
                        if let picture = try pictures?.picture(moment.index, around: moment.place) {
                            json.member("picture", picture.address)
                        }
                    } catch let error as FileError {
                        failure = failure ?? error
                    } catch {
                        failure = failure ?? FileError("take pictures from", path: id, reason: "\(error)")
                    }
                }
            }
        }
        if let failure { notes.append("some pictures are missing: \(failure)") }
    }

    private func all(_ words: [String: Set<String>]) -> [String] {
        words.values.reduce(into: Set()) { $0.formUnion($1) }.sorted()
    }

    private func write(
        _ moment: DoubtfulMoment, of digest: TrackFileDigest, _ picture: ReviewPictures.Picture?,
        into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("index", moment.first)
            json.member("last", moment.last)
            json.member("best", moment.best)
            json.member("frame", digest.first &+ moment.first)
            json.member("time", digest.time(moment.first), decimals: 6)
            json.member("what", moment.what.rawValue)
            json.member("things", moment.things)
            // What is said of one thing is said of its track, and cards know no things.
            if moment.things.count == 1, let track = digest.things[moment.things[0]].track {
                json.member("track", track)
            }
            if let confidence = moment.confidence { json.member("confidence", confidence, decimals: 3) }
            json.member("text", digest.moments.text(moment, things: digest.things))
            if let place = moment.place { json.member("place", place) }
            if let picture { write(picture, into: &json) }
        }
    }

    private func write(_ picture: ReviewPictures.Picture, into json: inout JSONWriter) {
        json.member("picture", picture.address)
        json.member("view", picture.view)
        if annotated != nil { json.member("burned", true) }
    }

    private func videos(_ page: String, into json: inout JSONWriter) {
        json.key("videos")
        json.object { json in
            if let annotated { json.member("annotated", PageAddress.of(annotated, from: page)) }
            if let source { json.member("source", PageAddress.of(source, from: page)) }
            // For the command that hides by hand what is seen there.
            if source != nil, let tracks { json.member("tracks", PageAddress.of(tracks, from: page)) }
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

    /// Text before a job's data in a file beside the page: a script, since a page from a disk may read no other.
    static func start(_ element: String) -> String { "annotateReview.take(\"\(element)\", " }
    static let end = ")\n"
}
