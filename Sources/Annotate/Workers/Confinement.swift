internal import CWorker
internal import Glibc

/// What a worker gives up before it touches anybody's file, and what of that this kernel offers.
struct Confinement {
    /// What is in force, and what isn't and why: for the log.
    private(set) var measures: [String] = []

    /// Gives up what the calling process, of one thread still, may do.
    ///
    /// - Parameters:
    ///   - writable: The only folders that may be written in.
    ///   - readable: The only files and folders that may be read; nil for all.
    ///   - memory: Bytes of private memory; nil for no limit.
    init(writable: [String], readable: [String]?, memory: Int?, status: WorkerStatus) {
        note(cwk_limit(Int64(memory ?? 0)), "no core files" + (memory.map { ", at most \($0 >> 20) MiB" } ?? ""))
        let privileges = cwk_forbid_privileges()
        note(privileges, "no new privileges")
        guard privileges == 0 else { return }
        let version = cwk_landlock_version()
        if version < 0 {
            measures.append("no Landlock (\(Self.reason(version)))")
        } else {
            note(
                Self.confineFiles(writable, readable, mayExecute: false),
                "Landlock \(version): \(writable.isEmpty ? "writes nothing" : "writes in \(list(writable)) alone"), "
                    + (readable == nil ? "" : "reads in \(readable?.first ?? "") and the system's folders alone, ")
                    + "executes nothing" + (version >= 4 ? ", no TCP" : ""))
        }
        note(cwk_filter_calls(status.page), "seccomp: no sockets, programs or processes")
    }

    /// Folders of the system's that libraries read from: themselves, fonts, their settings, what the machine is.
    static var system: [String] {
        let home = getenv("HOME").map { String(cString: $0) }
        let own = ["/.fonts", "/.local/share/fonts", "/.config/fontconfig", "/.cache/fontconfig"]
        return ["/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/dev", "/var/cache/fontconfig"]
            + (home.map { home in own.map { home + $0 } } ?? [])
    }

    fileprivate static func confineFiles(_ writable: [String], _ readable: [String]?, mayExecute: Bool) -> Int32 {
        func copies(_ paths: [String]) -> [UnsafePointer<CChar>?] { paths.map { UnsafePointer(strdup($0)) } + [nil] }
        let targets = copies(writable), sources = readable.map(copies)
        defer { for path in targets + (sources ?? []) { free(UnsafeMutablePointer(mutating: path)) } }
        guard let sources else { return cwk_confine_files(targets, nil, mayExecute ? 1 : 0) }
        return cwk_confine_files(targets, sources, mayExecute ? 1 : 0)
    }

    private mutating func note(_ code: Int32, _ measure: String) {
        measures.append(code == 0 ? measure : "not in force: \(measure) (\(Self.reason(code)))")
    }

    fileprivate static func reason(_ code: Int32) -> String { String(cString: strerror(-code)) }
}

/// Keeps this process, and threads that it starts from now on, from writing anywhere but in some folders.
/// - Returns: What is in force, or why nothing is, for the log.
public func confineWriting(to folders: [String]) -> String {
    let privileges = cwk_forbid_privileges()
    let code = privileges == 0 ? Confinement.confineFiles(folders, nil, mayExecute: true) : privileges
    return code == 0
        ? "writes in \(list(folders)) alone" : "may write anywhere: no Landlock (\(Confinement.reason(code)))"
}
