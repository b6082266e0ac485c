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

    /// Whether a folder is called after a job: `clip.yolo`, `clip.coco.frames`.
    func hasFolder(_ name: String) -> Bool {
        name.indices.contains { name[$0] == "." && ids.contains(String(name[..<$0])) }
    }
}
