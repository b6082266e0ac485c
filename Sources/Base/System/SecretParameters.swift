/// What is secret of addresses that nothing else tells from paths: `?` and `@` may stand in a file's name, too.
extension RemoteAddress {
    /// Words that the name of something secret has somewhere in it, and those that are one of its words.
    private static let secretWords = [
        "signature", "token", "secret", "password", "passwd", "passphrase", "credential", "apikey", "accesskey",
        "authoriz",
    ]
    private static let secretNames: Set<Substring> = [
        "sig", "sign", "key", "auth", "oauth", "pass", "pwd", "pw", "sas", "hmac", "jwt",
    ]

    /// The `?`, `#` or `;` from which on a text may be secret, since a value with such a name follows; nil for none.
    static func secretParameters(in text: Substring) -> String.Index? {
        // Those of a part of the path end with it, others never.
        var (opening, isOfPart) = (String.Index?.none, false)
        var begin = text.startIndex
        for index in text.indices {
            let sign = text[index]
            let isEnd = "?#;&".contains(sign) || isOfPart && "/\\".contains(sign)
            guard isEnd else { continue }
            if let opening, isSecret(text[begin..<index]) { return opening }
            begin = text.index(after: index)
            switch sign {
            case "?", "#": if opening == nil || isOfPart { (opening, isOfPart) = (index, false) }
            case ";": if opening == nil { (opening, isOfPart) = (index, true) }
            case "/", "\\": (opening, isOfPart) = (nil, false)
            default: break
            }
        }
        return opening.flatMap { isSecret(text[begin...]) ? $0 : nil }
    }

    /// Whether something is “name=value”, and its name is one of a secret.
    private static func isSecret(_ pair: Substring) -> Bool {
        guard let sign = pair.firstIndex(of: "="), pair.index(after: sign) < pair.endIndex else { return false }
        let name = pair[..<sign].lowercased()
        return secretWords.contains { name.contains($0) }
            || name.split { !$0.isLetter && !$0.isNumber }.contains(where: secretNames.contains)
    }

    /// Where the user of “user:pass/word@host/path” begins, and the host: what nobody wrote as %2F. nil in all else.
    ///
    /// A port, or a time of day, is no password, and what is no host before a slash may be any name.
    static func slashedPassword(in text: String) -> (user: String.Index, host: String.Index)? {
        guard text.contains("@") else { return nil }
        var begin = text.startIndex
        while begin < text.endIndex {
            let user = text[begin...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._%+-".contains($0)) }
            let behind = text[user.endIndex...]
            if user.count > 1, user.first?.isLetter == true, behind.first == ":",
                let host = host(behind: behind.dropFirst())
            {
                return (begin, host)
            }
            guard let slash = text[begin...].firstIndex(of: "/") else { return nil }
            begin = text.index(after: slash)
        }
        return nil
    }

    /// Where the host begins behind a password with a slash.
    private static func host(behind text: Substring) -> String.Index? {
        let start = text.prefix { $0 != "/" }
        guard !start.isEmpty, !start.allSatisfy({ $0.isNumber || $0 == ":" }) else { return nil }
        for at in text.indices.reversed() where text[at] == "@" {
            let password = text[..<at]
            let host = text[at...].dropFirst().prefix { $0 != "/" }
            let isHost = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:".contains($0)) }
            guard isHost, !host.isEmpty, host.endIndex < text.endIndex, password.contains("/"), password.last != "/",
                !password.contains(where: \.isWhitespace)
            else { continue }
            return host.startIndex
        }
        return nil
    }
}
