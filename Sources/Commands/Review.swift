import Annotate
import ArgumentParser
import Pages

struct Review: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a web page on which people look at the results of a run.",
        discussion: """
            The page shows every job, its videos with what was found drawn on the very frame, a lane for each track, and the \
            moments to look at. It needs no network and no server: open it in a browser. Videos are named by their place \
            beside it and stay where they are. Where the data pass 20 MB they go into a folder beside the page.
            """)

    @Argument(help: "The output folder of a run.", completion: .directory)
    var directory: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The page; review.html in the folder without it, or beside the track files where they have a folder of their own.",
            valueName: "file"),
        completion: .file(extensions: ["html"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Confidences below it, 0 to 1, are moments to look at, beside losses, gaps, and tracks that end where another "
                + "begins.", valueName: "p"))
    var doubtful = 0.5

    @Flag(help: "Put everything into the page, with pictures, so that it can be mailed alone.")
    var embed = false

    @Flag(
        help: ArgumentHelp(
            "For a release: the covered videos, pictures of what to look at, a decision a clip. The page lies beside the "
                + "track files, and with --remarks so do release.csv and release.json with the decisions."))
    var release = false

    @Option(
        help: ArgumentHelp(
            "Marks and remarks that a reviewer exported from an earlier page, as JSON; the new page has them.",
            valueName: "file"), completion: .file(extensions: ["json"]))
    var remarks: String?

    func validate() throws {
        guard (0...1).contains(doubtful) else {
            throw ValidationError("--doubtful takes 0 to 1, not \(doubtful).")
        }
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
        if let output, Files.isDirectory(output) {
            throw ValidationError("-o \(output) is a folder; expected the name of a page, \(output)/review.html say.")
        }
        if let output, !output.hasSuffix(".html"), !output.hasSuffix(".htm") {
            throw ValidationError("-o \(output) doesn't end with .html, by which browsers know a page.")
        }
    }

    var access: CommandAccess {
        var access = FileAccess()
        access.read(results: directory)
        access.read(remarks)
        // Where there is no place for a page, that is said when it is written.
        if let page = try? page() {
            access.write(page)
            access.write(Pages.Review.dataFolder(of: page))
        }
        if release, let folder = try? folder() {
            for path in ReleaseDecisions.paths(in: folder) { access.write(path) }
        }
        return .files(access)
    }

    func run() throws {
        guard Files.isDirectory(directory) else {
            let what = Files.exists(directory) ? "is no folder" : "is not there"
            Console.error("annotate-batch: \(directory) \(what); expected the output folder of a run")
            throw ExitCode.failure
        }
        try attempt { cancellation in
            var review = Pages.Review(directory, kinds: kinds, generator: generator)
            (review.doubtful, review.embeds) = (doubtful, embed)
            (review.remarks, review.isForRelease) = (try remarks.map { try Remarks(path: $0) }, release)
            let path = try page()
            let written = try review.write(to: path, threads: Machine.cores, cancellation: cancellation)
            for problem in written.problems { Console.error("annotate-batch: \(problem)") }
            Console.out(path)
            if let data = written.data { Console.out(data) }
            guard release, let remarks = written.remarks, !remarks.decisions.isEmpty else { return }
            for file in try keep(remarks) { Console.out(file) }
        }
    }

    /// The page's path: one for a release tells where things are, and stays out of the folder that is handed out.
    private func page() throws -> String {
        guard release else { return try output ?? Pages.Review.place(in: directory) }
        if let output {
            let place = Files.canonicalOfPossible(Files.parent(of: output))
            guard !Files.isInside(place, Files.canonicalOfPossible(directory)) else {
                throw FileError(
                    "write", path: output,
                    reason: "it would lie in the folder that is handed out; expected a page beside the track files")
            }
            return output
        }
        return try folder() + "/release.html"
    }

    /// The folder of the track files, which isn't handed out.
    private func folder() throws -> String {
        guard let folder = ReleaseDecisions.folder(of: directory) else {
            throw FileError(
                "review", path: directory,
                reason: "there is no report of a run in it; expected the output folder of a run")
        }
        guard !Files.isInside(Files.canonicalOfPossible(folder), Files.canonicalOfPossible(directory)) else {
            throw FileError(
                "review", path: directory,
                reason:
                    "track files lie in the folder that is handed out itself; expected “tracks” under the manifest's "
                    + "“output”, so that they, the page and the decisions lie elsewhere")
        }
        // A report names it from the folder that is handed out.
        let path = directory.hasPrefix("/") ? Files.canonicalOfPossible(folder) : Files.relative(folder, to: ".")
        return path.isEmpty ? "." : path
    }

    /// Keeps what was decided, each decision with the video that it is about, beside what was decided earlier of other clips.
    private func keep(_ remarks: Remarks) throws -> [String] {
        let report = Report.read(directory: directory)
        let folder = try folder()
        var decisions: [String: ReleaseDecisions.Decision] = [:]
        for decision in try ReleaseDecisions.kept(in: folder).decisions { decisions[decision.job] = decision }
        for var decision in remarks.decisions {
            guard let outcome = report[decision.job] else {
                Console.error(
                    "annotate-batch: \(decision.job.inOneLine): decided, and no job of \(directory): left out")
                continue
            }
            // A page of an earlier version doesn't say which video it showed.
            decision.video = decision.video ?? ReleaseDecisions.video(of: outcome, directory)
            decisions[decision.job] = decision
        }
        return try ReleaseDecisions(Array(decisions.values)).write(in: folder)
    }
}
