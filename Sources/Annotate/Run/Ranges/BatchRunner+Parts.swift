/// Jobs whose videos are looked at in parts.
extension BatchRunner {
    /// How a job is gone about.
    enum Approach {
        /// It runs in one piece.
        case whole
        case divided(DividedJob)
        /// Another shard runs it: nothing of it is left to be done here. What is to be said of that; empty for nothing.
        case elsewhere(String)
        /// Another shard runs it, and waits for parts that couldn't be looked at here.
        case failed(JobFailure)
    }

    /// Divides a job's video, where that is asked for and leads anywhere.
    func approach(
        _ work: Work, at place: Int, threads: Int, _ lane: () throws -> any JobLane
    ) -> Approach {
        let order = jobs[work.place]
        let isOwn = batch.owns(order.id)
        let undivided = isOwn ? Approach.whole : .elsewhere("")
        guard options.ranges > 1, !isOver, work.known == nil, work.done == nil, work.task.kind == .annotate,
            work.task.reused.count < order.stages.count, order.obstacle == nil
        else { return undivided }
        guard order.address == nil else {
            if isOwn { options.onDivision?(order.id, "isn't divided: its input lies elsewhere") }
            return undivided
        }
        if sharesParts, isDoneElsewhere(order) { return .elsewhere("another shard has run it") }
        progress[work.place].start()
        let started = monotonicSeconds()
        let task = JobTask(kind: .divide, reused: work.task.reused, results: [], ranges: options.ranges)
        do {
            let end = try lane().run(order, task, threads: threads, progress: JobProgress(id: order.id))
            // Whoever has the job may be able to divide it, and waits for parts then.
            if case .failed(let failure) = end, !isOwn { return .failed(failure) }
            // What goes wrong here goes wrong in the whole job, which tells of it.
            guard case .whole(let result, _) = end, let division = result.division else { return undivided }
            guard division.parts.count > 1 else {
                if isOwn { options.onDivision?(order.id, "isn't divided: \(division.reason ?? "it has one part")") }
                return undivided
            }
            return .divided(
                try DividedJob(
                    order, at: place, work.task, parts: division.parts, started: started, in: batch.output,
                    progress[work.place], stored: stored(of: order, work.task, division.parts),
                    believes: !options.force, shard: sharesParts ? batch.shard : nil
                ) { options.onDivision?(order.id, $0) })
        } catch {
            guard isOwn else { return .failed(JobFailure(error)) }
            options.onDivision?(order.id, "isn't divided: \(error)")
            return .whole
        }
    }

    /// Where parts of a job are stored, or may have been; nil where none are.
    private func stored(of order: JobOrder, _ task: JobTask, _ parts: [JobPart]) throws -> StoredParts? {
        guard let folder = folder(of: order) else {
            throw FileError("store parts of", path: order.input, reason: "there is no folder for its results")
        }
        if sharesParts { noteStored(order) } else if !hasStored(order) { return nil }
        return StoredParts(
            PartHead.of(order, task, parts, count: parts.count, program: generator), of: order, in: folder)
    }

    /// Has a divided job run on the whole beside its parts, in a lane of its own: it draws and encodes what has been looked at
    /// already. Where no thread can be started, it runs when they have ended.
    func begin(_ divided: DividedJob, _ work: Work, threads: Int) {
        try? divided.begin { [self] in
            var lane: (any JobLane)?
            defer { lane?.close() }
            end(work, divided.whole, at: divided.place, since: divided.started, threads: threads) {
                let chosen = try lane ?? makeLane()
                lane = chosen
                return chosen
            }
        }
    }

    /// Does what is left of a divided job when its parts have ended here.
    func finish(_ divided: DividedJob, _ work: Work, threads: Int, _ lane: () throws -> any JobLane) {
        if divided.awaitWhole() { return }
        guard let shard = divided.shard, !isOver else {
            return end(work, divided.whole, at: divided.place, since: divided.started, threads: threads, lane)
        }
        if let failure = divided.failure { return fail(work, failure) }
        do {
            if let share = try share(of: divided, threads: threads, lane) { return leave(work, share) }
            let report = try batch.owns(divided.order.id) ? nil : openReport(of: divided.order, shard)
            end(work, divided.whole, at: divided.place, since: divided.started, in: report, threads: threads, lane)
            if let report, let outcome = progress[work.place].outcome { try close(report, divided.order, outcome) }
        } catch {
            fail(work, JobFailure(error))
        }
        divided.release()
    }

    /// Tells what the parts were good for.
    func tell(_ outcome: JobOutcome, of order: JobOrder, in task: JobTask) {
        guard outcome.status.isWhole else { return }
        let missed = outcome.missed == 0 ? "" : ", and \(outcome.missed) weren't"
        options.onDivision?(
            order.id, "was looked at in \(task.parts.count) parts: \(outcome.taken) looks were known\(missed)")
    }

    /// Looks at a part of a job's video. What doesn't come of it is left to the whole job.
    func detect(
        _ part: Int, of divided: DividedJob, threads: Int, _ lane: () throws -> any JobLane
    ) {
        let order = divided.order
        func tell(_ failure: JobFailure) {
            let count = divided.parts.count
            let isLeft = divided.failure == nil ? ", and is left to the whole" : ""
            options.onDivision?(order.id, "part \(part + 1) of \(count) failed\(isLeft): \(failure.reason)")
        }
        // A part that somebody killed is tried again in any case: it is cheaper than what the whole job would take for it.
        for attempt in 0...max(1, options.retries) where !isOver && !divided.isDone {
            do {
                let end = try lane().run(
                    order, divided.task(of: part), threads: threads, progress: divided.progress(of: part))
                switch end {
                case .whole(_, let files):
                    if let file = files.first { try divided.keep(file, of: part) }
                    return
                case .failed(let failure) where failure.mayPass && attempt < max(1, options.retries): continue
                case .failed(let failure):
                    try divided.fail(part, failure)
                    return tell(failure)
                case .interrupted: return
                }
            } catch {
                // What can't be stored is nothing that the whole job could make good.
                if divided.shard != nil { divided.note(JobFailure(error)) }
                return tell(JobFailure(error))
            }
        }
    }
}
