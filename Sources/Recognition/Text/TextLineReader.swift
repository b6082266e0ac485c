/// Has the networks read a line from the side, as far and as often as it takes.
struct TextLineReader: Sendable {
    /// A line as it turned out to be: from its own top left to its last letter.
    struct Line {
        var region: TextRegion
        var reading: TextReading
        /// How sure the letters that are seen are, 0…1, though there may be more of the line.
        var confidenceOfSeen: Double
    }

    let networks: TextNetworks
    /// Whether a line is looked at more than once.
    let isThorough: Bool
    /// Whether single letters count.
    var seeksLetters = false

    /// Letters with their places along a region, 0 at its left end and 1 at its right one; an attempt may go beyond.
    private struct Attempt {
        var region: TextRegion
        var letters: [TextDecoder.Letter]
        var left = 0.0
        var right = 1.0
        /// Whether more seems to be written beyond the left end and the right one than could be read.
        var goesOn = (left: false, right: false)

        var text: String { letters.map(\.text).joined() }
        var signs: [TextDecoder.Letter] { letters.filter { $0.text != " " } }
        /// Whether it begins and ends within the region.
        var isWithin: Bool { letters.allSatisfy { $0.place > 0 && $0.place < 1 } }
        /// Confidence: the letters' mean, or less where the first or last one's own is less: what cuts a line cuts these.
        var confidence: Double {
            let signs = signs
            guard let first = signs.first, let last = signs.last else { return 0 }
            return min(mean, (mean + min(first.probability, last.probability)) / 2)
        }
        var mean: Double {
            let signs = signs
            return signs.reduce(0) { $0 + $1.probability } / Double(max(signs.count, 1))
        }
    }

    /// Length by which a line is looked for beyond its ends at a time, in its heights.
    private static let reach = 0.7
    /// A letter whose middle is so little beyond an outline, in its heights, is half within it.
    private static let within = 0.1
    /// Longest piece that may be the line's own first or last letter, in its heights.
    private static let letter = 1.2
    /// A mark within a line and one at its ends that are less sure than this are something of what is around the letters.
    private static let (likelyMark, sureMark) = (0.5, 0.75)
    /// How a line that was read unsurely is looked at again: with more or less around it, in its height, and with its
    /// letters made wider, as those of narrow type and of pictures that are stored squeezed want it.
    private static let looks: [(beside: Double, above: Double, stretch: Double)] = [
        (-0.1, -0.1, 1), (0.12, 0.12, 1), (0.3, 0.25, 1), (0.2, 0, 1.25),
    ]
    /// Confidence of a reading that is looked at no further.
    private static let sureEnough = 0.9
    /// Confidence of a single letter, and of more of them, below which what is outlined is no line: of those that are, each shows more,
    /// or the same surer, as it is outlined or with room around it. What shows a leaf or a wheel reads as a letter or none.
    private static let (leastOfLetter, leastOfMore) = (0.7, 0.2)
    /// The most confidence of a line that isn't seen whole.
    static let mostOfCut = 0.75

    /// - Parameter others: the other lines of the frame, which this one doesn't go on into.
    /// - Returns: nil where nothing was read.
    func read(_ region: TextRegion, besides others: [TextRegion], in frame: VideoFrame) throws -> Line? {
        let sides = try sides(of: region, in: frame)
        var wide: Attempt?
        if isThorough, sides.count == 1 {
            // With room around it: most lines end within their region and are read in this one look.
            let start = Attempt(region: sides[0], letters: [])
            let (left, right) = reach(of: start, (true, true), besides: others, in: frame)
            wide = try wider(start, left, right, in: frame)
            if let wide, wide.confidence >= Self.sureEnough, wide.isWithin {
                return try line(wide, besides: others, in: frame)
            }
        }
        var best = try best(of: sides, in: frame)
        if isThorough {
            if best.confidence < Self.sureEnough, seeksLetters || !Self.isNoLine(best, wide) {
                for look in Self.looks where best.confidence < Self.sureEnough {
                    guard
                        let other = best.region.grown(
                            left: look.beside, right: look.beside, above: look.above, below: look.above)
                    else { continue }
                    let attempt = try self.attempt(at: other, stretch: look.stretch, in: frame)
                    if attempt.confidence > best.confidence, attempt.signs.count >= best.signs.count { best = attempt }
                }
            }
            best = try followed(best, seen: wide, besides: others, in: frame)
        }
        return try line(best, besides: others, in: frame)
    }

