internal import Glibc
internal import Synchronization

/// The folders that a worker writes in: a hidden one of its own in each folder that results go to. What is whole is
/// moved from there to beside its name. They go with the worker.
final class WorkFolders: Sendable {
    private struct Place {
        var result: String
        var held: HeldFolder
        var work: OutputFile
        var heldWork: HeldFolder
    }

    private let places: [Place]
    private static let count = Mutex(0)

    /// - Throws: `FileError` where nothing can be made in one of them.
    init(in results: [String]) throws {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        places = try results.map { result in
            let held = try HeldFolder(result)
            let work = OutputFile(target: "\(result)/\(ResultFolder.workName)-\(number)", isFolder: true)
            try work.check()
            let heldWork = try Self.hold(Files.name(of: work.temporary), in: held)
            return Place(result: result, held: held, work: work, heldWork: heldWork)
        }
    }

    /// The folder of a name, which was made a moment ago.
    /// - Throws: `FileError` that names the folder that it lies in.
    static func hold(_ name: String, in held: HeldFolder) throws -> HeldFolder {
        do {
            return try HeldFolder(name, in: held)
        } catch let error as FileError {
            throw FileError("write in", path: held.path, code: error.code, reason: error.reason)
        }
    }

    var held: [HeldFolder] { places.map(\.heldWork) }

    /// The path of a name in the first folder.
    func path(_ name: String) -> String { places[0].heldWork.path + "/" + name }

    /// Moves what lies beside a name that it isn't to get in here, under another one, for as long as this is held.
    /// - Throws: `FileError`.
    func keep(_ file: PendingFile, as own: String) throws {
        let (name, parent) = (Files.name(of: file.temporary), Files.parent(of: file.target))
        guard let place = places.first(where: { $0.result == parent }) else {
            throw FileError("keep", path: file.target, reason: "its worker doesn't write there")
        }
        guard renameat(place.held.descriptor, name, place.heldWork.descriptor, own) == 0 else {
            throw systemError("keep", file.target)
        }
    }

    /// Removes a file from the first folder.
    func remove(_ name: String) { places[0].heldWork.removeFile(name) }

    /// Moves what a worker has finished to beside the names that it gets.
    /// - Throws: `FileError`, also for what is neither a file nor a folder.
    func handOver(_ files: [PendingFile]) throws {
        for file in files {
            let (name, parent) = (Files.name(of: file.temporary), Files.parent(of: file.target))
            guard let place = places.first(where: { $0.result == parent }),
                let kind = place.heldWork.entry(name)?.kind, kind == .file || kind == .folder
            else { throw FileError("finish", path: file.target, reason: "its worker didn't write it") }
            guard renameat(place.heldWork.descriptor, name, place.held.descriptor, name) == 0 else {
                throw systemError("finish", file.target)
            }
        }
    }
}
