/// A word's letters as a recogniser gave them, of which look-alikes are told apart by the others: O and 0, I and 1, w and W.
struct TextWord {
    private let letters: [TextDecoder.Letter]

    init(_ letters: [TextDecoder.Letter]) { self.letters = letters }

    /// How many other letters have to agree.
    private static let leastOthers = 2

    /// The letters, of which those that have rivals are what those without any are: digits, capitals or small letters.
    var agreed: [TextDecoder.Letter] {
        if isNumber { return letters.map { Self.isRing($0) ? Self.renamed($0, "0") : $0 } }
        return letters.indices.map { index in
            let letter = letters[index]
            guard let sign = Self.sign(letter.text), !letter.rivals.isEmpty else { return letter }
            let others = letters.indices.filter { $0 != index && letters[$0].rivals.isEmpty }
            let signs = others.compactMap { Self.sign(letters[$0].text) }
            guard signs.count >= Self.leastOthers else { return letter }
            let isDigit = signs.allSatisfy(\.isNumber)
            guard isDigit || signs.allSatisfy(\.isLetter) else { return letter }
            let rival = sign.isNumber == isDigit ? sign : letter.rivals.first { $0.isNumber == isDigit }
            guard let rival else { return letter }
            // A word's first letter may be a capital alone.
            let inner = others.filter { $0 > 0 }.compactMap { Self.sign(letters[$0].text) }
            func mayBe(_ other: Character) -> Bool {
                rival != sign || other == sign || letter.rivals.contains(other)
            }
            let (capital, small) = (Character(rival.uppercased()), Character(rival.lowercased()))
            if signs.allSatisfy(\.isUppercase), mayBe(capital) { return Self.renamed(letter, capital) }
            if index > 0, !inner.isEmpty, inner.allSatisfy(\.isLowercase), mayBe(small) {
                return Self.renamed(letter, small)
            }
            return Self.renamed(letter, rival)
        }
    }

    /// Whether it begins with a digit and has nothing but digits and what looks like a zero.
    private var isNumber: Bool {
        guard let first = letters.first else { return false }
        func isDigit(_ letter: TextDecoder.Letter) -> Bool { Self.sign(letter.text)?.isNumber ?? false }
        return isDigit(first) && letters.allSatisfy { isDigit($0) || Self.isRing($0) }
    }

    private static func isRing(_ letter: TextDecoder.Letter) -> Bool { letter.text == "o" || letter.text == "O" }

    /// The Latin letter without accents, or the digit, that a text is; nil for anything else.
    static func sign(_ text: String) -> Character? {
        guard text.count == 1, let sign = text.first, sign.isASCII, sign.isLetter || sign.isNumber else { return nil }
        return sign
    }

    private static func renamed(_ letter: TextDecoder.Letter, _ sign: Character) -> TextDecoder.Letter {
        var letter = letter
        letter.text = String(sign)
        return letter
    }
}
