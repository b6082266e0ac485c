internal import CWorker
internal import Glibc
internal import Synchronization

/// Gives a confined command's files their names: a process of this program's own, which isn't confined, touches nothing that
/// anybody gave, and knows the names of all that may be written. What the command makes lies in a hidden folder until then.
final class OutputBroker: FileBroker {
    let channel: Channel
    /// The folders to make files in, by those that they get their names in.
    let work: [String: HeldFolder]
    /// A folder for what gets no name at all; nil for none.
    let scratch: HeldFolder?
    private let turn = Mutex(false)

    /// Starts the process. Call it while this one has one thread.
    /// - Parameters:
    ///   - targets: Paths of all that may be written.
    ///   - needsScratch: Whether something is made that gets no name.
    /// - Throws: `FileError`.
    init(for targets: [String], needsScratch: Bool) throws {
        var descriptor: Int32 = -1
        let process = cwk_fork_apart(&descriptor)
        if process == 0 {
            var broker = OutputBrokerProcess(Channel(descriptor: descriptor), targets)
            broker.run(needsScratch: needsScratch)
        }
        guard process > 0 else {
            throw FileError("start", path: "a process", code: process, reason: String(cString: strerror(-process)))
        }
        channel = Channel(descriptor: descriptor)
        let ready: BrokerReply
        let folders: [String: HeldFolder]
        do {
            (ready, folders) = try Self.greeting(on: channel)
        } catch {
            // It removes what it has made, before this process is over.
            shutdown(descriptor, Int32(SHUT_RDWR))
            for _ in 0..<500 where waitpid(process, nil, WNOHANG) == 0 { sleep(seconds: 0.01) }
            throw error
        }
        work = Dictionary(zip(ready.places, ready.ways), uniquingKeysWith: { first, _ in first })
            .compactMapValues { folders[$0] }
        scratch = ready.scratch.flatMap { folders[$0] }
    }

    deinit { Glibc.close(channel.descriptor) }

    /// What it says first, and the folders that it hands over, by their paths.
    private static func greeting(on channel: Channel) throws -> (BrokerReply, [String: HeldFolder]) {
        guard let ready = (try? channel.receiveJSON()).flatMap(\.self).map(BrokerReply.init) else { throw lack }
        if let error = ready.error { throw error }
        var folders: [String: HeldFolder] = [:]
        for path in ready.folders {
            guard let descriptor = try? channel.receiveDescriptor() else { throw lack }
            folders[path] = HeldFolder(path, descriptor: descriptor)
        }
        return (ready, folders)
    }

    /// It had no room to begin: descriptors are wanting, of which there may be more another time.
    private static var lack: FileError {
        FileError(
            "start", path: "a process", code: -EAGAIN, reason: "it ended at once; are there enough open files allowed?")
    }

    private static var gone: FileError {
        FileError("write", path: "a file", reason: "the process that gives files their names is gone")
    }

    private func ask(_ request: BrokerRequest) throws -> BrokerReply {
        try turn.withLock { isClosed in
            guard !isClosed else { throw Self.gone }
            return try answer(request)
        }
    }

    private func answer(_ request: BrokerRequest) throws -> BrokerReply {
        try channel.send { request.write(into: &$0) }
        guard let reply = try channel.receiveJSON().map(BrokerReply.init) else { throw Self.gone }
        if let error = reply.error { throw error }
        return reply
    }

    func commit(_ file: PendingFile) throws {
        _ = try ask(BrokerRequest(.name, file.target, temporary: Files.name(of: file.temporary)))
    }

    func replace(_ file: PendingFile) throws {
        _ = try ask(BrokerRequest(.replace, file.target, temporary: Files.name(of: file.temporary)))
    }

    func makeDirectory(_ path: String) throws { _ = try ask(BrokerRequest(.makeFolder, path)) }

    func remove(_ path: String) -> Bool {
        // Where it can't be asked, the file stays.
        (try? ask(BrokerRequest(.remove, path)))?.isDone ?? false
    }

    func close() {
        // Whoever ends the program by force doesn't wait for another thread's file: the process hears that this one is gone.
        turn.withLockIfAvailable { isClosed in
            guard !isClosed else { return }
            isClosed = true
            // One that is gone has nothing left to remove.
            _ = try? answer(BrokerRequest(.end, ""))
        }
    }
}

/// A request of a confined command to the process that gives its files their names.
struct BrokerRequest: Record {
    /// What is to be done.
    enum Task: String, Sendable, CaseIterable {
        case name, replace, makeFolder, remove, end
    }

    var task = Task.end
    var path = ""
    var temporary = ""

    init() {}
    init(_ task: Task, _ path: String, temporary: String = "") {
        (self.task, self.path, self.temporary) = (task, path, temporary)
    }

    static let fields: [Field<BrokerRequest>] = [
        Field("task", \.task, Format<Task>.choice(), .always, doc: "What is to be done."),
        Field("path", \.path, .text(), doc: "With what."),
        Field("temporary", \.temporary, .text(), doc: "Its name now."),
    ]
}

/// The answer, and the first message of that process.
struct BrokerReply: Record {
    var isDone = false
    var operation: String?
    var path = ""
    var code = 0
    var reason = ""
    /// Folders in which files get their names, and the one to make them in for each.
    var places: [String] = []
    var ways: [String] = []
    /// Folders whose descriptors come next.
    var folders: [String] = []
    var scratch: String?

    init() {}
    init(_ error: FileError) {
        (operation, path, code, reason) = (error.operation, error.path, Int(error.code), error.reason)
    }

    var error: FileError? {
        operation.map { FileError($0, path: path, code: Int32(clamping: code), reason: reason) }
    }

    static let fields: [Field<BrokerReply>] = [
        Field("isDone", \.isDone, .flag, doc: "Whether it is gone."),
        Field("operation", \.operation, .text(), doc: "What failed."),
        Field("path", \.path, .text(), doc: "With what."),
        Field("code", \.code, .integer(), doc: "The system's."),
        Field("reason", \.reason, .text(), doc: "Why."),
        Field("places", \.places, .list(.text()), doc: "Where files get their names."),
        Field("ways", \.ways, .list(.text()), doc: "Where they are made."),
        Field("folders", \.folders, .list(.text()), doc: "Those whose descriptors come next."),
        Field("scratch", \.scratch, .text(), doc: "For what gets no name."),
    ]
}
