/// The stages of a job that run, and the results of those that don't.
struct JobPass {
    /// The remains of a stage that ran when the frames came the first time.
    struct FirstPass {
        var notes: [String]
        var trackNumbers: Set<Int>
        /// Its lane, where detections were known.
        var knowing: KnowingLane?
    }

    /// Stages by their indices in the plan; nil for one whose results are known.
    var stages: [Stage?]
    /// The results that are known; nil for none.
    var saved: SavedResults?
    /// Stages whose results are known since they ran already, by their indices in the plan.
    var firstPass: [Int: FirstPass] = [:]
    /// The temporary file that results are in; nil for none.
    var file: OutputFile?
    /// Lanes in which detections were known, of stages that have looked ahead, by their indices in the plan.
    var looked: [Int: KnowingLane] = [:]

    /// A stage that isn't there has none, or is taken over with all the others.
    func trackNumbers(of plan: GraphPlan) -> [(stage: String, numbers: Set<Int>)] {
        plan.nodes.enumerated().map { index, node in
            (node.id, stages[index]?.trackNumbers ?? firstPass[index]?.trackNumbers ?? [])
        }
    }
}

/// Stages that have to see all frames before they say anything: the frames run a first time, through them and what they depend
/// on alone, and nothing is drawn or encoded.
extension JobRunner {
    /// Runs the frames as often as that takes, and puts in place of stages that look ahead those that they settle to.
    ///
    /// What the others said goes into a track file of its own, from which it comes when the frames run the last time: results
    /// are small, pictures aren't. A stage that hands on what no track file holds runs again, with those that take from it.
    /// - Parameter make: Makes stages afresh.
    func lookAhead(
        _ pass: inout JobPass, first: VideoFrame, camera: CameraIntrinsics, _ make: ([Int]) throws -> [Stage?]
    ) throws {
        let nodes = job.graph.nodes
        while true {
            let ahead = nodes.indices.filter { pass.stages[$0]?.lane.looksAhead == true }
            guard !ahead.isEmpty else { return }
            let waiting = Set(ahead)
            // One that takes from another one that looks ahead has to wait for what that settles to.
            let now = ahead.filter { job.graph.inputs(of: [$0]).isDisjoint(with: waiting) }
            let needed = job.graph.inputs(of: now)
            var part = pass
            for index in nodes.indices where !needed.contains(index) && !now.contains(index) {
                part.stages[index] = nil
            }
            let known = Set(nodes.indices.filter { pass.saved?.has($0) == true })
            let kept = known.union(needed)
            let file = OutputFile(target: job.path(of: TracksSink.format) + ".ahead")
            try progress.whileDecodingApart {
                try look(part, ending: needed.sorted(), keeping: kept, in: file, first: first, camera: camera)
            }
            for index in needed {
                guard let stage = part.stages[index] else { continue }
                pass.firstPass[index] = JobPass.FirstPass(
                    notes: stage.notes, trackNumbers: stage.trackNumbers, knowing: stage.lane as? KnowingLane)
                pass.stages[index] = nil
            }
            for index in now {
                pass.looked[index] = pass.stages[index]?.lane as? KnowingLane
                pass.stages[index] = try settled(pass.stages[index], nodes[index].id)
            }
            try runAgain(&pass, make)
            pass.saved = try SavedResults(
                file.temporary, stages: kept.filter { pass.stages[$0] == nil }.map { nodes[$0].id }, of: job.graph,
                contents: nil)
            pass.file = file
        }
    }

    /// Runs all frames through a part of the graph.
    /// - Parameter kept: Indices of the stages whose results go into the file.
    private func look(
        _ part: JobPass, ending: [Int], keeping kept: Set<Int>, in file: OutputFile, first: VideoFrame,
        camera: CameraIntrinsics
    ) throws {
        let nodes = job.graph.nodes
        var options = job.sourceOptions(threads: threads, limits: limits)
        options.keepsAudio = false
        let reader = try SourceReader(path: job.input, options: options, cancellation: cancellation)
        progress.expectLooks()
        let header = TrackFileHeader(
            generator: generator, reader: reader, first: first, videoOffset: 0, camera: camera, job: job)
        let sink = try TracksSink(file, SinkContext(job, header: header))
        var summary = SummaryBuilder(stages: nodes.map(\.id))
        var numbering = TrackNumbering(keeping: part.trackNumbers(of: job.graph))
        let executor = GraphExecutor(plan: job.graph, stages: part.stages, window: window(first, workers(part.stages)))
        let next = {
            let frame = try reader.next()
            if frame != nil { progress.decoded() }
            return frame
        }
        _ = try run(executor, part, next: next, ending: ending) { finished in
            let frame = finished.frame
            var observations: [Observation] = []
            for index in nodes.indices where kept.contains(index) {
                for emission in finished.results[index] { observations.append(numbering.number(emission.observation)) }
            }
            let record = FrameRecord(
                frame: frame.ordinal, pts: frame.pts, duration: frame.duration, observations: observations)
            try sink.write(record)
            summary.add(record)
            progress.look()
        }
        try sink.finish(reader.outcome, summary.summary(reader.outcome))
    }

    private func settled(_ stage: Stage?, _ id: String) throws -> Stage? {
        do {
            return try stage?.lane.settle()
        } catch {
            throw StageError(stage: id, underlying: error)
        }
    }

    /// Makes those anew whose results no track file holds whole, and all that take from such a one.
    private func runAgain(_ pass: inout JobPass, _ make: ([Int]) throws -> [Stage?]) throws {
        let nodes = job.graph.nodes
        var again: Set<Int> = []
        for index in nodes.indices where pass.firstPass[index] != nil {
            if nodes[index].contract.attachmentUse != .nothing || nodes[index].inputs.contains(where: again.contains) {
                again.insert(index)
            }
        }
        guard !again.isEmpty else { return }
        let made = try make(again.sorted())
        for index in again {
            pass.stages[index] = made[index]
            pass.firstPass[index] = nil
        }
    }
}

extension GraphPlan {
    /// The stages that some stages depend on, without those themselves.
    func inputs(of stages: [Int]) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = stages.flatMap { nodes[$0].inputs }
        while let index = waiting.popLast() {
            if found.insert(index).inserted { waiting += nodes[index].inputs }
        }
        return found
    }
}
