internal import CWorker
internal import Glibc

/// The process behind an `OutputBroker`.
struct OutputBrokerProcess {
    /// A hidden folder that the command makes its files in.
    private struct Work {
        var file: OutputFile
        var held: HeldFolder
    }

    private let channel: Channel
    private let targets: PathSet
    /// The folders that targets lie in, and those above.
    private let places: PathSet
    /// By the folder that it lies in.
    private var work: [String: Work] = [:]
    private var scratch: String?

    init(_ channel: Channel, _ targets: [String]) {
        self.channel = channel
        self.targets = PathSet(targets.map(Self.plain))
        places = PathSet(targets.map { Files.parent(of: $0) })
    }

    /// Serves the command until that says that it ends, or is gone.
    mutating func run(needsScratch: Bool) -> Never {
        // Whoever ends a whole group or a terminal's session means the other.
        for number in [SIGINT, SIGHUP, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        do {
            try prepare(needsScratch)
            while let request = try channel.receiveJSON().map(BrokerRequest.init) {
                let isOver = request.task == .end
                if isOver { tidy() }
                let reply = answer(request)
                try channel.send { reply.write(into: &$0) }
                if isOver { _exit(0) }
            }
        } catch {
            // The command is gone, or speaks no language: nobody is left to be told.
        }
        tidy()
        _exit(0)
    }

    /// Makes the folders, and hands them over.
    private mutating func prepare(_ needsScratch: Bool) throws {
        var ready = BrokerReply()
        var descriptors: [Int32] = []
        do {
            for place in places.sorted() {
                // It is made when there is something to go into it; what is made on the same disk can be moved there.
                let folder = Self.existing(place)
                guard let made = try work[folder] ?? make(in: folder) else { continue }
                if work.updateValue(made, forKey: folder) == nil {
                    ready.folders.append(made.held.path)
                    descriptors.append(made.held.descriptor)
                }
                ready.places.append(place)
                ready.ways.append(made.held.path)
            }
            if needsScratch {
                let path = try Files.makeTemporaryDirectory()
                let held = try HeldFolder(path)
                (scratch, ready.scratch) = (path, path)
                ready.folders.append(path)
                descriptors.append(fcntl(held.descriptor, F_DUPFD_CLOEXEC, 0))
            }
        } catch {
            ready = BrokerReply(error as? FileError ?? FileError("start", path: "a process", reason: "\(error)"))
            descriptors = []
        }
        try channel.send { ready.write(into: &$0) }
        for descriptor in descriptors { try channel.send(descriptor: descriptor) }
    }

    /// The folder itself, or the nearest above it that is there.
    private static func existing(_ path: String) -> String {
        var folder = path
        while !Files.isDirectory(folder), Files.parent(of: folder) != folder { folder = Files.parent(of: folder) }
        return folder
    }

    /// - Returns: nil where nothing may be made there, which whoever writes there says in its own words.
    /// - Throws: `FileError` for what may pass.
    private func make(in folder: String) throws -> Work? {
        let file = OutputFile(target: "\(folder)/\(ResultFolder.workName)-\(work.count + 1)", isFolder: true)
        do {
            try file.check()
            let held = try WorkFolders.hold(Files.name(of: file.temporary), in: HeldFolder(folder))
            return Work(file: file, held: held)
        } catch let error as FileError where !error.mayPass {
            return nil
        }
    }

    private func answer(_ request: BrokerRequest) -> BrokerReply {
        var reply = BrokerReply()
        do {
            switch request.task {
            case .end: break
            case .name: try name(request) { try $0.commit(in: $1) }
            case .replace:
                try name(request) { file, place in
                    let (new, old) = (Files.name(of: file.temporary), Files.name(of: file.target))
                    let code = place.exchange(new, old)
                    guard code == 0 else {
                        throw FileError(
                            "rename to", path: file.target, code: code, reason: String(cString: strerror(-code)))
                    }
                    place.removeTemporary(new)
                }
            case .remove:
                try check(request.path)
                reply.isDone = Files.removeResult(request.path)
            case .makeFolder:
                guard
                    places.map(Self.plain).contains(where: { place in
                        let path = Self.plain(request.path)
                        return place == path || Files.isSpelledInside(place, path)
                    })
                else {
                    throw Self.refusal(request.path)
                }
                try Files.makeDirectory(request.path)
            }
        } catch {
            reply = BrokerReply(error as? FileError ?? FileError("write", path: request.path, reason: "\(error)"))
        }
        return reply
    }

    /// One spelling for paths that differ by nothing but what leads nowhere.
    private static func plain(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + parts : parts
    }

    private func check(_ path: String) throws {
        guard targets.contains(Self.plain(path)) else { throw Self.refusal(path) }
    }

    private static func refusal(_ path: String) -> FileError {
        FileError(
            "write", path: path, code: -EACCES, reason: "the command didn't say when it began that it would write there"
        )
    }

    /// Moves what the command made to beside its name.
    /// - Parameter commit: Gives it the name in its folder.
    private func name(_ request: BrokerRequest, _ commit: (PendingFile, HeldFolder) throws -> Void) throws {
        try check(request.path)
        let (name, parent) = (request.temporary, Files.parent(of: request.path))
        let place = try HeldFolder(parent)
        let kinds: [HeldFolder.Entry.Kind] = [.file, .folder]
        guard let from = work.values.first(where: { $0.held.entry(name).map { kinds.contains($0.kind) } ?? false })
        else { throw FileError("finish", path: request.path, reason: "the command didn't write it") }
        let file = PendingFile(temporary: parent + "/" + name, target: request.path)
        guard renameat(from.held.descriptor, name, place.descriptor, name) == 0 else {
            throw systemError("finish", request.path)
        }
        do {
            try commit(file, place)
        } catch {
            place.removeTemporary(name)
            throw error
        }
        place.sync()
    }

    private mutating func tidy() {
        for one in work.values { one.file.discard() }
        guard let scratch else { return }
        if let above = try? HeldFolder(Files.parent(of: scratch)) { above.removeFolder(Files.name(of: scratch)) }
        self.scratch = nil
    }
}
