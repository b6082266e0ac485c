/// A batch as a JUnit report: what CI systems show. It fits the schema that Jenkins' xUnit plugin uses.
public struct JUnit: Sendable {
    /// One line of a test list.
    struct Case: Sendable {
        enum Result: Sendable {
            case passed
            /// An expectation doesn't hold.
            case failed(message: String, details: String)
            /// The job failed.
            case error(message: String, details: String)
            case skipped(message: String)
        }

        var name: String
        var seconds = 0.0
        var result = Result.passed
        var output: [String] = []
    }

    /// The suite's name.
    var name: String
    var cases: [Case] = []

    /// A report without tests, to add jobs to.
    /// - Parameter manifest: The manifest's path, or the folder that is told of.
    public init(_ manifest: String) { name = Files.stem(of: manifest) }

    /// Adds a job: a case of its own, and one for each of its expectations.
    /// - Parameters:
    ///   - id: The job's.
    ///   - outcome: How it ended.
    ///   - expect: The expectations, as JSON, for a job that came to nothing.
    ///   - directory: Where its results are.
    public mutating func add(_ id: String, _ outcome: JobOutcome, expect: String? = nil, directory: String) {
        var job = Case(name: id, seconds: outcome.isUpToDate ? 0 : outcome.seconds)
        let files = outcome.outputs.map { "\(directory)/\($0.file)" }
        job.output = ([outcome.found].compactMap(\.self) + outcome.notes.map { "warning: \($0)" } + files)
        switch outcome.status {
        case .done, .upToDate, .unexpected: break
        case .failed:
            let message = outcome.error ?? "failed"
            job.result = .error(message: message, details: ([message] + outcome.notes).joined(separator: "\n"))
        case .interrupted: job.result = .skipped(message: "interrupted")
        case .notRun: job.result = .skipped(message: "not run")
        }
        cases.append(job)
        if outcome.status.isWhole {
            for judgement in outcome.judgements { cases.append(Case(judgement, of: id, files: files)) }
        } else {
            let expectations =
                (expect ?? outcome.expect).flatMap { try? JSONParser.parse(Array($0.utf8)) }?.elements ?? []
            for expectation in expectations {
                let title = Expectation(expectation).title
                cases.append(Case(name: "\(id): \(title)", result: .skipped(message: "the job came to nothing")))
            }
        }
    }

    /// Adds a case of another kind.
    public mutating func add(_ name: String, problems: [String], notes: [String]) {
        var one = Case(name: name, output: notes)
        if let first = problems.first {
            one.result = .failed(message: first, details: problems.joined(separator: "\n"))
        }
        cases.append(one)
    }

    /// Removes what an earlier run wrote, and nothing else: where this one comes to nothing, that must not be taken for it.
    public static func removeOutdated(_ path: String) {
        guard Files.isRegular(path), let start = try? Files.read(path, from: 0, count: head.utf8.count),
            start == Array(head.utf8)
        else { return }
        Files.remove(path)
    }

    private static let head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"annotate-batch\" "

    // MARK: XML

    /// The report's text, XML.
    public var xml: String {
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.isFailure })\" errors=\"\(cases.count { $0.isError })\""
        let time = "time=\"\(Self.seconds(cases.reduce(0) { $0 + $1.seconds }))\""
        var lines = [
            "\(Self.head)\(counts) \(time)>",
            "  <testsuite name=\"\(Self.escaped(name))\" \(counts) skipped=\"\(cases.count { $0.isSkipped })\" \(time)>",
        ]
        for one in cases { lines += one.xml(suite: name) }
        return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }

    fileprivate static func seconds(_ value: Double) -> String {
        var json = JSONWriter()
        json.value(value, decimals: 3)
        return json.text
    }

    /// Text for an attribute or an element. What XML has no way to say becomes U+FFFD.
    fileprivate static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            // Whoever shows it isn't commanded.
            case _ where scalar.isControl || scalar.turnsText: escaped += scalar.writtenOut
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension JUnit.Case {
    fileprivate init(_ judgement: Judgement, of id: String, files: [String]) {
        name = "\(id): \(judgement.title)"
        guard !judgement.holds else { return }
        var details = judgement.complaints
        if let frame = judgement.frame {
            details.append(
                "look at frame \(frame)" + (judgement.time.map { " (\(plain(($0 * 1000).rounded() / 1000)) s)" } ?? ""))
        }
        result = .failed(
            message: judgement.complaints.joined(separator: "; "), details: (details + files).joined(separator: "\n"))
    }

    var isFailure: Bool { if case .failed = result { true } else { false } }
    var isError: Bool { if case .error = result { true } else { false } }
    var isSkipped: Bool { if case .skipped = result { true } else { false } }

    fileprivate func xml(suite: String) -> [String] {
        let head =
            "    <testcase classname=\"\(JUnit.escaped(suite))\" name=\"\(JUnit.escaped(name))\" time=\"\(JUnit.seconds(seconds))\""
        var inner: [String] = []
        func problem(_ tag: String, _ type: String, _ message: String, _ details: String) -> String {
            "      <\(tag) type=\"\(type)\" message=\"\(JUnit.escaped(message))\">\(JUnit.escaped(details))</\(tag)>"
        }
        switch result {
        case .passed: break
        case .failed(let message, let details): inner.append(problem("failure", "unexpected", message, details))
        case .error(let message, let details): inner.append(problem("error", "failed", message, details))
        case .skipped(let message): inner.append("      <skipped message=\"\(JUnit.escaped(message))\"/>")
        }
        if !output.isEmpty {
            inner.append("      <system-out>\(JUnit.escaped(output.joined(separator: "\n")))</system-out>")
        }
        return inner.isEmpty ? [head + "/>"] : [head + ">"] + inner + ["    </testcase>"]
    }
}
