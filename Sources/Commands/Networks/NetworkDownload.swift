import Annotate
import Glibc
import Stages

/// Fetches one file of a known network: whole and as published, or not at all.
struct NetworkDownload {
    private let file: KnownNetwork.File
    private let address: String

    /// - Parameter address: `https:`, `http:` or a path.
    init(_ file: KnownNetwork.File, from address: String) { (self.file, self.address) = (file, address) }

    /// Where a file is to be had: below ANNOTATE_NETWORKS_URL, or where it was published.
    static func address(of file: KnownNetwork.File) -> String {
        guard let mirror = getenv("ANNOTATE_NETWORKS_URL").map({ String(cString: $0) }), !mirror.isEmpty else {
            return file.address ?? ""
        }
        return (mirror.hasSuffix("/") ? String(mirror.dropLast()) : mirror) + "/" + file.path
    }

    /// - Throws: `NetworkDownloadError`, `FileError`, `CancelledError`.
    func run(_ cancellation: Cancellation) throws {
        let folder = Files.parent(of: file.place)
        do {
            try Files.makeDirectory(folder)
        } catch let error as FileError {
            throw unwritable(error)
        }
        let bytes = try read(by: folder, cancellation)
        guard bytes.count == file.bytes else {
            throw NetworkDownloadError(
                "“\(address)” \(bytes.count > file.bytes ? "is longer than" : "ends after \(bytes.count) of") \(file.bytes) bytes; "
                    + "expected the file with the SHA-256 \(file.sha256)")
        }
        let hash = SHA256.hash(bytes)
        guard hash == file.sha256 else {
            throw NetworkDownloadError("“\(address)” has the SHA-256 \(hash); expected \(file.sha256)")
        }
        do {
            try Files.write(bytes, to: file.place)
        } catch let error as FileError {
            throw unwritable(error)
        }
    }

    private func unwritable(_ error: FileError) -> NetworkDownloadError {
        NetworkDownloadError(
            "can't write “\(file.place)”: \(error); let ANNOTATE_NETWORKS name a folder that may be written to")
    }

    /// All bytes at the address, of the web or a path.
    /// - Parameter folder: Where it may lie meanwhile.
    private func read(by folder: String, _ cancellation: Cancellation) throws -> [UInt8] {
        let remedy = "; expected an address or a file: let ANNOTATE_NETWORKS_URL name a mirror or a folder"
        do {
            if let bytes = try WebFile.read(address, by: folder, most: file.bytes, cancellation) { return bytes }
            return try Files.read(address)
        } catch let failure as JobFailure {
            throw NetworkDownloadError(failure.reason + remedy)
        } catch let error as FileError {
            throw NetworkDownloadError("\(error)" + remedy)
        }
    }
}

/// Why a network can't be had.
struct NetworkDownloadError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
