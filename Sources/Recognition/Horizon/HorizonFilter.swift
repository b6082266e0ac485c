internal import Glibc

/// Steadies the horizons of successive frames: what fits the line so far is blended in, what doesn't waits until it has
/// been seen for a while, and where nothing is seen the line stays for a moment.
struct HorizonFilter {
    struct Horizon {
        var track: Int
        var line: HorizonLine
        var confidence: Double
        var isSeen: Bool
    }

    private struct Candidate {
        var line: HorizonLine
        var confidence: Double
        /// Degrees and pixels a second.
        var rate = HorizonLine(angle: 0, offset: 0)
        var since: Double
        var lastSeen: Double
    }

    /// Time for which a line must be seen in a video before it counts, seconds.
    static let confirmation = 0.12

    private let options: HorizonBlueprint.Options
    private let height: Int
    private let confirmation: Double
    private var current: Candidate?
    private var rival: Candidate?
    private var track = 0

    /// - Parameters:
    ///   - height: Of the picture, pixels.
    ///   - confirmation: How long a line must be seen before it counts, seconds.
    init(
        _ options: HorizonBlueprint.Options = .init(), height: Int, confirmation: Double = HorizonFilter.confirmation
    ) {
        (self.options, self.height, self.confirmation) = (options, height, confirmation)
    }

    /// - Parameter found: the frame's own horizon; nil for none.
    mutating func update(_ found: (line: HorizonLine, confidence: Double)?, at seconds: Double) -> Horizon? {
        if let known = current, seconds - known.lastSeen > options.hold { current = nil }
        if let found { take(found, at: seconds) }
        guard let known = current else { return nil }
        // What isn't seen is believed less and less, and not told below what the options ask for.
        let gap = seconds - known.lastSeen
        let confidence = gap > 0 ? known.confidence * (1 - gap / options.hold) : known.confidence
        guard gap == 0 || confidence >= options.minimumConfidence else { return nil }
        return Horizon(track: track, line: known.line, confidence: confidence, isSeen: gap == 0)
    }

    private mutating func take(_ found: (line: HorizonLine, confidence: Double), at seconds: Double) {
        if var known = current, fits(found.line, known, at: seconds) {
            blend(found, into: &known, at: seconds)
            current = known
            rival = nil
            return
        }
        if var other = rival, seconds - other.lastSeen <= options.hold, fits(found.line, other, at: seconds) {
            blend(found, into: &other, at: seconds)
            rival = other
        } else {
            rival = Candidate(line: found.line, confidence: found.confidence, since: seconds, lastSeen: seconds)
        }
        guard let other = rival, seconds - other.since >= confirmation else { return }
        if current == nil { track += 1 }
        current = other
        rival = nil
    }

    /// Whether the other may have become this line since: cameras tilt by some 60° a second at the most.
    private func fits(_ line: HorizonLine, _ other: Candidate, at seconds: Double) -> Bool {
        let gap = seconds - other.lastSeen
        return abs(line.angle - other.line.angle) <= 2 + 60 * gap
            && abs(line.offset - other.line.offset) <= Double(height) * (0.02 + gap)
    }

    private func blend(
        _ found: (line: HorizonLine, confidence: Double), into known: inout Candidate, at seconds: Double
    ) {
        let gap = seconds - known.lastSeen
        let share = options.smoothing > 0 ? 1 - exp(-gap / options.smoothing) : 1
        // An alpha-beta filter: it doesn't lag behind a camera that tilts evenly.
        let gain = gap > 0 ? share * share / (2 - share) / gap : 0
        let angle = found.line.angle - known.line.angle - known.rate.angle * gap
        let offset = found.line.offset - known.line.offset - known.rate.offset * gap
        known.line.angle += known.rate.angle * gap + angle * share
        known.line.offset += known.rate.offset * gap + offset * share
        known.rate.angle += angle * gain
        known.rate.offset += offset * gain
        known.confidence += (found.confidence - known.confidence) * share
        known.lastSeen = seconds
    }
}
