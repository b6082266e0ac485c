internal import Glibc

/// The folders of a batch's results, held: whatever becomes of their paths while it runs, what is looked at, named and
/// removed lies in them.
struct ResultFolders: Sendable {
    private let places: OutputPlaces
    /// The output folder; nil where it isn't there.
    let output: HeldFolder?
    private let tracks: HeldFolder?

    /// The folders as far as they are there.
    init(_ places: OutputPlaces) {
        self.places = places
        // One that can't be opened has nothing that could be looked at; who writes there is told why.
        output = try? HeldFolder(places.directory)
        tracks = places.tracks.flatMap { try? HeldFolder($0) }
    }

    /// Makes the folders that aren't there.
    /// - Throws: `FileError`.
    init(making places: OutputPlaces) throws {
        self.places = places
        for folder in places.folders { try Files.makeDirectory(folder) }
        output = try HeldFolder(places.directory)
        tracks = try places.tracks.map { try HeldFolder($0) }
    }

    var held: [HeldFolder] { [output, tracks].compactMap(\.self) }

    /// Folder and name of a file that a report, or the manifest, gives a place; nil for a place in no folder of these.
    private func find(_ place: String) -> (folder: HeldFolder, name: String)? {
        if Files.isPlainName(place) { return output.map { ($0, place) } }
        guard places.isAmongTracks(place) else { return nil }
        return tracks.map { ($0, Files.name(of: place)) }
    }

    /// The folder that a file lies in; nil for a place in no folder of these.
    func folder(of place: String) -> HeldFolder? { find(place)?.folder }

    /// A file's path, for someone who opens it himself.
    func path(_ place: String) -> String { places.path(place) }

    func entry(_ place: String) -> HeldFolder.Entry? { find(place).flatMap { $0.folder.entry($0.name) } }

    /// Size of a file, or of a folder's files, bytes; nil where there is none, or a link to one.
    func size(_ place: String) -> Int64? { find(place).flatMap { $0.folder.sizeOfResult($0.name) } }

    /// Whether a file is a track file, by its beginning.
    func isTrackFile(_ place: String) -> Bool {
        guard let (folder, name) = find(place), let file = try? folder.open(name) else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 256)
        let count = max(read(file, &head, head.count), 0)
        return FileKind(Array(head[..<count])) == .trackFile
    }

    func isResult(_ place: String) -> Bool { find(place).map { $0.folder.isResult($0.name) } ?? false }

    /// Removes a file.
    /// - Returns: Whether it is gone.
    @discardableResult
    func remove(_ place: String) -> Bool { find(place).map { $0.folder.removeResult($0.name) } ?? false }

    func touch(_ place: String) { find(place).map { $0.folder.touch($0.name) } }

    /// Whether a file has these contents.
    func holds(_ place: String, _ contents: String, isCancelled: () -> Bool = { false }) -> Bool {
        guard let (folder, name) = find(place), folder.entry(name)?.size == ContentHash.size(contents) else {
            return false
        }
        // One that can't be read has others.
        return (try? ContentHash.of(name, in: folder, isCancelled: isCancelled)) == contents
    }

    /// Gives a file that is whole its name.
    /// - Throws: `FileError`, also where it doesn't lie in these folders.
    func commit(_ file: PendingFile, as place: String) throws {
        guard let (folder, name) = find(place), name == Files.name(of: file.target) else {
            throw FileError("write", path: file.target, reason: "it lies in no folder that the manifest names")
        }
        try file.commit(in: folder)
    }

    /// Size of what was written, before it has its name, bytes.
    func sizeOfTemporary(_ file: PendingFile, of place: String) -> Int64? {
        find(place).flatMap { $0.folder.sizeOfResult(Files.name(of: file.temporary)) }
    }

    /// Removes what was written under its temporary name.
    func discard(_ file: PendingFile, of place: String) {
        find(place).map { $0.folder.removeTemporary(Files.name(of: file.temporary)) }
    }

    /// Removes what dead processes left.
    /// - Parameter process: The one that left it; nil for whichever.
    func sweep(process: Int32? = nil) {
        for folder in held { OutputFile.sweep(folder, process: process) }
    }
}
