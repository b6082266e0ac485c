/// The folders of a batch's results: the output folder, and the one of track files where that is another.
public struct OutputPlaces: Sendable, Hashable {
    /// The output folder's path.
    public var directory: String
    /// Path of the folder of track files and of forms that tell where things are; nil where they go to the output
    /// folder.
    public let tracks: String?
    /// The folder of track files, seen from the output folder.
    private let inner: String?

    /// The folders of a batch.
    /// - Parameters:
    ///   - directory: The output folder's path.
    ///   - tracks: nil, or the output folder itself, for no folder of their own.
    public init(_ directory: String, tracks: String? = nil) {
        self.directory = directory
        let inner = tracks.map { Files.relative($0, to: directory) }
        let isOther = inner.map { !$0.isEmpty } ?? false
        (self.tracks, self.inner) = isOther ? (tracks, inner) : (nil, nil)
    }

    /// Reads where a manifest has its results go, as far as what it says of that is right.
    /// - Parameter directory: Takes the place of the manifest's own.
    init(of manifest: JSONNode, _ paths: ManifestPaths, instead directory: String?) {
        let output = manifest["output"]
        let tracks = output?["tracks"]?.string.flatMap { TextRule.path.accepts($0) ? paths.resolve($0) : nil }
        self.init(directory ?? paths.resolve(output?["directory"]?.string ?? "out"), tracks: tracks)
    }

    /// Paths of all folders that are written in.
    public var folders: [String] { [directory] + [tracks].compactMap(\.self) }

    /// Path of a job's file of a form.
    func path(of format: SinkFormat, _ id: String) -> String {
        (format.isShown ? directory : tracks ?? directory) + "/" + id + format.suffix
    }

    /// A job's file as a report names it: its name, or its path from the output folder.
    func place(of format: SinkFormat, _ id: String) -> String {
        let name = id + format.suffix
        return format.isShown ? name : inner.map { $0 + "/" + name } ?? name
    }

    /// Path, to be opened and shown, of a file as the report names it.
    ///
    /// Only of what `has` holds for.
    public func path(_ place: String) -> String {
        if isAmongTracks(place), let tracks { return tracks + "/" + Files.name(of: place) }
        return directory + "/" + place
    }

    /// Whether a file of a report lies in the folder of track files.
    func isAmongTracks(_ place: String) -> Bool {
        inner.map { place == $0 + "/" + Files.name(of: place) } ?? false
    }

    /// Endings that the names of a job's files may have, behind its id.
    static let suffixes = Set(
        SinkCatalog.known.formats.map(\.suffix)
            + EncodeSettings.Codec.allCases.compactMap { $0.container.map { "." + $0.fileExtension } })

    /// Whether something has the name of a job's file.
    static func isResult(_ name: String, of id: String) -> Bool {
        // Byte for byte: two names that are one text in Unicode are two files.
        TextRule.fileName.accepts(id) && suffixes.contains { name.utf8.elementsEqual((id + $0).utf8) }
    }

    /// Whether a report's word for a job's file is a file that a job of the id has in these folders. A report may be
    /// anybody's: nothing else that it says is looked at, believed or removed.
    func has(_ place: String, of id: String) -> Bool {
        (Files.isPlainName(place) || isAmongTracks(place)) && Self.isResult(Files.name(of: place), of: id)
    }

    /// Whether a report's word for a job's file may be one, for a report whose manifest isn't known: track files may
    /// lie in a folder beside it. What it names elsewhere is read only where it has the contents that the report gives,
    /// and is never written or removed.
    static func isPlace(_ text: String, of id: String) -> Bool {
        let name = Files.name(of: text)
        guard isResult(name, of: id) else { return false }
        return text == name
            || !text.hasPrefix("/") && text.hasSuffix("/" + name) && !text.utf8.contains(0)
                && SinkCatalog.known.formats.contains { name == id + $0.suffix }
    }
}
