/// Parts of a job's video: where it is divided, and what its stages detect in one of them.
///
/// What looks at a frame by itself may do so anywhere, and is the costly half of most stages; what goes from frame to frame is
/// done when the job runs on the whole video, with what was detected in the parts.
extension JobRunner {
    /// Divides the video, as far as that leads anywhere.
    func divide() throws -> Finished {
        var result = JobResult()
        var division = JobDivision()
        do {
            division.parts = try parts()
        } catch let reason as Undivided {
            division.reason = reason.description
        }
        result.division = division
        return Finished(result: result, files: [])
    }

    /// Why a video isn't divided, in half a sentence.
    private struct Undivided: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }
    }

    private func parts() throws -> [JobPart] {
        guard case .file = MediaInput(path: job.input) else { throw Undivided("its input is no video file") }
        let options = partOptions
        let source = try SourceReader(path: job.input, options: options, cancellation: cancellation)
        guard let first = try source.next() else { throw Undivided("it holds no picture") }
        guard !source.deinterlaces else { throw Undivided("what makes whole pictures of fields looks back") }
        let found = try detectingLanes(first).keys
        guard !found.isEmpty else {
            throw Undivided("none of its stages finds anything in a frame by itself that could be stored")
        }
        guard let cuts = try CutPlaces(path: job.input, options: options, cancellation: cancellation) else {
            throw Undivided("only decoding from its beginning tells its pictures")
        }
        let starts = cuts.dividing(into: task.ranges ?? 1)
        guard let beginning = cuts.frames.first, !starts.isEmpty else {
            throw Undivided("there is no picture inside it with which decoding could begin")
        }
        let ends = starts.map(\.ordinal) + [cuts.frames.upperBound]
        let begins = [CutPlaces.Place(ordinal: beginning, tick: 0)] + starts
        var limiters = Dictionary(
            uniqueKeysWithValues: found.compactMap { index in
                job.graph.nodes[index].rate.map { (index, RateLimiter(rate: $0)) }
            })
        return zip(begins, ends).enumerated().map { number, part in
            let (begin, end) = part
            let ways = limiters.sorted { $0.key < $1.key }.map { index, limiter in
                JobPart.Limiter(
                    stage: job.graph.nodes[index].id, nextDue: limiter.way.nextDue, recent: limiter.way.recent)
            }
            for index in limiters.keys {
                for ordinal in begin.ordinal..<end { _ = limiters[index]?.runs(at: cuts.seconds(of: ordinal)) }
            }
            return JobPart(
                first: begin.ordinal, end: end, tick: number == 0 ? nil : Int(begin.tick), width: first.width,
                height: first.height, limiters: ways)
        }
    }

    /// Options by which a part is read.
    private var partOptions: SourceOptions {
        var options = job.sourceOptions(threads: threads, limits: limits)
        (options.keepsAudio, options.knowsEnd) = (false, true)
        return options
    }

    /// Stages that find something in a frame by itself, by their indices: of the frame alone, or of what such stages find that
    /// keep nothing from frame to frame.
    private func detectingLanes(_ first: VideoFrame) throws -> [Int: DetectingLane] {
        let camera = try job.camera.intrinsics(width: first.width, height: first.height)
        let nodes = job.graph.nodes
        let inner = Set(nodes.flatMap(\.inputs))
        var lanes: [Int: DetectingLane] = [:]
        for (index, node) in nodes.enumerated() where !task.reused.contains(node.id) {
            let isFed = node.inputs.allSatisfy { input in
                lanes[input] != nil && !nodes[input].contract.keepsState && nodes[input].rate == nil
            }
            guard isFed else { continue }
            let stages = try makeStages([index], first: first, camera: camera, isStill: false, prepares: false)
            guard let stage = stages[index], stage.lane.storesDetections else { continue }
            lanes[index] = DetectingLane(stage, givesResults: inner.contains(index) && !node.contract.keepsState)
        }
        return lanes
    }

    /// Looks at the frames of a part, and stores what is detected in them.
    func detect(_ part: JobPart) throws -> Finished {
        setThreadRole("the decoder")
        var options = partOptions
        if let tick = part.tick { options.start = .at(Int64(tick)) }
        let source = try SourceReader(path: job.input, options: options, cancellation: cancellation)
        if let tick = part.tick, source.decodedFrom != Int64(tick) {
            throw FileError("decode", path: job.input, reason: "decoding can't begin with frame \(part.first)")
        }
        progress.expect(part.end - part.first)
        func next() throws -> VideoFrame? {
            while let frame = try source.next() {
                if frame.ordinal >= part.end { return nil }
                progress.decoded()
                if frame.ordinal >= part.first { return frame }
            }
            return nil
        }
        guard let first = try next() else {
            throw FileError("decode", path: job.input, reason: "there is no frame \(part.first)")
        }
        guard (first.width, first.height) == (part.width, part.height) else {
            throw FileError(
                "decode", path: job.input, reason: "its pictures change their size before frame \(part.first)")
        }
        keepBlocks(as: first)
        let lanes = try detectingLanes(first)
        let nodes = job.graph.nodes
        let stages = nodes.indices.map { lanes[$0].map(Stage.init(lane:)) }
        let executor = GraphExecutor(
            plan: job.graph, stages: stages, window: window(first, workers(stages)), limiters: limiters(of: part))
        let file = OutputFile(target: job.output.path(task.results?.first ?? ""))
        do {
            let writer = try DetectionFileWriter(file)
            var (peeked, place) = (Optional(first), 0)
            _ = try run(
                executor, JobPass(stages: stages, saved: nil),
                next: {
                    defer { peeked = nil }
                    return try peeked ?? next()
                }, ending: []
            ) { finished in
                let found = lanes.keys.sorted().compactMap { index in
                    lanes[index]?.take(place).map { (stage: nodes[index].id, detection: $0) }
                }
                try writer.write(finished.frame, found)
                place += 1
                progress.advance()
            }
            try writer.finish()
        } catch {
            file.discard()
            throw error
        }
        return Finished(result: JobResult(), files: [file])
    }

    private func limiters(of part: JobPart) -> [Int: RateLimiter] {
        var limiters: [Int: RateLimiter] = [:]
        for limiter in part.limiters {
            guard let index = job.graph.nodes.firstIndex(where: { $0.id == limiter.stage }),
                let rate = job.graph.nodes[index].rate
            else { continue }
            limiters[index] = RateLimiter(rate: rate, nextDue: limiter.nextDue, recent: limiter.recent)
        }
        return limiters
    }
}
