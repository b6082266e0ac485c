/// The writing end of a job: numbers tracks, feeds the sinks, draws and encodes. Used from one thread.
final class JobOutput {
    private let job: Job
    /// Skeletons of the joints of each node's stage.
    private let skeletons: [Skeleton?]
    private let video: (any JobVideo)?
    /// The sinks and their files, the track file last: with it the job is whole.
    private var sinks: [(file: OutputFile, sink: any Sink)] = []
    /// Gives tracks their numbers; nil where all results are saved ones, with the numbers that they keep.
    private var numbering: TrackNumbering?
    private var summary: SummaryBuilder
    private var judges: [ExpectationJudge]
    /// Looks into the video once more, from the file and the places where it covers.
    private let look: (_ video: String, _ places: [CoveredPlaces]) throws -> AgainCheck

    /// - Parameters:
    ///   - threads: Of the job.
    ///   - look: Looks into the annotated video once more, from the file and the places where it covers.
    init(
        job: Job, generator: String, reader: SourceReader, audio: AudioQueue, first: VideoFrame,
        camera: CameraIntrinsics, threads: Int, trackNumbers: [(stage: String, numbers: Set<Int>)], keepsNumbers: Bool,
        look: @escaping (_ video: String, _ places: [CoveredPlaces]) throws -> AgainCheck
    ) throws {
        (self.job, self.look) = (job, look)
        skeletons = job.graph.nodes.indices.map(job.graph.skeleton)
        if !keepsNumbers {
            numbering = TrackNumbering(keeping: trackNumbers)
        }
        summary = SummaryBuilder(stages: job.graph.nodes.map(\.id))
        judges = job.expectations.map(ExpectationJudge.init)
        video = try job.video.map { path -> any JobVideo in
            if job.encode.codec == .copy {
                return try CopiedVideo(path: path, job: job, reader: reader, camera: camera, first: first)
            }
            if let format = job.encode.codec.picture {
                return PhotoFile(path: path, job: job, format: format, camera: camera, first: first)
            }
            return try EncodedVideo(
                path: path, job: job, reader: reader, audio: audio, camera: camera, first: first, threads: threads)
        }
        let header = TrackFileHeader(
            generator: generator, reader: reader, first: first, videoOffset: video?.offset ?? 0, camera: camera,
            job: job)
        let context = SinkContext(job, header: header)
        for sink in job.sinks {
            let file = OutputFile(target: job.path(of: sink.format), isFolder: sink.format.isFolder)
            // Not only when all the work is done.
            if let reason = file.whyUnusable { throw FileError("write", path: file.target, reason: reason) }
            sinks.append((file, try sink.init(file, context)))
        }
    }

    /// Takes the next frame.
    /// - Returns: The frame as its sinks have it.
    func write(_ finished: GraphExecutor.Finished) throws -> FrameRecord {
        let frame = finished.frame
        var drawn: [DrawnObservation] = []
        for (index, emissions) in finished.results.enumerated() {
            let node = job.graph.nodes[index]
            for emission in emissions {
                let observation = numbering?.number(emission.observation) ?? emission.observation
                drawn.append(
                    DrawnObservation(
                        observation, style: node.styles[observation.kind], attachment: emission.attachment,
                        skeleton: skeletons[index]))
            }
        }
        let record = FrameRecord(
            frame: frame.ordinal, pts: frame.pts, duration: frame.duration, observations: drawn.map(\.observation))
        for (_, sink) in sinks { try SinkError.named(sink, frame: frame.ordinal) { try sink.write(record) } }
        summary.add(record)
        for index in judges.indices { judges[index].add(record) }
        try video?.add(frame, drawn)
        return record
    }

    /// Finishes all files, up to their names.
    func finish(_ outcome: SourceOutcome) throws -> JobRunner.Finished {
        try video?.finish(outcome)
        var whole = summary.summary(outcome)
        whole.cover = video?.covered
        var unsure: [String] = []
        if let video, job.graph.nodes.contains(where: { $0.styles.values.contains(where: \.checksAgain) }) {
            let again = try look(video.file.temporary, video.places)
            whole.cover?.found = again.found
            unsure = again.notes
        }
        for (_, sink) in sinks { try SinkError.named(sink, frame: nil) { try sink.finish(outcome, whole) } }
        let files = [video?.file].compactMap(\.self) + sinks.map(\.file)
        for file in files { try file.sync() }
        // From it a later run takes what it needn't find out again.
        let tracks = sinks.last.flatMap { $0.sink is TracksSink ? $0.file.temporary : nil }
        let trackFile = try tracks.map { try ContentHash.of([$0]) }
        var result = JobResult()
        (result.frames, result.tracks) = (whole.frames, whole.tracks.count)
        (result.concealed, result.skipped) = (outcome.concealed, outcome.skipped)
        result.notes =
            (video?.notes ?? []) + sinks.flatMap(\.sink.notes) + findings + (whole.cover?.notes ?? []) + unsure
        (result.found, result.summary) = (summary.sentence, whole.reported)
        result.judgements = try judges.judgements(of: job, covers: whole.cover, trackFile: tracks)
        result.trackFile = trackFile
        result.duration = summary.duration
        return JobRunner.Finished(result: result, files: files)
    }