    /// Whether neither of two attempts at a region shows more than a letter, as what is no line does.
    private static func isNoLine(_ best: Attempt, _ wide: Attempt?) -> Bool {
        let attempts = [best, wide].compactMap { $0 }
        let most = attempts.map(\.confidence).max() ?? 0, signs = attempts.map(\.signs.count).max() ?? 0
        return most < (signs > 1 ? leastOfMore : leastOfLetter)
    }

    /// The attempt at a region, without marks that may be none.
    private func attempt(at region: TextRegion, stretch: Double = 1, in frame: VideoFrame) throws -> Attempt {
        var attempt = Attempt(region: region, letters: try networks.letters(of: region, stretch: stretch, in: frame))
        func isCertain(_ letter: TextDecoder.Letter, _ least: Double) -> Bool {
            letter.text.contains { $0.isLetter || $0.isNumber } || letter.probability >= least
        }
        // A gap that a mark was read into is one gap.
        attempt.letters.removeAll { $0.text != " " && !isCertain($0, Self.likelyMark) }
        attempt.letters = attempt.letters.indices.filter { index in
            attempt.letters[index].text != " " || index > 0 && attempt.letters[index - 1].text != " "
        }.map { attempt.letters[$0] }
        func isEnd(_ letter: TextDecoder.Letter) -> Bool { letter.text != " " && isCertain(letter, Self.sureMark) }
        let first = attempt.letters.firstIndex(where: isEnd), last = attempt.letters.lastIndex(where: isEnd)
        attempt.letters = first.flatMap { first in last.map { Array(attempt.letters[first...$0]) } } ?? []
        return attempt
    }

    /// A region from the sides that it may be written from.
    private func sides(of region: TextRegion, in frame: VideoFrame) throws -> [TextRegion] {
        let likelihood = try upsideDown(region, in: frame)
        let along = region.polygon[1] - region.polygon[0]
        // Few lines stand on their heads; those that run up or down may do either.
        let isLevel = abs(along.x) > abs(along.y)
        var sides: [TextRegion] = []
        if likelihood < 0.95 { sides.append(region) }
        if likelihood > (isLevel ? 0.3 : 0.05) { sides.append(region.turned) }
        return sides
    }

    /// The longest that the direction network is shown squeezed, and what it sees of a longer line at a time, in heights.
    private static let (longestSqueezed, glimpse) = (8.0, 4.0)

    /// Probability that a line is upside down; of a long one, the mean of a glimpse of its beginning, its middle and
    /// its end.
    private func upsideDown(_ region: TextRegion, in frame: VideoFrame) throws -> Double {
        let length = region.width / max(region.height, 1)
        guard length > Self.longestSqueezed else { return try networks.upsideDown(region, in: frame) }
        let rest = length - Self.glimpse
        let likelihoods = try [0.1, 0.5, 0.9].compactMap { place in
            try region.grown(left: -rest * place, right: -rest * (1 - place)).map {
                try networks.upsideDown($0, in: frame)
            }
        }
        return likelihoods.reduce(0, +) / Double(max(likelihoods.count, 1))
    }

    /// The reading from the side that it was written from.
    private func best(of sides: [TextRegion], in frame: VideoFrame) throws -> Attempt {
        let region = sides[0]
        var best = try attempt(at: region, in: frame)
        for other in sides.dropFirst() {
            let attempt = try self.attempt(at: other, in: frame)
            if attempt.confidence > best.confidence { best = attempt }
        }
        if best.confidence < Self.sureEnough, region.width < 1.6 * region.height {
            for turns in [1, 3] {
                let corners = Array(region.polygon[turns...] + region.polygon[..<turns])
                let attempt = try self.attempt(
                    at: TextRegion(polygon: corners, score: region.score), in: frame)
                if attempt.confidence > best.confidence { best = attempt }
            }
        }
        return best
    }

