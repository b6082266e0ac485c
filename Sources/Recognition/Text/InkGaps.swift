/// The empty columns between a line's characters: Tesseract now and then leaves out a space that is plain to see, as in
/// “18 h”.
struct InkGaps {
    private let isEmpty: [Bool]
    private let column: (Double) -> Int

    /// - Parameters:
    ///   - pixels: a line, dark on light, in `height` rows of `width`.
    ///   - column: of a place along the line, 0…1.
    init(_ pixels: [UInt8], width: Int, height: Int, column: @escaping (Double) -> Int) {
        isEmpty = (0..<width).map { x in
            !stride(from: x, to: width * height, by: width).contains { pixels[$0] < 128 }
        }
        self.column = column
    }

    /// The longest run of empty columns between the middles of two parts.
    private func gap(_ left: TextReading.Part, _ right: TextReading.Part) -> Int {
        func middle(_ part: TextReading.Part) -> Int { column((part.corners[0].x + part.corners[1].x) / 2) }
        var (run, longest) = (0, 0)
        for x in max(middle(left), 0)..<max(min(middle(right), isEmpty.count), max(middle(left), 0)) {
            run = isEmpty[x] ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// Whether one is a number and the other letters: two digits or letters are told apart by more than their distance.
    private static func isUnit(_ left: String, _ right: String) -> Bool {
        guard let a = left.last, let b = right.first else { return false }
        return a.isNumber && b.isLetter || a.isLetter && b.isNumber
    }

    /// Parts words between a number and letters where a gap is as wide as the line's spaces are, and far wider than those
    /// between its letters.
    /// - Parameter least: of a space, pixels.
    func spaced(
        _ words: [TextReading.Part], _ characters: [TextReading.Part], least: Double
    ) -> [TextReading.Part] {
        guard words.count > 1, words.map(\.text).joined() == characters.map(\.text).joined() else { return words }
        var groups: [[TextReading.Part]] = []
        var rest = characters[...]
        for word in words {
            var group: [TextReading.Part] = []
            while group.map(\.text).joined() != word.text, let next = rest.popFirst() { group.append(next) }
            groups.append(group)
        }
        guard rest.isEmpty, groups.allSatisfy({ !$0.isEmpty }) else { return words }
        let spaces = zip(groups, groups.dropFirst()).map { gap($0[$0.count - 1], $1[0]) }
        let inner = groups.flatMap { group in zip(group, group.dropFirst()).map { gap($0, $1) } }.sorted()
        guard let space = spaces.min(), !inner.isEmpty else { return words }
        // A 1 stands apart from its neighbours too, if not as far as words do.
        let next = inner.dropLast().last ?? 0
        let wide = max(0.92 * Double(space), 2.2 * Double(max(inner[inner.count / 2], 1)), 1.4 * Double(next), least)
        return zip(words, groups).flatMap { word, group in
            var parts: [TextReading.Part] = []
            var start = 0
            for index in 1...group.count {
                let isEnd = index == group.count
                guard
                    isEnd
                        || Self.isUnit(group[index - 1].text, group[index].text)
                            && Double(gap(group[index - 1], group[index])) >= wide
                else { continue }
                guard start > 0 || !isEnd else { return [word] }
                let corners = [
                    start == 0 ? word.corners[0] : group[start].corners[0],
                    isEnd ? word.corners[1] : group[index - 1].corners[1],
                    isEnd ? word.corners[2] : group[index - 1].corners[2],
                    start == 0 ? word.corners[3] : group[start].corners[3],
                ]
                parts.append(
                    TextReading.Part(
                        text: group[start..<index].map(\.text).joined(), corners: corners, confidence: word.confidence))
                start = index
            }
            return parts
        }
    }
}
