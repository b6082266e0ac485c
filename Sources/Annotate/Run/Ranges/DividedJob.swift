internal import Synchronization

/// A job whose video is looked at in parts, before it runs on the whole with what was found in them.
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
    private let state: Mutex<(files: [String?], left: Int)>

    /// - Parameter task: What is to be done of the whole.
    /// - Throws: `FileError` where nothing can be made in the folder of track files.
    init(
        _ order: JobOrder, at place: Int, _ task: JobTask, parts: [JobPart], started: Double, in output: OutputPlaces,
        _ progress: JobProgress
    ) throws {
        (self.order, self.place, self.task, self.parts, self.started) = (order, place, task, parts, started)
        self.progress = progress.divide(into: parts)
        folders = try WorkFolders(in: [Files.parent(of: output.path(Self.name(of: order)))])
        state = Mutex((Array(repeating: nil, count: parts.count), parts.count))
    }

    private static func name(of order: JobOrder) -> String { order.results.last ?? order.id }

    /// The task of a part.
    func task(of part: Int) -> JobTask {
        JobTask(
            kind: .part, reused: task.reused, results: ["\(Self.name(of: order)).part\(part + 1)"], part: parts[part])
    }

    /// The task of the whole, with what was found in its parts.
    var whole: JobTask {
        var whole = task
        whole.parts = state.withLock { $0.files.compactMap(\.self) }
        return whole
    }

    /// Keeps a part's file.
    /// - Throws: `FileError`.
    func keep(_ file: PendingFile, of part: Int) throws {
        let path = try folders.keep(file)
        state.withLock { $0.files[part] = path }
    }

    /// Notes that nothing more comes of a part.
    /// - Returns: Whether it is the last one.
    func end() -> Bool {
        state.withLock { state in
            state.left -= 1
            return state.left == 0
        }
    }
}
