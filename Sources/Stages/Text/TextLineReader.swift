internal import Annotate

/// Has the networks read a line from the side, as far and as often as it takes.
struct TextLineReader: Sendable {
    /// A line as it turned out to be: from its own top left to its last letter.
    struct Line {
        var region: TextRegion
        var reading: TextReading
    }

    let networks: TextNetworks
    /// False where one look has to do.
    let isThorough: Bool

    /// Letters with their places along a region, 0 at its left end and 1 at its right one; an attempt may go beyond.
    private struct Attempt {
        var region: TextRegion
        var letters: [TextDecoder.Letter]
        var left = 0.0
        var right = 1.0
        /// True where more seems to be written beyond an end than could be read.
        var goesOn = false

        var text: String { letters.map(\.text).joined() }
        var signs: [TextDecoder.Letter] { letters.filter { $0.text != " " } }
        /// The letters' mean, and the first and last one's own: what cuts a line cuts these.
        var confidence: Double {
            let signs = signs
            guard let first = signs.first, let last = signs.last else { return 0 }
            let mean = signs.reduce(0) { $0 + $1.probability } / Double(signs.count)
            return min(mean, (mean + min(first.probability, last.probability)) / 2)
        }
    }

    /// How far a line is looked for beyond its ends at a time, and how near to the picture's edge it may go on behind it,
    /// in its heights.
    private static let (reach, edge) = (0.7, 0.6)
    /// A line that isn't seen whole is no surer than this.
    static let mostOfCut = 0.75

    /// - Parameter others: the other lines of the frame, which this one doesn't go on into.
    /// - Returns: nil where nothing was read.
    func read(_ region: TextRegion, besides others: [TextRegion], in frame: VideoFrame) throws -> Line? {
        var best = try upright(region, in: frame)
        if isThorough {
            if best.confidence < 0.9 {
                for margin in [-0.1, 0.12] {
                    guard let other = best.region.grown(left: margin, right: margin, above: margin, below: margin)
                    else { continue }
                    let attempt = Attempt(region: other, letters: try networks.letters(of: other, in: frame))
                    if attempt.confidence > best.confidence, attempt.signs.count >= best.signs.count { best = attempt }
                }
            }
            best = try followed(best, besides: others, in: frame)
        }
        return line(best, in: frame)
    }

    /// The reading from the side that it was written from.
    private func upright(_ region: TextRegion, in frame: VideoFrame) throws -> Attempt {
        func attempt(_ region: TextRegion) throws -> Attempt {
            Attempt(region: region, letters: try networks.letters(of: region, in: frame))
        }
        let likelihood = try networks.upsideDown(region, in: frame)
        let along = region.polygon[1] - region.polygon[0]
        // Few lines stand on their heads; those that run up or down may do either.
        let isLevel = abs(along.x) > abs(along.y)
        var candidates: [TextRegion] = []
        if likelihood < 0.95 { candidates.append(region) }
        if likelihood > (isLevel ? 0.3 : 0.05) { candidates.append(region.turned) }
        var best = try attempt(candidates[0])
        for other in candidates.dropFirst() {
            let attempt = try attempt(other)
            if attempt.confidence > best.confidence { best = attempt }
        }
        if best.confidence < 0.9, region.width < 1.6 * region.height {
            for turns in [1, 3] {
                let corners = Array(region.polygon[turns...] + region.polygon[..<turns])
                let attempt = try attempt(TextRegion(polygon: corners, score: region.score))
                if attempt.confidence > best.confidence { best = attempt }
            }
        }
        return best
    }

    /// The reading with what is written beyond the ends that the region gave the line.
    private func followed(_ start: Attempt, besides others: [TextRegion], in frame: VideoFrame) throws -> Attempt {
        var best = start
        guard !best.signs.isEmpty else { return best }
        var (goesLeft, goesRight) = (true, true)
        for _ in 0..<3 {
            let step = Self.reach * start.region.height / max(start.region.width, 1)
            func isFree(_ x: Double) -> Bool {
                guard let map = Homography(unitSquareTo: start.region.polygon) else { return false }
                let place = map(Point(x, 0.5))
                return place.x >= 0 && place.y >= 0 && place.x < Double(frame.width) && place.y < Double(frame.height)
                    && !others.contains { $0.contains(place) }
            }
            let left = goesLeft && isFree(best.left - step) ? best.left - step : best.left
            let right = goesRight && isFree(best.right + step) ? best.right + step : best.right
            guard left < best.left || right > best.right,
                let wide = start.region.grown(
                    left: -left * start.region.width / start.region.height,
                    right: (right - 1) * start.region.width / start.region.height)
            else { break }
            var attempt = Attempt(region: start.region, letters: try networks.letters(of: wide, in: frame))
            for index in attempt.letters.indices {
                attempt.letters[index].place = left + attempt.letters[index].place * (right - left)
            }
            guard let joined = Self.joined(best, attempt) else { break }
            let (first, last) = (joined.signs[0].place, joined.signs[joined.signs.count - 1].place)
            goesLeft = first < best.left
            goesRight = last > best.right
            let margin = 0.35 * start.region.height / max(start.region.width, 1)
            let (oldLeft, oldRight) = (best.left, best.right)
            best = joined
            best.left = min(oldLeft, first - margin)
            best.right = max(oldRight, last + margin)
            guard goesLeft || goesRight else { break }
        }
        return best
    }

