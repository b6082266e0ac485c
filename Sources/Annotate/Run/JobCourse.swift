/// The course of one job, from what is left to be done of it to how it ended: it runs in a lane, and its files get their
/// names, one right after the other, when all of them are whole and on the disk.
struct JobCourse {
    let order: JobOrder
    /// How it ended the last time; nil where nobody knows.
    let earlier: JobOutcome?
    let batch: Batch
    let options: RunOptions
    /// The folders of results.
    let folders: ResultFolders
    /// The process that finishes what this one can't any more; nil where there is none.
    let finisher: Finisher?
    let cancellation: Cancellation

    /// The course of the same job with another order, of whose input something is known now.
    func with(_ order: JobOrder) -> JobCourse {
        JobCourse(
            order: order, earlier: earlier, batch: batch, options: options, folders: folders, finisher: finisher,
            cancellation: cancellation)
    }

    /// Does what a check finds left to be done.
    /// - Parameter willRun: Called before anything is touched, with how the job stands where it need not run as a whole.
    func outcome(
        _ check: FreshnessCheck, _ progress: JobProgress, in lane: any JobLane, threads: Int,
        willRun: (JobOutcome?) throws -> Void = { _ in }
    ) throws -> JobOutcome {
        switch check.freshness(of: order) {
        case .upToDate(let known):
            settle(known)
            return known
        case .crashes(let known): return known
        case .toBeReread(let known, let task, _):
            var meanwhile = known
            meanwhile.replaces += task.results(of: order)
            try willRun(meanwhile)
            return outcome(task, known: known, progress, in: lane, threads: threads)
        case .outdated(_, let task):
            try willRun(nil)
            return outcome(task, known: nil, progress, in: lane, threads: threads)
        }
    }

    /// Does what is left to be done.
    /// - Parameters:
    ///   - task: What that is.
    ///   - known: How the job ended before, where its track file stays as it is; nil otherwise.
    func outcome(
        _ task: JobTask, known: JobOutcome?, _ progress: JobProgress, in lane: any JobLane, threads: Int
    ) -> JobOutcome {
        known.flatMap { reread(task, $0, progress, lane, threads: threads) }
            ?? run(known == nil ? task : JobTask(), progress, lane, threads: threads)
    }

    /// Where files depend on others by their age, as in `make`, those that are up to date must not look older than what
    /// they are made from.
    func settle(_ outcome: JobOutcome) {
        let youngest = max(order.modified, Int(Files.status(batch.manifest)?.modified ?? 0))
        for output in outcome.outputs {
            if let modified = folders.entry(output.file)?.modified, modified < youngest {
                folders.touch(output.file)
            }
        }
    }

    /// Gives files that are whole their names.
    private func commit(_ files: [PendingFile], as places: [String]) throws {
        func name() throws {
            for (file, place) in zip(files, places) { try folders.commit(file, as: place) }
        }
        guard let finisher else { return try name() }
        try finisher.finishing(files, name)
    }

    private func discard(_ files: [PendingFile], of places: [String]) {
        for (file, place) in zip(files, places) { folders.discard(file, of: place) }
    }

    private func size(_ file: PendingFile, of place: String) -> Int64 {
        folders.sizeOfTemporary(file, of: place) ?? 0
    }

    /// Writes what is missing from a job's track file, and holds what is expected of it against that.
    /// - Returns: nil where it can't be read: the job has to run.
    private func reread(
        _ task: JobTask, _ known: JobOutcome, _ progress: JobProgress, _ lane: any JobLane, threads: Int
    ) -> JobOutcome? {
        let started = monotonicSeconds()
        var outcome = known
        outcome.judgements = []
        let files = task.results(of: order)
        var new: [String] = []
        if order.expect != nil || !files.isEmpty {
            progress.start()
            switch lane.run(order, task, threads: threads, progress: progress) {
            case .whole(let result, let pending):
                new = result.notes
                outcome.judgements = result.judgements
                // What can't have its name here fails with its reason when the whole job runs.
                guard (try? add(pending, files, to: &outcome)) != nil else {
                    discard(pending, of: files)
                    return nil
                }
            case .failed: return nil
            case .interrupted: return JobOutcome(.interrupted)
            }
        }
        if !outcome.isUpToDate {
            outcome.keepStored(except: files)
            // What was said of forms that were written anew, or aren't wanted any more, isn't true any more.
            let gone = SinkCatalog.known.formats.filter { form in
                let name = batch.output.place(of: form, order.id)
                return files.contains(name) || !order.results.contains(name)
            }
            outcome.notes.removeAll { note in gone.contains { note.hasPrefix($0.title + " ") } }
            outcome.notes += new
            // A report that somebody changed may have had other sizes of what has the contents that it says, and the
            // track file may have lain in another folder.
            let listed = outcome.outputs
            outcome.outputs = order.results.compactMap { file in
                folders.size(file).map { JobOutcome.Output(file: file, bytes: $0) } ?? listed.first { $0.file == file }
            }
            removeOutdated()
            (outcome.fingerprint, outcome.recipe) = (order.fingerprint, order.recipe)
            (outcome.stages, outcome.reused) = (order.stageFingerprints, order.stages.map(\.id))
            outcome.seconds = monotonicSeconds() - started
        }
        outcome.note(judgedAs: order)
        let whole: JobOutcome.Status = outcome.isUpToDate ? .upToDate : .done
        outcome.status = outcome.judgements.allSatisfy(\.holds) ? whole : .unexpected
        settle(outcome)
        return outcome
    }

