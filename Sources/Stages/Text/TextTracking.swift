internal import Annotate

/// Gives the lines of successive frames their tracks, and reads each a few times, not in every frame.
///
/// A line is read when it was seen twice, then ever more seldom: at its 4th, 8th, 16th … sighting, until it was read for
/// sure. What most readings say, weighted by their confidence, is what the track says. A track that says something has a
/// number; another line that says the same where a track was lost is the same thing.
struct TextTracking {
    struct Settings: Sendable {
        var minimumConfidence = 0.8
        /// How long a string may be out of sight and keep its track, seconds.
        var timeout = 2.0
        /// How often a line is seen before it is read.
        var patience = 2
        /// How many lines of a frame are read at the most.
        var readings = 4
        /// What a line must be like at least to be read; one of two letters has about 1.2.
        var leastScore = 0.8
    }

    /// A track's string in one frame.
    struct Text {
        var track: Int
        var state: TrackState
        var polygon: [Point]
        var reading: TextReading
    }

    private struct Track {
        var number: Int?
        var line: FoundTextLine
        /// Pixels a second.
        var velocity = Point(0, 0)
        var lastSeen: Double
        var sightings = 1
        var isLost = false
        var wasJustFound = false
        /// The sighting at which it is read next.
        var nextReading: Int
        var votes: [(text: String, weight: Double, best: TextReading)] = []

        var reading: TextReading? { votes.max { $0.weight < $1.weight }?.best }

        func prediction(at seconds: Double, trusted: Double) -> FoundTextLine {
            let way = velocity * min(max(seconds - lastSeen, 0), trusted)
            var line = line
            line.polygon = line.polygon.map { $0 + way }
            return line
        }
    }

    /// Seconds for which a line that isn't found is supposed to go on, where lines are looked for often enough.
    private static let trustedMotion = 0.3
    /// The sighting after which an unsure line is read no more.
    private static let lastReading = 256

    private let settings: Settings
    private var tracks: [Track] = []
    private var count = 0
    private var lastCall: Double?
    /// Seconds for which a line that isn't found is supposed to go on: for one run at least, however far apart they are.
    private var trusted = TextTracking.trustedMotion

    init(settings: Settings) { self.settings = settings }

