internal import COpenVINO
private import Synchronization

/// A model's network, one for all stages that name the same file: looked at as a whole once, compiled while it is needed.
package final class Network: Sendable {
    package typealias Port = InferenceModel.Port

    package let inputs: [Port]
    package let outputs: [Port]
    /// Memory that it takes while it is compiled, bytes, about.
    package let memory: Int
    /// Files that it can be loaded from: equal ones, the one that was asked for last in the end.
    private let files: Mutex<[ModelFile]>
    /// Shape of its only input where it is another than the file's; empty for the file's own.
    private let shape: [Int]
    private let requests: Mutex<ResourcePool<InferenceRequest>?>

    /// Looks at a model. It is compiled now where that is to show that it can be, and it never was; else when it is used.
    /// - Throws: `InferenceError`, `FileError`.
    package init(_ file: ModelFile, shape: [Int]) throws {
        var model: ModelHandle?
        if let kept = NetworkCompiler.look(at: file, shape: shape) {
            (inputs, outputs) = (kept.description.inputs, kept.description.outputs)
        } else {
            // The program's own can be: they were tried when they were chosen.
            let isCompiled = ModelChecks.areWanted && !NetworkCompiler.isOwn(file.path)
            let read = try ModelHandle(path: file.path, shape: shape, isCompiled: isCompiled)
            (inputs, outputs) = (try read.inputs, try read.outputs)
            if isCompiled { model = read }
        }
        // Its numbers as they are and as they were put in order, and what even the smallest takes.
        memory = 2 * file.stamp.size + 4 << 20
        self.shape = shape
        files = Mutex([file])
        requests = Mutex(model.map { model in ResourcePool { try InferenceRequest(model) } })
    }

    /// The network as it was compiled before, where that was kept; else compiled anew. What was kept and can't be used,
    /// whatever the reason, costs no more than the time: the file says the same.
    private static func compiled(_ file: ModelFile, _ shape: [Int]) throws -> ModelHandle {
        if let kept = NetworkCompiler.look(at: file, shape: shape), let model = try? ModelHandle(kept) { return model }
        return try ModelHandle(path: file.path, shape: shape)
    }

    /// Whether it is compiled just now.
    package var isCompiled: Bool { requests.withLock { $0 != nil } }

    /// Calls `body` with one inference at a time; compiles the model anew where it was given up meanwhile.
    /// - Throws: `InferenceError`; what `body` throws.
    package func withRequest<Result>(_ body: (InferenceRequest) throws -> Result) throws -> Result {
        let pool = try requests.withLock { requests in
            if let requests { return requests }
            let file = try unchangedFile()
            let model = try Self.compiled(file, shape)
            let made = ResourcePool { try InferenceRequest(model) }
            requests = made
            return made
        }
        NetworkShelf.shared.note(self)
        return try pool.withResource(body)
    }

    /// Notes that another stage or job names an equal file. Where the first one lay may be gone by then, or be no
    /// business of the job's.
    package func found(_ file: ModelFile) {
        files.withLock { files in
            files.removeAll { $0.path == file.path }
            files.append(file)
        }
    }

    private func unchangedFile() throws -> ModelFile {
        let files = files.withLock { $0 }
        if let file = files.last(where: { Files.stamp($0.path) == $0.stamp }) { return file }
        throw InferenceError("“\(files[files.count - 1].path)” was changed while it was in use; run the job again")
    }

    /// Gives the compiled model up, once those that use it just now are done.
    package func unload() { requests.withLock { $0 = nil } }
}

/// The networks of this process: those of one file are one, and of those that nobody uses only the last few stay compiled.
package final class NetworkShelf: Sendable {
    package static let shared = NetworkShelf()

    struct Key: Hashable, Sendable {
        var sha256: String
        /// Folder with the rest of its numbers; nil for a model that is one file.
        var folder: String?
        var shape: [Int]
    }

    private struct State {
        var networks: [Key: Network] = [:]
        /// Errors of files that can't be used, which many graphs may name; messages have the path.
        var failures: [String: (key: Key, error: InferenceError)] = [:]
        /// Networks that are compiled, and when they ran last, seconds; nil for never. The last one used comes last.
        var compiled: [(network: Network, ran: Double?)] = []
    }

    /// The most memory of compiled networks which aren't in use, bytes.
    package static let room = 256 << 20
    /// Seconds after which a network that ran counts as not in use.
    private static let patience = 10.0

    private let state = Mutex(State())
    /// OpenVINO compiles one model at a time: whoever wants the same meanwhile waits for it.
    private let making = Mutex(())

    /// The network of a file, compiled when it is asked for the first time.
    /// - Throws: `InferenceError`.
    package func network(path: String, shape: [Int]) throws -> Network {
        try making.withLock { _ in
            let file: ModelFile
            do {
                file = try ModelFile(path)
            } catch let error as FileError {
                throw InferenceError("model “\(path)”: \(error.reason)")
            }
            let key = Key(
                sha256: file.sha256, folder: file.data.isEmpty ? nil : Files.canonical(Files.parent(of: path)),
                shape: shape)
            let (known, failure) = state.withLock { ($0.networks[key], $0.failures[path]) }
            if let known {
                known.found(file)
                return known
            }
            if let failure, failure.key == key { throw failure.error }
            do {
                let network = try Network(file, shape: shape)
                state.withLock { $0.networks[key] = network }
                if network.isCompiled { note(network, hasRun: false) }
                return network
            } catch let error as InferenceError where error.isOfModel {
                state.withLock { $0.failures[path] = (key, error) }
                throw error
            }
        }
    }

    /// Notes that a network is used, or has been compiled.
    package func note(_ network: Network, hasRun: Bool = true) {
        let now = monotonicSeconds()
        let left = state.withLock { state -> [Network] in
            let before = state.compiled.lastIndex { $0.network === network }
            let ran = before.flatMap { state.compiled.remove(at: $0).ran }
            state.compiled.append((network, hasRun ? now : ran))
            guard before == nil else { return [] }
            var (taken, left) = (state.compiled.reduce(0) { $0 + $1.network.memory }, [Network]())
            state.compiled.removeAll { entry in
                guard taken > Self.room, entry.network !== network, now - (entry.ran ?? 0) > Self.patience else {
                    return false
                }
                taken -= entry.network.memory
                left.append(entry.network)
                return true
            }
            return left
        }
        for network in left { network.unload() }
    }
}
