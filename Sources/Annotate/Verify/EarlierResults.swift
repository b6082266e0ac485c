/// What of a folder an earlier run wrote, as a report in it says.
struct EarlierResults {
    /// Whether all of it is results: no job that wrote there read anything in it.
    let areAll: Bool
    private let files: Set<String>
    private let ids: Set<String>

    /// nil for a folder without a report of this program's.
    init?(in folder: String) {
        guard Report.names(in: folder).contains(where: { FileKind(path: "\(folder)/\($0)") == .report }) else {
            return nil
        }
        let outcomes = Report.places(directory: folder)
        ids = Set(outcomes.keys)
        files = Set(outcomes.values.flatMap { $0.outputs.map(\.file) })
        let sources = outcomes.values.compactMap(\.source).map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        areAll = !files.isEmpty && !sources.contains { Files.isInside($0, folder) }
    }

    /// Whether a job wrote the file.
    func hasFile(_ name: String) -> Bool { files.contains(name) }

    /// Whether a folder is a result of a job, `clip.yolo`, or has the pictures of one, `clip.coco.frames`. What else is
    /// called after a job, `clip.raw`, is somebody's.
    func hasFolder(_ name: String) -> Bool { files.contains(name) || isOfJob(name, Self.folderSuffixes) }

    /// Endings of the names of folders with results, behind a job's id.
    private static let folderSuffixes = SinkCatalog.known.formats.compactMap { format -> String? in
        if format.isFolder { return format.suffix }
        guard format.pictures == .beside else { return nil }
        let id = "x"
        return String(Files.name(of: TrackFileExport.picturesFolder(of: id + format.suffix)).dropFirst(id.count))
    }

    private func isOfJob(_ name: String, _ suffixes: some Sequence<String>) -> Bool {
        suffixes.contains { name.hasSuffix($0) && ids.contains(String(name.dropLast($0.count))) }
    }

    // MARK: What isn't results

    /// How deep folders are looked into.
    private static let deepest = 8

    /// Photos and clips among results that no job wrote: somebody laid them there. By their paths from the folder; those
    /// below that are no results are looked through as well.
    /// - Parameters:
    ///   - ends: Extensions of photos and clips, in lower case.
    ///   - past: What is known of the jobs; nil for nothing.
    static func strangers(in folder: String, _ ends: [String], _ past: EarlierResults?) -> [String] {
        var found: [String] = []
        var left = [(folder: "", depth: 0)]
        while let (below, depth) = left.popLast() {
            let place = below.isEmpty ? folder : "\(folder)/\(below)"
            // What can't be listed can't be named either.
            let names = ((try? Files.list(place)) ?? []).filter { !$0.hasPrefix(".") }
            // A data set may have a picture of each thing that was seen.
            if names.contains(DataSetRecord.name) { continue }
            for name in names {
                let path = "\(place)/\(name)"
                let relative = below.isEmpty ? name : "\(below)/\(name)"
                if Files.isDirectory(path) {
                    guard depth < deepest, !Files.isLink(path), past?.hasFolder(name) != true else { continue }
                    left.append((relative, depth + 1))
                    continue
                }
                let end = name.dropFirst(Files.stem(of: name).count + 1).lowercased()
                guard ends.contains(end), Files.isRegular(path) else { continue }
                let isResult = past.map { $0.files.contains(relative) || $0.isOfJob(name, OutputPlaces.suffixes) }
                if isResult != true { found.append(relative) }
            }
        }
        return found.sorted()
    }
}
