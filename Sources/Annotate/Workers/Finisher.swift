internal import CWorker
internal import Glibc
internal import Synchronization

/// A process that outlives this one for a moment: where this one is ended while it gives files their names, it does the rest,
/// and removes what nobody will finish.
///
/// It touches nothing that anybody gave: it is made before the first worker, and hears of this process alone.
final class Finisher: Sendable {
    private let channel: Channel
    private let next = Mutex(0)

    /// Starts the process. Call it while this one has one thread.
    init() throws {
        var descriptor: Int32 = -1
        let process = cwk_fork_apart(&descriptor)
        if process == 0 { Self.serve(Channel(descriptor: descriptor)) }
        guard process > 0 else {
            throw FileError("start", path: "a process", code: process, reason: String(cString: strerror(-process)))
        }
        channel = Channel(descriptor: descriptor)
    }

    deinit { close(channel.descriptor) }

    /// Notes folders in which something unfinished may be left: these very ones, whatever becomes of their paths.
    func watch(_ folders: [HeldFolder]) {
        next.withLock { _ in
            // One that is gone, ended by somebody, is no reason to end the batch.
            try? channel.send { Word(folders: folders.map(\.path)).write(into: &$0) }
            for folder in folders { try? channel.send(descriptor: folder.descriptor) }
        }
    }

    /// Gives files their names, in this order: by this process, or, where it is ended after the first of them, by the
    /// finisher.
    func finishing(_ files: [PendingFile], _ name: () throws -> Void) throws {
        let number = next.withLock { next in
            next += 1
            return next
        }
        say(Word(number: number, files: files))
        defer { say(Word(number: number)) }
        try name()
    }

    /// Says that nothing will be left to be done.
    func dismiss() { say(Word(isOver: true)) }

    /// Sends a message. A finisher that is gone, ended by somebody, is no reason to end the batch.
    private func say(_ word: Word) {
        next.withLock { _ in try? channel.send { word.write(into: &$0) } }
    }

    /// A message to the process.
    private struct Word: Record {
        var folders: [String] = []
        var number = 0
        var temporaries: [String] = []
        var targets: [String] = []
        var isOver = false

        static let fields: [Field<Word>] = [
            Field("folders", \.folders, .list(.text()), doc: "Where something may be left."),
            Field("number", \.number, .integer(), doc: "Of the files to be named."),
            Field("temporaries", \.temporaries, .list(.text()), doc: "Their names now; none where they have theirs."),
            Field("targets", \.targets, .list(.text()), doc: "Their names then."),
            Field("isOver", \.isOver, .flag, doc: "Nothing is left to be done."),
        ]

        init() {}
        init(folders: [String]) { self.folders = folders.map(Files.absolute) }
        init(isOver: Bool) { self.isOver = isOver }

        init(number: Int, files: [PendingFile] = []) {
            self.number = number
            temporaries = files.map { Files.name(of: $0.temporary) }
            targets = files.map { Files.absolute($0.target) }
        }

        var files: [PendingFile] {
            zip(temporaries, targets).map {
                PendingFile(temporary: Files.parent(of: $1) + "/" + $0, target: $1)
            }
        }
    }

    private static func serve(_ channel: Channel) -> Never {
        // Whoever ends a whole group or a terminal's session means the others.
        for number in [SIGINT, SIGHUP, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        var folders: [HeldFolder] = []
        var unnamed: [Int: [PendingFile]] = [:]
        while let node = try? channel.receiveJSON() {
            let word = Word(node)
            if word.isOver { _exit(0) }
            for path in word.folders {
                guard let descriptor = try? channel.receiveDescriptor() else { break }
                let folder = HeldFolder(path, descriptor: descriptor)
                folders.append(folder)
            }
            unnamed[word.number] = word.files.isEmpty ? nil : word.files
        }
        func folder(of file: PendingFile) -> HeldFolder? {
            folders.last { $0.path == Files.parent(of: file.target) }
        }
        for files in unnamed.values {
            let left = files.filter { folder(of: $0)?.entry(Files.name(of: $0.temporary)) != nil }
            // Where none has its name yet, what was there before is still whole.
            guard left.count < files.count else { continue }
            // What can't be named stays hidden, and goes.
            for file in left { if let folder = folder(of: file) { try? file.commit(in: folder) } }
        }
        // Workers end with the process that started them, if not in this very moment.
        for _ in 0..<10 {
            for folder in folders { OutputFile.sweep(folder) }
            sleep(seconds: 0.05)
        }
        _exit(0)
    }
}
