import Annotate

/// One JSON object a line: a job's start, its progress and its end.
struct JSONDisplay: ProgressDisplay {
    private var started: Set<Int> = []
    /// Frames and time of each running job's last event.
    private var last: [Int: (frames: Int, time: Double)] = [:]

    private static let pause = 0.5

    mutating func show(_ state: BatchState) {
        // What ended between two looks began before what runs now, unless that stands before it.
        let ended = state.justEnded.filter { state.jobs[$0].outcome.map(Self.hasRun) ?? false }
        if let last = ended.max() {
            for index in (ended + state.running.filter { $0 < last }).sorted() { start(index, state) }
        }
        for index in state.justEnded {
            guard let outcome = state.jobs[index].outcome else { continue }
            last[index] = nil
            Console.tell(JobEndEvent(state.jobs[index].id, outcome))
        }
        for index in state.running {
            start(index, state)
            let (job, watch) = (state.jobs[index], state.watches[index])
            guard watch.frames != last[index]?.frames ?? 0,
                state.elapsed - (last[index]?.time ?? -.infinity) >= Self.pause
            else { continue }
            last[index] = (watch.frames, state.elapsed)
            var event = JobProgressEvent()
            (event.job, event.frames, event.of) = (job.id, watch.frames, job.expectedFrames)
            event.framesPerSecond = watch.rate
            event.secondsLeft = watch.secondsLeft(of: job.expectedFrames)
            event.batchSecondsLeft = state.secondsLeft
            Console.tell(event)
        }
    }

    private static func hasRun(_ outcome: JobOutcome) -> Bool {
        outcome.status != .upToDate && outcome.status != .notRun
    }

    private mutating func start(_ index: Int, _ state: BatchState) {
        guard started.insert(index).inserted else { return }
        var event = JobStartEvent()
        (event.job, event.number, event.jobs) = (state.jobs[index].id, index + 1, state.jobs.count)
        Console.tell(event)
    }
}
