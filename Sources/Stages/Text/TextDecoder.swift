internal import Annotate

/// Reads what a recogniser says at each of its steps along a line (connectionist temporal classification, Graves et al.
/// 2006): the likeliest class of each step, repeats and blanks left out.
struct TextDecoder: Sendable {
    /// A character of a line.
    struct Letter: Sendable {
        var text: String
        /// 0…1.
        var probability: Double
        /// Where its middle is, steps.
        var place: Double
    }

    let characters: [String]

    /// Spaces are seldom the likeliest class, but between two words their probability is ten times what it is within one.
    private static let leastSpace: Float = 0.04

    /// - Parameter values: steps × classes probabilities.
    func letters(_ values: [Float], steps: Int) -> [Letter] {
        let classes = characters.count
        let space = classes - 1
        var letters: [Letter] = []
        /// The likeliest that a space was since the last letter.
        var between: Float = 0
        var last = 0
        values.withUnsafeBufferPointer { values in
            for step in 0..<steps {
                let row = values[step * classes..<(step + 1) * classes]
                var (best, likelihood) = (0, row[row.startIndex])
                for (index, value) in row.enumerated() where value > likelihood { (best, likelihood) = (index, value) }
                between = max(between, row[row.startIndex + space])
                defer { last = best }
                guard best != 0, best != space else { continue }
                if best == last, let index = letters.indices.last {
                    letters[index].probability = max(letters[index].probability, Double(likelihood))
                    letters[index].place += 0.5
                } else {
                    if !letters.isEmpty, between >= Self.leastSpace {
                        letters.append(Letter(text: " ", probability: Double(between), place: Double(step)))
                    }
                    letters.append(Letter(text: characters[best], probability: Double(likelihood), place: Double(step) + 0.5))
                }
                between = 0
            }
        }
        return letters
    }
}
