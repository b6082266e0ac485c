/// Runs a graph's stages over a stream of frames: several frames and several stages at once, results in order.
///
/// The work on one frame is two tasks a stage, `detect` and `update`. A task is ready when what it needs is there:
/// `detect` needs the inputs' results for its frame, `update` needs its `detect` and its own result for the frame before.
/// Workers always take the ready task of the oldest frame, so frames leave in order and no schedule can change a result.
/// At most `window` frames are inside at once, which bounds the memory.
package final class GraphExecutor: Sendable {
    /// A frame with the results of all stages, in the plan's order.
    package struct Finished {
        package var frame: VideoFrame
        package var results: [[Emission]]
    }

    private enum Progress { case waiting, running, detected, updating, done }

    private struct Cell {
        var progress = Progress.waiting
        /// Whether the stage runs on the frame: not all do where its rate is limited.
        var runs = true
        var result: [Emission] = []
    }

    private struct Entry {
        var frame: VideoFrame
        var cells: [Cell]
    }

    private struct State {
        var entries: [Entry] = []
        /// Number of the first entry, in the order of admission.
        var first = 0
        var limiters: [RateLimiter?]
        /// Look of the last frame that shows anything, where stages run on the first picture of every shot.
        var look: ShotLook?
        var isClosed = false
        var failure: (any Error)?
    }

    private struct Task {
        var entry: Int
        var stage: Int
        var isUpdate: Bool
        var runs: Bool
        var input: StageInput
    }

    private let plan: GraphPlan
    /// The stages at work; nil for one whose results are known.
    private let lanes: [(any StageLane)?]
    /// Checks of what stages give that don't come with this package.
    private let checks: [ObservationCheck?]
    /// Names of the stages, for the sentence that tells of a crash.
    private let roles: [String]
    private let window: Int
    /// Whether each stage runs on the first picture of every shot, whatever its rate: what is covered isn't to be bare there
    /// until its next turn. It takes no turn away, so that turns follow from the times alone.
    private let runsOnShots: [Bool]
    private let monitor: Monitor<State>

    /// An executor of one job's stages.
    /// - Parameters:
    ///   - stages: The plan's; nil for one whose results come with the frames.
    ///   - limiters: The limits of the stages' rates where frames went before, by the stages' indices.
    package init(plan: GraphPlan, stages: [Stage?], window: Int, limiters: [Int: RateLimiter] = [:]) {
        self.plan = plan
        lanes = stages.map { $0?.lane }
        checks = plan.nodes.indices.map(plan.check)
        roles = plan.nodes.map { "stage “\($0.id)”" }
        self.window = max(window, 1)
        runsOnShots = plan.nodes.indices.map { stages[$0] != nil && plan.nodes[$0].rate != nil && plan.hides($0) }
        monitor = Monitor(
            State(
                limiters: plan.nodes.enumerated().map { limiters[$0] ?? $1.rate.map(RateLimiter.init(rate:)) }))
    }

    // MARK: The three sides: whoever decodes, the workers, whoever writes

    /// Hands in the next frame; waits while the window is full.
    /// - Parameter known: The results of the stages that don't run, by the stages' indices.
    package func admit(_ frame: VideoFrame, known: [Int: [Emission]] = [:]) throws {
        let look = runsOnShots.contains(true) ? ShotLook(frame) : nil
        try monitor.wait { state -> Void? in
            if let failure = state.failure { throw failure }
            guard state.entries.count < window else { return nil }
            var isNewShot = false
            if let look {
                isNewShot = look.isOther(than: state.look)
                // A shot may begin behind black ones.
                if !look.isPlain { state.look = look }
            }
            let cells = plan.nodes.indices.map { stage in
                if lanes[stage] == nil { return Cell(progress: .done, result: known[stage] ?? []) }
                let isDue = state.limiters[stage]?.runs(at: frame.seconds) ?? true
                return Cell(runs: isDue || isNewShot && runsOnShots[stage])
            }
            state.entries.append(Entry(frame: frame, cells: cells))
            return ()
        }
    }

    /// No more frames will come.
    package func close() { monitor.withLock { $0.isClosed = true } }

    /// Stops everything; the first error is the one that is reported.
    package func fail(_ error: any Error) {
        monitor.withLock { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Whether anything has ended it before its time.
    package var hasFailed: Bool { monitor.withLock { $0.failure != nil } }

    /// The next frame whose stages are all done; nil after the last one.
    package func next() throws -> Finished? {
        // Two optionals: the outer one is “not yet”.
        try monitor.wait { state -> Finished?? in
            if let failure = state.failure { throw failure }
            guard let entry = state.entries.first else { return state.isClosed ? .some(nil) : nil }
            guard entry.cells.allSatisfy({ $0.progress == .done }) else { return nil }
            state.entries.removeFirst()
            state.first += 1
            return Finished(frame: entry.frame, results: entry.cells.map(\.result))
        }
    }

    /// A worker's loop: takes tasks until the stream ends or fails.
    package func work() {
        while true {
            let task = monitor.wait { state -> Task?? in
                if state.failure != nil { return .some(nil) }
                if let task = take(&state) { return task }
                return state.isClosed && state.entries.allSatisfy { $0.cells.allSatisfy { $0.progress == .done } }
                    ? .some(nil) : nil
            }
            guard let task, let lane = lanes[task.stage] else { return }
            setThreadRole(roles[task.stage])
            do {
                if task.isUpdate {
                    // The stage goes on with what it measured, everybody else with what the track file says of it.
                    let given = try lane.update(task.entry, task.input, runs: task.runs)
                    try checks[task.stage]?.check(given.map(\.observation))
                    let result = given.map(\.rounded)
                    complete(task) {
                        $0.result = result
                        $0.progress = .done
                    }
                } else {
                    try lane.detect(task.entry, task.input)
                    complete(task) { $0.progress = .detected }
                }
            } catch {
                fail(
                    StageError(stage: plan.nodes[task.stage].id, frame: task.input.frame.ordinal, underlying: error))
            }
        }
    }

    // MARK: Scheduling

    private func complete(_ task: Task, _ change: (inout Cell) -> Void) {
        monitor.withLock { state in
            let index = task.entry - state.first
            guard state.entries.indices.contains(index) else { return }
            change(&state.entries[index].cells[task.stage])
        }
    }

    private func take(_ state: inout State) -> Task? {
        for index in state.entries.indices {
            for stage in plan.nodes.indices {
                let cell = state.entries[index].cells[stage]
                let inputs = plan.nodes[stage].inputs
                let isFed = inputs.allSatisfy { state.entries[index].cells[$0].progress == .done }
                guard isFed else { continue }
                switch cell.progress {
                case .waiting:
                    state.entries[index].cells[stage].progress = cell.runs ? .running : .detected
                    if !cell.runs { return take(&state) }
                    return task(state, index, stage, isUpdate: false)
                case .detected:
                    if index > 0, state.entries[index - 1].cells[stage].progress != .done { continue }
                    state.entries[index].cells[stage].progress = .updating
                    return task(state, index, stage, isUpdate: true)
                case .running, .updating, .done: continue
                }
            }
        }
        return nil
    }

    private func task(_ state: State, _ index: Int, _ stage: Int, isUpdate: Bool) -> Task {
        let entry = state.entries[index]
        return Task(
            entry: state.first + index, stage: stage, isUpdate: isUpdate, runs: entry.cells[stage].runs,
            input: StageInput(frame: entry.frame, results: plan.nodes[stage].inputs.map { entry.cells[$0].result }))
    }
}
