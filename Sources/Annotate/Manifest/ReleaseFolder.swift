/// The photos and clips of a folder and of those below, as entries of a manifest: one for each folder and ending.
///
/// Ids are names of files, so a folder's path goes before its files' names: `day-1/cam-2/a.mp4` is `day-1-cam-2-a`. Left out are, as
/// by globs, what is hidden and folders that a link leads to, and results.
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
    }

    /// By folder, and in a folder by the first file's name.
    private(set) var entries: [Entry] = []
    /// Sentences about what is left out.
    private(set) var hints: [String] = []

    /// What a manifest takes for a pattern or a name to be filled in, or can't have in an id.
    private static let signs: Set<Character> = ["*", "?", "[", "]", "{", "}", "\\"]
    /// What may stand between the names of folders and files in an id; the first by which no two are the same.
    private static let separators = ["-", "_", "--", "__", "~", "+"]
    /// Names that a hint tells.
    private static let mostNames = 3

    /// - Parameters:
    ///   - ends: Extensions of what is taken, in lower case.
    ///   - results: Folders of results.
    /// - Throws: `FileError` for a folder that can't be read, or where no ids are found that differ.
    init(_ media: String, ends: [String], results: [String]) throws {
        let results = Set(results.map(Files.canonicalOfPossible))
        var (others, links, odd) = ([String](), [String](), [String]())
        var folders = [""]
        while let folder = folders.popLast() {
            var below: [String] = []
            var kinds: [Entry] = []
            for name in try Files.list(folder.isEmpty ? media : "\(media)/\(folder)") where !name.hasPrefix(".") {
                let relative = folder.isEmpty ? name : "\(folder)/\(name)"
                let path = "\(media)/\(relative)"
                if Files.isDirectory(path) {
                    if Files.isLink(path) {
                        links.append(relative)
                    } else if name.contains(where: Self.signs.contains) {
                        odd.append(relative)
                    } else if !results.contains(Files.canonicalOfPossible(path)) {
                        below.append(relative)
                    }
                    continue
                }
                let stem = Files.stem(of: name)
                let end = String(name.dropFirst(stem.count + 1))
                guard Files.isRegular(path), ends.contains(end.lowercased()) else {
                    others.append(relative)
                    continue
                }
                if let index = kinds.firstIndex(where: { $0.end == end }) {
                    kinds[index].stems.append(stem)
                } else {
                    kinds.append(Entry(folder: folder, end: end, stems: [stem]))
                }
            }
            entries += kinds
            folders += below.reversed()
        }
        try nameEntries(media)
        func tell(_ all: [String], _ one: String, _ many: String) {
            guard !all.isEmpty else { return }
            let names = all.prefix(Self.mostNames).map(\.inOneLine).joined(separator: ", ")
            let more = all.count > Self.mostNames ? ", …" : ""
            hints.append("\(all.count) \(all.count == 1 ? one : many): \(names)\(more)")
        }
        tell(
            others, "file is left out, no photo and no clip by its name",
            "files are left out, no photos and no clips by their names")
        tell(links, "folder is left out, since a link leads to it", "folders are left out, since links lead to them")
        tell(
            odd, "folder is left out, since its name has a sign of patterns",
            "folders are left out, since their names have signs of patterns")
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
