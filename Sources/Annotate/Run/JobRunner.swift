internal import Glibc

/// Runs one job: decoding, stages, drawing and encoding at once, on threads of their own.
struct JobRunner {
    let job: Job
    var task = JobTask()
    /// The program and its version, for the track file's header.
    let generator: String
    /// Threads for the decoder, and for the stages.
    let threads: Int
    let limits: MediaLimits
    let cancellation: Cancellation
    let progress: JobProgress
    /// Gets each frame as soon as it is written, in order.
    var onFrame: ((FrameRecord) -> Void)?

    /// What a job found out, and its files, which hold their temporary names for as long as they are kept.
    struct Finished {
        var result: JobResult
        var files: [OutputFile]
    }

    /// - Returns: What was made; its files are whole and synced, and wait for their names.
    /// - Throws: the first error of any thread.
    func run() throws -> Finished {
        switch task.kind {
        case .reread: return try reread()
        case .divide: return try divide()
        case .part: return try detect(task.part ?? JobPart())
        case .annotate: break
        }
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

    /// The beginning of a note that a stage gave.
    static func mark(of stage: String) -> String { "stage “\(stage)”: " }

    /// Runs the job on its video.
    /// - Parameter saved: Results of stages that don't run, from an earlier track file; nil for none.
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
            let reason = job.range.map(source.info.sentence(onEmpty:)) ?? "it holds no picture"
            throw FileError("decode", path: job.input, reason: reason)
        }
        // A photo is told by decoding, not by what the container says of its length.
        let isStill = try first.ordinal == 0 && feed.peek(1) == nil
        let camera = try job.camera.intrinsics(width: first.width, height: first.height)
        func make(_ nodes: [Int]) throws -> [Stage?] {
            let stages = try makeStages(nodes, first: first, camera: camera, isStill: isStill)
            if task.parts.isEmpty { return stages }
            return stages.map { stage in
                stage.map { $0.lane.storesDetections ? Stage(lane: KnowingLane($0)) : $0 }
            }
        }
        keepBlocks(as: first)
        var pass = JobPass(stages: try make(job.graph.nodes.indices.filter { saved?.has($0) != true }), saved: saved)
        try lookAhead(&pass, first: first, camera: camera, make)
        progress.endLooks()
        setThreadRole("the encoder")
        let output = try JobOutput(
            job: job, generator: generator, reader: source, audio: audio, first: first, camera: camera,
            threads: threads, trackNumbers: pass.trackNumbers(of: job.graph),
            keepsNumbers: task.keepsNumbers && saved != nil,
            look: { [job, threads, limits, cancellation] video, places in
                try AgainCheck.found(
                    in: video, of: job, places: places, threads: threads, limits: limits, cancellation: cancellation)
            })
        let stages = pass.stages
        let executor = GraphExecutor(plan: job.graph, stages: stages, window: window(first, workers(stages)))
        do {
            var finished = try stream(feed, source: source, pass: pass, executor: executor, output: output)
            finished.result.contents = contents.hash
            return finished
        } catch {
            output.discard()
            throw error
        }
    }

    /// Makes stages, and has those that look at the video before it runs do so, one after another.
    /// - Parameters:
    ///   - nodes: Indices in the plan.
    ///   - prepares: False where they don't look at it.
    /// - Returns: nil for the others.
    func makeStages(
        _ nodes: [Int], first: VideoFrame, camera: CameraIntrinsics, isStill: Bool, prepares: Bool = true
    ) throws -> [Stage?] {
        var stages = [Stage?](repeating: nil, count: job.graph.nodes.count)
        for index in nodes {
            let node = job.graph.nodes[index]
            setThreadRole("stage “\(node.id)”")
            do {
                var context = StageContext(
                    id: node.id, width: first.width, height: first.height, isStill: isStill,
                    isStream: MediaInput.isStandardInput(job.input), camera: camera, threads: threads, range: job.range)
                context.hides = job.graph.hides(index)
                for kind in node.contract.takes { context.take(kind, of: job.given) }
                stages[index] = try node.blueprint.makeStage(context)
            } catch {
                throw StageError(stage: node.id, underlying: error)
            }
        }
        if prepares { try prepare(stages) }
        return stages
    }

    /// Stages that look at the video before it runs do so one after another.
    private func prepare(_ stages: [Stage?]) throws {
        for (index, (node, stage)) in zip(job.graph.nodes, stages).enumerated() {
            let hides = job.graph.hides(index)
            setThreadRole("stage “\(node.id)”")
            var options = job.sourceOptions(threads: threads, limits: limits)
            options.keepsAudio = false
            do {
                try stage?.lane.prepare { [job, cancellation, options, progress] in
                    Footage(
                        path: job.input, options: options, rate: node.rate, runsOnShots: hides,
                        cancellation: cancellation
                    ) { count in
                        if count == 1 { progress.expectLooks() }
                        progress.look()
                    }
                }
            } catch let error where error is FileError || error is CancelledError {
                // The video's own, or nobody's.
                throw error
            } catch {
                throw StageError(stage: node.id, underlying: error)
            }
        }
    }

    /// Threads for the stages: none where no stage runs.
    func workers(_ stages: [Stage?]) -> Int { stages.contains { $0 != nil } ? threads : 0 }

    /// The most frames at work at once: enough for every worker, fewer where they are huge.
    func window(_ frame: VideoFrame, _ workers: Int) -> Int {
        max(2, min(workers + 2, Self.mostBytes / max(1, frame.byteCount)))
    }

    /// The most memory of the pictures at work, bytes: 8K video keeps its window of 4.
    private static let mostBytes = 512 << 20

    private func stream(
        _ feed: FrameFeed, source: SourceReader, pass: JobPass, executor: GraphExecutor, output: JobOutput
    ) throws -> Finished {
        let stages = pass.stages
        let last = try run(executor, pass, next: feed.next, ending: Array(stages.indices)) { whole in
            let record = try output.write(whole)
            onFrame?(record)
            progress.advance()
        }
        var finished = try output.finish(source.outcome)
        finished.result.notes += source.notes
        for (index, node) in job.graph.nodes.enumerated() {
            let mark = Self.mark(of: node.id)
            let notes = (stages[index]?.notes ?? pass.firstPass[index]?.notes)?.map { mark + $0 }
            finished.result.notes += notes ?? task.notes.filter { $0.hasPrefix(mark) }
            let knowing =
                pass.firstPass[index]?.knowing ?? pass.looked[index] ?? stages[index]?.lane as? KnowingLane
            if let counts = knowing?.counts {
                finished.result.taken += counts.taken
                finished.result.missed += counts.found
            }
            if stages[index] == nil, pass.firstPass[index] == nil { finished.result.reused.append(node.id) }
        }
        if let last { finished.result.notes += job.given.notes(upTo: last) }
        return finished
    }

    /// Runs all frames through a graph, on threads of their own but for `body`.
    /// - Parameters:
    ///   - next: Gives the next frame; called from the decoder's thread.
    ///   - ending: Indices of the stages that end after the last frame.
    ///   - body: Called for each frame with all that is said of it, in order.
    /// - Returns: The last frame.
    func run(
        _ executor: GraphExecutor, _ pass: JobPass, next: @escaping () throws -> VideoFrame?, ending: [Int],
        _ body: (GraphExecutor.Finished) throws -> Void
    ) throws -> VideoFrame? {
        let registration = cancellation.onCancel { executor.fail(CancelledError()) }
        var running: [Worker] = []
        defer {
            cancellation.forget(registration)
            // Whatever ended the loop below, the others end too before the job's memory goes.
            executor.fail(CancelledError())
            for worker in running { worker.join() }
        }
        let (frames, known) = (UncheckedTransfer(next), UncheckedTransfer(pass.saved))
        let found = UncheckedTransfer(
            DetectionFeed(task.parts, of: job.graph, stages: pass.stages) { [cancellation] in
                cancellation.isCancelled || executor.hasFailed
            })
        running.append(
            try Worker(role: "the decoder") {
                do {
                    while let frame = try frames.value() {
                        try found.value.hand(over: frame)
                        try executor.admit(frame, known: known.value?.results(of: frame) ?? [:])
                    }
                    try known.value?.finish()
                    executor.close()
                } catch {
                    executor.fail(error)
                }
            })
        for _ in 0..<workers(pass.stages) { running.append(try Worker { executor.work() }) }

        let stages = pass.stages
        var last: VideoFrame?
        let nodes = job.graph.nodes
        var waiting = LateFrames(
            late: stages.indices.filter { stages[$0]?.lane.isLate ?? false },
            checked: Set(nodes.indices.filter { !nodes[$0].isOwn }))
        func taken(_ add: () throws -> Void) throws {
            do {
                try add()
            } catch let error as LateFrames.OutOfOrder {
                throw StageError(stage: nodes[error.stage].id, frame: last?.ordinal, underlying: error)
            }
        }
        while let finished = try executor.next() {
            last = finished.frame
            if cancellation.isCancelled { throw CancelledError() }
            try taken { try waiting.add(finished) }
            while let whole = waiting.next(isEnd: false) { try body(whole) }
        }
        // The reader is done: what the source has to say of the whole is known.
        running.forEach { $0.join() }
        if cancellation.isCancelled { throw CancelledError() }
        for index in ending {
            do {
                let rest = try stages[index]?.lane.rest() ?? []
                try job.graph.check(of: index)?.check(eachOf: rest.map(\.observation))
                try taken { try waiting.add(rest.map(\.rounded), of: index) }
                try stages[index]?.finish()
            } catch let error as StageError {
                throw error
            } catch {
                throw StageError(stage: nodes[index].id, underlying: error)
            }
        }
        while let whole = waiting.next(isEnd: true) { try body(whole) }
        return last
    }
}

extension Job {
    /// Options by which the job's input is read.
    func sourceOptions(threads: Int, limits: MediaLimits) -> SourceOptions {
        var options = SourceOptions()
        options.threads = threads
        options.keepsAudio = encode.codec.encoder != nil && encode.codec.picture == nil && encode.audio == .copy
        options.onError = onError
        options.deinterlacing = deinterlacing
        options.frameRate = frameRate
        options.range = range
        options.start = start
        options.limits = limits
        return options
    }
}

/// Frames in order, with the results that are known already.
private struct KnownFrames {
    let next: () throws -> VideoFrame?
    let saved: SavedResults?
}

/// Hands a value that is used by one thread at a time from one thread to another.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
