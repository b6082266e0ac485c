/// The photos and clips of a folder and of those below, as entries of a manifest: one for each folder and ending.
///
/// Ids are names of files, so a folder's path goes before its files' names: `day-1/cam-2/a.mp4` is `day-1-cam-2-a`. Left out are, as
/// by globs, what is hidden and folders that a link leads to, results, and what no decoder can open.
struct ReleaseFolder {
    struct Entry {
        /// From the folder as a whole; empty for that itself.
        var folder: String
        /// The extension as the files have it.
        var end: String
        /// As a manifest has it.
        var id = ""
        /// The files' names without their extension.
        var stems: [String]
        /// Names of files with that extension that are left out.
        var excluded: [String] = []

        /// Where something of that folder lies, from the folder as a whole.
        func place(of name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

        /// Takes a file out.
        mutating func exclude(_ stem: String) {
            stems.removeAll { $0 == stem }
            excluded.append("\(stem).\(end)")
        }
    }

    /// By folder, and in a folder by the first file's name.
    private(set) var entries: [Entry] = []
    /// Sentences about what is left out.
    private(set) var hints: [String] = []
    /// Sentences about photos and clips that are left out, and would be missed.
    private(set) var leftOut: [String] = []

    /// What a manifest takes for a pattern or a name to be filled in, or can't have in an id.
    private static let signs: Set<Character> = ["*", "?", "[", "]", "{", "}", "\\"]
    /// What may stand between the names of folders and files in an id; the first by which no two are the same.
    private static let separators = ["-", "_", "--", "__", "~", "+"]
    /// Names that a hint tells; others have a line each.
    private static let mostNames = 3

    /// - Parameters:
    ///   - ends: Extensions of what is taken, in lower case.
    ///   - results: Folders of results: the output folder, and the one of track files.
    /// - Throws: `FileError` for a folder that can't be read, or where no ids are found that differ.
    init(_ media: String, ends: [String], results: [String]) throws {
        // The report lies in the first of them.
        let own = results.first.flatMap { EarlierResults(in: $0) }
        let results = Set(results.map(Files.canonicalOfPossible))
        var (others, links, odd, earlier, written) = ([String](), [String](), [String](), [String](), [String]())
        var strangers: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            var below: [String] = []
            var kinds: [Entry] = []
            let past = EarlierResults(in: folder.isEmpty ? media : "\(media)/\(folder)")
            if let past, past.areAll, !folder.isEmpty {
                earlier.append(folder)
                strangers += EarlierResults.strangers(in: "\(media)/\(folder)", ends, past).map { "\(folder)/\($0)" }
                continue
            }
            for name in try Files.list(folder.isEmpty ? media : "\(media)/\(folder)") where !name.hasPrefix(".") {
                let relative = folder.isEmpty ? name : "\(folder)/\(name)"
                let path = "\(media)/\(relative)"
                if Files.isDirectory(path) {
                    if Files.isLink(path) {
                        links.append(relative)
                    } else if past?.hasFolder(name) == true {
                        earlier.append(relative)
                    } else if name.contains(where: Self.signs.contains) {
                        odd.append(relative)
                    } else if results.contains(Files.canonicalOfPossible(path)) {
                        strangers += EarlierResults.strangers(in: path, ends, own).map { "\(relative)/\($0)" }
                    } else {
                        below.append(relative)
                    }
                    continue
                }
                let stem = Files.stem(of: name)
                let end = String(name.dropFirst(stem.count + 1))
                let isResult = past?.hasFile(name) == true
                if isResult { written.append(relative) }
                guard Files.isRegular(path), ends.contains(end.lowercased()) else {
                    if !isResult { others.append(relative) }
                    continue
                }
                let index = kinds.firstIndex { $0.end == end } ?? kinds.count
                if index == kinds.count { kinds.append(Entry(folder: folder, end: end, stems: [])) }
                if isResult { kinds[index].excluded.append(name) } else { kinds[index].stems.append(stem) }
            }
            entries += kinds.filter { !$0.stems.isEmpty }
            folders += below.reversed()
        }
        try nameEntries(media)
        leaveOutNames()
        try leaveOutUnusable(media)
        entries.removeAll { $0.stems.isEmpty }
        func tell(_ all: [String], _ one: String, _ many: String) {
            guard !all.isEmpty else { return }
            let names = all.prefix(Self.mostNames).map(\.inOneLine).joined(separator: ", ")
            let rest = all.dropFirst(Self.mostNames)
            let more = rest.isEmpty ? "" : ", and \(rest.count) more, each on a line of its own"
            hints.append("\(all.count) \(all.count == 1 ? one : many): \(names)\(more)")
            hints += rest.map { "left out: \($0.inOneLine)" }
        }
        tell(
            others, "file is left out, no photo and no clip by its name",
            "files are left out, no photos and no clips by their names")
        tell(links, "folder is left out, since a link leads to it", "folders are left out, since links lead to them")
        tell(
            odd, "folder is left out, since its name has a sign of patterns",
            "folders are left out, since their names have signs of patterns")
        tell(
            earlier, "folder is left out, with results of an earlier run",
            "folders are left out, with results of earlier runs")
        tell(
            strangers, "photo or clip that no job wrote is left out, since it lies among results",
            "photos and clips that no job wrote are left out, since they lie among results")
        tell(
            written, "file is left out, a result of an earlier run", "files are left out, results of earlier runs")
    }

