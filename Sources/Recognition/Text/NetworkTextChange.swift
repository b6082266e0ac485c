/// How often something that came beside a line turned out to be no letter of it, and when it may be taken for one again:
/// each time later, up to about two seconds.
struct FalseAlarms {
    /// Whether one is being looked into.
    var isOn = false
    private var count = 0
    /// The frame from which on it may ring.
    private var next = 0

    /// Frames of the first rest, and how many times it is doubled.
    private static let (rest, mostDoublings) = (6, 3)

    /// Called in every frame in which no reading of the line is due.
    mutating func mayRing(in frame: Int) -> Bool {
        if isOn {
            isOn = false
            next = frame + Self.rest << min(count, Self.mostDoublings)
            count += 1
        }
        return frame >= next
    }
}

/// What becomes of a line that goes on saying something else in its place, as a clock does: its track is lost, and what
/// it says now is another's.
extension NetworkTextTracking {
    /// Frames between two questions whether a line still says the same, where the answer was that it does.
    private static let rest = 5
    /// Least confidence of a reading that says anything of a line that has become blurred.
    private static let leastSure = 0.6
    /// Share of its detail below which a line is blurred.
    private static let blurred = 0.7
    /// Readings that are due where a line seems to say more or less than it did: the first may come before all is there.
    private static let doubts = 2
    /// Share of its width below which what is seen of a line may be a piece.
    private static let leastWhole = 0.88
    /// Of a line's height.
    private static let halfLetter = 0.4
    /// Share of the best reading's confidence with which one of what has changed counts at once; else it has to come twice.
    private static let asSure = 0.9

    /// Lines of those followed that say what they did; the tracks of the others are lost.
    ///
    /// What looks otherwise in places is read once, where it is: a glance, next to a look at the whole picture.
    /// - Returns: `hasChanged`: whether there is something to look at, as there is while a line seems to say more or less.
    mutating func unchanged(
        _ followed: [(index: Int, known: Known)], in frame: VideoFrame
    ) throws -> (lines: [(index: Int, known: Known)], hasChanged: Bool) {
        var lines: [(index: Int, known: Known)] = []
        for (index, var known) in followed {
            var isSame = true
            if book.tracks[index].number != nil, let appearance = known.appearance {
                if known.owed == 0, known.alarms.mayRing(in: frames),
                    try appearance.ends.showMore(of: known.line, in: frame)
                {
                    known.owed = Self.doubts
                    known.alarms.isOn = true
                }
                if frames >= known.nextQuestion, try appearance.hasChanged(in: known.line, frame) {
                    isSame = try ask(&known, in: frame)
                }
            }
            if isSame {
                lines.append((index, known))
            } else {
                book[index].isErased = known.isErased
                book.lose(index)
            }
        }
        return (lines, lines.count < followed.count || lines.contains { $0.known.owed > 0 })
    }

    /// Reads a line that may have changed.
    /// - Returns: whether it says what it did, or a part of that, or more.
    private func ask(_ known: inout Known, in frame: VideoFrame) throws -> Bool {
        known.nextQuestion = frames + Self.rest
        let letters = try networks.letters(of: known.line, in: frame)
        let text = Self.folded(letters.map(\.text).joined())
        let strings = known.votes.map { Self.folded($0.text) }
        let now = try TextAppearance(of: known.line, in: frame)
        if strings.contains(text) {
            known.appearance = now ?? known.appearance
            return true
        }
        let told = Self.folded(known.reading?.text ?? "")
        if !told.isEmpty, text.contains(told) {
            known.owed = Self.doubts
            return true
        }
        // Something in front of it leaves a part to be seen; what was taken away, only what it stood on.
        let isErased = try isErased(known, but: letters, in: frame)
        if strings.contains(where: { $0.contains(text) && 2 * text.count >= $0.count }) {
            if isErased { known.owed = Self.doubts }
            return true
        }
        known.isErased = isErased
        let sureness = letters.reduce(0) { $0 + $1.probability } / Double(max(letters.count, 1))
        let isBlurred = (now?.detail ?? 0) < Self.blurred * (known.appearance?.detail ?? 0)
        // What has no letters any more may have gone.
        known.isDoubtful = hides
        return sureness < Self.leastSure && isBlurred
    }

