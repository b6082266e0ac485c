/// A job whose video is looked at in parts, while the job runs on the whole with what is found in them, and waits for that.
final class DividedJob: Sendable {
    /// Its place among the jobs that are left.
    let place: Int
    let order: JobOrder
    /// When it began.
    let started: Double
    let parts: [JobPart]
    /// Of each part.
    let progress: [JobProgress]
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
    }
    private let state: Monitor<State>

    /// - Parameter task: What is to be done of the whole.
    /// - Throws: `FileError` where nothing can be made in the folder of track files.
    init(
        _ order: JobOrder, at place: Int, _ task: JobTask, parts: [JobPart], started: Double, in output: OutputPlaces,
        _ progress: JobProgress
    ) throws {
        (self.order, self.place, self.task, self.parts, self.started) = (order, place, task, parts, started)
        self.progress = progress.divide(into: parts)
        let folders = try WorkFolders(in: [Files.parent(of: output.path(Self.name(of: order)))])
        files = try parts.enumerated().map { number, part in
            let file = PartFile(path: folders.path("part\(number + 1)"), first: part.first)
            try Files.write([], to: file.mark)
            return file
        }
        self.folders = folders
        state = Monitor(State(left: parts.count))
    }

    private static func name(of order: JobOrder) -> String { order.results.last ?? order.id }

    /// The task of a part.
    func task(of part: Int) -> JobTask {
        JobTask(
            kind: .part, reused: task.reused, results: ["\(Self.name(of: order)).part\(part + 1)"], part: parts[part])
    }

    /// The task of the whole, with what is found in its parts.
    var whole: JobTask {
        var whole = task
        whole.parts = files
        return whole
    }

    /// Keeps a part's file.
    /// - Throws: `FileError`.
    func keep(_ file: PendingFile, of part: Int) throws {
        try folders.keep(file, as: Files.name(of: files[part].path))
    }

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
}
