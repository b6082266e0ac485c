/// A job whose video is looked at in parts, while the job runs on the whole with what is found in them, and waits for that; or
/// of which this process has a share of the parts, and stores what is found in them for whoever runs the whole.
final class DividedJob: Sendable {
    /// Its place among the jobs that are left.
    let place: Int
    let order: JobOrder
    /// When it began.
    let started: Double
    let parts: [JobPart]
    /// The parts that are this process's to look at.
    let left: [Int]
    /// What is stored of parts; nil where nothing is to be.
    let stored: StoredParts?
    /// The shard of which this process is, where others look at parts, too.
    let shard: Shard?
    private let progress: [Int: JobProgress]
    private let task: JobTask
    /// Where files of parts lie until it is done: they go with this.
    private let folders: WorkFolders
    private let files: [PartFile]
    private struct State {
        /// Parts of which something may still come.
        var left: Int
        /// The thread of the job on the whole; nil for none.
        var whole: Worker?
        var isDone = false
        /// Why a part couldn't be looked at that could be another time.
        var failure: JobFailure?
        /// Held for as long as no other process may run the whole.
        var claim: PartsClaim?
    }
    private let state: Monitor<State>

    /// - Parameters:
    ///   - task: What is to be done of the whole.
    ///   - stored: What is stored of parts. What of it isn't as it should be is looked at anew.
    ///   - shard: The shard whose share of the parts this process has; nil where it has all of them.
    ///   - tell: Gets sentences on what is there already.
    /// - Throws: `FileError` where nothing can be made in the folder of track files.
    init(
        _ order: JobOrder, at place: Int, _ task: JobTask, parts: [JobPart], started: Double, in output: OutputPlaces,
        _ progress: JobProgress, stored: StoredParts?, believes: Bool, shard: Shard?, tell: (String) -> Void
    ) throws {
        (self.order, self.place, self.task, self.parts, self.started) = (order, place, task, parts, started)
        (self.stored, self.shard) = (stored, shard)
        let folders = try WorkFolders(in: [Files.parent(of: output.path(Self.name(of: order)))])
        // By their names they go with the folder where this process is killed.
        let files = parts.enumerated().map {
            PartFile(path: folders.path(".partial-part\($0 + 1)"), first: $1.first)
        }
        let share = shard?.parts(of: order.id, among: parts.count) ?? Array(parts.indices)
        var left = share
        if let stored, believes {
            left = try share.filter { part in
                let state =
                    try shard == nil
                    ? stored.load(part, to: files[part].path) : stored.state(of: part, wholly: true)
                if shard == nil, state != .found {
                    tell("part \(part + 1) of \(parts.count) is looked at anew: \(state.reason)")
                }
                return shard == nil ? state != .found : !state.isThere
            }
            if left.count < share.count {
                tell("has \(share.count - left.count) of \(share.count) parts that were looked at before")
            }
        }
        if shard == nil { for part in left { try Files.write([], to: files[part].mark) } }
        let all = progress.divide(into: left.map { parts[$0] }, isAlone: shard != nil)
        self.progress = Dictionary(zip(left, all), uniquingKeysWith: { $1 })
        (self.folders, self.files, self.left) = (folders, files, left)
        state = Monitor(State(left: left.count))
    }

    private static func name(of order: JobOrder) -> String { order.results.last ?? order.id }

    /// The task of a part.
    func task(of part: Int) -> JobTask {
        JobTask(
            kind: .part, reused: task.reused, results: ["\(Self.name(of: order)).part\(part + 1)"], part: parts[part])
    }

    func progress(of part: Int) -> JobProgress { progress[part] ?? JobProgress(id: order.id) }

    /// The task of the whole, with what is found in its parts.
    var whole: JobTask {
        var whole = task
        whole.parts = files
        return whole
    }

    /// Keeps a part's file, or stores it where another process may run the whole.
    /// - Throws: `FileError`.
    func keep(_ file: PendingFile, of part: Int) throws {
        let name = Files.name(of: files[part].path)
        try folders.keep(file, as: name)
        guard shard != nil, !isClaimed, let stored else { return }
        defer { folders.remove(name) }
        try stored.store(part, from: files[part].path)
    }

    /// Notes that nothing came of a part.
    /// - Throws: `FileError` where it can't be stored.
    func fail(_ part: Int, _ failure: JobFailure) throws {
        guard shard != nil, !isClaimed, let stored else { return }
        // More time, memory or another machine may do: nothing of these is in the part's head.
        if failure.mayPass || [.limit, .crash].contains(failure.code) {
            note(failure)
        } else {
            try stored.store(part, failure: failure.reason)
        }
    }

    /// Notes why a part couldn't be looked at, or be stored.
    func note(_ failure: JobFailure) { state.withLock { $0.failure = $0.failure ?? failure } }

    /// Why a part couldn't be looked at that could be another time; nil where none.
    var failure: JobFailure? { state.withLock { $0.failure } }

    // MARK: The whole

    /// Has the job run on the whole beside its parts.
    func begin(_ body: @escaping @Sendable () -> Void) throws {
        let whole = try Worker { [self] in
            body()
            state.withLock { $0.isDone = true }
        }
        state.withLock { $0.whole = whole }
    }

    /// Whether the job on the whole has ended: nobody needs its parts any more.
    var isDone: Bool { state.withLock { $0.isDone } }

    /// Notes that nothing more comes of a part.
    /// - Returns: Whether it is the last one.
    func end(_ part: Int) -> Bool {
        folders.remove(Files.name(of: files[part].mark))
        return state.withLock { state in
            state.left -= 1
            return state.left == 0
        }
    }

    /// Waits for the end of the job on the whole.
    /// - Returns: False where it doesn't run.
    func awaitWhole() -> Bool {
        guard let whole = state.withLock({ $0.whole }) else { return false }
        whole.join()
        return true
    }

    /// Parts that other processes have still to look at.
    var missing: [Int] { parts.indices.filter { stored?.state(of: $0, wholly: false).isThere == false } }

    private var isClaimed: Bool { state.withLock { $0.claim != nil } }

    /// Takes the whole for this process.
    /// - Returns: False where another one has it.
    func claim() -> Bool {
        guard let claim = stored?.claim() else { return false }
        state.withLock { $0.claim = claim }
        return true
    }

    /// Takes what all processes have stored.
    /// - Returns: Parts of which the file isn't as it was written, and why.
    /// - Throws: `FileError`.
    func load() throws -> [(part: Int, reason: String)] {
        try parts.indices.compactMap { part in
            guard let state = try stored?.load(part, to: files[part].path), !state.isThere else { return nil }
            return (part, state.reason)
        }
    }

    /// Gives up what keeps other processes from running the whole.
    func release() { state.withLock { $0.claim = nil } }
}