    /// Notes on what is odd about the results.
    private var findings: [String] {
        var notes = pauses
        guard job.writesTracks else { return notes }
        let blind = Set(summary.blindStages)
        let place = summary.frames == 1 && job.range == nil ? "in the photo" : "in the whole video"
        for node in job.graph.nodes where blind.contains(node.id) {
            // Where nothing comes in nothing can come out, and without seeds there is nothing to track: that is told of.
            let isFed = node.inputs.isEmpty || node.inputs.contains { !blind.contains(job.graph.nodes[$0].id) }
            let isSeeded = !node.needsGiven || node.contract.takes.contains { job.given.has($0) }
            guard isFed, isSeeded else { continue }
            let hint = node.blueprint.hintWhenBlind.map { ": \($0)" } ?? ""
            notes.append("stage “\(node.id)” (\(node.contract.type)) saw nothing \(place)\(hint)")
        }
        var gone = summary.regionsLostForGood.map { (region: $0.region, seen: $0.lastSeen) }
        // One that ends before its time was lost, and wasn't looked for.
        for (id, seen, end) in summary.regionsGivenUp where !gone.contains(where: { $0.region == id }) {
            guard let region = job.given[Region.self].first(where: { $0.id == id }) else { continue }
            if !region.isOver(at: end) { gone.append((id, seen)) }
        }
        for (region, seen) in gone {
            notes.append(
                "region “\(region.inOneLine)” was lost for good after frame \(seen.frame) "
                    + "(\(Words.seconds(seen.seconds)) of \(Words.seconds(summary.last?.seconds ?? 0)))")
        }
        return notes
    }

    /// Notes on stages whose finds are hidden and that don't look at every picture.
    private var pauses: [String] {
        guard video != nil, summary.frames > 1 else { return [] }
        let step = summary.duration / Double(summary.frames)
        return job.graph.nodes.indices.compactMap { index in
            let node = job.graph.nodes[index]
            guard let rate = node.rate, rate > 0, 1 / rate > 1.5 * step, job.graph.hides(index) else { return nil }
            return
                "stage “\(node.id)” looks every \(Words.seconds(1 / rate)): what is in sight only while it doesn't isn't hidden"
        }
    }

    func discard() {
        // What a sink keeps beside its file goes with it.
        let files = sinks.map(\.file)
        sinks = []
        for file in files { file.discard() }
        video?.discard()
    }
}

extension TrackFileHeader {
    init(
        generator: String, reader: SourceReader, first: VideoFrame, videoOffset: Int64, camera: CameraIntrinsics,
        job: Job
    ) {
        let info = reader.info
        let ids = job.graph.nodes.map(\.id)
        self.init(
            generator: generator,
            source: Source(
                name: info.name, width: first.width, height: first.height, rotation: info.rotation,
                isMirrored: info.isMirrored, timeBase: info.timeBase, frameRate: info.frameRate,
                videoOffset: Int(videoOffset), startTime: Int(info.clockStart)),
            range: job.range, camera: job.camera != .assumed || job.graph.usesCamera ? camera : nil,
            stages: job.graph.nodes.enumerated().map { index, node in
                var stage = Stage(
                    id: node.id, type: node.contract.type, inputs: node.inputs.map { ids[$0] }, rate: node.rate,
                    options: node.options, skeleton: job.graph.skeleton(of: index), details: node.blueprint.details)
                stage.isComplete = node.isComplete
                let covering = node.styles.values.filter { $0.cover != nil }
                // All kinds of a stage are drawn by one style.
                // The one that leaves least of what is covered.
                let strongest = covering.max { $0.cover?.strength ?? 0 < $1.cover?.strength ?? 0 }
                (stage.cover, stage.coverColor) = (strongest?.cover, strongest?.coverColor)
                stage.coverGap = covering.map(\.coverGap).max()
                if !covering.isEmpty, covering.allSatisfy({ $0.coverShape == .mask }) { stage.coverShape = .mask }
                return stage
            })
        source.onError = job.onError
        source.decodedFrom = reader.decodedFrom.map(Int.init)
        cover = job.covers.map { $0.inPixels(of: PictureSize(width: first.width, height: first.height)) }
        guard covers else { return }
        isSilent = job.video != nil && job.encode.audio == .drop && job.encode.codec.picture == nil
        for (index, node) in job.graph.nodes.enumerated() where !node.styles.values.contains(where: \.drawsMarks) {
            stages[index].isDrawn = false
        }
    }
}

extension Region {
    /// Whether the manifest itself says that it is nowhere by then.
    fileprivate func isOver(at moment: Moment) -> Bool {
        if end?.isReached(at: moment) ?? false { return true }
        return keyframes.last { $0.moment.isReached(at: moment) }.map { $0.outline == nil } ?? false
    }
}

extension Seed.Moment {
    /// Whether a moment has come at a frame, to a microsecond.
    fileprivate func isReached(at moment: Moment) -> Bool {
        switch self {
        case .seconds(let seconds): moment.seconds >= seconds - 1e-6
        case .frame(let ordinal): moment.frame >= ordinal
        }
    }
}

extension [ExpectationJudge] {
    /// What became of a job's expectations.
    /// - Parameters:
    ///   - covers: What the annotated video hides; nil where it hides nothing, or there is none.
    ///   - trackFile: Path of its results; nil where none are kept.
    func judgements(of job: Job, covers: CoverSummary?, trackFile: String?) throws -> [Judgement] {
        try enumerated().map { index, judge in
            guard job.accepted.indices.contains(index), let accepted = job.accepted[index], let trackFile else {
                return judge.judgement(covers: covers)
            }
            return try accepted.judgement(
                of: job.id, results: trackFile, in: job.output.directory, title: judge.expectation.title,
                kinds: job.graph.catalog)
        }
    }
}
