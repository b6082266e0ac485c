internal import CWorker
internal import Glibc

/// Results that are folders: they appear whole, in place of an earlier one, and go whole. A folder in which somebody has put
/// something is left alone.
package enum ResultFolder {
    /// Names at the top of such folders: what the program writes there, and what programs that read them leave.
    private static let known: Set<String> = [
        "data.yaml", "classes.txt", "labels", "tracks", "images", "labels.cache", "images.cache",
    ]

    /// What a data set has beside these, and by which name it is known as one.
    private static let dataSet = "dataset.json"
    private static let ofDataSets: Set<String> = Set(
        [dataSet, "pictures.csv", "annotations", "seqmaps", "crops"]
            + ["train", "val", "test"].flatMap { part in
                [part] + ["txt", "csv", "parquet", "xml", "json"].map { part + "." + $0 }
            })

    /// Beginning of the names of folders in which workers have what isn't finished.
    package static let workName = "worker"

    /// Beginning of the names of folders with what was fetched for jobs.
    package static let fetchName = "fetch"

    /// Ending of the names of a page's data files.
    package static let pageData = ".review.js"

    /// An entry in a folder that no result holds; nil for none.
    static func stranger(in folder: HeldFolder) -> String? {
        // One that can't be listed is nobody's to remove.
        guard let names = try? folder.names() else { return "what can't be listed" }
        if Files.name(of: folder.path).hasPrefix(".\(fetchName)-") { return nil }
        if Files.name(of: folder.path).hasPrefix(".\(workName)-") {
            return names.first { !isUnfinished($0) }
        }
        let isDataSet = names.contains(dataSet)
        return names.first { name in
            if isDataSet, ofDataSets.contains(name) || isUnfinished(name) { return false }
            return !known.contains(name) && !isPicture(name) && !name.hasSuffix(pageData)
        }
    }

    private static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(".") && name.range(of: ".partial-") != nil
    }

    private static func isPicture(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let last = parts.last, ["jpg", "png"].contains(last) else { return false }
        let digits = name.dropLast(4).reversed().prefix { $0.isASCII && $0.isNumber }
        return digits.count >= 6
    }

    /// Why no folder can take a name; nil where one can.
    static func whyUnusable(_ name: String, in parent: HeldFolder) -> String? {
        switch parent.entry(name)?.kind {
        case nil: return nil
        case .folder:
            guard let folder = parent.folder(name) else { return "the folder can't be opened; name another place" }
            return stranger(in: folder).map {
                "the folder holds “\($0.inOneLine)”, which this program didn't put there; move that away, or name another "
                    + "place"
            }
        case .link: return "it is a link; expected a folder, or nothing there"
        case .file: return "it is a file; expected a folder, or nothing there"
        case .other: return "it is a pipe or a device; expected a folder, or nothing there"
        }
    }

    /// Brings a folder and all that is in it to the disk.
    static func sync(_ name: String, in parent: HeldFolder) throws {
        let descriptor = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", parent.path + "/" + name) }
        defer { close(descriptor) }
        // One call for however many files.
        let code = cwk_sync_file_system(descriptor)
        guard code == 0 else {
            throw FileError(
                "finish", path: parent.path + "/" + name, code: code, reason: String(cString: strerror(-code)))
        }
    }

    /// Gives a folder that is whole its name; an earlier result of that name goes.
    /// - Throws: `FileError`, also where the name is somebody else's.
    static func commit(_ temporary: String, to name: String, in parent: HeldFolder) throws {
        let target = parent.path + "/" + name
        if let reason = whyUnusable(name, in: parent) { throw FileError("write", path: target, reason: reason) }
        guard parent.entry(name) != nil else { return try parent.rename(temporary, to: name) }
        // Nobody sees a moment without the one or the other.
        let code = parent.exchange(temporary, name)
        if code == 0 {
            // Somebody may have put something there in between.
            parent.removeResult(temporary)
            return
        }
        guard code == -EINVAL || code == -ENOSYS else {
            throw FileError("rename to", path: target, code: code, reason: String(cString: strerror(-code)))
        }
        // A file system that can't exchange.
        parent.removeResult(name)
        try parent.rename(temporary, to: name)
    }
}