    /// Leaves out files that no job can be called after.
    private mutating func leaveOutNames() {
        for index in entries.indices {
            for stem in entries[index].stems {
                let id = entries[index].id.replacing("{name}", with: stem)
                if TextRule.fileName.accepts(id) { continue }
                let name = entries[index].place(of: "\(stem).\(entries[index].end)")
                leftOut.append(
                    "“\(name.inOneLine)” is left out: “\(id.inOneLine)” can be no job's id; expected "
                        + "\(describe(.string(.fileName))): rename it")
                entries[index].exclude(stem)
            }
        }
    }

    /// Leaves out files that no decoder can open.
    private mutating func leaveOutUnusable(_ media: String) throws {
        let files = entries.indices.flatMap { index in entries[index].stems.map { (index: index, stem: $0) } }
        let paths = files.map { file in
            let entry = entries[file.index]
            return "\(media)/\(entry.place(of: "\(file.stem).\(entry.end)"))"
        }
        let sentences = try parallelMap(paths.count, threads: Machine.cores) { index -> String? in
            let path = paths[index]
            // What can't be read is its job's trouble; and where a link leads out of the folder, this process can't look.
            guard Files.whyUnreadable(path) == nil, !Files.isLink(path) || Files.isInside(path, media) else {
                return nil
            }
            do {
                _ = try SourceInfo.probe(path: path)
                return nil
            } catch {
                return "\(error); it is left out"
            }
        }
        for (file, sentence) in zip(files, sentences) {
            guard let sentence else { continue }
            leftOut.append(sentence)
            entries[file.index].exclude(file.stem)
        }
    }

    /// Gives each entry an id by which no two files have the same.
    private mutating func nameEntries(_ media: String) throws {
        for separator in Self.separators {
            var taken: Set<String> = []
            var named = entries
            let isWell = named.indices.allSatisfy { index in
                let (folder, end) = (entries[index].folder, entries[index].end)
                let before = folder.isEmpty ? "" : folder.split(separator: "/").joined(separator: separator) + separator
                // A photo and a clip of one name would be one job.
                for after in ["", "\(separator)\(end)"] {
                    let ids = entries[index].stems.map { before + $0 + after }
                    guard taken.isDisjoint(with: ids) else { continue }
                    taken.formUnion(ids)
                    named[index].id = "\(before){name}\(after)"
                    return true
                }
                return false
            }
            guard isWell else { continue }
            entries = named
            return
        }
        throw FileError(
            "use", path: media,
            reason: "its files' names can't be told apart with their folders' before them; expected other names")
    }
}
