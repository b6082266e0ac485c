/// Compiles one network for another process, which keeps it. It sees that network and no other file of anybody's: what a
/// hostile one could do here it does to itself.
struct CompileWorker {
    private let settings: WorkerSettings
    private let channel: Channel
    private let catalog: StageCatalog

    init(_ settings: WorkerSettings, _ channel: Channel, catalog: StageCatalog) {
        (self.settings, self.channel, self.catalog) = (settings, channel, catalog)
    }

    func run() throws {
        setThreadRole("the compiler of networks")
        guard let folder = settings.workFolders.first, let compiler = catalog.compiler else { return }
        while let node = try channel.receiveJSON() {
            guard case .compile(let order) = WorkerRequest(node) else { continue }
            var reply = CompileReply()
            do {
                reply.description = try compiler.compile(order, into: folder + "/" + CompileReply.file)
            } catch {
                reply.failure = "\(error)"
            }
            try channel.send { reply.write(into: &$0) }
        }
    }
}
