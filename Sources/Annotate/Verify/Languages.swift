/// Languages that ISO 639-2 has two words for: Matroska has the one, MP4 mostly the other.
enum Languages {
    private static let others = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]

    /// The one of a language's words that all are compared by.
    static func common(_ word: String) -> String {
        let word = word.lowercased()
        return others[word] ?? word
    }
}
