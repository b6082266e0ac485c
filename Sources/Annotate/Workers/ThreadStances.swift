/// What the threads of a process are at: for the report of one that does nothing any more, of which nobody sees anything else.
struct ThreadStances: CustomStringConvertible {
    /// Of each thread: the system call that it waits in by its number, with two arguments, and where in which file it was made.
    let description: String

    /// - Parameter process: Its number. What the kernel doesn't tell of it is left out.
    init(_ process: Int32) {
        let files = Self.files(of: process)
        let threads = ((try? Files.list("/proc/\(process)/task")) ?? []).sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
        description =
            threads.map { thread in
                let words = Self.text("/proc/\(process)/task/\(thread)/syscall").split(whereSeparator: \.isWhitespace)
                guard let call = words.first else { return thread }
                let place = words.last.flatMap { Self.number($0) }.flatMap { address in
                    files.first { $0.range.contains(address) }.map {
                        " at \(Files.name(of: $0.name))+\(String(address - $0.range.lowerBound + $0.offset, radix: 16))"
                    }
                }
                let arguments = words.dropFirst().prefix(2).joined(separator: ",")
                return "\(thread) in call \(call)\(arguments.isEmpty ? "" : "(\(arguments))")\(place ?? "")"
            }.joined(separator: "; ").inOneLine
    }

    private struct MappedFile {
        var range: Range<UInt64>
        var offset: UInt64
        var name: String
    }

    /// Files whose code it runs, by where they lie in its memory.
    private static func files(of process: Int32) -> [MappedFile] {
        text("/proc/\(process)/maps").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 6 else { return nil }
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(words[2], radix: 16) else { return nil }
            return MappedFile(range: ends[0]..<ends[1], offset: offset, name: String(words[5]))
        }
    }

    private static func number(_ word: Substring) -> UInt64? {
        UInt64(word.hasPrefix("0x") ? word.dropFirst(2) : word, radix: 16)
    }

    private static func text(_ path: String) -> String {
        (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
