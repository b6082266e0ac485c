internal import Graph

/// Readings of a model that gives more than where things are: features, say, or what it had before it was done.
extension DetectorRecognition {
    /// A reading of as many outputs as can be read so, whose last reason says which it does without; nil where none can.
    /// - Throws: `InferenceError` where it fits different ones.
    func readingOfFewer(_ isMeant: (Guess) -> Bool) throws -> DetectorReading? {
        let outputs = evidence.considered
        guard (2...16).contains(outputs.count) else { return nil }
        // A result beside two outputs for each of three strides: of more, not every set is tried.
        let most = outputs.count <= 7 ? outputs.count - 1 : 2
        // What comes first is kept first.
        let sets = (1..<(1 << outputs.count)).reversed().filter { $0.nonzeroBitCount <= most }.map { bits in
            Set(outputs.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
        }
        for count in 1...most {
            let found = sets.filter { $0.count == count }.compactMap { ignored in
                reading(without: ignored, isMeant).map { (reading: $0, ignored: ignored) }
            }
            guard var reading = found.first?.reading else { continue }
            guard found.count == 1 else {
                let fitting = found.map { set in quoted(outputs.filter { !set.ignored.contains($0) }) }
                throw InferenceError(
                    "its outputs are \(evidence.described), of which each of \(fitting.joined(separator: "; ")) can be read as "
                        + "“\(reading.layout.rawValue)”; expected an export without the others")
            }
            reading.reasons.append("without \(quoted(found[0].ignored.sorted()))")
            return reading
        }
        return nil
    }

    private func quoted(_ outputs: [Int]) -> String {
        outputs.map { "“\(evidence.outputs[$0].name)”" }.joined(separator: ", ")
    }

    /// The least far-fetched one whose values are right, or whose classes are those that have names; nil where several are.
    private func reading(without ignored: Set<Int>, _ isMeant: (Guess) -> Bool) -> DetectorReading? {
        var fewer = evidence
        fewer.ignored = ignored
        let recognition = DetectorRecognition(evidence: fewer)
        let guesses = recognition.guesses().filter { guess in
            isMeant(guess) && fits(guess) && (guess.isPlausible || evidence.names != nil && guess.reading.classes != nil)
        }
        let nearest = guesses.map(\.distance).min()
        let left = guesses.filter { $0.distance == nearest }
        return Set(left.map(\.reading.layout)).count == 1 ? left[0].reading : nil
    }
}
