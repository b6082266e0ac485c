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
    /// What is secret at the path's end, from a `;` on; empty for nothing.
    private let parameters: String
    /// The same for people, who may have left a password in it.
    private let shownPlace: String

    /// - Returns: nil for what is no address.
    package init?(_ text: String) {
        guard let colon = text.range(of: "://"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let scheme = text[..<colon.lowerBound]
        // A store's keys may have spaces, which its programs take as they are; the web's addresses have none.
        guard !text.utf8.contains(0x20) || !["http", "https"].contains(scheme.lowercased()) && text.utf8.last != 0x20
        else { return nil }
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
        // One may hold another.
        shownPlace = Self.shownPlace(Self.withoutSecrets(rest))
        let path = place
        parameters = Self.secretParameters(in: path[...]).map { String(path[$0...]) } ?? ""
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
    package var shown: String { "\(scheme)://\(shownPlace)".inOneLine }

    /// Why it can't be one of the web's, in half a sentence with what is expected; nil where nothing speaks against it.
    package var flaw: String? {
        guard isWeb else { return nil }
        let authority = place.prefix { $0 != "/" }
        if authority.isEmpty || authority.hasPrefix(":") {
            return "names no host; expected one such as \(scheme)://host/clip.mp4"
        }
        switch Self.port(of: authority) {
        case .none, .number(1...65535): return nil
        default: return "has no port behind its host's colon; expected a number from 1 to 65535, or no colon"
        }
    }

    /// What lies in the folder that it means: for people and files.
    package func shownInside(_ name: String) -> String { Self.inside(shown, name) }
    /// The same, to be asked for.
    package func inside(_ name: String) -> String { Self.inside(text, name) }

    /// The address of what lies in a folder.
    package static func inside(_ folder: String, _ name: String) -> String {
        (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/" + name
    }

    /// Whether a part of the path is one that leads out of the folder above it.
    package var leadsOut: Bool { Self.parts(of: place).contains { $0 == ".." || $0 == "." } }

    /// Its parts between slashes, the host among them, that people may see.
    private var parts: [String] {
        // What is secret of a part of the path is none of its name.
        let open = place.split(separator: "/").map { part in
            Self.secretParameters(in: part).map { String(part[..<$0]) } ?? String(part)
        }
        return Self.parts(of: open.joined(separator: "/"))
    }

    /// Parts of a path between slashes, without the percent signs of the web.
    private static func parts(of place: String) -> [String] { place.split(separator: "/").map { decoded($0) } }

    /// Bytes that the name may have: a file's has 255 at most, to which results, and what isn't whole yet, add.
    private static let longestName = 160

    /// The name of the file that it means; “input” where a file here can't have that.
    package var name: String {
        let name = parts.count > 1 ? parts[parts.count - 1] : ""
        let isName = Files.isPlainName(name) && !name.hasPrefix(".") && name.utf8.count <= Self.longestName
        return isName ? name : "input"
    }

    /// The name of the folder that it lies in.
    package var folder: String { parts.count > 1 ? parts[parts.count - 2] : parts.first ?? "" }

    /// Words of a program without what is secret of this address, or of another to which it was sent on.
    package func cleaned(_ words: String) -> String {
        var words = words.replacing(text, with: shown)
        for secret in secrets where secret.utf8.count > 2 { words = words.replacing(secret, with: "…") }
        return words.withoutSecrets
    }

    /// Whole ones before their parts, as they stand there and as they are meant.
    private var secrets: [String] {
        // Behind one that belongs to a part of the path the path goes on.
        let own = parameters.split { "?&;#/".contains($0) }.filter { $0.contains("=") }
        let pairs = ((parameters + query).split { "?&;#".contains($0) } + own).map(String.init)
        // A short value may be any word: of what has a name, such a one goes with it alone.
        let values = pairs.compactMap { pair in pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
        }
        .filter { $0.utf8.count > 5 }
        let written =
            [user, parameters, query, String(query.dropFirst())] + user.split(separator: ":").map(String.init) + pairs
            + values
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
