/// The track files of a run.
public enum TrackFiles {
    /// Paths of a folder's track files: those in it, and those that the report in it says lie in a folder of their own.
    ///
    /// A report may be anybody's: what it names elsewhere counts only where it has the very contents that the report gives, so
    /// that it tells nobody anything that he doesn't know. Links count nowhere.
    /// - Throws: `FileError` where the folder can't be listed.
    public static func list(in folder: String) throws -> [String] {
        let held = try HeldFolder(folder)
        let here = try names(in: held).filter { held.entry($0)?.kind != .link }
        let elsewhere = Report.places(directory: folder).values.filter(\.status.isWhole).flatMap { outcome in
            outcome.outputs.map(\.file).filter { place in
                guard place.hasSuffix(suffix), !Files.isPlainName(place), let contents = outcome.trackFile else {
                    return false
                }
                return has(contents, folder + "/" + place)
            }
        }
        return (here + elsewhere.sorted()).map { folder + "/" + $0 }
    }

    /// Those of a folder's track files that aren't of jobs of which its report says that they aren't whole, and these jobs' ids.
    /// - Parameters:
    ///   - files: Paths, as `list` gives them.
    ///   - folder: The path of the folder with the report.
    public static func whole(_ files: [String], in folder: String) -> (files: [String], leftOut: [String]) {
        let outcomes = Report.places(directory: folder)
        // A file is the job's that the report gives it, whatever it is called; one of which it says nothing that of its name.
        let whole = Set(outcomes.values.filter(\.status.isWhole).flatMap { $0.outputs.map(\.file) })
        let lacking = Set(outcomes.filter { !$0.value.status.isWhole }.keys)
        let others = files.filter { path in
            whole.contains(String(path.dropFirst(folder.count + 1)))
                || !lacking.contains(String(Files.name(of: path).dropLast(suffix.count)))
        }
        return (others, lacking.sorted())
    }

    /// Names of links that are called as track files: nothing that they lead to is looked at.
    public static func links(in folder: String) -> [String] {
        // Who can't list the folder says so himself.
        guard let held = try? HeldFolder(folder), let names = try? names(in: held) else { return [] }
        return names.filter { held.entry($0)?.kind == .link }
    }

    private static let suffix = TracksSink.format.suffix

    private static func names(in folder: HeldFolder) throws -> [String] {
        try folder.names().filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
    }

    /// Whether a plain file has these contents. One that can't be read has others.
    private static func has(_ contents: String, _ path: String) -> Bool {
        guard let folder = try? HeldFolder(Files.parent(of: path)) else { return false }
        let name = Files.name(of: path)
        return folder.entry(name)?.size == ContentHash.size(contents)
            && (try? ContentHash.of(name, in: folder)) == contents
    }
}
