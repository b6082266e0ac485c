import Annotate
import ArgumentParser
import Glibc

/// How inputs that lie elsewhere are fetched.
struct Fetching: ParsableArguments {
    @Flag(help: "Run the commands that the manifest names: only for manifests that you know.")
    var allowCommands = false

    @Option(
        help: ArgumentHelp(
            "Space that what was fetched may take at once. Default: half of what is free.", valueName: "MiB"))
    var fetchSpace: Int?

    func validate() throws {
        if let fetchSpace, !(1...1 << 40).contains(fetchSpace) {
            throw ValidationError("--fetch-space takes a whole number from 1, not \(fetchSpace).")
        }
    }

    /// Options with these, and with what the user's settings say.
    /// - Throws: `ExitCode` where those can't be used.
    func apply(to options: RunOptions) throws -> RunOptions {
        var options = options
        options.allowsCommands = allowCommands
        options.fetch.space = fetchSpace.map { Int64($0) << 20 }
        let settings = try UserSettings.read()
        (options.fetch.command, options.store) = (settings.fetch, settings.store)
        return options
    }
}

/// The user's own settings, `annotate-batch/config.json` in `$XDG_CONFIG_HOME`, or `~/.config`.
struct UserSettings {
    /// A command that fetches inputs that lie elsewhere; nil for none.
    var fetch: [String]?
    /// The same that stores results elsewhere.
    var store: [String]?

    /// Whether nobody but this user, and the system's, writes a file.
    private static func isTrusted(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && [geteuid(), 0].contains(status.st_uid) && status.st_mode & 0o002 == 0
    }

    static func read() throws -> UserSettings {
        let folder = Environment.folder("XDG_CONFIG_HOME") ?? Environment.ownHome.map { $0 + "/.config" }
        guard let path = folder.map({ $0 + "/annotate-batch/config.json" }), Files.exists(path) else {
            return UserSettings()
        }
        guard isTrusted(path) else {
            Console.error(
                "annotate-batch: warning: \(path) isn't read: others may write it, and it names commands; expected a file of "
                    + "yours that nobody else writes (chmod o-w)")
            return UserSettings()
        }
        func refuse(_ reason: String) -> ExitCode {
            Console.problem("annotate-batch: \(path): \(reason)")
            return .invalidFile
        }
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw refuse("line \(error.position.line), column \(error.position.column): \(error.message)")
        } catch {
            throw refuse("\(error)")
        }
        guard let members = root.members else { throw refuse("expected an object such as {\"fetch\": [\"aws\", …]}") }
        var settings = UserSettings()
        for member in members {
            guard ["fetch", "store"].contains(member.key) else {
                throw refuse("unknown key “\(member.key)”; expected “fetch” or “store”")
            }
            let words = member.value.elements?.compactMap(\.string)
            guard let words, words.count == member.value.elements?.count else {
                throw refuse("“\(member.key)” is no command; expected a list of words")
            }
            if let complaint = FetchOptions.complaint(words) { throw refuse("/\(member.key): \(complaint)") }
            if member.key == "fetch" { settings.fetch = words } else { settings.store = words }
        }
        return settings
    }
}
