/// A file for `make` of what each result depends on.
public struct DependencyFile {
    /// A rule for each result of each job.
    public private(set) var text = ""

    /// Files that make has no way to name, sorted: they are in no rule.
    public private(set) var unnamed: [String] = []

    /// The rules of a batch.
    /// - Parameters:
    ///   - batch: All of its jobs have rules, those that don't run too.
    ///   - stamp: A file that is written when all that ran has gone well; nil for none.
    ///   - only: Ids of the jobs that run, on which the stamp depends; nil for all.
    public init(of batch: Batch, stamp: String? = nil, only: Set<String>? = nil) {
        let manifest = MediaInput(path: batch.manifest) == .standardInput ? [] : [batch.manifest]
        var all = manifest
        // What a data set is made of: not what was accepted.
        var sources = manifest
        var knownSources = Set(manifest)
        var known = Set(manifest)
        var stamped = manifest
        var knownStamped = Set(manifest)
        var rules = Rules()
        for job in batch.jobs {
            let source = MediaInput(path: job.input)
            let inputs = (source == .standardInput || job.address != nil ? [] : source.files) + job.dependencies
            rules.add(job.results.map(batch.output.path), manifest + inputs)
            // What was accepted is no matter of the results, but of what becomes of them.
            let judged = inputs + job.accepted
            sources += inputs.filter { knownSources.insert($0).inserted }
            all += judged.filter { known.insert($0).inserted }
            if only?.contains(job.id) ?? true { stamped += judged.filter { knownStamped.insert($0).inserted } }
        }
        // A run of some jobs writes no data set.
        if let dataSet = batch.dataSet, only == nil {
            let files = [dataSet.classes, dataSet.remarks].compactMap(\.self)
            rules.add(["\(dataSet.directory)/\(DataSetRecord.name)"], sources + files)
            all += files.filter { known.insert($0).inserted }
            stamped += files.filter { knownStamped.insert($0).inserted }
        }
        rules.add(["\(batch.directory)/\(batch.report)"], all)
        if let stamp { rules.add([stamp], stamped) }
        // A file that goes needs no rule to be made by: it isn't named any more when this is written the next time.
        for file in all { rules.add([file], []) }
        text = rules.lines.joined(separator: "\n") + "\n"
        unnamed = rules.unnamed.sorted()
    }

    /// Whether a text is such a file's, or the beginning of a long one's: rules without recipes, of which one makes a
    /// track file, a report or a data set. What compilers write for make has others.
    public static func isOne(beginning text: String) -> Bool {
        // Where make can name nothing.
        if text == "\n" { return true }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The last one is cut off, or there is nothing behind the end of the one before.
        if lines.count > 1 { lines.removeLast() }
        let rules = lines.map(targets)
        return !rules.contains(nil) && rules.contains { $0?.contains(where: isResult) ?? false }
    }

    /// What a rule makes, as it is written there; nil for a line that is no rule such as this program writes.
    private static func targets(_ line: Substring) -> [String]? {
        guard let first = line.first, !first.isWhitespace, first != "#" else { return nil }
        // Within a name both are escaped, and no name has a backslash of its own.
        let plain = String(line).replacing("\\:", with: "_").replacing("\\ ", with: "_")
        guard let colon = plain.firstIndex(of: ":") else { return nil }
        let rest = plain[plain.index(after: colon)...]
        guard rest.isEmpty || rest.hasPrefix(" "), !rest.contains(";") else { return nil }
        return plain[..<colon].split(separator: " ").map(String.init)
    }

    private static func isResult(_ target: String) -> Bool {
        let name = Files.name(of: target)
        return name.hasSuffix(TracksSink.format.suffix) || name == Manifest.reportName || Shard.isReport(name)
            || name == DataSetRecord.name
    }

    private struct Rules {
        var lines: [String] = []
        var unnamed: Set<String> = []

        mutating func add(_ targets: [String], _ prerequisites: [String]) {
            let targets = names(targets).map(\.target)
            if targets.isEmpty { return }
            let right = names(prerequisites).map { " " + $0.prerequisite }.joined()
            lines.append(targets.joined(separator: " ") + ":" + right)
        }

        private mutating func names(_ paths: [String]) -> [MakeName] {
            paths.compactMap { path in
                let name = MakeName(path)
                if name == nil { unnamed.insert(path) }
                return name
            }
        }
    }
}
