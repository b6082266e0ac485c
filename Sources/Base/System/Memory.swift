internal import Glibc

/// Bytes of memory that a process has; 0 where the kernel doesn't say.
/// - Parameter process: Its number, or “self”.
package func residentMemory(of process: String = "self") -> Int {
    guard let bytes = try? Files.read("/proc/\(process)/statm") else { return 0 }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
