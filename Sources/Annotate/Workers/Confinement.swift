internal import CWorker
internal import Glibc

/// The confinement of a worker before it touches anybody's file, and what of it this kernel offers.
struct Confinement {
    /// Sentences on which of the kernel's means are in force, and which aren't and why, for the log.
    private(set) var measures: [String] = []
    /// Descriptor of the listener to which the kernel tells which files are opened; nil for none.
    private(set) var listener: Int32?

    /// The kernel's means that are used, for tests: all that there are.
    struct Means {
        /// The version of Landlock to keep to, as an older kernel has it; 0 for none.
        var landlock = Int32.max
        var hasFilter = true
    }

    /// Gives up what the calling process, of one thread still, may do.
    ///
    /// - Parameters:
    ///   - writable: The only folders that may be written in.
    ///   - readable: The only files and folders that may be read besides `writable`; nil for all.
    ///   - listed: Folders of which names may be listed, besides.
    ///   - memory: Bytes of private memory; nil for no limit.
    ///   - hasListener: Whether another process opens what else may be read.
    /// - Throws: `FileError` where the kernel has a means and it fails: a worker that is less confined than it could be is
    ///   none.
    init(
        writable: [HeldFolder], readable: [String]?, listed: [String] = [], memory: Int?,
        status: WorkerStatus, channel: Int32, hasListener: Bool,
        means: Means = Means()
    ) throws {
        note(cwk_limit(Int64(memory ?? 0)), "no core files" + (memory.map { ", at most \($0 >> 20) MiB" } ?? ""))
        let privileges = cwk_forbid_privileges()
        note(privileges, "no new privileges")
        guard privileges == 0 else { return }
        let version = min(cwk_landlock_version(), means.landlock)
        if version <= 0 {
            measures.append("no Landlock (\(version < 0 ? Self.reason(version) : "not used"))")
        } else {
            let code = Self.confineFiles(writable, readable, listed, mayExecute: false, version)
            guard code == 0 else { throw Self.failure("Landlock \(version)", code) }
            measures.append(
                "Landlock \(version): \(writable.isEmpty ? "writes nothing" : "writes in \(list(writable.map(\.path))) alone"), "
                    + (readable == nil ? "" : "reads the system's files\(hasListener ? " and its job's" : "") alone, ")
                    + "executes nothing" + (version >= 4 ? ", no TCP" : ""))
        }
        guard means.hasFilter else {
            measures.append("not in force: seccomp (not used)")
            return
        }
        var listening: Int32 = -1
        let code =
            hasListener
            ? cwk_filter_calls(status.page, channel, &listening) : cwk_filter_calls(status.page, channel, nil)
        listener = listening >= 0 ? listening : nil
        note(code, "seccomp: the calls that a job needs alone" + (listening >= 0 ? ", files are opened for it" : ""))
    }

    /// Paths of the system that libraries read: themselves, fonts, what the machine is. Nothing of other processes or
    /// users.
    static var system: [String] {
        let home = Environment.folder("HOME")
        let own = ["/.fonts", "/.local/share/fonts", "/.config/fontconfig", "/.cache/fontconfig"]
        return ["/usr", "/lib", "/lib64", "/var/cache/fontconfig"]
            + ["ld.so.cache", "fonts", "localtime", "alternatives", "gcrypt"].map { "/etc/" + $0 }
            + ["self", "sys", "meminfo", "cpuinfo", "stat", "filesystems", "version"].map { "/proc/" + $0 }
            + ["/sys/devices/system", "/sys/kernel/mm", "/sys/fs/cgroup"]
            + ["null", "zero", "full", "random", "urandom"].map { "/dev/" + $0 }
            + (home.map { home in own.map { home + $0 } } ?? [])
    }

    fileprivate static func confineFiles(
        _ writable: [HeldFolder], _ readable: [String]?, _ listed: [String] = [], mayExecute: Bool, _ version: Int32
    ) -> Int32 {
        func copies(_ paths: [String]) -> [UnsafePointer<CChar>?] { paths.map { UnsafePointer(strdup($0)) } + [nil] }
        // Not by their paths, which may have become others.
        let targets = copies(writable.map(\.ownPath)), sources = readable.map(copies), folders = copies(listed)
        defer { for path in targets + (sources ?? []) + folders { free(UnsafeMutablePointer(mutating: path)) } }
        guard let sources else { return cwk_confine_files(targets, nil, nil, mayExecute ? 1 : 0, version) }
        return cwk_confine_files(targets, sources, folders, mayExecute ? 1 : 0, version)
    }

    private mutating func note(_ code: Int32, _ measure: String) {
        measures.append(code == 0 ? measure : "not in force: \(measure) (\(Self.reason(code)))")
    }

    private static func failure(_ measure: String, _ code: Int32) -> FileError {
        FileError("confine", path: "the process by \(measure)", code: code, reason: reason(code))
    }

    /// Why a measure isn't in force. libseccomp says of a kernel that refuses a filter that the operation was canceled.
    fileprivate static func reason(_ code: Int32) -> String {
        -code == ECANCELED ? "the kernel or the container refuses it" : String(cString: strerror(-code))
    }
}

/// Keeps this process, and threads that it starts from now on, from writing anywhere but in some folders.
/// - Returns: What is in force, or why nothing is, for the log.
package func confineWriting(to folders: [HeldFolder]) -> String {
    let privileges = cwk_forbid_privileges()
    let version = cwk_landlock_version()
    let code =
        privileges != 0
        ? privileges : version < 0 ? version : Confinement.confineFiles(folders, nil, mayExecute: true, version)
    return code == 0
        ? "writes in \(list(folders.map(\.path))) alone"
        : "may write anywhere: no Landlock (\(Confinement.reason(code)))"
}

/// What the environment says of another kernel that is to be tried.
extension Confinement.Means {
    private static func value(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    /// `ANNOTATE_LANDLOCK`: the version to keep to; nil for the kernel's own.
    static var landlockOfEnvironment: Int? { value("ANNOTATE_LANDLOCK") }
    /// `ANNOTATE_SECCOMP=0`.
    static var lacksFilterInEnvironment: Bool { value("ANNOTATE_SECCOMP") == 0 }
    /// The kernel's means, as far as the environment allows them.
    static var ofEnvironment: Confinement.Means {
        Confinement.Means(
            landlock: landlockOfEnvironment.map { Int32(clamping: $0) } ?? .max, hasFilter: !lacksFilterInEnvironment)
    }
}
