import Glibc

/// What the environment says.
package enum Environment {
    /// Variables that name a folder in which settings, fonts and caches are looked for, and those that name several, for programs
    /// as well.
    private static let (folders, lists) = (
        ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
        ["PATH", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"]
    )

    /// Takes folders that don't begin at the root out of what this process, its libraries and its workers search: what lies in
    /// the working directory is anybody's. (The XDG base directory specification says of its own that they are to be ignored.)
    ///
    /// To be called first, while there is one thread.
    package static func leaveOutRelativeFolders() {
        for name in folders where folder(name) == nil { unsetenv(name) }
        for name in lists {
            guard let value = text(name) else { continue }
            let all = value.split(separator: ":", omittingEmptySubsequences: false)
            let kept = all.filter { $0.hasPrefix("/") }
            if kept.isEmpty {
                unsetenv(name)
            } else if kept.count < all.count {
                setenv(name, kept.joined(separator: ":"), 1)
            }
        }
    }

    /// A variable's value; nil where it has none.
    package static func text(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// A folder that a variable names; nil where it doesn't begin at the root.
    package static func folder(_ name: String) -> String? { text(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The home of the user whose process this is; nil where it is another's, as `sudo` may leave it.
    package static var ownHome: String? {
        var status = stat()
        guard let home = folder("HOME"), stat(home, &status) == 0, status.st_uid == geteuid() else { return nil }
        return home
    }
}