    /// - Parameter read: recognises a line.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundTextLine], at seconds: Double, read: (FoundTextLine) throws -> TextReading?
    ) rethrows -> [Text] {
        trusted = max(Self.trustedMotion, 1.5 * (seconds - (lastCall ?? seconds)))
        lastCall = seconds
        let taken = pair(found, at: seconds)
        for (index, line) in found.enumerated() where !taken.contains(index) && !isPartOfKnown(line) {
            tracks.append(Track(line: line, lastSeen: seconds, nextReading: settings.patience))
        }
        try recognize(at: seconds, read)
        var texts: [Text] = []
        for index in tracks.indices {
            let track = tracks[index]
            guard let number = track.number, let reading = track.reading else { continue }
            let gap = seconds - track.lastSeen
            var state: TrackState = track.wasJustFound ? .recovered : .tracked
            if gap > 0 {
                state = gap > settings.timeout ? .ended : gap > trusted ? .lost : .predicted
                tracks[index].isLost = state == .lost
            }
            texts.append(
                Text(
                    track: number, state: state, polygon: track.prediction(at: seconds, trusted: trusted).polygon,
                    reading: reading))
        }
        tracks.removeAll { track in
            let gap = seconds - track.lastSeen
            return gap > settings.timeout || (track.number == nil && gap > trusted)
        }
        return texts.sorted { $0.track < $1.track }
    }

    // MARK: Pairing

    /// Pairs lines with tracks, the nearest first; returns the lines that are taken.
    private mutating func pair(_ found: [FoundTextLine], at seconds: Double) -> Set<Int> {
        var pairs: [(cost: Double, line: Int, track: Int)] = []
        for (t, track) in tracks.enumerated() {
            tracks[t].wasJustFound = false
            let expected = track.prediction(at: seconds, trusted: trusted)
            for (index, line) in found.enumerated() where line.isLight == expected.isLight {
                let height = max(line.height, expected.height)
                let distance = line.center.distance(to: expected.center) / height
                let (tall, wide) = (line.height / expected.height, line.width / expected.width)
                // Half a line's width, for a line that lost letters at one end, but no line's place in a paragraph.
                guard distance < 0.9 + 1.5 * min(seconds - track.lastSeen, 1), (0.6...1.7).contains(tall),
                    (0.7...1.45).contains(wide)
                else { continue }
                pairs.append((distance + abs(1 - wide) + abs(1 - tall), index, t))
            }
        }
        pairs.sort { ($0.cost, $0.line, $0.track) < ($1.cost, $1.line, $1.track) }
        var (taken, paired) = (Set<Int>(), Set<Int>())
        for pair in pairs where !taken.contains(pair.line) && !paired.contains(pair.track) {
            taken.insert(pair.line)
            paired.insert(pair.track)
            see(pair.track, found[pair.line], at: seconds)
        }
        return taken
    }

    private mutating func see(_ index: Int, _ line: FoundTextLine, at seconds: Double) {
        let gap = seconds - tracks[index].lastSeen
        if gap > 0, gap <= trusted {
            let velocity = (line.center - tracks[index].line.center) * (1 / gap)
            tracks[index].velocity = (tracks[index].velocity + velocity) * 0.5
        } else {
            tracks[index].velocity = Point(0, 0)
        }
        tracks[index].wasJustFound = tracks[index].isLost
        tracks[index].isLost = false
        tracks[index].line = line
        tracks[index].lastSeen = seconds
        tracks[index].sightings += 1
    }

    /// True for a piece of a line that has a track and was seen a moment ago.
    private func isPartOfKnown(_ line: FoundTextLine) -> Bool {
        tracks.contains { track in
            track.number != nil && !track.isLost && track.line.contains(line.center)
                && line.width < track.line.width * 0.95
                && (0.5...2).contains(line.height / track.line.height)
        }
    }

    /// True for what is still to be seen of a string that is partly covered: it stays that string.
    private func isRestOfHidden(_ index: Int, _ reading: TextReading) -> Bool {
        let line = tracks[index].line
        return tracks.contains { other in
            guard other.number != nil, other.lastSeen < tracks[index].lastSeen,
                let whole = other.reading?.text
            else { return false }
            return whole.count > reading.text.count && whole.contains(reading.text)
                && other.line.contains(line.center)
        }
    }

    // MARK: Reading

    private mutating func recognize(
        at seconds: Double, _ read: (FoundTextLine) throws -> TextReading?
    ) rethrows {
        let due = tracks.indices.filter {
            tracks[$0].lastSeen == seconds && tracks[$0].sightings >= tracks[$0].nextReading
                && tracks[$0].line.score >= settings.leastScore
        }
        // What was read less often comes first, then what looks more like text.
        let order = due.sorted { a, b in
            (tracks[a].nextReading, -tracks[a].line.score, a) < (tracks[b].nextReading, -tracks[b].line.score, b)
        }
        for index in order.prefix(settings.readings) {
            tracks[index].nextReading = max(2, tracks[index].sightings * 2)
            let reading = try read(tracks[index].line)
            if let reading, reading.isPlausible, reading.confidence >= leastConfidence(of: reading) {
                vote(reading, for: index)
            }
            if tracks[index].nextReading > Self.lastReading || isSure(index) { tracks[index].nextReading = .max }
        }
    }

    /// Short strings are read into textures more often.
    private func leastConfidence(of reading: TextReading) -> Double {
        let signs = reading.text.count { $0.isLetter || $0.isNumber }
        return signs > 3 ? settings.minimumConfidence : (1 + settings.minimumConfidence) / 2
    }

    /// True where two sure readings agree.
    private func isSure(_ index: Int) -> Bool { tracks[index].votes.contains { $0.weight > 1.8 } }

    private mutating func vote(_ reading: TextReading, for index: Int) {
        if let known = tracks[index].votes.firstIndex(where: { $0.text == reading.text }) {
            tracks[index].votes[known].weight += reading.confidence
            if reading.confidence > tracks[index].votes[known].best.confidence {
                tracks[index].votes[known].best = reading
            }
        } else {
            tracks[index].votes.append((reading.text, reading.confidence, reading))
        }
        guard tracks[index].number == nil, !isRestOfHidden(index, reading) else { return }
        // The same string where it was lost, or beside where it was missed just now: the same thing.
        let line = tracks[index].line
        let same = tracks.firstIndex { other in
            other.number != nil && other.lastSeen < tracks[index].lastSeen && other.reading?.text == reading.text
                && (other.isLost || other.line.center.distance(to: line.center) < 3 * line.height)
        }
        if let same {
            tracks[index].number = tracks[same].number
            tracks[index].wasJustFound = tracks[same].isLost
            // It goes when all lines are read.
            tracks[same].number = nil
            tracks[same].lastSeen = -.infinity
        } else {
            count += 1
            tracks[index].number = count
        }
    }
}
