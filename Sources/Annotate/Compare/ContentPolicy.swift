/// A policy of what a web page may load and run (Content Security Policy, level 3).
package enum ContentPolicy {
    /// A policy's source expression, `'sha256-…'`, for the element with this content between its tags; an element with
    /// other content isn't allowed by it.
    package static func source(of content: String) -> String {
        let digits = Array(SHA256.hash(Array(content.utf8)).utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return "'sha256-\(Base64.text(bytes))'"
    }
}
