internal import Glibc

/// Bytes of memory that a process has; 0 where the kernel doesn't say.
/// - Parameter process: Its number, or “self”.
func residentMemory(of process: String = "self") -> Int {
    guard let bytes = try? Files.read("/proc/\(process)/statm") else { return 0 }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// What the machine has, or the group of processes that this one belongs to: bytes.
func availableMemory() -> Int {
    let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
    // No such file where there is no such group, “max” where it has no limit.
    let group = (try? Files.read("/sys/fs/cgroup/memory.max")).flatMap {
        Int(String(decoding: $0, as: UTF8.self).filter { $0 != "\n" })
    }
    return min(machine, group ?? machine)
}
