/// Where a batch's results go: the output folder, and the one of track files where that is another.
public struct OutputPlaces: Sendable, Hashable {
    public var directory: String
    /// The folder of track files and of what else says where things are; nil where they go to the others.
    public let tracks: String?
    /// The same folder, seen from the output folder.
    private let inner: String?

    /// - Parameter tracks: nil, or the output folder itself, for no folder of their own.
    public init(_ directory: String, tracks: String? = nil) {
        self.directory = directory
        let inner = tracks.map { Files.relative($0, to: directory) }
        let isOther = inner.map { !$0.isEmpty } ?? false
        (self.tracks, self.inner) = isOther ? (tracks, inner) : (nil, nil)
    }

    /// All folders that are written in.
    public var folders: [String] { [directory] + [tracks].compactMap(\.self) }

    /// Where a job's file of a form goes.
    func path(of format: SinkFormat, _ id: String) -> String {
        (format.isShown ? directory : tracks ?? directory) + "/" + id + format.suffix
    }

    /// What a report calls a job's file: its name, or its path from the output folder.
    func place(of format: SinkFormat, _ id: String) -> String {
        let name = id + format.suffix
        return format.isShown ? name : inner.map { $0 + "/" + name } ?? name
    }

    /// A file as the report calls it, as a path that can be opened and shown.
    public func path(_ place: String) -> String {
        if isAmongTracks(place), let tracks { return tracks + "/" + Files.name(of: place) }
        return directory + "/" + place
    }

    /// True for what lies in the folder of track files.
    func isAmongTracks(_ place: String) -> Bool {
        inner.map { place == $0 + "/" + Files.name(of: place) } ?? false
    }

    /// Whether a report's word for a job's file is one: a name, or a path from the output folder to what is called as the
    /// job's files are. A report may be anybody's, and must not point at anything else.
    static func isPlace(_ text: String, of id: String) -> Bool {
        if Files.isPlainName(text) { return true }
        let name = Files.name(of: text)
        return !text.hasPrefix("/") && text.hasSuffix("/" + name) && !text.utf8.contains(0)
            && Sinks.formats.contains { name == id + $0.suffix }
    }
}
