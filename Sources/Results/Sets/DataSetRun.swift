/// One writing of a data set.
final class DataSetRun {
    private let dataSet: DataSet
    /// Those that have something of what is wanted.
    private let clips: [DataSet.Clip]
    private let folder: String
    private let cancellation: Cancellation
    private var split = DataSetSplit([], shares: [], seed: 0)
    /// A sentence on those that have nothing; nil for none.
    private let othersNote: String?
    private let said: ReviewedClips?
    /// What the pictures of each clip are called after, by the clips' ids.
    private let names: [String: String]
    /// What the clips' stages can give.
    private var reach = ClassReach()
    private var counts: [Subset: (clips: Int, pictures: Int, things: Int)] = [:]
    private var leftOut: [LeftOut: Int] = [:]
    private var summary = DataSetSummary()
    private var pictureCount = 0
    /// Pictures in which nobody looked for some of the classes, and these.
    private var unsearched = (pictures: 0, classes: Set<String>())
    /// Pictures in which a stage tells as many things as it may, by its id.
    private var full: [String: (pictures: Int, most: Int)] = [:]
    /// Ids of clips of which no picture is taken.
    private var withoutPictures: [String] = []
    private var firstTrack = 0

    private var options: DataSetOptions { dataSet.options }

    init(_ dataSet: DataSet, in folder: String, _ cancellation: Cancellation) throws {
        (self.dataSet, self.folder, self.cancellation) = (dataSet, folder, cancellation)
        let filter = ExportFilter(stages: dataSet.options.stages, kinds: dataSet.options.kinds)
        let paths = dataSet.clips.map(\.tracks)
        let (_, without) = try filter.ofFolder(
            paths.first.map(Files.parent(of:)) ?? dataSet.options.directory, paths, dataSet.kinds)
        let clips = dataSet.clips.filter { !without.contains($0.tracks) }
        self.clips = clips
        var said = try dataSet.options.remarks.map { try ReviewedClips(file: $0) }
        said?.leaveOut(dataSet.strangers)
        self.said = said
        try Self.check(dataSet.options.complete, paths, dataSet.kinds)
        othersNote = filter.sentence(on: without, of: paths.count)
        names = ClipNames.of(clips.map(\.id))
    }

    /// Which clip is for what: of those of which a picture is taken, others would leave a part without any.
    private func split(_ clips: [DataSet.Clip]) throws -> DataSetSplit {
        var shares = options.split
        // Ultralytics refuses a set without “val”.
        if shares.isEmpty, dataSet.layout.isYOLO, clips.count > 1 { shares = [0.8, 0.2] }
        return DataSetSplit(try ClipSources.groups(of: clips, dataSet.kinds), shares: shares, seed: options.seed)
    }

    /// Refuses ids of stages that no clip has.
    private static func check(_ complete: [String], _ paths: [String], _ kinds: FindingCatalog) throws {
        guard !complete.isEmpty else { return }
        var known: Set<String> = []
        for path in paths {
            known.formUnion(try TrackFileReader(path: path, kinds: kinds).header.stages.map(\.id))
            if known.isSuperset(of: complete) { return }
        }
        let told = known.sorted().map { "“\($0.inOneLine)”" }.joined(separator: ", ")
        for id in complete where !known.contains(id) {
            throw DataSetError(
                "no clip has the stage “\(id.inOneLine)”, which is said to be complete; expected one of \(told)")
        }
    }

