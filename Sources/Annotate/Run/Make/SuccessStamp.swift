/// A file that is there only after a run in which all went well: what `make` waits for.
public struct SuccessStamp: Sendable {
    private let path: String

    private static let text = "annotate-batch: all went well\n"

    /// A stamp that nobody has written yet, or this program.
    /// - Throws: `FileError` for a file with anything else in it, which is somebody's.
    public init(_ path: String) throws {
        self.path = path
        guard Files.exists(path) else { return }
        let isOurs =
            Files.isRegular(path)
            && (Files.status(path)?.size == 0 || (try? Files.read(path)) == Array(Self.text.utf8))
        guard isOurs else {
            throw FileError("write", path: path, reason: "it is there already and no stamp; expected another name")
        }
    }

    /// Removes it, before anything runs.
    public func remove() { Files.remove(path) }

    /// A stamp that can be written once this process may write among the results alone.
    public struct Opened: Sendable {
        fileprivate let file: LateFile

        /// Writes it, after all has gone well.
        /// - Throws: `FileError`.
        public func write() throws { try file.write(SuccessStamp.text) }
    }

    /// Makes sure that it can be written.
    /// - Throws: `FileError`.
    public func opened() throws -> Opened { Opened(file: try LateFile(path, isWhole: true)) }
}