    /// The reading with what is written beyond the ends that the region gave the line.
    /// - Parameter seen: what was read already with room at both ends, of this region or another one; or nil.
    private func followed(
        _ start: Attempt, seen: Attempt?, besides others: [TextRegion], in frame: VideoFrame
    ) throws -> Attempt {
        var best = start
        guard !best.signs.isEmpty else { return best }
        var (goesLeft, goesRight) = (true, true)
        for step in 0..<3 {
            let attempt: Attempt?
            if step == 0, let seen, seen.region.polygon == start.region.polygon {
                attempt = seen
            } else {
                let (left, right) = reach(of: best, (goesLeft, goesRight), besides: others, in: frame)
                attempt = try wider(best, left, right, in: frame)
            }
            guard let attempt, let longer = Self.joined(best, attempt) else { break }
            let joined = try shown(longer, beyond: best, in: frame)
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

    /// A longer reading without what it has beyond a shorter one's ends where no ink is.
    private func shown(_ long: Attempt, beyond short: Attempt, in frame: VideoFrame) throws -> Attempt {
        guard let first = long.signs.first?.place, let last = long.signs.last?.place, let whole = whole(short) else {
            return long
        }
        let border = TextBorder(frame: frame), scale = short.region.width / max(short.region.height, 1)
        var shown = long
        let (left, right) = ((short.left - first) * scale, (last - short.right) * scale)
        if left >= Self.within, try !border.showsInk(beyond: whole.turned, by: left) {
            shown.letters.removeAll { $0.place < short.left }
        }
        if right >= Self.within, try !border.showsInk(beyond: whole, by: right) {
            shown.letters.removeAll { $0.place > short.right }
        }
        return shown.signs.isEmpty ? short : shown
    }

    /// An attempt's region, from its own left to its own right end.
    private func whole(_ attempt: Attempt) -> TextRegion? {
        let scale = attempt.region.width / max(attempt.region.height, 1e-6)
        return attempt.region.grown(left: -attempt.left * scale, right: (attempt.right - 1) * scale)
    }

    /// Lengths by which to look beyond an attempt's ends, or as far as the picture goes.
    private func reach(
        of attempt: Attempt, _ ways: (left: Bool, right: Bool), besides others: [TextRegion], in frame: VideoFrame
    ) -> (left: Double, right: Double) {
        let region = attempt.region
        guard let map = Homography(unitSquareTo: region.polygon) else { return (attempt.left, attempt.right) }
        // The line's own first letter is sometimes found alone.
        let others = others.filter { $0.width > Self.letter * region.height }
        let step = Self.reach * region.height / max(region.width, 1)
        func freeWay(from x: Double, _ way: Double) -> Double {
            [1, 0.75, 0.5, 0.3].map { $0 * step }.first { length in
                let place = map(Point(x + way * length, 0.5))
                return place.x >= 0 && place.y >= 0 && place.x < Double(frame.width)
                    && place.y < Double(frame.height) && !others.contains { $0.contains(place) }
            } ?? 0
        }
        return (
            ways.left ? attempt.left - freeWay(from: attempt.left, -1) : attempt.left,
            ways.right ? attempt.right + freeWay(from: attempt.right, 1) : attempt.right
        )
    }

    /// The attempt from one place along an attempt's region to another; nil where that is no more than the attempt.
    private func wider(_ base: Attempt, _ left: Double, _ right: Double, in frame: VideoFrame) throws -> Attempt? {
        let region = base.region
        guard left < base.left || right > base.right,
            let wide = region.grown(
                left: -left * region.width / region.height, right: (right - 1) * region.width / region.height)
        else { return nil }
        var attempt = Attempt(region: region, letters: try self.attempt(at: wide, in: frame).letters)
        for index in attempt.letters.indices {
            attempt.letters[index].place = left + attempt.letters[index].place * (right - left)
        }
        return attempt
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
            result.goesOn = (
                before.contains { $0.probability >= 0.3 }, after.contains { $0.probability >= 0.3 }
            )
        }
        return result
    }

    // MARK: The line

    private func line(
        _ attempt: Attempt, besides others: [TextRegion], in frame: VideoFrame
    ) throws -> Line? {
        var letters = Self.narrowed(attempt.letters)[...]
        while letters.first?.text == " " { letters.removeFirst() }
        while letters.last?.text == " " { letters.removeLast() }
        guard !letters.isEmpty else { return nil }
        guard let whole = whole(attempt) else { return nil }
        let border = TextBorder(frame: frame)
        // What was read unsurely beyond an end may be an edge of what the line stands on.
        let isCut =
            try attempt.goesOn.left && border.showsLetter(beyond: whole.turned)
            || attempt.goesOn.right && border.showsLetter(beyond: whole)
            || border.cuts(whole, saying: letters.map(\.text).joined(), besides: others)
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
                words: words.filter { !$0.isEmpty }.map(Self.word), characters: characters),
            confidenceOfSeen: attempt.mean)
    }

    /// Letters without wide commas: the network sometimes takes a comma among Latin letters for a Chinese one, as wide
    /// as a character.
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

    /// Corners of a letter in the line's unit square: half the way to its neighbours.
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
