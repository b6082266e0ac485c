internal import CLate
internal import CWorker
internal import Glibc
internal import Synchronization

/// The confinement of a command that decodes, or reads what anybody may have made, in the process that its user started.
public enum CommandConfinement {
    private static let status = Mutex<WorkerStatus?>(nil)

    /// Gives up what the process, of one thread still, doesn't need for what it is to open.
    ///
    /// `ANNOTATE_LANDLOCK` and `ANNOTATE_SECCOMP` mean what they do for workers: with 0 in both it stays as it is.
    /// - Parameters:
    ///   - access: What the process is to open: what it reads, lists and writes.
    ///   - stages: The program's: what they read whatever their options, `resources`, stays open to it.
    /// - Returns: Sentences on what this kernel doesn't have, for the user.
    /// - Throws: `FileError` where the kernel has a means and it fails, and where there is no room for what is to be written.
    public static func begin(_ access: FileAccess, stages: StageCatalog) throws -> [String] {
        let means = Confinement.Means.ofEnvironment
        if means.landlock == 0, !means.hasFilter { return [] }
        // Looked up while that can be read.
        _ = Machine.cores
        late_open_elsewhere()
        let kept = descriptors(in: access)
        cwk_stand_alone(access.readsStandardInput ? 1 : 0, kept, kept.count)
        // Without Landlock nothing keeps it from writing where it likes.
        let broker =
            min(means.landlock, cwk_landlock_version()) > 0 && (!access.written.isEmpty || access.needsScratch)
            ? try OutputBroker(for: access.written.sorted(), needsScratch: access.needsScratch) : nil
        var folders: [HeldFolder] = []
        if let broker {
            folders = Array(broker.work.values) + [broker.scratch].compactMap(\.self)
            for folder in broker.work.values { folder.pin() }
            OutputFile.work(in: broker.work.mapValues(\.path))
            if let scratch = broker.scratch { setenv("TMPDIR", scratch.path, 1) }
            Files.broker = broker
            // However the process ends by itself.
            atexit { Files.broker?.close() }
        }
        guard let page = cwk_own_status() else { throw systemError("start", "the command") }
        let own = WorkerStatus(page)
        status.withLock { $0 = own }
        let confinement = try Confinement(
            writable: folders, readable: access.read.sorted() + stages.resources + Confinement.system,
            listed: access.listed.sorted(), memory: nil, status: own, channel: broker?.channel.descriptor ?? -1,
            hasListener: false, means: means)
        return warnings(confinement, means)
    }

    /// What of it this machine doesn't have, a few words each.
    static var lacks: [String] {
        let means = Confinement.Means.ofEnvironment
        let hasFiles = min(means.landlock, cwk_landlock_version()) > 0
        return (hasFiles ? [] : ["all your files (no Landlock)"])
            + (means.hasFilter && cwk_has_filter() != 0 ? [] : ["all system calls (no seccomp)"])
    }

    /// The first system call that was refused; nil for none.
    public static var refusedCall: String? {
        status.withLock { $0 }.flatMap { $0[.refusals] > 0 ? $0.refused : nil }
    }

    /// Descriptors of the shell's that an argument names: `<(…)`.
    private static func descriptors(in access: FileAccess) -> [Int32] {
        (access.read.union(access.written)).compactMap { path in
            ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix).flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    private static func warnings(_ confinement: Confinement, _ means: Confinement.Means) -> [String] {
        confinement.measures.filter {
            // What was asked for is no surprise.
            $0.hasPrefix("not in force") && means.hasFilter || $0.hasPrefix("no Landlock") && means.landlock != 0
        }.map { "this command isn't confined to the files that it is given: \($0)" }
    }
}
