internal import CWorker
internal import Glibc

/// What this process may use of the machine: a scheduler or a container may give it a part.
public enum Machine {
    /// Cores, by the process's affinity and the quotas of the groups that it is in.
    public static let cores: Int = {
        let affinity = Int(cwk_cores())
        let cores = affinity > 0 ? affinity : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        // “200000 100000”: so many microseconds in so many; “max” for no quota.
        let quotas = groupLimits("cpu.max").compactMap { text -> Int? in
            let numbers = text.split(separator: " ").map { Double($0) }
            guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], period > 0 else { return nil }
            return Int((quota / period).rounded(.up))
        }
        return max(1, min(cores, quotas.min() ?? cores))
    }()

    /// Memory that the process may use, bytes.
    package static var memory: Int {
        let all = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        return min(all, groupLimits("memory.max").compactMap { Int($0) }.min() ?? all)
    }

    /// What a file says in the control group of this process and in those above it, as far as they can be seen: without a
    /// namespace of its own a process sees the machine's tree, with one its own group as the root.
    private static func groupLimits(_ name: String) -> [String] {
        let lines = text("/proc/self/cgroup")?.split(separator: "\n") ?? []
        let own = lines.first { $0.hasPrefix("0::/") }?.dropFirst("0::/".count) ?? ""
        var folders = ["/sys/fs/cgroup"]
        for part in own.split(separator: "/") where part != ".." {
            folders.append(folders[folders.count - 1] + "/" + part)
        }
        return folders.compactMap { text("\($0)/\(name)") }
    }

    /// A file's text; nil where there is no such file.
    private static func text(_ path: String) -> String? {
        (try? Files.read(path)).map {
            String(decoding: $0, as: UTF8.self).filter { $0 != "\n" || path.hasPrefix("/proc") }
        }
    }
}
