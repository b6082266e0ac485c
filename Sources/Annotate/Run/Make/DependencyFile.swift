/// A file for `make` of what each result depends on.
public enum DependencyFile {
    /// The file's text: a rule for each result of each job.
    /// - Parameters:
    ///   - stamp: A file that is written when all that ran has gone well; nil for none.
    ///   - only: Ids of the jobs that run, on which the stamp depends; nil for all.
    public static func text(of batch: Batch, stamp: String? = nil, only: Set<String>? = nil) -> String {
        let manifest = MediaInput(path: batch.manifest) == .standardInput ? [] : [batch.manifest]
        var lines: [String] = []
        var all = manifest
        // What a data set is made of: not what was accepted.
        var sources = manifest
        var knownSources = Set(manifest)
        var known = Set(manifest)
        var stamped = manifest
        var knownStamped = Set(manifest)
        for job in batch.jobs {
            let source = MediaInput(path: job.input)
            let inputs = (source == .standardInput || job.address != nil ? [] : source.files) + job.dependencies
            lines.append(rule(job.results.map(batch.output.path), manifest + inputs))
            // What was accepted is no matter of the results, but of what becomes of them.
            let judged = inputs + job.accepted
            sources += inputs.filter { knownSources.insert($0).inserted }
            all += judged.filter { known.insert($0).inserted }
            if only?.contains(job.id) ?? true { stamped += judged.filter { knownStamped.insert($0).inserted } }
        }
        // A run of some jobs writes no data set.
        if let dataSet = batch.dataSet, only == nil {
            let files = [dataSet.classes, dataSet.remarks].compactMap(\.self)
            lines.append(rule(["\(dataSet.directory)/\(DataSetRecord.name)"], sources + files))
            all += files.filter { known.insert($0).inserted }
            stamped += files.filter { knownStamped.insert($0).inserted }
        }
        lines.append(rule(["\(batch.directory)/\(batch.report)"], all))
        if let stamp { lines.append(rule([stamp], stamped)) }
        // A file that goes needs no rule to be made by: it isn't named any more when this is written the next time.
        lines += all.map { target($0) + ":" }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func rule(_ targets: [String], _ files: [String]) -> String {
        targets.map(target).joined(separator: " ") + ": " + files.map(escaped).joined(separator: " ")
    }

    /// A path as a target, where a “%” would make a pattern; among prerequisites it is itself.
    private static func target(_ path: String) -> String { escaped(path).replacing("%", with: "\\%") }

    /// A path as make takes it: relative ones as people write them, without "./".
    private static func escaped(_ path: String) -> String {
        var text = ""
        for character in path.hasPrefix("./") ? String(path.dropFirst(2)) : path {
            switch character {
            case " ", "#", ":", "*", "?", "[", "]", "\\", "~", "\t": text += "\\" + String(character)
            case "$": text += "$$"
            default: text.append(character)
            }
        }
        return text
    }
}
