/// Finds the files that a job's `input` names.
struct InputReader {
    /// The job's JSON.
    let node: JSONNode
    let path: [PathComponent]
    let paths: ManifestPaths
    /// The folder for results.
    let output: String
    let log: ProblemLog
    /// Files that jobs name for themselves, which no glob gives again: canonical paths.
    var named: Set<String> = []
    /// Whether a file that isn't there is a job's trouble, not the manifest's.
    var allowsMissing = false

    /// Paths that can be opened: one, or those that a glob matches.
    func read() -> [String] {
        // What is no path has been complained of.
        guard let input = node["input"]?.string, TextRule.path.accepts(input) else { return [] }
        if MediaInput.isStandardInput(input) { return standardInput(input) }
        if let address = RemoteAddress(input) { return remote(address) }
        let file = paths.resolve(input)
        if let address = RemoteAddress.mended(input), !Files.exists(file) {
            complain(
                "input",
                "the address has a space or a line break in it; expected “\(address.shown)”, with %20 for a space")
            return []
        }
        if RemoteAddress.isMeant(input), !Files.exists(file), Files.glob(paths.pattern(input)).isEmpty {
            complain(
                "input",
                "“\(RemoteAddress.shown(input))” is neither an address nor a file; expected an address such as "
                    + "https://host/clip.mp4, or a path relative to the manifest's folder")
            return []
        }
        if let complaint = paths.complaint(file, written: input) {
            complain("input", complaint)
            return []
        }
        if Files.isDirectory(file) {
            complain("input", "“\(input)” is a folder; expected a file, or a glob such as “\(input)/*.mp4”")
            return []
        }
        if Files.isRegular(file) {
            checkExclude()
            return readable(file, input)
        }
        if Files.exists(file) {
            complain(
                "input", "“\(input)” is a pipe or a device; expected a file, or “-” to read a stream on standard input")
            return []
        }
        if case .sequence(let sequence) = MediaInput(path: file) { return numbered(sequence, file, input) }
        guard input.contains(where: { "*?[".contains($0) }) else {
            if allowsMissing {
                log.remark("there is no file “\(input)”; its job will fail")
                return [file]
            }
            complain(
                "input",
                Files.isLink(file)
                    ? "“\(input)” is a link to a file that isn't there; expected a file"
                    : "no file “\(input)”; expected a path relative to the manifest's folder"
                        + log.suggestion(near: file))
            return []
        }
        return matching(file, input)
    }

    private func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private func readable(_ file: String, _ input: String) -> [String] {
        if !allowsMissing, let reason = Files.whyUnreadable(file) {
            complain("input", "“\(input)” can't be read: \(reason)")
        }
        return [file]
    }

    /// What is left out of one file is nothing that anybody means.
    private func checkExclude() {
        guard node["exclude"] != nil, !log.origins.isMoved(path + [.key("exclude")]) else { return }
        complain("exclude", "“exclude” beside one file; expected it beside a glob")
    }

    /// Canonical paths of the files that `exclude` names.
    /// - Parameter files: Those that the glob matches, canonical too.
    private func excluded(of files: Set<String>) -> Set<String> {
        var all: Set<String> = []
        for (index, element) in (node["exclude"]?.elements ?? []).enumerated() {
            guard let pattern = element.string, TextRule.path.accepts(pattern) else { continue }
            let file = paths.resolve(pattern)
            let found = Set((Files.exists(file) ? [file] : Files.glob(paths.pattern(pattern))).map(Files.canonical))
            // One of `defaults` is for the globs that have such files.
            if found.isDisjoint(with: files), !log.origins.isMoved(path + [.key("exclude")]) {
                log.add(
                    "“\(pattern)” leaves nothing out: \(found.isEmpty ? "no file matches" : "“input” matches none of its files"); "
                        + "expected one of those that “input” matches",
                    at: element,
                    path: path + [.key("exclude"), .index(index)])
            }
            all.formUnion(found)
        }
        return all
    }

    /// What it is shows when it is fetched.
    private func remote(_ address: RemoteAddress) -> [String] {
        guard paths.root == nil else {
            complain(
                "input",
                "“\(address.shown)” lies elsewhere, and under --root nothing is fetched; expected a path inside it")
            return []
        }
        if let flaw = address.flaw {
            complain("input", "“\(address.shown)” \(flaw)")
            return []
        }
        checkExclude()
        return [address.text]
    }