    /// Whether a line's other letters have gone, so that what is behind them is to be seen.
    private func isErased(_ known: Known, but letters: [TextDecoder.Letter], in frame: VideoFrame) throws -> Bool {
        let rest = Self.folded(letters.map(\.text).joined()), whole = Self.folded(known.reading?.text ?? "")
        guard let first = letters.first, let last = letters.last, rest.count < whole.count,
            let ends = known.appearance?.ends
        else { return false }
        // The other half of the letter that is left, and what is between it and the next.
        let letter = Self.halfLetter * known.line.height / max(known.line.width, 1)
        let (left, right) = (first.place - letter, 1 - last.place - letter)
        if whole.hasPrefix(rest), right > letter {
            return try ends.areBare(right, ofRight: true, of: known.line, in: frame)
        }
        if whole.hasSuffix(rest), left > letter {
            return try ends.areBare(left, ofRight: false, of: known.line, in: frame)
        }
        return false
    }

    /// Takes note of a reading of a line that seems to say more or less than it did: where it says something else, what was
    /// read before counts no more.
    static func settle(_ known: inout Known, by reading: TextReading) {
        guard known.owed > 0 else { return }
        known.owed -= 1
        let best = known.votes.map { $0.best.confidence }.max() ?? 0
        guard let told = known.reading?.text, told != reading.text,
            reading.confidence >= asSure * best || known.votes.contains(where: { $0.text == reading.text })
        else { return }
        known.votes = []
        known.owed = 0
        known.alarms = FalseAlarms()
    }

    /// Whether a reading is of a piece of a line, where nothing says that the rest has gone.
    static func isPiece(_ text: String, of known: Known, in region: TextRegion) -> Bool {
        guard known.owed == 0, let told = known.reading?.text, region.width < leastWhole * known.detected.width else {
            return false
        }
        let (piece, whole) = (folded(text), folded(told))
        return piece.count < whole.count && whole.contains(piece)
    }

    /// A text without spaces, and with look-alikes, which one reading tells from each other and the next doesn't, as
    /// one.
    static func folded(_ text: String) -> String {
        let alike: [Character: Character] = ["0": "o", "1": "l", "i": "l", "|": "l"]
        return String(text.lowercased().filter { $0 != " " }.map { alike[$0] ?? $0 })
    }

    /// The track of a string that a longer one, just read, has grown out of: it is a part of it, in its place.
    func part(of reading: TextReading, in line: TextRegion) -> Int? {
        book.tracks.firstIndex { other in
            guard other.number != nil, other.isSeen, let part = other.thing.reading else { return false }
            return part.text.count < reading.text.count && line.contains(other.thing.center)
                && (0.5...2).contains(other.thing.height / max(line.height, 1))
                && (reading.text.contains(part.text) || Self.isPart(part, other.thing.line, of: reading, line))
        }
    }

    /// Whether a reading is a part of a longer string that is told where it is.
    func isPartOfTold(_ reading: TextReading, in line: TextRegion) -> Bool {
        book.tracks.contains { other in
            guard other.number != nil, other.isSeen, let whole = other.thing.reading else { return false }
            return whole.text.count > reading.text.count && other.thing.line.contains(line.center)
                && (0.5...2).contains(line.height / max(other.thing.height, 1))
                && (whole.text.contains(reading.text) || Self.isPart(reading, line, of: whole, other.thing.line))
        }
    }

    /// Whether a line lies within another one that was read as surely: though it says something else, as of a letter that its
    /// end cuts, it is a part of that.
    private static func isPart(
        _ part: TextReading, _ inner: TextRegion, of whole: TextReading, _ outer: TextRegion
    ) -> Bool {
        guard let map = Homography(unitSquareTo: inner.polygon) else { return false }
        return whole.confidence >= asSure * part.confidence
            && [0.1, 0.3, 0.7, 0.9].allSatisfy { outer.contains(map(Point($0, 0.5))) }
    }
}
