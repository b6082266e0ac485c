import Annotate
import ArgumentParser

struct Merge: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes one report, and one JUnit report, of several: those of shards.",
        discussion: """
            Of a job that several reports tell of, the youngest that says how it ended is believed. Without -o, or \
            with -o -, the report goes to standard output.
            """)

    @Argument(help: "Reports, as run writes them.", completion: .file(extensions: ["json"]))
    var reports: [String]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write the report.", valueName: "report.json"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Writes a JUnit report too.", valueName: "file"), completion: .file())
    var junit: String?

    /// Where the report goes; nil for standard output.
    var file: String? { output == "-" ? nil : output }

    func validate() throws {
        for (option, path) in [("-o", output), ("--junit", junit)] where path?.isEmpty == true {
            throw ValidationError("\(option) takes a path, not an empty text.")
        }
        try OutputGuard.checkDistinct(("-o", file), ("--junit", junit))
        try OutputGuard.check("-o", file, .report, reading: reading)
        try OutputGuard.check("--junit", junit, .junit, reading: reading)
    }

    private var reading: FileAccess {
        var access = FileAccess()
        for report in reports { access.read(report) }
        return access
    }

    var access: CommandAccess {
        var access = reading
        for path in [file, junit] { access.write(path) }
        return .files(access)
    }

    func run() throws {
        do {
            let directory = file.map(Files.parent) ?? Files.parent(of: reports[0])
            let merged = try ReportMerge.merge(reports, for: directory, generator: generator)
            if let junit {
                var suite = JUnit(merged.manifest)
                for (id, outcome, folder) in merged.jobs { suite.add(id, outcome, directory: folder) }
                try Files.write(suite.xml, to: junit)
            }
            guard let file else { return Console.out(String(merged.text.dropLast())) }
            try Files.makeDirectory(directory)
            try Files.write(merged.text, to: file)
            Console.out(file)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
