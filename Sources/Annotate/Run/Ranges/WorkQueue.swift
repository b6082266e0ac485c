/// What is left of a batch, for its lanes to take: jobs in their order, and parts of those that have been divided, which go
/// first, so that few jobs are under way at once.
final class WorkQueue: Sendable {
    /// What a lane does next.
    enum Turn: Sendable {
        /// A job. Who takes it says by `begun` what it led to.
        case job(Int)
        case part(DividedJob, Int)
    }

    private struct State {
        var next = 0
        var parts: [(job: DividedJob, part: Int)] = []
        /// How many jobs were taken that may yet be divided.
        var beginning = 0
        /// How many were taken that haven't ended.
        var underWay = 0
    }

    private let count: Int
    private let monitor = Monitor(State())

    /// - Parameter count: How many jobs there are.
    init(count: Int) { self.count = count }

    /// What is next; waits while there may be more. nil where nothing is left.
    func next() -> Turn? {
        monitor.wait { state -> Turn?? in
            if !state.parts.isEmpty {
                let (job, part) = state.parts.removeFirst()
                return .part(job, part)
            }
            if state.next < count {
                state.beginning += 1
                state.underWay += 1
                defer { state.next += 1 }
                return .job(state.next)
            }
            return state.beginning == 0 ? .some(nil) : nil
        }
    }

    /// Says that a job has begun: as a whole, or in parts.
    /// - Parameter divided: nil for a job that isn't divided.
    func begun(_ divided: DividedJob?) {
        monitor.withLock { state in
            state.beginning -= 1
            guard let divided else { return }
            state.parts += divided.left.map { (divided, $0) }
        }
    }

    /// Says that a job has ended.
    func ended() { monitor.withLock { $0.underWay -= 1 } }

    /// Waits until all jobs that were taken have ended. A worker goes with the thread that started it, whoever has it now.
    func awaitEnds() { monitor.wait { $0.underWay == 0 ? () : nil } }
}
