/// An address of a file that lies elsewhere: a scheme, `://`, and what the scheme's own programs make of the rest.
///
/// It may hold a password or a signature; `shown` and `cleaned` don't.
package struct RemoteAddress: Sendable, Hashable {
    /// As it was written.
    package let text: String
    /// In small letters.
    package let scheme: String
    /// User and password before the host; empty for none.
    private let user: String
    /// What follows the path, from `?` or `#` on; empty for nothing.
    private let query: String
    /// Host and path.
    private let place: String

    /// - Returns: nil for what is no address.
    package init?(_ text: String) {
        guard let colon = text.range(of: "://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let scheme = text[..<colon.lowerBound]
        let isScheme = scheme.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        guard scheme.utf8.count > 1, isScheme, scheme.first?.isLetter == true else { return nil }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end].prefix { $0 != "/" }
        let at = authority.lastIndex(of: "@")
        (self.text, self.scheme, query) = (text, scheme.lowercased(), String(rest[end...]))
        user = at.map { String(authority[..<$0]) } ?? ""
        place = String(rest[(at.map { rest.index(after: $0) } ?? rest.startIndex)..<end])
    }

    /// The address that a text would be without its control characters, and with %20 for spaces inside of it; nil for none, and
    /// for one that has none of these.
    package static func mended(_ text: String) -> RemoteAddress? {
        let kept = text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }.drop { $0 == 0x20 }
        let inside = kept[..<((kept.lastIndex { $0 != 0x20 }).map { $0 + 1 } ?? kept.startIndex)]
        let mended = String(decoding: inside, as: UTF8.self).replacing(" ", with: "%20")
        return mended == text ? nil : RemoteAddress(mended)
    }

    /// Whether it is one of the web's.
    package var isWeb: Bool { ["http", "https"].contains(scheme) }

    /// Whether something follows the path.
    package var hasQuery: Bool { !query.isEmpty }

    /// For people and files: without user, password, and what follows the path.
    package var shown: String { "\(scheme)://\(place)".inOneLine }

    /// Its parts between slashes, the host among them, without the percent signs of the web.
    private var parts: [String] { place.split(separator: "/").map { Self.decoded($0) } }

    /// The name of the file that it means.
    package var name: String {
        let name = parts.count > 1 ? parts[parts.count - 1] : ""
        return Files.isPlainName(name) && !name.hasPrefix(".") ? name : "input"
    }

    /// The name of the folder that it lies in.
    package var folder: String { parts.count > 1 ? parts[parts.count - 2] : parts.first ?? "" }

    /// Words of a program without what is secret of this address.
    package func cleaned(_ words: String) -> String {
        var words = words.replacing(text, with: shown)
        for secret in secrets where secret.utf8.count > 2 { words = words.replacing(secret, with: "…") }
        return words
    }

    /// Whole ones before their parts, as they stand there and as they are meant.
    private var secrets: [String] {
        let pairs = query.split { "?&;#".contains($0) }.map(String.init)
        // A short value may be any word: of what has a name, such a one goes with it alone.
        let values = pairs.compactMap { pair in pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
        }
        .filter { $0.utf8.count > 5 }
        let written =
            [user, query, String(query.dropFirst())] + user.split(separator: ":").map(String.init) + pairs + values
        return written.flatMap { [$0, Self.decoded(Substring($0))] }
    }

    private static func decoded(_ part: Substring) -> String {
        var bytes: [UInt8] = []
        let source = Array(part.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let value = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("/") || text.contains("\0") ? String(part) : text.inOneLine
    }
}
