/// Words for languages.
package enum LanguageWord {
    /// Whether a text is one as ISO 639 and BCP 47 have them, with a script and a country at the most: “deu”, “de-AT”, “sr-Latn-RS”.
    /// What else a damaged source says there is passed on to no result.
    package static func isOne(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return 1...3 ~= parts.count && 2...3 ~= parts[0].utf8.count
            && parts[1...].allSatisfy { 2...4 ~= $0.utf8.count }
            && parts.allSatisfy { $0.utf8.allSatisfy { 0x61...0x7A ~= $0 | 0x20 } }
    }
}
