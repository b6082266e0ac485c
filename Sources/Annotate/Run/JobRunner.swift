internal import Glibc

/// Runs one job: decoding, stages, drawing and encoding at once, on threads of their own.
struct JobRunner {
    let job: Job
    var task = JobTask()
    /// `annotate-batch 0.1.0`, for the sidecar's header.
    let generator: String
    /// Threads for the decoder, and for the stages.
    let threads: Int
    let limits: MediaLimits
    let cancellation: Cancellation
    let progress: JobProgress

    /// What a job made, and its files, which hold their temporary names for as long as they are kept.
    struct Finished {
        var result: JobResult
        var files: [OutputFile]
    }

    /// - Returns: What was made; its files are whole and synced, and wait for their names.
    /// - Throws: the first error of any thread.
    func run() throws -> Finished {
        if task.kind == .reread { return try reread() }
        do {
            return try annotate(
                reusing: task.reused.isEmpty
                    ? nil
                    : SavedResults(
                        task.trackFile ?? job.path(of: TracksSink.format), stages: task.reused, of: job.graph,
                        contents: task.contents))
        } catch is SavedResults.Unfit {
            return try annotate(reusing: nil)
        }
    }

    /// How a note begins that a stage gave.
    static func mark(of stage: String) -> String { "stage “\(stage)”: " }

    /// - Parameter saved: What is known of some of the stages, which don't run then.
    func annotate(reusing saved: SavedResults?) throws -> Finished {
        setThreadRole("the decoder")
        let source = try SourceReader(
            path: job.input, options: job.sourceOptions(threads: threads, limits: limits), cancellation: cancellation)
        progress.expect(source.info.expectedFrames(in: job.range))
        let contents = try InputContents(job.input)
        defer { contents.end() }
        let audio = AudioQueue()
        let feed = FrameFeed(source, audio: audio, decoded: progress.decoded)
        guard let first = try feed.peek(0) else {
            let reason = job.range == nil ? "it holds no picture" : "no frame lies in the range"
            throw FileError("decode", path: job.input, reason: reason)
        }
        // A photo is told by decoding, not by what the container says of its length.
        let isStill = try first.ordinal == 0 && feed.peek(1) == nil
        let camera = try job.camera.intrinsics(width: first.width, height: first.height)
        let stages = try makeStages(first: first, camera: camera, isStill: isStill, but: saved)
        try prepare(stages)
        setThreadRole("the encoder")
        let output = try JobOutput(
            job: job, generator: generator, reader: source, audio: audio, first: first, camera: camera, stages: stages,
            keepsNumbers: task.keepsNumbers && saved != nil)
        let executor = GraphExecutor(plan: job.graph, stages: stages, window: window(first, workers(stages)))
        do {
            var finished = try stream(
                feed, source: source, stages: stages, saved: saved, executor: executor, output: output)
            finished.result.contents = contents.hash
            return finished
        } catch {
            output.discard()
            throw error
        }
    }

    /// - Returns: nil for those whose results are saved.
    private func makeStages(
        first: VideoFrame, camera: CameraIntrinsics, isStill: Bool, but saved: SavedResults?
    ) throws -> [Stage?] {
        try job.graph.nodes.enumerated().map { index, node in
            if saved?.has(index) == true { return nil }
            setThreadRole("stage “\(node.id)”")
            do {
                var context = StageContext(
                    id: node.id, width: first.width, height: first.height, isStill: isStill, camera: camera,
                    threads: threads, range: job.range)
                for kind in node.contract.takes { context.take(kind, of: job.given) }
                return try node.blueprint.makeStage(context)
            } catch {
                throw StageError(stage: node.id, frame: first.ordinal, underlying: error)
            }
        }
    }

