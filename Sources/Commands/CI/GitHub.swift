import Annotate
import Glibc

/// Reports problems to GitHub Actions, where it runs this program: annotations at lines of the manifest, and a table in
/// the run's summary.
struct GitHub {
    enum Level: String { case error, warning }

    private let summary: LateFile?
    private let workspace: String?
    /// Whether annotations are written: under another format standard error holds nothing but that.
    private let annotates: Bool

    /// A report to GitHub Actions; nil where it doesn't run this program.
    init?(annotates: Bool = true) {
        guard Console.environment("GITHUB_ACTIONS") == "true" else { return nil }
        self.annotates = annotates
        workspace = Console.environment("GITHUB_WORKSPACE")
        // Without it there is no summary, and all else goes well.
        summary = Console.environment("GITHUB_STEP_SUMMARY").flatMap { try? LateFile($0, appends: true) }
    }

    /// - Parameter line: From 1; 0 for the file as a whole.
    func annotate(_ level: Level, _ message: String, title: String, file: String, line: Int = 0) {
        guard annotates else { return }
        var properties = ["file=\(Self.property(inWorkspace(file)))"]
        if line > 0 { properties.append("line=\(line)") }
        properties.append("title=\(Self.property(title))")
        Console.error("::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.data(message))")
    }

    /// A problem as a sentence: `lab.json:3:5: /jobs/0: …`.
    func annotate(problem: String, manifest: String) {
        let parts = problem.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let line = Int(parts[1]), Int(parts[2]) != nil else {
            return annotate(.error, problem, title: "invalid manifest", file: manifest)
        }
        annotate(
            .error, String(parts[3].drop { $0 == " " }), title: "invalid manifest", file: parts[0], line: line)
    }

    func annotate(_ outcomes: [(job: JobOrder, outcome: JobOutcome)], of batch: Batch) {
        var causes = Causes()
        for (job, outcome) in outcomes {
            switch outcome.status {
            case .failed:
                causes.add(.error, outcome.error ?? "failed", of: job, "failed", line: job.line)
            case .unexpected:
                for (index, judgement) in outcome.judgements.enumerated() where !judgement.holds {
                    let line = job.expectLines.indices.contains(index) ? job.expectLines[index] : job.line
                    causes.add(
                        .error, judgement.complaints.joined(separator: "; "), of: job, "not as expected", line: line,
                        cause: judgement.title)
                }
            default: break
            }
            for note in outcome.notes where outcome.status.isWhole && !outcome.isUpToDate {
                causes.add(.warning, note, of: job, "", line: job.line)
            }
        }
        for cause in causes.all {
            annotate(cause.level, cause.message, title: cause.title, file: batch.manifest, line: cause.line)
        }
    }

    /// The most rows of the table, what isn't well first.
    private static let mostRows = 200

    func summarize(_ outcomes: [(job: JobOrder, outcome: JobOutcome)], of batch: Batch) {
        let order: [JobOutcome.Status] = [.failed, .unexpected, .interrupted, .notRun, .done, .upToDate]
        func rank(_ outcome: JobOutcome) -> Int { order.firstIndex(of: outcome.status) ?? order.count }
        let sorted = outcomes.enumerated().sorted {
            (rank($0.element.outcome), $0.offset) < (rank($1.element.outcome), $1.offset)
        }.map(\.element)
        let counts = order.compactMap { status -> String? in
            let count = outcomes.count { $0.outcome.status == status }
            return count > 0 ? "\(count) \(status.rawValue)" : nil
        }
        var text = "### \(Self.cell(Files.name(of: batch.manifest))): \(counts.joined(separator: ", "))\n\n"
        text += "| job | status | what | frames | s |\n| --- | --- | --- | ---: | ---: |\n"
        for (job, outcome) in sorted.prefix(Self.mostRows) {
            let what =
                [outcome.error].compactMap(\.self) + outcome.complaints + [outcome.found].compactMap(\.self)
                + outcome.notes
            text += "| \(Self.cell(job.id)) | \(outcome.status.rawValue) | \(Self.cell(what.joined(separator: "; "))) "
            text += "| \(outcome.frames) | \((outcome.seconds * 10).rounded() / 10) |\n"
        }
        if sorted.count > Self.mostRows { text += "\n… and \(sorted.count - Self.mostRows) more jobs\n" }
        // A summary that can't be written spoils nothing.
        try? summary?.write(text + "\n")
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    private static func cell(_ text: String) -> String {
        text.replacing("\n", with: " ").inOneLine.replacing("|", with: "\\|").replacing("<", with: "&lt;")
    }

    /// A path from the checked-out repository, as annotations name files.
    private func inWorkspace(_ path: String) -> String {
        guard let workspace, let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        let whole = path.hasPrefix("/") ? path : String(cString: here) + "/" + path
        return whole.hasPrefix(workspace + "/") ? String(whole.dropFirst(workspace.count + 1)) : path
    }
}
