import Annotate
import CFFmpeg
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

    /// Bytes beyond a file's own that are read before it is given up: what is larger is another one.
    private static let slack = 1

    /// - Throws: `NetworkDownloadError`, `FileError`, `CancelledError`.
    func run(_ cancellation: Cancellation) throws {
        let bytes = try read(cancellation)
        guard bytes.count == file.bytes else {
            throw NetworkDownloadError(
                "“\(address)” \(bytes.count > file.bytes ? "is longer than" : "ends after \(bytes.count) of") \(file.bytes) bytes; "
                    + "expected the file with the SHA-256 \(file.sha256)")
        }
        let hash = SHA256.hash(bytes)
        guard hash == file.sha256 else {
            throw NetworkDownloadError("“\(address)” has the SHA-256 \(hash); expected \(file.sha256)")
        }
        let folder = Files.parent(of: file.place)
        do {
            try Files.makeDirectory(folder)
            try Files.write(bytes, to: file.place)
        } catch let error as FileError {
            throw NetworkDownloadError(
                "can't write “\(file.place)”: \(error); let ANNOTATE_NETWORKS name a folder that may be written to")
        }
    }

    /// All bytes at the address, as many as the file has and one more at the most.
    private func read(_ cancellation: Cancellation) throws -> [UInt8] {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // Addresses lead to nothing but the web and files.
        av_dict_set(&options, "protocol_whitelist", "file,http,https,httpproxy,tcp,tls", 0)
        av_dict_set(&options, "user_agent", "annotate-batch", 0)
        av_dict_set(&options, "rw_timeout", "30000000", 0)
        var context: UnsafeMutablePointer<AVIOContext>?
        try check(avio_open2(&context, address, AVIO_FLAG_READ, nil, &options))
        defer { avio_closep(&context) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < file.bytes + Self.slack {
            if cancellation.isCancelled { throw CancelledError() }
            let count = avio_read(context, &part, Int32(min(part.count, file.bytes + Self.slack - bytes.count)))
            if count == averrorEOF { break }
            try check(count)
            if count == 0 { break }
            bytes += part[..<Int(count)]
        }
        return bytes
    }

    private func check(_ code: Int32) throws {
        guard code < 0 else { return }
        var text = [CChar](repeating: 0, count: 256)
        av_strerror(code, &text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw NetworkDownloadError(
            "can't read “\(address)”: \(reason); expected an address or a file: let ANNOTATE_NETWORKS_URL name a mirror or a folder"
        )
    }

    /// libavutil's AVERROR_EOF, a macro that Swift doesn't import: the negative tag "EOF ".
    private let averrorEOF: Int32 = -0x2046_4F45
}

/// Why a network can't be had.
struct NetworkDownloadError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
