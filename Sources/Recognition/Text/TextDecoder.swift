internal import Glibc

/// Reads what a recogniser says at each of its steps along a line (connectionist temporal classification, Graves et al.
/// 2006): the likeliest class of each step, repeats and blanks left out.
struct TextDecoder: Sendable {
    /// A character of a line.
    struct Letter: Sendable {
        var text: String
        /// Probability, 0…1.
        var probability: Double
        /// Place of its middle, in steps.
        var place: Double
        /// Rivals: what else it may be among Latin letters and digits, likeliest first; empty where there is no doubt.
        var rivals: [Character] = []
    }

    let characters: [String]
    /// Classes that are Latin letters without accents, or digits.
    private let latin: [(index: Int, text: Character)]

    /// Least probability of a rival.
    private static let leastRival: Float = 0.1

    /// - Parameter characters: what each class stands for; the first one for nothing, the last one for a space.
    init(characters: [String]) {
        self.characters = characters
        latin = characters.enumerated().compactMap { index, text in
            TextWord.sign(text).map { (index, $0) }
        }
    }

    /// A class that follows upon another.
    private struct Sign {
        var letter: Letter
        /// The likeliest that a space was since the last one.
        var space: Double
    }

    /// - Parameter values: steps × classes probabilities.
    func letters(_ values: [Float], steps: Int) -> [Letter] {
        let classes = characters.count
        let space = classes - 1
        var signs: [Sign] = []
        var between: Float = 0
        var last = 0
        values.withUnsafeBufferPointer { values in
            for step in 0..<steps {
                let row = UnsafeBufferPointer(rebasing: values[step * classes..<(step + 1) * classes])
                var (best, likelihood) = (0, row[0])
                for index in 1..<classes where row[index] > likelihood { (best, likelihood) = (index, row[index]) }
                between = max(between, row[space])
                defer { last = best }
                // The list has an ideographic space, too.
                guard best != 0, best != space, characters[best] != "\u{3000}" else { continue }
                if best == last, let index = signs.indices.last {
                    signs[index].letter.probability = max(signs[index].letter.probability, Double(likelihood))
                    signs[index].letter.place += 0.5
                } else {
                    let letter = Letter(
                        text: characters[best], probability: Double(likelihood), place: Double(step) + 0.5,
                        rivals: rivals(of: best, in: row))
                    signs.append(Sign(letter: letter, space: Double(between)))
                }
                between = 0
            }
        }
        return Self.agreed(Self.spaced(signs))
    }

    /// Rivals of a class in one step.
    private func rivals(of best: Int, in likelihoods: UnsafeBufferPointer<Float>) -> [Character] {
        guard TextWord.sign(characters[best]) != nil else { return [] }
        return latin.filter { $0.index != best && likelihoods[$0.index] >= Self.leastRival }
            .sorted { likelihoods[$0.index] > likelihoods[$1.index] }
            .map(\.text)
    }

    /// Spaces are seldom the likeliest class, but between two words they are some ten times as likely as within one, and
    /// there the letters are farther apart than most.
    private static func spaced(_ signs: [Sign]) -> [Letter] {
        let gaps = zip(signs, signs.dropFirst()).map { $1.letter.place - $0.letter.place }
        let usual = gaps.sorted().dropFirst(gaps.count / 2).first ?? 1
        var letters: [Letter] = []
        for (index, sign) in signs.enumerated() {
            if index > 0 {
                let far = leastSpace * exp(-decline * (gaps[index - 1] / max(usual, 0.5) - usualSpace))
                let before = index > 1 ? signs[index - 2].letter.text : ""
                let habit = habit(before, signs[index - 1].letter.text, sign.letter.text)
                if sign.space >= min(max(far, 0.008), 0.3) * habit {
                    let place = (signs[index - 1].letter.place + sign.letter.place) / 2
                    letters.append(Letter(text: " ", probability: sign.space, place: place))
                }
            }
            letters.append(sign.letter)
        }
        return letters
    }

    /// Factor by which more of a sign is needed for a space after the second of three characters, by the way people
    /// write: commas have one behind them and none before them, times and fractions have none.
    private static func habit(_ first: String, _ second: String, _ third: String) -> Double {
        func isDigit(_ text: String) -> Bool { TextWord.sign(text)?.isNumber ?? false }
        let isWithinNumber = isDigit(first) && isDigit(third)
        if [",", ";", ".", ":"].contains(third) { return 10 }
        switch second {
        case ",", ";": return isWithinNumber ? 1 : 0.3
        case ".", ":": return isWithinNumber ? 10 : 1
        default: return 1
        }
    }

    /// Each word's letters and digits as the rest of it has them, where the network itself wavers.
    private static func agreed(_ letters: [Letter]) -> [Letter] {
        var letters = letters
        for word in letters.indices.split(whereSeparator: { letters[$0].text == " " }) {
            let agreed = TextWord(Array(letters[word])).agreed
            letters.replaceSubrange(word.startIndex..<word.endIndex, with: agreed)
        }
        return letters
    }

    /// The probability that a space needs where letters are so many times as far apart as most, and how that falls.
    private static let (leastSpace, usualSpace, decline) = (0.03, 1.3, 3.0)
}