    /// Gives files that were written from a track file their names.
    private func add(_ pending: [PendingFile], _ files: [String], to outcome: inout JobOutcome) throws {
        guard !pending.isEmpty else { return }
        let new = zip(files, pending).map {
            JobOutcome.Output(file: $0, bytes: size($1, of: $0))
        }
        try commit(pending, as: files)
        let all = new + outcome.outputs
        outcome.outputs = order.results.compactMap { name in all.first { $0.file == name } }
    }

    private func run(
        _ task: JobTask, _ progress: JobProgress, _ lane: any JobLane, threads: Int
    ) -> JobOutcome {
        progress.start()
        if let obstacle = order.obstacle { return fail(JobFailure(.file, obstacle)) }
        let started = monotonicSeconds()
        var outcome = attempt(task, progress, lane, threads: threads)
        var reasons: [String] = []
        while let failure = outcome.failure, failure.mayPass, reasons.count < tries(after: failure),
            !cancellation.isCancelled
        {
            reasons.append(failure.reason)
            Retries(count: options.retries, cancellation: cancellation).wait(before: reasons.count - 1)
            // What a part of it could have gone by went with the try that failed.
            outcome = attempt(JobTask(parts: task.parts), progress, lane, threads: threads)
        }
        if let reason = reasons.last, outcome.status.isWhole {
            outcome.notes.append("it went well at try \(reasons.count + 1); before, \(reason)")
        }
        outcome.seconds = monotonicSeconds() - started
        // What it waited for its parts isn't its own time.
        if outcome.status.isWhole, task.parts.isEmpty, let timeout = options.timeout,
            outcome.seconds > Self.near * timeout
        {
            let seconds = Words.seconds(outcome.seconds)
            outcome.notes.append("it took \(seconds) of the \(plain(timeout)) s that --timeout allows")
        }
        return outcome
    }

    /// How often a job is tried again: once in any case where its worker did nothing any more, which is no fault of the job's.
    private func tries(after failure: JobFailure) -> Int { max(options.retries, failure.isIdle ? 1 : 0) }

    private func attempt(_ task: JobTask, _ progress: JobProgress, _ lane: any JobLane, threads: Int) -> JobOutcome {
        switch lane.run(order, task, threads: threads, progress: progress) {
        case .whole(let result, let files):
            do {
                return try name(result, files)
            } catch {
                discard(files, of: task.results(of: order))
                return fail(JobFailure(error))
            }
        case .failed(let failure): return fail(failure)
        case .interrupted: return JobOutcome(.interrupted)
        }
    }

    /// Gives a job's files their names, in place of an earlier run's; the track file's comes last: with it the job is whole.
    private func name(_ result: JobResult, _ files: [PendingFile]) throws -> JobOutcome {
        var outcome = JobOutcome(result.judgements.allSatisfy(\.holds) ? .done : .unexpected)
        outcome.result = result
        outcome.notes = order.warnings + result.notes + near(result)
        outcome.foretold = order.warnings.count
        (outcome.fingerprint, outcome.recipe, outcome.stamp) = (order.fingerprint, order.recipe, order.stamp)
        outcome.etag = order.etag
        outcome.stages = order.stageFingerprints
        outcome.note(judgedAs: order)
        outcome.outputs = zip(order.results, files).map {
            .init(file: $0, bytes: size($1, of: $0))
        }
        // What came out as it was lies where it was stored.
        if let earlier, let contents = result.trackFile, earlier.trackFile == contents {
            outcome.storedFiles = order.results.last.map(earlier.addresses) ?? []
        }
        try commit(files, as: order.results)
        removeOutdated()
        return outcome
    }

    /// The share of a limit from which on it was near.
    private static let near = 0.8

    /// Notes on limits that a job came near to: a little more, and it would have failed.
    private func near(_ result: JobResult) -> [String] {
        var notes: [String] = []
        if let most = options.limits.frames, Double(result.frames) > Self.near * Double(most) {
            notes.append("it has \(result.frames) of the \(most) frames that --max-frames allows")
        }
        if let most = options.limits.duration, result.duration > Self.near * most {
            notes.append("it has \(Words.seconds(result.duration)) of the \(plain(most)) s that --max-duration allows")
        }
        if let most = options.memory, Double(result.memory) > Self.near * Double(most) {
            notes.append(
                "it took \(result.memory >> 20) of the \(most >> 20) MiB of memory that --max-memory allows")
        }
        return notes
    }

    /// Removes what an earlier run wrote under other names, with another codec say.
    private func removeOutdated() {
        guard let earlier else { return }
        for place in earlier.files where !order.results.contains(place) && batch.output.has(place, of: order.id) {
            folders.remove(place)
        }
    }

    /// Ends a job whose input couldn't be fetched: what an earlier run made of it is all that there is, and stays.
    func miss(_ failure: JobFailure) -> JobOutcome {
        guard var outcome = earlier, outcome.status.isWhole || outcome.isUnstored || outcome.isUnfetched else {
            return fail(failure)
        }
        (outcome.status, outcome.failure, outcome.isUnfetched) = (.failed, failure, true)
        return outcome
    }

    /// Ends a job that failed: what an earlier run left must not pass for this one's.
    func fail(_ failure: JobFailure) -> JobOutcome {
        removeOutdated()
        for place in order.results { folders.remove(place) }
        var outcome = JobOutcome(failure)
        outcome.note(judgedAs: order)
        if failure.isCrash {
            (outcome.fingerprint, outcome.recipe, outcome.stamp) = (order.fingerprint, order.recipe, order.stamp)
        }
        return outcome
    }
}
