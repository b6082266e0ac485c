/// The writing end of a job: numbers tracks, feeds the sinks, draws and encodes. Used from one thread.
final class JobOutput {
    private let job: Job
    private let audio: AudioQueue
    private let video: (file: OutputFile, writer: VideoWriter)?
    /// The track file last: with it the job is whole.
    private var sinks: [(file: OutputFile, sink: any Sink)] = []
    private var drawing: Drawing?
    private var numbering: TrackNumbering
    private var summary: SummaryBuilder
    private var judges: [ExpectationJudge]

    init(
        job: Job, generator: String, reader: SourceReader, audio: AudioQueue, first: VideoFrame,
        camera: CameraIntrinsics, stages: [any Stage] = []
    ) throws {
        self.job = job
        self.audio = audio
        numbering = TrackNumbering(keeping: zip(job.graph.nodes, stages).map { ($0.id, $1.trackNumbers) })
        summary = SummaryBuilder(stages: job.graph.nodes.map(\.id))
        judges = job.expectations.map(ExpectationJudge.init)
        if let path = job.video {
            let file = OutputFile(target: path)
            do {
                let writer = try VideoWriter(
                    file,
                    source: VideoWriter.Source(
                        timeBase: reader.info.timeBase, frameRate: reader.info.frameRate, first: first.picture,
                        original: first.original?.picture, offset: max(0, -first.pts.ticks), demuxer: reader.demuxer),
                    settings: job.encode)
                drawing = Drawing(
                    onto: writer.input, styles: job.graph.nodes.flatMap(\.styles.values), camera: camera, first: first)
                video = (file, writer)
            } catch {
                file.discard()
                throw error
            }
        } else {
            video = nil
        }
        let header = SidecarHeader(
            generator: generator, info: reader.info, first: first, videoOffset: video?.writer.offset ?? 0,
            camera: camera, job: job)
        let context = SinkContext(
            header: header, kinds: job.graph.findings,
            styles: Dictionary(uniqueKeysWithValues: job.graph.nodes.map { ($0.id, $0.styles) }))
        for sink in job.sinks {
            let file = OutputFile(target: job.path(of: sink.format))
            sinks.append((file, try sink.init(file, context)))
        }
    }

    func write(_ finished: GraphExecutor.Finished) throws {
        let frame = finished.frame
        var drawn: [DrawnObservation] = []
        for (node, emissions) in zip(job.graph.nodes, finished.results) {
            for emission in emissions {
                let observation = numbering.number(emission.observation)
                drawn.append(
                    DrawnObservation(
                        observation, style: node.styles[observation.kind], attachment: emission.attachment))
            }
        }
        let record = FrameRecord(
            frame: frame.ordinal, pts: frame.pts, duration: frame.duration, observations: drawn.map(\.observation))
        for (_, sink) in sinks { try sink.write(record) }
        summary.add(record)
        for index in judges.indices { judges[index].add(record) }
        drawing?.add(frame, drawn)
        try encode(isEnd: false)
    }

    /// Encodes the pictures that are drawn, each with the audio that goes behind it.
    private func encode(isEnd: Bool) throws {
        guard let writer = video?.writer else { return }
        while let (frame, picture) = try drawing?.next(isEnd: isEnd) {
            try writer.write(picture)
            for packet in audio.take(through: frame) { try writer.writeAudio(packet) }
        }
    }

    /// Finishes all files, up to their names.
    func finish(_ outcome: SourceOutcome) throws -> JobRunner.Finished {
        try encode(isEnd: true)
        if let writer = video?.writer {
            for packet in audio.take(through: .max) { try writer.writeAudio(packet) }
            try writer.finish()
        }
        let whole = summary.summary(outcome)
        for (_, sink) in sinks { try sink.finish(outcome, whole) }
        let files = [video?.file].compactMap(\.self) + sinks.map(\.file)
        for file in files { try file.sync() }
        let result = JobResult(
            frames: whole.frames, tracks: whole.tracks.count, concealed: outcome.concealed, skipped: outcome.skipped,
            notes: (video?.writer.notes ?? []) + (drawing?.isCutShort == true ? [Self.cutShort] : [])
                + sinks.flatMap(\.sink.notes) + findings,
            found: summary.things.sentence, summary: whole.reported, judgements: judges.map(\.judgement),
            duration: summary.duration, files: files.map(\.pending))
        return JobRunner.Finished(result: result, files: files)
    }

    /// What is odd about the results.
    private var findings: [String] {
        let blind = Set(summary.blindStages)
        var notes: [String] = []
        for node in job.graph.nodes where blind.contains(node.id) {
            // Where nothing comes in nothing can come out, and without seeds there is nothing to track: that is told of.
            let isFed = node.inputs.isEmpty || node.inputs.contains { !blind.contains(job.graph.nodes[$0].id) }
            let isSeeded =
                (!node.contract.takesSeeds || !job.regions.isEmpty)
                && (!node.contract.takesPoints || !job.points.isEmpty)
            guard isFed, isSeeded else { continue }
            let hint = node.blueprint.hintWhenBlind.map { ": \($0)" } ?? ""
            notes.append("stage “\(node.id)” (\(node.contract.type)) saw nothing in the whole video\(hint)")
        }
        var gone = summary.regionsLostForGood.map { (region: $0.region, seen: $0.lastSeen) }
        // One that ends before its time was lost, and wasn't looked for.
        for (id, seen, end) in summary.regionsGivenUp where !gone.contains(where: { $0.region == id }) {
            guard let region = job.regions.first(where: { $0.id == id }) else { continue }
            if region.end.map({ !$0.isReached(at: end) }) ?? true { gone.append((id, seen)) }
        }
        for (region, seen) in gone {
            notes.append(
                "region “\(region.inOneLine)” was lost for good after frame \(seen.frame) "
                    + "(\(Words.seconds(seen.seconds)) of \(Words.seconds(summary.last?.seconds ?? 0)))")
        }
        return notes
    }

    private static let cutShort =
        "regions were covered for less than “coverGap” before they were first seen: the pictures that wait would take too "
        + "much memory"

    func discard() {
        // What a sink keeps beside its file goes with it.
        let files = sinks.map(\.file)
        sinks = []
        for file in files { file.discard() }
        video?.file.discard()
    }
}

extension SidecarHeader {
    init(
        generator: String, info: SourceInfo, first: VideoFrame, videoOffset: Int64, camera: CameraIntrinsics, job: Job
    ) {
        let ids = job.graph.nodes.map(\.id)
        self.init(
            generator: generator,
            source: Source(
                name: info.name, width: first.width, height: first.height, rotation: info.rotation,
                isMirrored: info.isMirrored, timeBase: info.timeBase, frameRate: info.frameRate,
                videoOffset: Int(videoOffset)),
            range: job.range, camera: job.camera != .assumed || job.graph.usesCamera ? camera : nil,
            stages: job.graph.nodes.map { node in
                Stage(
                    id: node.id, type: node.contract.type, inputs: node.inputs.map { ids[$0] }, rate: node.rate,
                    options: node.options, details: node.blueprint.details)
            })
    }
}

extension Seed.Moment {
    /// The same as of a picture, to a microsecond.
    fileprivate func isReached(at moment: Moment) -> Bool {
        switch self {
        case .seconds(let seconds): moment.seconds >= seconds - 1e-6
        case .frame(let ordinal): moment.frame >= ordinal
        }
    }
}
