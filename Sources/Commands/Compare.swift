import Annotate
import ArgumentParser
import Metrics

struct Compare: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Says what differs between two track files or folders of them, or how good results are against a truth.",
        discussion: """
            Tracks are the same by their region, by the number that they carry, or by how they lie on one another; their own \
            numbers don't matter. Ends with 0 where nothing differs, or no more than is forgiven, with 2 where \
            something does, with 1 where a file can't be read.

            With --truth the one argument is the results, and figures are printed: precision, recall, average precision, and where \
            there are tracks HOTA, MOTA and IDF1. --bounds makes that a gate.
            """)

    @Argument(
        help: "A track file (*.tracks.jsonl), or a folder with such files; two, or with --truth one.",
        completion: .file())
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Pixels that corners, edges and points may be apart. Over 0, numbers that follow from places \
            (confidences, angles, poses) don't count either; what came, went or has another label or state does.
            """, valueName: "px"))
    var tolerance = 0.0

    @Option(
        help: ArgumentHelp("A JSON file that says by stage and kind what is forgiven.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var tolerances: String?

    @Option(
        help: ArgumentHelp(
            "The truth: a track file, COCO's or Label Studio's .json, CVAT's .xml, MOTChallenge's .txt or a .csv, or a folder with one "
                + "a clip.",
            valueName: "path"), completion: .file())
    var truth: String?

    @Flag(help: "Print figures; --truth implies it.")
    var metrics = false

    @Option(
        help: ArgumentHelp(
            "With --truth: bounds of figures, a JSON file; 2 where one doesn't hold.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var bounds: String?

    @Option(help: ArgumentHelp("With --truth: only the results of this stage; may be repeated.", valueName: "id"))
    var stage: [String] = []

    @Option(
        help: ArgumentHelp("With --truth: the names of a MOT file's classes from 1, a line each.", valueName: "file"),
        completion: .file())
    var classes: String?

    @Option(help: ArgumentHelp("With --truth: what is less sure counts as not found, 0 to 1.", valueName: "p"))
    var minimumConfidence = 0.0

    @Option(help: ArgumentHelp("Write a page about it.", valueName: "file"), completion: .file(extensions: ["html"]))
    var html: String?

    @Option(help: ArgumentHelp("Write a JUnit report, for CI.", valueName: "file"), completion: .file())
    var junit: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard tolerance.isFinite, tolerance >= 0 else {
            throw ValidationError("--tolerance takes a number of pixels from 0, not \(tolerance).")
        }
        guard (0...1).contains(minimumConfidence) else {
            throw ValidationError("--minimum-confidence takes 0 to 1, not \(minimumConfidence).")
        }
        for (option, path) in [("--html", html), ("--junit", junit), ("--truth", truth)] where path?.isEmpty == true {
            throw ValidationError("\(option) takes a path, not an empty text.")
        }
        if truth == nil {
            try validatePair()
        } else {
            try validateResults()
        }
        let read = paths + [truth].compactMap(\.self)
        for (what, option, path) in [("page", "--html", html), ("report", "--junit", junit)] {
            guard let path, path.hasSuffix(".tracks.jsonl") || read.contains(where: { Files.areTheSame(path, $0) })
            else {
                continue
            }
            throw ValidationError(
                "The \(what) would take the place of a track file, \(path); name another file with \(option).")
        }
        try OutputGuard.checkDistinct(("--html", html), ("--junit", junit))
        try OutputGuard.check("--html", html, .page, reading: reading)
        try OutputGuard.check("--junit", junit, .junit, reading: reading)
    }

    private func validatePair() throws {
        guard !metrics else { throw ValidationError("--metrics needs a truth; name it with --truth.") }
        for (option, isGiven) in [
            ("--bounds", bounds != nil), ("--stage", !stage.isEmpty), ("--classes", classes != nil),
            ("--minimum-confidence", minimumConfidence > 0),
        ] where isGiven {
            throw ValidationError("\(option) goes with --truth.")
        }
        guard paths.count == 2 else {
            throw ValidationError(
                "\(plural(paths.count, "path")) given; expected two track files or two folders, or --truth and results."
            )
        }
        let (old, new) = (paths[0], paths[1])
        if Files.exists(old), Files.exists(new), Files.isDirectory(old) != Files.isDirectory(new) {
            let (folder, file) = Files.isDirectory(old) ? (old, new) : (new, old)
            throw ValidationError("\(folder) is a folder and \(file) a file; expected two folders or two track files.")
        }
        if Files.areTheSame(old, new) {
            throw ValidationError("\(old) and \(new) are the same; expected two to compare.")
        }
    }

    private func validateResults() throws {
        guard paths.count == 1 else {
            throw ValidationError("\(plural(paths.count, "path")) given; with --truth expected one, the results.")
        }
        if tolerance > 0 { throw ValidationError("--tolerance doesn't go with --truth; bounds do: --bounds.") }
        if let truth, Files.areTheSame(truth, paths[0]) {
            throw ValidationError("\(truth) and \(paths[0]) are the same; expected a truth and results.")
        }
    }

    private var reading: FileAccess {
        var access = FileAccess()
        for path in paths { access.read(tracks: path, withSource: html != nil) }
        for path in [truth, tolerances, bounds, classes] { access.read(path) }
        access.read(truth.flatMap(Evaluation.classes(beside:)))
        // Frames of sequences are known by their data set.
        for path in truth.map(DataSetRecord.files(near:)) ?? [] { access.read(path) }
        return access
    }

    var access: CommandAccess {
        var access = reading
        for path in [html, junit] { access.write(path) }
        return .files(access)
    }

    func run() throws {
        for path in [truth].compactMap(\.self) + paths where !Files.exists(path) {
            Console.error("annotate-batch: no file “\(path)”; expected a track file, or a folder with such files")
            throw ExitCode.failure
        }
        try attempt { cancellation in
            if let truth { try evaluate(truth, cancellation) } else { try compare(cancellation) }
        }
    }

    private func compare(_ cancellation: Cancellation) throws {
        let (old, new) = (paths[0], paths[1])
        if let junit { JUnit.removeOutdated(junit) }
        let forgiven =
            try tolerances.map { try Tolerances(path: $0, pixels: tolerance) } ?? Tolerances(pixels: tolerance)
        let comparison =
            Files.isDirectory(old) && Files.isDirectory(new)
            ? try Comparison(folder: old, new, forgiven, kinds: kinds)
            : Comparison(file: old, new, forgiven, kinds: kinds)
        if let html { try Files.write(comparison.html(kinds: kinds, cancellation: cancellation), to: html) }
        if let junit { try Files.write(comparison.junit, to: junit) }
        if json { Console.out(prettyJSON(comparison.json)) }
        if !json, !comparison.lines.isEmpty { Console.out(comparison.lines.joined(separator: "\n")) }
        for warning in comparison.warnings { Console.error("annotate-batch: \(warning)") }
        for failure in comparison.failures { Console.error("annotate-batch: \(failure)") }
        if !comparison.failures.isEmpty { throw ExitCode.failure }
        if comparison.verdict == .differs { throw ExitCode.unexpected }
    }

    private func evaluate(_ truth: String, _ cancellation: Cancellation) throws {
        if let junit { JUnit.removeOutdated(junit) }
        // Before anything is counted: what is wrong in a file of bounds shows at once.
        let files = [bounds, tolerances].compactMap(\.self)
        let limits = try files.map { try MetricBounds(path: $0) }
        var request = MetricRequest()
        (request.stages, request.minimumConfidence) = (stage, minimumConfidence)
        request.classes = try classes.map(Self.names) ?? []
        let evaluation = try Evaluation(truth: truth, results: paths[0], request, kinds: kinds)
        let judgements = limits.flatMap { $0.judgements(of: evaluation) }
        let complaints = judgements.flatMap(\.complaints)
        if let html { try Files.write(evaluation.html(complaints, kinds: kinds, cancellation: cancellation), to: html) }
        if let junit {
            var report = JUnit(truth)
            report.add("figures", problems: [], notes: evaluation.notes)
            for (name, complaints) in judgements { report.add(name, problems: complaints, notes: []) }
            for failure in evaluation.failures { report.add(failure, problems: [failure], notes: []) }
            try Files.write(report.xml, to: junit)
        }
        if json {
            Console.out(prettyJSON(evaluation.json))
        } else if !evaluation.lines.isEmpty {
            Console.out(evaluation.lines.joined(separator: "\n"))
        }
        for sentence in evaluation.failures + complaints { Console.error("annotate-batch: \(sentence)") }
        if !evaluation.failures.isEmpty { throw ExitCode.failure }
        if !complaints.isEmpty { throw ExitCode.unexpected }
    }

    /// Lines of a file of names.
    private static func names(_ path: String) throws -> [String] {
        try Files.lines(of: path).filter { !$0.isEmpty }
    }
}
