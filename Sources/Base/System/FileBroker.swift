internal import Synchronization

/// Who does for this process what it may not do itself in people's folders: a process that gave up writing there makes what it
/// makes in folders of its own, and this gives it its name.
package protocol FileBroker: Sendable {
    /// Moves what is whole from this process's own folder to its target.
    /// - Throws: `FileError`, as `PendingFile.commit` does.
    func commit(_ file: PendingFile) throws
    /// Moves a folder to its target, where one is; that one goes with all that is in it.
    /// - Throws: `FileError`.
    func replace(_ file: PendingFile) throws
    /// Makes a folder, and those above it.
    /// - Throws: `FileError`.
    func makeDirectory(_ path: String) throws
    /// Removes a result, or a file that this process may write; a folder in which somebody has put something stays.
    /// - Returns: Whether it is gone now.
    func remove(_ path: String) -> Bool
    /// Removes what this process has begun and not finished. Nothing comes after it.
    func close()
}

extension Files {
    private static let currentBroker = Mutex<(any FileBroker)?>(nil)

    /// The broker of this process; nil for one that may write where it likes, or nowhere.
    package static var broker: (any FileBroker)? {
        get { currentBroker.withLock { $0 } }
        set { currentBroker.withLock { $0 = newValue } }
    }
}
