/// The video that a track file tells of.
public enum TrackFileSource {
    /// The path that the report beside a track file gives.
    /// - Parameter report: The folder with the report, where the track file lies in another.
    /// - Throws: `FileError` with what to do where there is none, or no longer.
    public static func find(for tracks: String, report: String? = nil, kinds: FindingCatalog) throws -> String {
        let name = try SidecarReader(path: tracks, kinds: kinds).header.source.name
        let suffix = TracksSink.format.suffix
        let (folder, file) = (report ?? Files.parent(of: tracks), Files.name(of: tracks))
        let id = file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : Files.stem(of: file)
        func missing(_ reason: String) -> FileError {
            FileError("find the video of", path: tracks, reason: "\(reason); name it with --input")
        }
        guard let source = Report.read(directory: folder)[id]?.source else {
            throw missing("no report beside it says which file “\(name.inOneLine)” is")
        }
        let path = source.hasPrefix("/") ? source : folder + "/" + source
        guard Files.name(of: path) == name else {
            throw missing("the report names \(path), and the track file “\(name.inOneLine)”")
        }
        guard MediaInput(path: path).files.allSatisfy(Files.isRegular), !MediaInput(path: path).files.isEmpty else {
            throw missing("the report names \(path), which is no file")
        }
        return path
    }
}
