import Annotate
import ArgumentParser

struct Accept: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes results as what later ones are held against, with “compare”.",
        discussion: """
            Only what is right is taken: whole track files of jobs that went well and are as expected. What was accepted \
            before of others stays, unless --prune leaves out what the results have no job of any more. The folder changes at once, or not at all. Ends with 1 where some results aren't right.
            """)

    @Argument(help: "The output folder of a run.", completion: .directory)
    var results: String

    @Option(
        help: ArgumentHelp(
            "The folder of accepted results; “accepted” beside the results without it.", valueName: "dir"),
        completion: .directory)
    var to: String?

    @Flag(help: "Leave out what was accepted of jobs that are no longer in the results.")
    var prune = false

    func validate() throws {
        if to?.isEmpty == true { throw ValidationError("--to takes a folder, not an empty text.") }
        if let to, Files.areTheSame(to, results) {
            throw ValidationError("\(to) is the folder of the results; expected another one for what is accepted.")
        }
    }

    /// The folder of accepted results.
    private var folder: String {
        let named = to ?? Files.parent(of: Self.withoutSlash(results)) + "/accepted"
        return Self.withoutSlash(named)
    }

    /// A folder as it is written with a name behind it.
    private static func withoutSlash(_ folder: String) -> String {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return folder
    }

    var access: CommandAccess {
        var access = FileAccess()
        access.read(results: results, withSources: false)
        access.write(folder)
        return .files(access)
    }

    func run() throws {
        guard Files.isDirectory(results) else {
            let what = Files.exists(results) ? "is no folder" : "is not there"
            Console.error("annotate-batch: \(results) \(what); expected the output folder of a run")
            throw ExitCode.failure
        }
        let folder = folder
        // A folder that can't be listed is told of when it is taken.
        let own = (try? TrackFiles.list(in: results)) ?? []
        if own.contains(where: { Files.areTheSame(Files.parent(of: $0), folder) }) {
            throw ValidationError(
                "\(folder.inOneLine) holds the results' own track files; expected another folder for what is accepted.")
        }
        try attempt { _ in
            try Files.makeDirectory(Files.parent(of: folder))
            let taken = try Baseline(folder).take(results, prunes: prune, kinds: kinds)
            for name in taken.changed { Console.out("\(folder)/\(name)") }
            let kept =
                (taken.kept.isEmpty ? "" : ", \(taken.kept.count) kept from before (--prune leaves them out)")
                + (taken.dropped.isEmpty ? "" : ", \(taken.dropped.count) left out")
            Console.error(
                "annotate-batch: \(plural(taken.changed.count, "track file")) accepted, \(taken.same) the same\(kept)")
            for sentence in taken.refused { Console.error("annotate-batch: not accepted: \(sentence)") }
            if !taken.refused.isEmpty { throw ExitCode.failure }
        }
    }
}