    func write(fingerprint: String?) throws -> DataSetSummary {
        // By it what a killed run leaves is known and swept.
        try put("{}\n", into: DataSetRecord.name)
        var listed = try options.classes.map { try ClassList(file: $0) }
        var found: [String: Int] = [:]
        var emitted: [any Finding.Type] = []
        var skeletons: [String: Skeleton] = [:]
        // Whether there are pictures of each clip; nil where that depends on what all clips' stages can give.
        var taken: [Bool?] = []
        var unknown: [Int: [String: ClassReach.Source]] = [:]
        for (index, clip) in clips.enumerated() {
            let survey = try survey(clip, listed)
            let (known, unsearched) = (
                survey.hasPicture(isSearched: true, among: takes), survey.hasPicture(isSearched: false, among: takes)
            )
            taken.append(known == unsearched ? known : nil)
            if known != unsearched { unknown[index] = survey.sources }
            found.merge(survey.names) { $0 + $1 }
            full.merge(survey.full) { ($0.pictures + $1.pictures, min($0.most, $1.most)) }
            skeletons.merge(survey.skeletons) { first, _ in first }
            reach.add(survey.sources, survey.given)
            for kind in survey.header.stages.flatMap({ dataSet.kinds.kinds(of: $0.type) ?? [] })
            where !emitted.contains(where: { $0.kind == kind.kind }) { emitted.append(kind) }
        }
        let classes = listed ?? ClassList(found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        try check(found, classes)
        listed = classes
        split = try split(
            clips.indices.filter { taken[$0] ?? reach.covers(classes, unknown[$0] ?? [:]) }.map { clips[$0] })
        var plan = DataSetPlan(
            folder: folder, classes: classes.names, skeletons: skeletons.filter { classes.has($0.key) },
            subsets: split.subsets, pictures: dataSet.pictures, generator: dataSet.generator, kinds: emitted)
        plan.keepsFormulas = dataSet.keepsFormulas
        let writer = try dataSet.layout.writer.init(plan)
        let index = try ByteWriter(path: folder + "/" + DataSetRecord.list)
        try index.write(
            CSVFile.line(["picture", "part", "clip", "frame", "pts", "time", "things", "background"]))
        if dataSet.pictures != nil, dataSet.layout != .mot {
            for subset in split.subsets { try Files.makeDirectory("\(folder)/images/\(subset)") }
        }
        for (number, clip) in clips.enumerated() {
            try write(clip, number: number + 1, classes, writer, index)
        }
        try index.finish()
        try writer.finish()
        summary.parts = split.subsets.map { subset in
            let count = counts[subset] ?? (0, 0, 0)
            return ("\(subset)", count.clips, count.pictures, count.things)
        }
        summary.leftOut = LeftOut.allCases.compactMap { reason in
            leftOut[reason].map { (reason.rawValue, reason.words, $0) }
        }
        summary.notes =
            [othersNote, emptyNote, unsearchedNote, split.note, remarksNote, strangersNote].compactMap(\.self)
            + fullNotes + writer.notes
        guard pictureCount > 0 else {
            let reasons = summary.leftOut.map { "\($0.count) \($0.words)" }.joined(separator: ", ")
            throw DataSetError(
                "no picture is left for the data set\(reasons.isEmpty ? "" : ": left out were \(reasons)"); take more with "
                    + "other options, or keep what isn't known to be annotated with --negatives")
        }
        try put(
            DataSetRecord.text(
                dataSet, classes: classes.names, summary, folders: try DataSetFolders.listed(in: folder),
                fingerprint: fingerprint),
            into: DataSetRecord.name)
        return summary
    }

    /// A sentence on clips of which no picture is taken; nil for none.
    private var emptyNote: String? {
        guard !withoutPictures.isEmpty else { return nil }
        let named = withoutPictures.prefix(8).map { "“\($0.inOneLine)”" }.joined(separator: ", ")
        let more = withoutPictures.count > 8 ? " and \(withoutPictures.count - 8) more" : ""
        return "no picture is taken of \(named)\(more)"
    }

    /// A sentence on pictures in which there may be things that nobody looked for; nil for none.
    private var unsearchedNote: String? {
        guard unsearched.pictures > 0 else { return nil }
        let names = unsearched.classes.sorted()
        let named = names.prefix(8).map { "“\($0.inOneLine)”" }.joined(separator: ", ") + (names.count > 8 ? ", …" : "")
        return
            "in \(unsearched.pictures) pictures nobody looked for \(named): what there is of it isn't marked; give all clips the "
            + "same stages, or leave classes out with --classes and --others drop"
    }

    /// Sentences on stages that may have seen more than they tell.
    private var fullNotes: [String] {
        full.sorted { $0.key < $1.key }.map { stage, full in
            "in \(full.pictures) pictures “\(stage)” tells as many things as it may (“maximumObservations”: \(full.most)): what is "
                + "more isn't marked; 0 tells of all"
        }
    }

    /// A sentence on clips that reviewers said something of and that aren't in it; nil for none.
    private var remarksNote: String? {
        let known = Set(clips.map(\.id))
        let others = (said?.ids ?? []).filter { !known.contains($0) }
        guard !others.isEmpty else { return nil }
        return "remarks are left out on what is no clip of it: "
            + others.prefix(8).map { "“\($0.inOneLine)”" }.joined(separator: ", ") + (others.count > 8 ? ", …" : "")
    }

    /// A sentence on jobs of whose videos the remarks aren't; nil for none.
    private var strangersNote: String? { BatchIdentity.sentence(on: dataSet.strangers) }

    private func put(_ text: String, into name: String) throws {
        let writer = try ByteWriter(path: folder + "/" + name)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    /// Refuses things of other classes, unless they are to be left out.
    private func check(_ found: [String: Int], _ classes: ClassList) throws {
        let others = found.filter { !classes.has($0.key) }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !others.isEmpty else { return }
        guard options.others == .drop else {
            let told = others.prefix(8).map { "“\($0.key.inOneLine)” (\($0.value))" }.joined(separator: ", ")
            throw DataSetError(
                "\(options.classes ?? "the list of classes") hasn't \(told)\(others.count > 8 ? ", …" : ""); expected all "
                    + "classes that there are, or --others drop, which leaves out what is of others")
        }
    }

    private func survey(_ clip: DataSet.Clip, _ listed: ClassList?) throws -> ClipSurvey {
        try ClipSurvey(
            clip.tracks, { try ThingChoice(options, $0, dataSet.kinds, path: clip.tracks) }, kinds: dataSet.kinds,
            said: said?[clip.id] ?? ReviewedClips.Clip(), keepsUnknown: options.negatives,
            covers: { sources in listed.map { reach.covers($0, sources) } ?? true },
            isListed: { listed?.has($0) ?? true }, isSayable: dataSet.layout.writer.says, cancellation: cancellation)
    }

    /// Whether a frame is among those that are asked for, whatever is in it.
    private func takes(_ frame: Int) -> Bool {
        frame % max(1, options.every) == 0
            && (options.spans.isEmpty
                || options.spans.contains { $0.count == 2 && ($0[0]...max($0[0], $0[1])).contains(frame) })
    }

    /// Writes a clip's pictures.
    private func write(
        _ clip: DataSet.Clip, number: Int, _ classes: ClassList, _ writer: any DataSetWriter, _ index: ByteWriter
    ) throws {
        let survey = try survey(clip, classes)
        var last: Int?
        for frame in survey.frames where takes(frame) {
            guard case .leftOut(let reason) = survey[frame] else {
                last = frame
                continue
            }
            leftOut[reason, default: 0] += 1
        }
        let subset = split[clip.id]
        let own = DataSetClip(
            id: clip.id, name: names[clip.id] ?? clip.id, number: number, subset: subset,
            context: SinkContext(header: survey.header, kinds: dataSet.kinds), firstTrack: firstTrack)
        firstTrack += survey.lastTrack
        guard let last else { return withoutPictures.append(clip.id) }
        let choice = try ThingChoice(options, survey.header, dataSet.kinds, path: clip.tracks)
        let looks = dataSet.pictures != nil || options.unlike != nil || options.crops != nil
        let missing = survey.isReviewed ? [] : reach.missing(classes, survey.sources)
        let source =
            looks
            ? try FrameSource(try clip.video(), survey.header, survey.outcome, cancellation: cancellation) : nil
        let reader = try TrackFileReader(path: clip.tracks, kinds: dataSet.kinds)
        let files = dataSet.pictures.map { PictureWriter($0) }
        let crops = options.crops.map { DataSetCrops($0, of: classes, folder: folder, dataSet.pictures ?? .jpg) }
        var limiter = options.rate.map { RateLimiter(rate: $0) }
        var likeness: PictureLikeness?
        var count = 0
        while var record = try reader.next(), record.frame <= last {
            if cancellation.isCancelled { throw CancelledError() }
            let frame = try source?.next(record)
            guard takes(record.frame) else { continue }
            let verdict = survey[record.frame]
            if case .leftOut = verdict { continue }
            if limiter?.runs(at: record.pts.seconds) == false { continue }
            record.observations.removeAll { observation in
                guard case .thing = choice.role(of: observation) else { return true }
                return false
            }
            let all = record.observations.count
            record.observations.removeAll { !classes.has($0.name) }
            let others = all - record.observations.count
            var seen = likeness
            if let unlike = options.unlike, let frame {
                let now = PictureLikeness(frame)
                if let likeness, now.difference(from: likeness) < unlike {
                    leftOut[.alike, default: 0] += 1
                    continue
                }
                seen = now
            }
            if count == 0 { try writer.begin(own) }
            let path = writer.path(of: record.frame, count + 1, in: own, dataSet.pictures ?? .jpg)
            let picture = DataSetPicture(
                record: record, number: pictureCount + 1, numberInClip: count + 1, isEmpty: verdict == .empty,
                path: path)
            guard try writer.write(picture) else {
                leftOut[.unsayable, default: 0] += 1
                continue
            }
            likeness = seen
            summary.dropped += others
            if !missing.isEmpty, verdict == .annotated, !record.observations.isEmpty {
                unsearched.pictures += 1
                unsearched.classes.formUnion(missing)
            }
            (count, pictureCount) = (count + 1, pictureCount + 1)
            counts[subset, default: (0, 0, 0)].pictures += 1
            counts[subset, default: (0, 0, 0)].things += record.observations.count
            if record.observations.isEmpty, verdict == .empty { summary.backgrounds += 1 }
            if let files, let frame { try files.write(frame, asPartOf: folder + "/" + path) }
            if let crops, let frame {
                summary.crops += try crops.write(record, of: own, frame)
            }
            try index.write(
                CSVFile.line(
                    [
                        path, "\(subset)", clip.id, String(record.frame), String(record.pts.ticks),
                        record.pts.seconds.text(6), String(record.observations.count),
                        record.observations.isEmpty ? String(verdict == .empty) : "",
                    ].map(dataSet.keepsFormulas ? { $0 } : CSVCell.guarded)))
        }
        guard count > 0 else { return withoutPictures.append(clip.id) }
        counts[subset, default: (0, 0, 0)].clips += 1
        try writer.end(own, pictures: count)
    }
}
