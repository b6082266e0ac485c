/// Jobs whose videos are looked at in parts.
extension BatchRunner {
    /// Divides a job's video, where that is asked for and leads anywhere.
    /// - Returns: nil for a job that runs as a whole.
    func divide(
        _ work: Work, at place: Int, threads: Int, _ lane: () throws -> any JobLane
    ) -> DividedJob? {
        let order = jobs[work.place]
        guard options.ranges > 1, !isOver, work.known == nil, work.done == nil, work.task.kind == .annotate,
            work.task.reused.count < order.stages.count, order.obstacle == nil
        else { return nil }
        guard order.address == nil else {
            options.onDivision?(order.id, "isn't divided: its input lies elsewhere")
            return nil
        }
        progress[work.place].start()
        let started = monotonicSeconds()
        let task = JobTask(kind: .divide, reused: work.task.reused, results: [], ranges: options.ranges)
        // What goes wrong here goes wrong in the whole job, which tells of it.
        guard let lane = try? lane(),
            case .whole(let result, _) = lane.run(order, task, threads: threads, progress: JobProgress(id: order.id)),
            let division = result.division
        else { return nil }
        do {
            guard division.parts.count > 1 else {
                options.onDivision?(order.id, "isn't divided: \(division.reason ?? "it has one part")")
                return nil
            }
            return try DividedJob(
                order, at: place, work.task, parts: division.parts, started: started, in: batch.output,
                progress[work.place])
        } catch {
            options.onDivision?(order.id, "isn't divided: \(error)")
            return nil
        }
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
        func tell(_ reason: String) {
            let count = divided.parts.count
            options.onDivision?(order.id, "part \(part + 1) of \(count) failed, and is left to the whole: \(reason)")
        }
        // A part that somebody killed is tried again in any case: it is cheaper than what the whole job would take for it.
        for attempt in 0...max(1, options.retries) where !isOver && !divided.isDone {
            do {
                let end = try lane().run(
                    order, divided.task(of: part), threads: threads, progress: divided.progress[part])
                switch end {
                case .whole(_, let files):
                    if let file = files.first { try divided.keep(file, of: part) }
                    return
                case .failed(let failure) where failure.mayPass && attempt < max(1, options.retries): continue
                case .failed(let failure): return tell(failure.reason)
                case .interrupted: return
                }
            } catch {
                return tell("\(error)")
            }
        }
    }
}
