/// Gives the lines of successive frames their tracks, and reads each a few times, not in every frame.
///
/// A line is read when it was seen twice, then ever more seldom: at its 4th, 8th, 16th … sighting, until it was read for
/// sure. What most readings say, weighted by their confidence, is what the track says. A track that says something has a
/// number; another line that says the same where a track was lost is the same thing.
struct TextTracking {
    /// A track's string in one frame.
    struct Text {
        var track: Int
        var state: TrackState
        var polygon: [Point]
        var reading: TextReading
    }

    /// A line with what was read in it.
    private struct Known: PolygonTrackable {
        var line: FoundTextLine
        /// The sighting at which it is read next.
        var nextReading: Int
        var votes: [(text: String, weight: Double, best: TextReading)] = []

        var reading: TextReading? { votes.max { $0.weight < $1.weight }?.best }
        var polygon: [Point] {
            get { line.polygon }
            set { line.polygon = newValue }
        }
    }

    /// The sighting after which an unsure line is read no more.
    private static let lastReading = 256

    /// Least score of a line that is read; one of two letters has about 1.2.
    private static let leastScore = 0.8

    /// Confidence from which on a reading counts.
    private let least: Double
    private let patience: Int
    private let readings: Int
    private var book: TrackBook<Known>

    /// - Parameters:
    ///   - patience: How often a line is seen before it is read.
    ///   - readings: How many lines of a frame are read at the most.
    ///   - hides: True where what is found is hidden.
    init(_ options: TextBlueprint.Options = .init(), patience: Int = 2, readings: Int = 4, hides: Bool = false) {
        (least, self.patience, self.readings) = (options.leastConfidence(hides: hides), patience, readings)
        var policy = TrackPolicy(memory: options.timeout, confirmation: nil)
        policy.smoothing = .halved
        // Over one run at least, however far apart they are.
        policy.trustedSteps = 1.5
        book = TrackBook(policy)
    }

    /// - Parameter read: recognises a line.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundTextLine], at seconds: Double, read: (FoundTextLine) throws -> TextReading?
    ) rethrows -> [Text] {
        book.advance(to: seconds)
        let trackOf = book.pair(found) { Self.cost($1.line, $2, gap: seconds - $0.lastSeen) }
        for case (let line, let track?) in zip(found, trackOf) {
            var known = book[track]
            known.line = line
            book.see(known, as: track)
        }
        for (line, track) in zip(found, trackOf) where track == nil && !isPartOfKnown(line) {
            book.see(Known(line: line, nextReading: patience))
        }
        try recognize(read)
        book.settle()
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            guard let number = track.number, let reading = track.thing.reading else { return nil }
            return Text(track: number, state: track.state, polygon: book.expected(index).polygon, reading: reading)
        }.sorted { $0.track < $1.track }
    }

    // MARK: Which line is which

    /// Cost of taking a line for the one expected; nil where it can't be.
    private static func cost(_ expected: FoundTextLine, _ line: FoundTextLine, gap: Double) -> Double? {
        guard line.isLight == expected.isLight else { return nil }
        let distance = line.center.distance(to: expected.center) / max(line.height, expected.height)
        let (tall, wide) = (line.height / expected.height, line.width / expected.width)
        // Half a line's width, for a line that lost letters at one end, but no line's place in a paragraph.
        guard distance < 0.9 + 1.5 * min(gap, 1), (0.6...1.7).contains(tall), (0.7...1.45).contains(wide) else {
            return nil
        }
        return distance + abs(1 - wide) + abs(1 - tall)
    }

    /// Whether a line is a piece of one that has a track and was seen a moment ago.
    private func isPartOfKnown(_ line: FoundTextLine) -> Bool {
        book.tracks.contains { track in
            let whole = track.thing.line
            return track.number != nil && track.state != .lost && whole.contains(line.center)
                && line.width < whole.width * 0.95 && (0.5...2).contains(line.height / whole.height)
        }
    }

    /// Whether a reading is what is still to be seen of a string that is partly covered: it stays that string.
    private func isRestOfHidden(_ index: Int, _ reading: TextReading) -> Bool {
        book.tracks.contains { other in
            guard other.number != nil, !other.isSeen, let whole = other.thing.reading?.text else { return false }
            return whole.count > reading.text.count && whole.contains(reading.text)
                && other.thing.line.contains(book[index].center)
        }
    }

    // MARK: Reading

    private mutating func recognize(_ read: (FoundTextLine) throws -> TextReading?) rethrows {
        let due = book.tracks.indices.filter {
            book.tracks[$0].isSeen && book.tracks[$0].sightings >= book[$0].nextReading
                && book[$0].line.score >= Self.leastScore
        }
        // What was read less often comes first, then what looks more like text.
        let order = due.sorted { a, b in
            (book[a].nextReading, -book[a].line.score, a) < (book[b].nextReading, -book[b].line.score, b)
        }
        for index in order.prefix(readings) {
            book[index].nextReading = max(2, book.tracks[index].sightings * 2)
            if let reading = try read(book[index].line), reading.isPlausible, reading.isSure(reading.confidence, least)
            {
                vote(reading, for: index)
            }
            // Two sure readings that agree are enough.
            if book[index].nextReading > Self.lastReading || book[index].votes.contains(where: { $0.weight > 1.8 }) {
                book[index].nextReading = .max
            }
        }
    }

    private mutating func vote(_ reading: TextReading, for index: Int) {
        var votes = book[index].votes
        let known = votes.firstIndex { $0.text == reading.text } ?? votes.count
        if known == votes.count { votes.append((reading.text, 0, reading)) }
        votes[known].weight += reading.confidence
        if reading.confidence > votes[known].best.confidence { votes[known].best = reading }
        book[index].votes = votes
        guard book.tracks[index].number == nil, !isRestOfHidden(index, reading) else { return }
        // The same string where it was lost, or beside where it was missed just now: the same thing.
        let line = book[index].line
        let same = book.tracks.firstIndex { other in
            other.number != nil && !other.isSeen && other.thing.reading?.text == reading.text
                && (other.state == .lost || other.thing.center.distance(to: line.center) < 3 * line.height)
        }
        if let same { book.replace(same, by: index) } else { book.confirm(index) }
    }
}
