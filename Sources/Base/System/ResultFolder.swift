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
    private static let ofDataSets: Set<String> = {
        var names: Set<String> = [dataSet, "pictures.csv", "annotations", "seqmaps", "crops"]
        for part in ["train", "val", "test"] {
            names.insert(part)
            for ending in ["txt", "csv", "parquet", "xml", "json"] { names.insert("\(part).\(ending)") }
        }
        return names
    }()

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
        for name in names {
            let isOurs =
                isDataSet && (ofDataSets.contains(name) || isUnfinished(name)) || known.contains(name)
                || isPicture(name) || name.hasSuffix(pageData)
            guard isOurs else { return name }
            if folder.entry(name)?.kind == .folder, let found = stranger(below: folder, name, depth: 0) { return found }
        }
        return nil
    }

    /// Names of files below the top of such folders that have no number.
    private static let within: Set<String> = Set(
        ["gt.txt", "labels.txt", "seqinfo.ini", "classes.txt", ".DS_Store"]
            + ["train", "val", "test", "all"].flatMap { part in
                ["instances_\(part).json", "MOT-\(part).txt", "\(part).cache"]
            })

    /// An entry in a folder of such a folder that no result holds, with its path; nil for none. Folders there are called after
    /// clips and classes, whatever these are called.
    private static func stranger(below parent: HeldFolder, _ name: String, depth: Int) -> String? {
        guard depth < 8 else { return name }
        // A worker can't look there; who gives the result its name does, and removes nothing that it can't open.
        guard let folder = parent.folder(name), let names = try? folder.names() else { return nil }
        for entry in names {
            switch folder.entry(entry)?.kind {
            case .folder:
                if let found = stranger(below: folder, entry, depth: depth + 1) { return name + "/" + found }
            case .file where within.contains(entry) || isNumbered(entry) || isUnfinished(entry): break
            default: return name + "/" + entry
            }
        }
        return nil
    }

    /// Whether a file is called after a frame, `clip_000012.txt`, or a thing in it, `clip_000012_1.png`.
    private static func isNumbered(_ name: String) -> Bool {
        let stem = Files.stem(of: name)
        guard ["txt", "jpg", "png", "npy"].contains(name.dropFirst(stem.count + 1)) else { return false }
        func isDigit(_ sign: Character) -> Bool { sign.isASCII && sign.isNumber }
        let last = stem.reversed().prefix(while: isDigit).count
        let rest = stem.dropLast(last)
        return last >= 6 || last > 0 && rest.last == "_" && rest.dropLast().reversed().prefix(while: isDigit).count >= 6
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
