internal import Glibc

/// One file of the web that somebody asks for by name, and no job.
package enum WebFile {
    /// Fetches a file whole.
    /// - Parameters:
    ///   - address: Of the web.
    ///   - folder: Where it lies meanwhile, in a private folder that goes again.
    ///   - most: Bytes that it may have.
    /// - Returns: its bytes; nil for an address that isn't the web's.
    /// - Throws: `JobFailure`, `FileError`; `CancelledError`.
    package static func read(
        _ address: String, by folder: String, most: Int, _ cancellation: Cancellation
    ) throws -> [UInt8]? {
        guard let address = RemoteAddress(address), address.isWeb else { return nil }
        let place = OutputFile(target: "\(folder)/\(ResultFolder.fetchName)", isFolder: true)
        defer { place.discard() }
        try place.check()
        guard chmod(place.temporary, 0o700) == 0 else { throw systemError("write in", folder) }
        let file = place.temporary + "/file"
        let whyTooMuch = { (size: Int64) -> (any Error)? in
            guard size > most else { return nil }
            return JobFailure(.limit, "could not fetch \(address.shown): it has more than \(most) bytes")
        }
        let transfer = WebTransfer(
            address: address, file: file, folder: place.temporary,
            whyEnd: {
                if cancellation.isCancelled { return CancelledError() }
                return Files.status(file).flatMap { whyTooMuch($0.size) }
            }, whyTooMuch: whyTooMuch)
        _ = try transfer.run(unless: nil)
        return try Files.read(file)
    }
}
