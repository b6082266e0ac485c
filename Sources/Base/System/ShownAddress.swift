/// Words for people in which an address may stand, spelt as it should be or not: in place of a path, without its scheme,
/// in what another program says. What may be secret of it, user, password and what follows the path, is told to nobody.
extension RemoteAddress {
    /// A path, or an address, for people: a path as it is, and of what was meant as an address what isn't secret.
    package static func shown(_ text: String) -> String {
        guard mayHoldSecrets(text) else { return text }
        if placeStart(in: text) == nil, let (user, host) = slashedPassword(in: text) {
            return text[..<user] + shownPlace(withoutSecrets(text[host...]))
        }
        return shownPlace(text)
    }

    /// The same of a text whose password, if it has one, has no slash: what follows a scheme.
    static func shownPlace(_ text: String) -> String {
        var shown = text
        // One may hold another.
        if let start = placeStart(in: text) { shown = text[..<start] + shownPlace(withoutSecrets(text[start...])) }
        return secretParameters(in: shown[...]).map { String(shown[..<$0]) } ?? shown
    }

    /// Whether a text was meant as an address, though it may be none. A folder inside of another may have any name.
    package static func isMeant(_ text: String) -> Bool {
        beginsWithScheme(text[...]) || afterWebScheme(in: text) != nil || userStart(in: text) != nil
    }

    /// What to do about an address in place of a file's path, with a leading “; ”; nothing for a path.
    package static func advice(for text: String) -> String {
        // A relative one has its folder before it.
        let isAddress =
            isMeant(text) || text.indices.contains { text[$0] == "/" && beginsWithScheme(text[$0...].dropFirst()) }
        return isAddress ? "; expected a file that lies here: an address has to be fetched first" : ""
    }

    /// What follows a scheme, without user and password, and without what follows the path.
    static func withoutSecrets(_ rest: Substring) -> String {
        let head = rest.prefix { $0 != "?" && $0 != "#" }
        let authority = head.prefix { !slashes.contains($0) }
        if let at = authority.lastIndex(of: "@") { return String(head[head.index(after: at)...]) }
        guard port(of: authority) == .wrong else { return String(head) }
        // A password with a slash, or a question mark, that nobody wrote as %2F or %3F.
        if let at = head.lastIndex(of: "@") { return String(head[head.index(after: at)...]) }
        return rest.contains("@") ? "…" : String(head)
    }

    /// What stands behind a host's colon.
    enum Port: Equatable {
        case none, wrong
        case number(Int)
    }

    static func port(of authority: Substring) -> Port {
        // Of an address in brackets the colons are its own.
        let behind = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority
        guard let colon = behind.firstIndex(of: ":") else { return .none }
        let digits = behind[behind.index(after: colon)...]
        if digits.isEmpty { return .none }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .wrong }
        return .number(Int(digits) ?? .max)
    }

    private static let slashes: Set<Character> = ["/", "\\"]

    /// What may be secret stands before or behind one of these.
    fileprivate static func mayHoldSecrets(_ text: String) -> Bool { text.utf8.contains(where: "@?#;".utf8.contains) }

    /// Where host and path, or user and password before them, begin in what was meant as an address; nil in all else.
    private static func placeStart(in text: String) -> String.Index? {
        [afterScheme(in: text), afterWebScheme(in: text), userStart(in: text)].compactMap(\.self).min()
    }

    /// Whether it begins as “ftp:/” does. One letter is a drive, or a folder.
    private static func beginsWithScheme(_ text: Substring) -> Bool {
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let behind = text[word.endIndex...]
        return word.count(where: \.isLetter) > 1 && behind.first == ":"
            && behind.dropFirst().first.map(slashes.contains) ?? false
    }

    /// Behind “http:/”, “1http://”, “ht tp:\\”.
    private static func afterScheme(in text: String) -> String.Index? {
        var last: Character?
        for index in text.indices {
            defer { last = text[index] }
            let next = text.index(after: index)
            guard text[index] == ":", let last, last.isLetter || last.isNumber, next < text.endIndex,
                slashes.contains(text[next])
            else { continue }
            return text[next...].firstIndex { !slashes.contains($0) } ?? text.endIndex
        }
        return nil
    }

    /// Behind “http//”, “https;//”, “http:” at the beginning, or of a path's part.
    private static func afterWebScheme(in text: String) -> String.Index? {
        var begin = text.startIndex
        while begin < text.endIndex {
            let part = text[begin...]
            if let scheme = ["https", "http", "s3"].first(where: { part.prefix($0.count).lowercased() == $0 }) {
                let behind = part.dropFirst(scheme.count)
                let signs = behind.prefix { ":;/\\".contains($0) }
                // A folder may have such a name.
                if signs.count > 1 || signs.first == ":" || signs.first == ";" { return signs.endIndex }
            }
            guard let slash = part.firstIndex(of: "/") else { return nil }
            begin = text.index(after: slash)
        }
        return nil
    }

    /// At “user:password@”.
    private static func userStart(in text: String) -> String.Index? {
        guard let at = text.firstIndex(of: "@"), let colon = text[..<at].lastIndex(of: ":") else { return nil }
        let password = text[text.index(after: colon)..<at]
        let user = text[..<colon].reversed().prefix { $0.isLetter || $0.isNumber || "._%+-:".contains($0) }
        // A time of day is none.
        guard !user.isEmpty, !password.isEmpty, !password.allSatisfy(\.isNumber),
            !password.contains(where: { slashes.contains($0) || $0.isWhitespace })
        else { return nil }
        return user.endIndex.base
    }
}

extension String {
    /// A sentence without what may be secret of the addresses in it: in “…” each is a whole, elsewhere a word.
    public var withoutSecrets: String {
        guard RemoteAddress.mayHoldSecrets(self) else { return self }
        var (result, rest) = ("", self[...])
        while let quote = rest.firstIndex(of: "“") {
            let begin = rest.index(after: quote)
            let end = rest[begin...].firstIndex(of: "”") ?? rest.endIndex
            result += Self.words(rest[..<quote]) + "“" + RemoteAddress.shown(String(rest[begin..<end]))
            rest = rest[end...]
        }
        return result + Self.words(rest)
    }

    private static func words(_ text: Substring) -> String {
        var (result, rest) = ("", text)
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace && !"'\"<>”".contains($0) }
            // What ends a part of the sentence is no part of an address.
            let end = word.lastIndex { !":;,.)".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
            result += RemoteAddress.shown(String(word[..<end])) + word[end...]
            rest = rest[word.endIndex...]
            result += rest.prefix(1)
            rest = rest.dropFirst()
        }
        return result
    }
}
