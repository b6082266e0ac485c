/// The source of a track file: the video that it tells of.
public enum TrackFileSource {
    /// Path of the source, by the report beside a track file.
    /// - Parameters:
    ///   - tracks: The track file's path.
    ///   - report: The folder with the report, where the track file lies in another.
    ///   - kinds: Kinds of results that the program knows.
    ///   - advice: What to do where no video is found.
    /// - Throws: `FileError` with that where there is none, or no longer.
    public static func find(
        for tracks: String, report: String? = nil, kinds: FindingCatalog, advice: String = ofOne
    ) throws -> String {
        let suffix = TracksSink.format.suffix
        let (folder, file) = (report ?? Files.parent(of: tracks), Files.name(of: tracks))
        let id = file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : Files.stem(of: file)
        return try find(for: tracks, in: folder, Report.places(directory: folder)[id], kinds: kinds, advice: advice)
    }

    /// The advice of commands that are about one video.
    public static let ofOne = "name it with --input"
    /// The advice of commands that are about folders of results.
    public static let ofMany = "expected the results in the folder that they were written to, beside their report.json"

    /// Path of the source, by what a report says of its job.
    /// - Parameters:
    ///   - folder: The one with the report.
    ///   - outcome: What it says; nil for nothing.
    static func find(
        for tracks: String, in folder: String, _ outcome: JobOutcome?, kinds: FindingCatalog, advice: String
    ) throws -> String {
        let name = try TrackFileReader(path: tracks, kinds: kinds).header.source.name
        func missing(_ reason: String) -> FileError {
            FileError("find the video of", path: tracks, reason: "\(reason); \(advice)")
        }
        guard let outcome, let source = outcome.source else {
            throw missing("no report beside it says which file “\(name.inOneLine)” is")
        }
        let path = source.hasPrefix("/") ? source : folder + "/" + source
        guard Files.name(of: path) == name else {
            throw missing("the report names \(path), and the track file “\(name.inOneLine)”")
        }
        guard MediaInput(path: path).files.allSatisfy(Files.isRegular), !MediaInput(path: path).files.isEmpty else {
            throw missing("the report names \(path), which is no file")
        }
        guard isInput(path, of: outcome) else {
            throw missing("the report names \(path), which isn't, or no longer, what the job read")
        }
        return path
    }

    /// Whether a file has the contents of what a job read. A report may be anybody's: pictures are taken only from what
    /// whoever wrote it had himself.
    public static func isInput(_ path: String, of outcome: JobOutcome) -> Bool {
        let files = MediaInput(path: path).files
        guard let contents = outcome.contents, !files.isEmpty, files.allSatisfy(Files.isRegular),
            files.reduce(0, { $0 &+ (Files.status($1)?.size ?? 0) }) == ContentHash.size(contents)
        else { return false }
        // One that can't be read has other contents.
        return (try? ContentHash.of(files)) == contents
    }
}