    /// Stages that look at the video before it runs do so one after another.
    private func prepare(_ stages: [Stage?]) throws {
        for (node, stage) in zip(job.graph.nodes, stages) {
            setThreadRole("stage “\(node.id)”")
            var options = job.sourceOptions(threads: threads, limits: limits)
            options.keepsAudio = false
            try stage?.lane.prepare { [job, cancellation, options] in
                Footage(path: job.input, options: options, rate: node.rate, cancellation: cancellation)
            }
        }
    }

    /// Threads for the stages: none where no stage runs.
    private func workers(_ stages: [Stage?]) -> Int { stages.contains { $0 != nil } ? threads : 0 }

    /// How many frames may be at work at once: enough for every worker, fewer where they are huge.
    private func window(_ frame: VideoFrame, _ workers: Int) -> Int {
        max(2, min(workers + 2, Self.mostBytes / max(1, frame.byteCount)))
    }

    /// Of the pictures at work: 8K video keeps its window of 4.
    private static let mostBytes = 512 << 20

    private func stream(
        _ feed: FrameFeed, source: SourceReader, stages: [Stage?], saved: SavedResults?, executor: GraphExecutor,
        output: JobOutput
    ) throws -> Finished {
        let registration = cancellation.onCancel { executor.fail(CancelledError()) }
        var running: [Worker] = []
        defer {
            cancellation.forget(registration)
            // Whatever ended the loop below, the others end too before the job's memory goes.
            executor.fail(CancelledError())
            for worker in running { worker.join() }
        }
        let transfer = UncheckedTransfer((feed, saved))
        running.append(
            try Worker(role: "the decoder") {
                let (feed, saved) = transfer.value
                do {
                    while let frame = try feed.next() {
                        try executor.admit(frame, known: saved?.results(of: frame) ?? [:])
                    }
                    try saved?.finish()
                    executor.close()
                } catch {
                    executor.fail(error)
                }
            })
        for _ in 0..<workers(stages) { running.append(try Worker { executor.work() }) }

        var last: VideoFrame?
        var waiting = LateFrames(late: stages.indices.filter { stages[$0]?.lane.isLate ?? false })
        func write(isEnd: Bool) throws {
            while let whole = waiting.next(isEnd: isEnd) {
                try output.write(whole)
                progress.advance()
            }
        }
        while let finished = try executor.next() {
            last = finished.frame
            if cancellation.isCancelled { throw CancelledError() }
            waiting.add(finished)
            try write(isEnd: false)
        }
        // The reader is done: what the source has to say of the whole is known.
        running.forEach { $0.join() }
        if cancellation.isCancelled { throw CancelledError() }
        for (index, (node, stage)) in zip(job.graph.nodes, stages).enumerated() {
            do {
                waiting.add(try stage?.lane.rest().map(\.rounded) ?? [], of: index)
                try stage?.finish()
            } catch {
                throw StageError(stage: node.id, frame: last?.ordinal ?? 0, underlying: error)
            }
        }
        try write(isEnd: true)
        var finished = try output.finish(source.outcome)
        finished.result.notes += source.notes
        for (node, stage) in zip(job.graph.nodes, stages) {
            let mark = Self.mark(of: node.id)
            finished.result.notes += stage?.notes.map { mark + $0 } ?? task.notes.filter { $0.hasPrefix(mark) }
            if stage == nil { finished.result.reused.append(node.id) }
        }
        if let last { finished.result.notes += job.given.notes(upTo: last) }
        return finished
    }
}

extension Job {
    /// How the job's input is read.
    func sourceOptions(threads: Int, limits: MediaLimits) -> SourceOptions {
        var options = SourceOptions()
        options.threads = threads
        options.keepsAudio = encode.codec.encoder != nil && encode.codec.picture == nil && encode.audio == .copy
        options.onError = onError
        options.deinterlaces = deinterlaces
        options.frameRate = frameRate
        options.range = range
        options.start = start
        options.limits = limits
        return options
    }
}

/// Hands a value that is used by one thread at a time from one thread to another.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
