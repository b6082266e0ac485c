/// The track files of a run.
public enum TrackFiles {
    /// Paths of a folder's track files: those in it, and those that the report in it says lie in a folder of their own.
    ///
    /// What the report names and isn't there is left out.
    /// - Throws: `FileError` where the folder can't be listed.
    public static func list(in folder: String) throws -> [String] {
        let suffix = TracksSink.format.suffix
        let here = try Files.list(folder).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
        let elsewhere = Report.read(directory: folder).values.filter(\.status.isWhole).flatMap(\.outputs).map(\.file)
            .filter { $0.hasSuffix(suffix) && !Files.isPlainName($0) && Files.isRegular(folder + "/" + $0) }
        return (here + elsewhere.sorted()).map { folder + "/" + $0 }
    }
}