    /// A reading and a longer one of the same line: the longer one where it says the same and, surely, more; nil where it
    /// says nothing new.
    private static func joined(_ base: Attempt, _ wide: Attempt) -> Attempt? {
        let (old, new) = (base.signs.map(\.text), wide.signs.map(\.text))
        guard new.count > old.count else {
            // As much with more room around it, and surer: letters at the ends that were half cut off.
            guard new.count == old.count, new != old, wide.confidence > base.confidence + 0.02 else { return nil }
            var better = base
            better.letters = wide.letters
            return better
        }
        let signs = wide.signs
        // The ends may have been misread for what was missing of them.
        let core = old.count > 2 ? Array(old[1..<old.count - 1]) : old
        let trimmed = old.count > 2 ? 1 : 0
        guard let start = (0...new.count - core.count).first(where: { Array(new[$0..<$0 + core.count]) == core }) else {
            return nil
        }
        let before = signs[..<max(0, start - trimmed)], after = signs[min(signs.count, start + core.count + trimmed)...]
        guard !before.isEmpty || !after.isEmpty else { return nil }
        var result = base
        if (before + after).allSatisfy({ $0.probability >= 0.6 }) {
            result.letters = wide.letters
        } else {
            result.goesOn = (before + after).contains { $0.probability >= 0.3 }
        }
        return result
    }

    // MARK: The line

    private func line(_ attempt: Attempt, in frame: VideoFrame) -> Line? {
        var letters = Self.narrowed(attempt.letters)[...]
        while letters.first?.text == " " { letters.removeFirst() }
        while letters.last?.text == " " { letters.removeLast() }
        guard !letters.isEmpty else { return nil }
        let region = attempt.region
        let scale = region.width / max(region.height, 1e-6)
        guard let whole = region.grown(left: -attempt.left * scale, right: (attempt.right - 1) * scale) else {
            return nil
        }
        let isCut = attempt.goesOn || Self.leaves(whole, frame)
        let confidence = min(attempt.confidence, isCut ? Self.mostOfCut : 1)
        let places = letters.map { ($0.place - attempt.left) / (attempt.right - attempt.left) }
        var characters: [TextReading.Part] = []
        var words: [[TextReading.Part]] = [[]]
        for (index, letter) in zip(places.indices, letters) {
            guard letter.text != " " else {
                words.append([])
                continue
            }
            let part = TextReading.Part(
                text: letter.text, corners: Self.corners(of: index, places), confidence: letter.probability)
            characters.append(part)
            words[words.count - 1].append(part)
        }
        return Line(
            region: whole,
            reading: TextReading(
                text: letters.map(\.text).joined(), confidence: confidence,
                words: words.filter { !$0.isEmpty }.map(Self.word), characters: characters))
    }

    /// The network sometimes takes a comma among Latin letters for a Chinese one, as wide as a character.
    private static func narrowed(_ letters: [TextDecoder.Letter]) -> [TextDecoder.Letter] {
        func isWide(_ scalar: Unicode.Scalar) -> Bool { (0xFF01...0xFF5E).contains(scalar.value) }
        let scalars = letters.flatMap { Array($0.text.unicodeScalars) }
        guard !scalars.contains(where: { $0.value >= 0x2E80 && !isWide($0) }) else { return letters }
        return letters.map { letter in
            var letter = letter
            letter.text = String(
                String.UnicodeScalarView(
                    letter.text.unicodeScalars.map { isWide($0) ? Unicode.Scalar($0.value - 0xFEE0) ?? $0 : $0 }))
            return letter
        }
    }

    /// True for a line that may go on beyond the picture.
    private static func leaves(_ region: TextRegion, _ frame: VideoFrame) -> Bool {
        guard let room = region.grown(left: edge, right: edge) else { return true }
        let (right, bottom) = (Double(frame.width) - 0.5, Double(frame.height) - 0.5)
        return room.polygon.contains { $0.x < -0.5 || $0.y < -0.5 || $0.x > right || $0.y > bottom }
    }

    /// A letter's place in the line's unit square: half the way to its neighbours.
    private static func corners(of index: Int, _ places: [Double]) -> [Point] {
        let place = places[index]
        let before = index > 0 ? (places[index - 1] + place) / 2 : nil
        let after = index + 1 < places.count ? (place + places[index + 1]) / 2 : nil
        let left = before ?? max(0, place - ((after ?? 1) - place))
        let right = after ?? min(1, place + (place - left))
        return Box(x: left, y: 0, width: max(0, right - left), height: 1).corners
    }

    private static func word(_ letters: [TextReading.Part]) -> TextReading.Part {
        let (first, last) = (letters[0].corners, letters[letters.count - 1].corners)
        return TextReading.Part(
            text: letters.map(\.text).joined(), corners: [first[0], last[1], last[2], first[3]],
            confidence: letters.reduce(0) { $0 + $1.confidence } / Double(letters.count))
    }
}
