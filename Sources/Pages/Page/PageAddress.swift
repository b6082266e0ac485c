import Annotate

/// Addresses of files as a page names them: relative, so that page and files can be moved together.
enum PageAddress {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

    /// Address of a file.
    /// - Parameter page: The folder that the page lies in.
    static func of(_ path: String, from page: String) -> String { escaped(Files.relative(path, to: page)) }

    /// A path as an address (RFC 3986). A colon is escaped, too: no name's beginning is taken for a scheme.
    static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            plain.contains(byte)
                ? String(decoding: [byte], as: UTF8.self)
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