    private func standardInput(_ input: String) -> [String] {
        if node["id"] == nil {
            complain("input", "“\(input)” is standard input, which has no name; expected an “id” too")
        }
        return [input]
    }

    private func numbered(_ sequence: ImageSequence, _ file: String, _ input: String) -> [String] {
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

    /// Whether a match of a glob lies among the results, where the glob's own folder doesn't: what one run has written is no
    /// input of the next.
    private func isResult(_ match: String, of glob: String) -> Bool {
        guard Files.isDirectory(output) else { return false }
        let folder = Files.parent(of: String(glob.prefix { !"*?[".contains($0) }) + "x")
        return !Files.isInside(folder, output) && Files.isInside(match, output)
    }

    /// The sentence about a file that a glob matches and nobody can read.
    static func unreadable(_ file: String, _ glob: String, _ reason: String) -> String {
        "“\(file)”, which “\(glob)” matches, can't be read: \(reason); its job will fail"
    }

    /// The sentence about a file that a glob matches, and after which no job can be called.
    static func nameless(_ file: String, _ glob: String, _ fault: String) -> String {
        "“\(glob)” matches a file whose name \(fault), “\(file)”, which is left out; rename it"
    }

    /// The sentence about a link that a glob matches and that leads nowhere; nil for what is none.
    static func dangling(_ file: String, shownAs shown: String, _ glob: String) -> String? {
        guard Files.isLink(file), !Files.exists(file) else { return nil }
        return "“\(shown)”, which “\(glob)” matches, is a link to a file that isn't there, and is left out"
    }

    /// Whether a file that a glob matches has control characters in what the glob doesn't say itself: no job is called so.
    static func hasControls(_ match: String, of glob: String) -> Bool {
        let start = glob.prefix { !"*?[".contains($0) }.utf8
        let said = start.lastIndex(of: UInt8(ascii: "/")).map { start[...$0] } ?? start.prefix(0)
        let own = match.utf8.dropFirst(match.utf8.starts(with: said) ? said.count : 0)
        return String(decoding: own, as: UTF8.self).hasControls
    }

    private func matching(_ file: String, _ input: String) -> [String] {
        if let id = node["id"]?.string, !NameTemplate(id).varies {
            complain(
                "id",
                "the id “\(id)” beside a glob, for every file the same; expected a template such as “{name}” or "
                    + "“{folder}-{name}”, or no id")
        }
        let all = Files.matches(of: paths.pattern(input))
        let found = all.paths.filter { Files.isRegular($0) && !isResult($0, of: file) }
        let excluded = excluded(of: Set(found.map(Files.canonical)))
        let others = named.union(excluded)
        let files = found.filter { !Self.hasControls($0, of: file) }
        // Whoever may put a file there must not stop the jobs of all others.
        let lost =
            all.nameless.map { ($0, "isn't UTF-8") }
            + found.filter { Self.hasControls($0, of: file) && !others.contains(Files.canonical($0)) }.map {
                ($0, "has control characters")
            }
        for (lost, fault) in lost {
            let shown = paths.shown(lost)
            if files.isEmpty {
                complain("input", "“\(input)” matches a file whose name \(fault), “\(shown)”; expected it renamed")
            } else {
                log.remark(Self.nameless(shown, input, fault))
            }
        }
        for match in all.paths {
            if let sentence = Self.dangling(match, shownAs: paths.shown(match), input) { log.remark(sentence) }
        }
        if found.isEmpty, all.nameless.isEmpty {
            complain("input", "no file matches the glob “\(input)”; expected at least one")
        }
        for match in files {
            if let complaint = paths.complaint(match, written: Files.name(of: match)) { complain("input", complaint) }
            if let reason = Files.whyUnreadable(match) {
                log.remark(Self.unreadable(paths.shown(match), input, reason))
            }
        }
        guard !others.isEmpty else { return files }
        let left = files.filter { !others.contains(Files.canonical($0)) }
        if left.isEmpty, !files.isEmpty, files.allSatisfy({ excluded.contains(Files.canonical($0)) }) {
            log.remark("“\(input)”: “exclude” leaves out all that it matches, \(Words.plural(files.count, "file"))")
        }
        return left
    }
}
