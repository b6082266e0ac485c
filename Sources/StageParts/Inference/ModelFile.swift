private import Synchronization

/// A model's file, with facts that many graphs want: looked at once while it stays as it is.
package struct ModelFile: Sendable {
    package let path: String
    package let stamp: Files.Stamp
    /// SHA-256 of the file, 64 lower-case hexadecimal digits.
    package let sha256: String
    /// Files beside it that belong to it, most of them parts of its numbers: paths that can be opened.
    package let data: [String]

    private struct Known: Sendable {
        var sha256: String
        /// Names of those files, from the model's folder.
        var data: [String]
    }

    /// The same for others.
    package var facts: ModelCache.Facts {
        var facts = ModelCache.Facts()
        (facts.stamp, facts.sha256, facts.data) = (stamp.text, sha256, names)
        return facts
    }

    /// Names of the files that belong to it, whether they are there or not.
    private let names: [String]

    private static let known = Mutex<[Files.Stamp: Known]>([:])

    /// - Throws: `FileError` where it can't be read, or has parts elsewhere.
    package init(_ path: String) throws {
        guard let stamp = Files.stamp(path) else {
            throw FileError("read", path: path, reason: "there is no such file")
        }
        let known: Known
        if let before = Self.known.withLock({ $0[stamp] }) {
            known = before
        } else if let facts = ModelCache.ofEnvironment?.facts(of: stamp) {
            known = Known(sha256: facts.sha256, data: facts.data)
            Self.known.withLock { $0[stamp] = known }
        } else {
            let bytes = try Files.read(path)
            known = Known(sha256: SHA256.hash(bytes), data: try Self.companions(of: path, bytes))
            Self.known.withLock { $0[stamp] = known }
        }
        let folder = Files.parent(of: path)
        (self.path, self.stamp, sha256) = (path, stamp, known.sha256)
        names = known.data
        data = known.data.map { folder + "/" + $0 }.filter(Files.isRegular)
        // A model may be anybody's: it has nothing else read.
        if let stray = data.first(where: { !Files.isInside($0, folder) }) {
            throw FileError(
                "read", path: stray,
                reason: "it is a link that leads out of the model's folder; expected the file itself there")
        }
    }

    /// Names of the files that belong to a model.
    private static func companions(of path: String, _ bytes: [UInt8]) throws -> [String] {
        // OpenVINO's own: the network's form in one file, its numbers in another.
        guard path.hasSuffix(".xml") else { return try ONNXFile.externalData(in: bytes) }
        return [Files.name(of: path).dropLast(4) + ".bin", "metadata.yaml"]
    }

    /// The SHA-256 of a file that many graphs name.
    /// - Throws: `FileError`.
    package static func sha256(_ path: String) throws -> String { try ModelFile(path).sha256 }

    /// The files beside some models that hold a part of their numbers.
    /// - Throws: `FileError`.
    package static func data(of models: [String]) throws -> [String] { try models.flatMap { try ModelFile($0).data } }
}
