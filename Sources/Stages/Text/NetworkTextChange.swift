internal import Graph

/// What becomes of a line that goes on saying something else in its place, as a clock does: its track is lost, and what
/// it says now is another's.
extension NetworkTextTracking {
    /// Frames between two questions whether a line still says the same, where the answer was that it does.
    private static let rest = 5
    /// Least confidence of a reading that says anything of a line that has become blurred.
    private static let leastSure = 0.6
    /// Share of its detail below which a line is blurred.
    private static let blurred = 0.7

    /// Lines of those followed that say what they did; the tracks of the others are lost.
    ///
    /// What looks otherwise in places is read once, where it is: a glance, next to a look at the whole picture.
    mutating func unchanged(
        _ followed: [(index: Int, known: Known)], in frame: VideoFrame
    ) throws -> (lines: [(index: Int, known: Known)], hasChanged: Bool) {
        var lines: [(index: Int, known: Known)] = []
        for (index, known) in followed {
            guard book.tracks[index].number != nil, frames >= known.nextQuestion,
                try known.appearance?.hasChanged(in: known.line, frame) ?? false
            else {
                lines.append((index, known))
                continue
            }
            if let known = try asked(known, in: frame) {
                lines.append((index, known))
            } else {
                book.lose(index)
            }
        }
        return (lines, lines.count < followed.count)
    }

    /// A line that may have changed as it looks now; nil where it says something else.
    private func asked(_ known: Known, in frame: VideoFrame) throws -> Known? {
        var known = known
        known.nextQuestion = frames + Self.rest
        let letters = try networks.letters(of: known.line, in: frame)
        let text = Self.folded(letters.map(\.text).joined())
        let strings = known.votes.map { Self.folded($0.text) }
        let now = try TextAppearance(of: known.line, in: frame)
        if strings.contains(text) {
            known.appearance = now ?? known.appearance
            return known
        }
        // Something in front of it leaves a part to be seen.
        if strings.contains(where: { $0.contains(text) && 2 * text.count >= $0.count }) { return known }
        let sureness = letters.reduce(0) { $0 + $1.probability } / Double(max(letters.count, 1))
        let isBlurred = (now?.detail ?? 0) < Self.blurred * (known.appearance?.detail ?? 0)
        return sureness < Self.leastSure && isBlurred ? known : nil
    }

    /// A text without spaces, and with look-alikes, which one reading tells from each other and the next doesn't, as
    /// one.
    private static func folded(_ text: String) -> String {
        let alike: [Character: Character] = ["0": "o", "1": "l", "i": "l", "|": "l"]
        return String(text.lowercased().filter { $0 != " " }.map { alike[$0] ?? $0 })
    }

    /// The track of a string that a longer one, just read, has grown out of: it is a part of it, in its place.
    func part(of text: String, in line: TextRegion) -> Int? {
        book.tracks.firstIndex { other in
            guard other.number != nil, other.isSeen, let part = other.thing.reading?.text else { return false }
            return part.count < text.count && text.contains(part) && line.contains(other.thing.center)
                && (0.5...2).contains(other.thing.height / max(line.height, 1))
        }
    }

    /// Whether a reading is a part of a longer string that is told where it is.
    func isPartOfTold(_ text: String, in line: TextRegion) -> Bool {
        book.tracks.contains { other in
            guard other.number != nil, other.isSeen, let whole = other.thing.reading?.text else { return false }
            return whole.count > text.count && whole.contains(text) && other.thing.line.contains(line.center)
                && (0.5...2).contains(line.height / max(other.thing.height, 1))
        }
    }
}
