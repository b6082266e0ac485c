/// Finds the files that a job's `input` names.
struct InputReader {
    /// The job.
    let node: JSONNode
    let path: [PathComponent]
    let paths: ManifestPaths
    var log: ProblemLog

    /// Paths that can be opened: one, or those that a glob matches.
    mutating func read() -> [String] {
        // What is no path has been complained of.
        guard let input = node["input"]?.string, TextRule.path.accepts(input) else { return [] }
        if MediaInput(path: input) == .standardInput { return standardInput(input) }
        let file = paths.resolve(input)
        if let complaint = paths.complaint(file, written: input) {
            complain("input", complaint)
            return []
        }
        if Files.isDirectory(file) {
            complain("input", "“\(input)” is a folder; expected a file, or a glob such as “\(input)/*.mp4”")
            return []
        }
        if Files.isRegular(file) { return readable(file, input) }
        if Files.exists(file) {
            complain(
                "input", "“\(input)” is a pipe or a device; expected a file, or “-” to read a stream on standard input")
            return []
        }
        if case .sequence(let sequence) = MediaInput(path: file) { return numbered(sequence, file, input) }
        guard input.contains(where: { "*?[".contains($0) }) else {
            complain(
                "input",
                "no file “\(input)”; expected a path relative to the manifest's folder"
                    + log.suggestion(near: file))
            return []
        }
        return matching(file, input)
    }

    private mutating func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private mutating func readable(_ file: String, _ input: String) -> [String] {
        if let reason = Files.whyUnreadable(file) { complain("input", "“\(input)” can't be read: \(reason)") }
        return [file]
    }

    private mutating func standardInput(_ input: String) -> [String] {
        if node["id"] == nil {
            complain("input", "“\(input)” is standard input, which has no name; expected an “id” too")
        }
        return [input]
    }

    private mutating func numbered(_ sequence: ImageSequence, _ file: String, _ input: String) -> [String] {
        if sequence.numbers.isEmpty {
            complain("input", "no file is numbered like “\(input)”; expected at least one")
            return []
        }
        if let gap = sequence.gap {
            complain("input", "the pictures “\(input)” have a gap: there is no \(gap); expected numbers without gaps")
        }
        for picture in sequence.files {
            if let complaint = paths.complaint(picture, written: Files.name(of: picture)) {
                complain("input", complaint)
                break
            }
        }
        return [file]
    }

    private mutating func matching(_ file: String, _ input: String) -> [String] {
        if node["id"] != nil {
            complain("id", "an id beside a glob; expected none: each job is named after its file")
        }
        let files = Files.glob(file).filter(Files.isRegular)
        if files.isEmpty { complain("input", "no file matches the glob “\(input)”; expected at least one") }
        for match in files {
            if let complaint = paths.complaint(match, written: Files.name(of: match)) { complain("input", complaint) }
        }
        return files
    }
}
