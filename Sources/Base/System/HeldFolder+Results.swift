/// Results in a folder: plain files, and folders that hold nothing but what a result does.
extension HeldFolder {
    /// True for what may be removed as a result.
    package func isResult(_ name: String) -> Bool {
        switch entry(name)?.kind {
        case .file: true
        case .folder: isResultFolder(name)
        default: false
        }
    }

    /// True for a folder that holds nothing but what a result does.
    func isResultFolder(_ name: String) -> Bool { folder(name).map { ResultFolder.stranger(in: $0) == nil } ?? false }

    /// Bytes of a result: a file, or the files of a folder; nil where there is none, or a link to one.
    package func sizeOfResult(_ name: String) -> Int64? {
        guard let entry = entry(name) else { return nil }
        switch entry.kind {
        case .file: return entry.size
        case .folder: return folder(name).map { $0.sizeOfFiles(depth: 0) }
        default: return nil
        }
    }

    private func sizeOfFiles(depth: Int) -> Int64 {
        // What can't be listed has no size that is the report's.
        guard depth < 16, let names = try? names() else { return 0 }
        return names.reduce(0) { sum, name in
            guard let entry = entry(name) else { return sum }
            switch entry.kind {
            case .file: return sum &+ entry.size
            case .folder: return sum &+ (folder(name)?.sizeOfFiles(depth: depth + 1) ?? 0)
            default: return sum
            }
        }
    }

    /// Removes a result, or a link in its place; a folder in which somebody has put something stays.
    /// - Returns: True where it is gone now.
    @discardableResult
    package func removeResult(_ name: String) -> Bool {
        switch entry(name)?.kind {
        case .folder: isResultFolder(name) && removeFolder(name)
        case .file, .link: removeFile(name)
        default: false
        }
    }

    /// Removes a file or folder that has its temporary name still.
    package func removeTemporary(_ name: String) {
        if entry(name)?.kind == .folder { removeFolder(name) } else { removeFile(name) }
    }
}

extension Files {
    /// The folder that a path lies in, held; nil where it can't be.
    private static func folder(of path: String) -> HeldFolder? {
        // Where there is no folder there is nothing in it.
        try? HeldFolder(parent(of: path))
    }

    /// Bytes of a result: a file, or the files of a folder; nil where there is none.
    package static func sizeOfResult(_ path: String) -> Int64? { folder(of: path)?.sizeOfResult(name(of: path)) }

    /// Removes a result where there is one; a folder in which somebody has put something stays.
    @discardableResult
    package static func removeResult(_ path: String) -> Bool {
        guard let folder = folder(of: path), folder.entry(name(of: path)) != nil else { return false }
        return broker?.remove(path) ?? folder.removeResult(name(of: path))
    }
}
