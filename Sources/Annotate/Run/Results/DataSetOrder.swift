internal import Synchronization

/// A data set of finished jobs that a worker is to write: it decodes what anybody may have made.
struct DataSetOrder: Record {
    var options = DataSetOptions()
    /// The output folder of the jobs.
    var results = ""
    /// The jobs' ids.
    var jobs: [String] = []

    static let fields: [Field<DataSetOrder>] = [
        Field("options", \.options, .record(doc: "What goes into it."), .always, doc: "What goes into it."),
        Field("results", \.results, .text(), .always, doc: "The folder of the jobs."),
        Field("jobs", \.jobs, .list(.text()), .always, doc: "Their ids."),
    ]

    /// Writes it, in a worker.
    /// - Returns: Its folder, which waits for its name, and sentences about it.
    func write(kinds: FindingCatalog, generator: String, _ cancellation: Cancellation) throws -> DataSetReply {
        guard let set = try DataSet.of(results, options, only: Set(jobs), kinds: kinds, generator: generator)?.set
        else {
            throw JobFailure(.other, "there are no data sets of the format “\(options.format.inOneLine)”")
        }
        let waiting = WaitingFiles()
        Files.broker = waiting
        var reply = DataSetReply()
        reply.sentences = try set.write(to: options.directory, cancellation: cancellation).sentences
        reply.file = waiting.files.first.map { Files.name(of: $0.temporary) }
        return reply
    }
}

/// The answer of a worker about a data set.
struct DataSetReply: Record {
    var sentences: [String] = []
    /// The temporary name of its folder.
    var file: String?
    var failure: JobFailure?

    static let fields: [Field<DataSetReply>] = [
        Field("sentences", \.sentences, .list(.text()), doc: "About it."),
        Field("file", \.file, .text(), doc: "Its temporary name."),
        Field("failure", \.failure, .record(doc: "Why."), doc: "Of one that isn't whole."),
    ]
}

/// The broker of a worker: files wait, whole, for who started it to give them their names.
private final class WaitingFiles: FileBroker {
    private let waiting = Mutex<[PendingFile]>([])

    var files: [PendingFile] { waiting.withLock { $0 } }

    func commit(_ file: PendingFile) { waiting.withLock { $0.append(file) } }
    func replace(_ file: PendingFile) { commit(file) }
    func makeDirectory(_ path: String) throws {
        throw FileError("create the folder", path: path, reason: "a worker makes none")
    }
    func remove(_ path: String) -> Bool { false }
    func close() {}
}

extension WorkerPool {
    /// Writes a data set of finished jobs, in a worker that reads those jobs' files alone.
    /// - Parameters:
    ///   - options: Which of the results go into it, in which layout, and where it goes.
    ///   - results: The output folder of the jobs.
    ///   - jobs: Their ids.
    ///   - cancellation: Ends the worker; nothing is written then.
    /// - Returns: Sentences about it.
    /// - Throws: `JobFailure`, `FileError`, `CancelledError`.
    public func writeDataSet(
        _ options: DataSetOptions, of results: String, jobs: [String], cancellation: Cancellation
    ) throws -> [String] {
        var order = DataSetOrder()
        (order.options, order.results, order.jobs) = (options, results, jobs)
        let parent = Files.parent(of: options.directory)
        let folders = try WorkFolders(in: [parent])
        let worker = try take(in: folders) { ($0.directory, $0.tracks) = (parent, nil) }
        worker.grants.set(order.access, root: settings.root)
        try worker.channel.sendToLiving {
            try worker.channel.send { WorkerRequest.dataSet(order).write(into: &$0) }
        }
        let reply = try wait(for: worker, cancellation)
        if let failure = reply.failure { throw failure }
        guard let name = reply.file, Files.isPlainName(name), name.hasPrefix("."), name.contains(".partial-") else {
            throw JobFailure(.crash, "the worker that wrote it gave an answer that is none")
        }
        let file = PendingFile(temporary: parent + "/" + name, target: options.directory)
        let held = try HeldFolder(parent)
        try folders.handOver([file])
        finisher.watch([held])
        do {
            try finisher.finishing([file]) { try file.commit(in: held) }
        } catch {
            held.removeTemporary(name)
            throw error
        }
        held.sync()
        // It has the folder locked until it goes.
        worker.kill()
        return reply.sentences.map(\.inOneLine)
    }

    /// Seconds for which the worker that writes one may do nothing.
    private static let dataSetPatience = 60.0

    private func wait(for worker: WorkerProcess, _ cancellation: Cancellation) throws -> DataSetReply {
        var isOver = false
        var idle = IdleWatch(worker, patience: Self.dataSetPatience)
        while !worker.poll(milliseconds: 50) {
            if cancellation.isCancelled { throw CancelledError() }
            if idle.isOver(at: monotonicSeconds()) {
                throw JobFailure(
                    .worker, "the worker that wrote it did nothing for \(plain(idle.patience)) s, and was ended",
                    mayPass: true)
            }
            if let limit = settings.memory, worker.memory > limit {
                isOver = true
                worker.kill()
            }
        }
        guard let node = try? worker.channel.receiveJSON() else {
            if cancellation.isCancelled { throw CancelledError() }
            if isOver { throw JobFailure(.limit, MemoryGuard.reason(settings.memory ?? 0)) }
            throw WorkerLane.failure(
                worker.waitOrKill(seconds: 0.2), worker.status, said: worker.takeWords().last, isJob: false)
        }
        return DataSetReply(node)
    }
}

extension DataSetOrder {
    /// The files that it is made of, and the folders whose names are listed for it.
    fileprivate var access: PathSet {
        var access = FileAccess()
        access.read(results: results)
        access.read(options.classes)
        access.read(options.remarks)
        var paths = access.read.union(access.listed)
        // Named one by one: a worker gets no folder with all that is in it.
        for name in Report.names(in: results) { paths.insert(results + "/" + name) }
        // One that can't be listed is told of by the worker.
        paths.formUnion((try? TrackFiles.list(in: results)) ?? [])
        return paths.union([options.directory, options.directory + "/" + DataSetRecord.name])
    }
}
