internal import Glibc
internal import Synchronization

/// Has the networks of a batch compiled, each once and by a process of its own, and keeps them for workers and later runs.
final class ModelStock: Sendable {
    private let pool: WorkerPool
    private let compiler: any ModelCompiler.Type
    private let cache: ModelCache
    private let cancellation: Cancellation
    /// Networks that couldn't be kept: they aren't tried again.
    private let hopeless = Mutex<Set<ModelOrder>>([])
    private let isTold = Atomic<Bool>(false)

    /// Bytes of all networks that are kept; those that were used last stay.
    private static let room: Int64 = 1 << 30
    /// Seconds that compiling one may take.
    private static let patience = 60.0

    /// nil where nothing is kept on this machine.
    init?(pool: WorkerPool, compiler: (any ModelCompiler.Type)?, cancellation: Cancellation) {
        guard let compiler, let cache = ModelCache.ofEnvironment else { return nil }
        (self.pool, self.compiler, self.cache, self.cancellation) = (pool, compiler, cache, cancellation)
    }

    /// Networks that jobs will want, compiled. One that can't be, or not be kept, is left out: workers do it themselves.
    /// - Parameter grants: What whoever told of them was allowed to read.
    func compiled(_ orders: [ModelOrder], _ grants: FileGrants) -> [CompiledModel] {
        let known = hopeless.withLock { $0 }
        let orders = orders.filter { order in
            !known.contains(order) && order.path.hasPrefix("/") && order.shape.count <= 8
                && (compiler.isOwn(order.path) || grants.covers(order.path))
        }
        guard !orders.isEmpty else { return [] }
        guard cache.make(), let folder = try? HeldFolder(cache.networks), let index = try? HeldFolder(cache.index)
        else {
            tellOnce()
            return []
        }
        let found = try? parallelMap(orders.count, threads: Machine.cores) { place in
            self.compiled(orders[place], in: folder, index)
        }
        sweep(folder, index)
        return (found ?? []).compactMap(\.self)
    }

    /// Says that nothing can be kept, although somebody named a place for it.
    private func tellOnce() {
        guard cache.isNamed, !isTold.exchange(true, ordering: .relaxed) else { return }
        pool.log.warning(
            "compiled networks aren't kept: \(cache.folder.inOneLine), which ANNOTATE_MODEL_CACHE names, isn't a folder that its "
                + "owner alone can open, and you")
    }

    private func compiled(_ order: ModelOrder, in folder: HeldFolder, _ index: HeldFolder) -> CompiledModel? {
        do {
            let key = try compiler.key(of: order)
            try note(compiler.facts(of: order.path), of: order.path)
            let entry = try known(key, in: folder, index) ?? make(order, key, in: folder, index)
            return CompiledModel(
                model: compiler.isOwn(order.path) ? nil : order.path, file: cache.networks + "/" + entry.file)
        } catch {
            pool.log.debug("\(order.path.inOneLine) isn't kept compiled: \("\(error)".inOneLine)")
            _ = hopeless.withLock { $0.insert(order) }
            return nil
        }
    }

    /// What is kept, where it is what it was.
    private func known(_ key: String, in folder: HeldFolder, _ index: HeldFolder) -> ModelCache.Entry? {
        guard let entry = cache.entry(for: key), (try? ContentHash.of(entry.file, in: folder)) == entry.contents else {
            return nil
        }
        folder.touch(entry.file)
        index.touch(ModelCache.name(of: key))
        return entry
    }

    private func make(
        _ order: ModelOrder, _ key: String, in folder: HeldFolder, _ index: HeldFolder
    ) throws -> ModelCache.Entry {
        let work = try WorkFolders(in: [cache.networks])
        let worker = try pool.take(in: work) {
            $0.isCompiling = true
            $0.root = nil
        }
        defer { worker.kill() }
        worker.grants.set([order.path] + compiler.companions(of: order.path), root: pool.settings.root)
        try worker.channel.send { WorkerRequest.compile(order).write(into: &$0) }
        let deadline = monotonicSeconds() + Self.patience
        while !worker.poll(milliseconds: 50) {
            if cancellation.isCancelled { throw CancelledError() }
            guard monotonicSeconds() < deadline else { throw problem(order, "compiling took too long") }
        }
        guard let reply = try worker.channel.receiveJSON().map(CompileReply.init) else {
            throw problem(order, worker.takeWords().last ?? "its compiler ended")
        }
        if let failure = reply.failure { throw problem(order, failure) }
        // It writes no more from here on.
        worker.kill()
        _ = worker.wait()
        guard let made = work.held.first, made.entry(CompileReply.file)?.kind == .file,
            let contents = try? ContentHash.of(CompileReply.file, in: made)
        else { throw problem(order, "its compiler didn't write it") }
        var entry = ModelCache.Entry()
        (entry.key, entry.contents, entry.description) = (key, contents, reply.description)
        // Another run may keep the same network meanwhile, in other bytes.
        entry.file = "\(ModelCache.name(of: key).prefix(64))-\(contents)"
        guard renameat(made.descriptor, CompileReply.file, folder.descriptor, entry.file) == 0 else {
            throw systemError("keep", cache.networks + "/" + entry.file)
        }
        try write(entry, to: ModelCache.name(of: key))
        return entry
    }

    /// Keeps what is known of a model's file for those that look at it next.
    private func note(_ facts: ModelCache.Facts, of path: String) throws {
        guard let stamp = Files.stamp(path), stamp.text == facts.stamp, cache.facts(of: stamp) == nil else { return }
        try write(facts, to: ModelCache.name(of: stamp))
    }

    private func write(_ record: some Record, to name: String) throws {
        var json = JSONWriter()
        record.write(into: &json)
        let file = OutputFile(target: cache.index + "/" + name)
        let writer = try ByteWriter(file)
        try writer.write(json.bytes)
        try writer.finish()
        try file.commit()
    }

    private func problem(_ order: ModelOrder, _ reason: String) -> FileError {
        FileError("compile", path: order.path, reason: reason)
    }

    /// Removes what hasn't been used for longest, where there is too much.
    private func sweep(_ folder: HeldFolder, _ index: HeldFolder) {
        // What can't be listed stays.
        for held in [index, folder] {
            let files = ((try? held.names()) ?? []).compactMap { name in
                held.entry(name).flatMap { $0.kind == .file ? (name, $0.size, $0.modified) : nil }
            }.sorted { $0.2 > $1.2 }
            var size: Int64 = 0
            for (name, bytes, _) in files {
                size += bytes
                if size > Self.room { held.removeFile(name) }
            }
        }
    }
}
