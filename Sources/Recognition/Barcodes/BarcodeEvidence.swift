internal import Glibc

/// The evidence of the attempts at one picture: what they have read, and which of it is believed.
///
/// A symbol that corrects errors is believed at once. A row of bars whose checks are few is read wrongly now and then,
/// by several lines even, where blur joins its bars; so it takes two attempts that agree, and no other reading of the
/// place that has half as many lines to speak for it.
struct BarcodeEvidence {
    /// A code as one attempt has read it.
    struct Reading {
        var code: FoundBarcode
        /// How many lines of the picture gave this reading.
        var lines: Int
        /// Height over which the lines lie, as a part of their length.
        var height: Double
        /// Whether its outline is the code's, not that of the lines that were read.
        var isFitted = false
        /// Its outline where its bars show none, while it is that of the lines.
        var stretched: [Point]?
    }

    private struct Candidate {
        var code: FoundBarcode
        var lines: Int
        /// The greatest of the attempts'.
        var height: Double
        var attempts = 1
        /// How many attempts that left the grey values alone are among them, and lines of these.
        var plain: (attempts: Int, lines: Int)
        /// Whether its outline is the code's, not that of the lines that were read.
        var isFitted: Bool
        /// How many lines each reading of what stands beside it has.
        var supplements: [String: Int] = [:]

        private var isPlain: Bool { plain.attempts > 0 }

        /// Whether it is believed, where no other reading speaks against it.
        var isEnough: Bool {
            switch code.safety {
            case .errorCorrection: true
            case .checked: lines >= 4 || attempts > 1
            case .weak: attempts > 1 && lines >= 6
            // Sharpening turns bars of one width into others, and does so each time.
            // A line that leaves a turned symbol by its long side reads a part of it; few lines read the same part.
            case .weaker: attempts > 1 && lines >= 6 && (isPlain || attempts > 2) && height >= 0.12
            case .weakest: attempts > 1 && lines >= 6 && isPlain
            }
        }

        /// Whether one picture says it so often that another needn't.
        var isProven: Bool {
            switch code.safety {
            // What lines of stacked rows say has its checks, of which two attempts don't make the same wrong ones.
            case .errorCorrection: attempts > 1
            case .weakest: plain.attempts > 1 && plain.lines >= 12
            case .checked, .weak, .weaker: isPlain && lines >= 12
            }
        }

        /// The code as it is told.
        var believed: FoundBarcode {
            var code = code
            code.isSure = isProven
            let most = supplements.max { ($0.value, $1.key) < ($1.value, $0.key) }
            code.supplement = most.flatMap {
                $0.value >= 4 && 2 * $0.value > supplements.values.reduce(0, +) ? $0.key : nil
            }
            return code
        }

        /// Takes what another attempt has read, or another part of one that has been heard.
        mutating func add(_ reading: Reading, isNew: Bool, isPlain: Bool) {
            lines += reading.lines
            height = max(height, reading.height)
            attempts += isNew ? 1 : 0
            if isPlain { plain = (plain.attempts + (isNew ? 1 : 0), plain.lines + reading.lines) }
            heard(reading)
        }

        mutating func heard(_ reading: Reading) {
            if let digits = reading.code.supplement { supplements[digits, default: 0] += reading.lines }
        }
    }

    /// Symbols that are believed, each once.
    private(set) var found: [FoundBarcode] = []
    private var candidates: [Candidate] = []
    /// Codes that are believed and would be sure if another attempt said the same: by their place in `found`.
    private var unproven: [Int: Candidate] = [:]

    /// Readings that aren't believed yet; those with most lines first.
    var doubtful: [FoundBarcode] { candidates.map(\.code) }
    /// Codes that are believed, of which another attempt may make sure.
    var unsure: [FoundBarcode] { unproven.keys.sorted().map { found[$0] } }

    /// Takes what one attempt has read.
    /// - Parameter isPlain: it left the grey values alone.
    mutating func add(_ readings: [Reading], isPlain: Bool) {
        for (index, reading) in readings.enumerated() {
            // One attempt may read a symbol in two parts, above and below a scratch.
            let isNew = !readings[..<index].contains { Self.areSame($0.code, reading.code) }
            if let known = unproven.keys.first(where: { Self.areSame(found[$0], reading.code) }) {
                prove(known, by: reading, isNew: isNew, isPlain: isPlain)
            }
            if isKnown(reading.code) { continue }
            if let known = candidates.firstIndex(where: { Self.areSame($0.code, reading.code) }) {
                candidates[known].add(reading, isNew: isNew, isPlain: isPlain)
                if reading.isFitted, !candidates[known].isFitted {
                    candidates[known].code.polygon = reading.code.polygon
                    candidates[known].isFitted = true
                }
            } else {
                var candidate = Candidate(
                    code: reading.code, lines: reading.lines, height: reading.height,
                    plain: isPlain ? (1, reading.lines) : (0, 0), isFitted: reading.isFitted)
                candidate.heard(reading)
                candidates.append(candidate)
            }
        }
        settle()
    }

    /// Whether a code that is believed lies there already.
    func isKnown(_ polygon: [Point]) -> Bool { found.contains { Self.areOne($0.polygon, polygon) } }

    private func isKnown(_ code: FoundBarcode) -> Bool {
        found.contains { Self.areOne($0.polygon, code.polygon) || Self.areSame($0, code) }
    }

    private mutating func settle() {
        candidates.sort { ($0.lines, $1.code.symbology.rawValue) > ($1.lines, $0.code.symbology.rawValue) }
        while let index = candidates.indices.first(where: { isBelieved(candidates[$0]) }) {
            let candidate = candidates.remove(at: index), code = candidate.believed
            // Of the others it is their lines that count, however few attempts these are of.
            if !code.isSure, code.safety == .errorCorrection && code.symbology.isStacked || code.safety == .weakest {
                unproven[found.count] = candidate
            }
            found.append(code)
            candidates = candidates.filter { !isKnown($0.code) }
        }
    }

    private mutating func prove(_ index: Int, by reading: Reading, isNew: Bool, isPlain: Bool) {
        unproven[index]?.add(reading, isNew: isNew, isPlain: isPlain)
        guard unproven[index]?.isProven == true else { return }
        found[index].isSure = true
        unproven[index] = nil
    }

    private func isBelieved(_ candidate: Candidate) -> Bool {
        guard candidate.isEnough else { return false }
        if candidate.code.symbology.correctsErrors { return true }
        return !candidates.contains {
            !Self.areSame($0.code, candidate.code) && 2 * $0.lines > candidate.lines
                && Self.areOne($0.code.polygon, candidate.code.polygon)
        }
    }

    /// Whether two readings say the same of one place: rows of bars are read along lines that lie apart.
    private static func areSame(_ a: FoundBarcode, _ b: FoundBarcode) -> Bool {
        a.saysTheSame(as: b) && middle(a.polygon).distance(to: middle(b.polygon)) < 0.5 * max(size(a), size(b))
    }

    private static func size(_ code: FoundBarcode) -> Double {
        code.polygon[0].distance(to: code.polygon[2])
    }

    /// Whether the middle of one outline lies in the other, or next to it: that of a few lines is all but flat.
    static func areOne(_ a: [Point], _ b: [Point]) -> Bool { contains(a, middle(b)) || contains(b, middle(a)) }

    private static func middle(_ quad: [Point]) -> Point { quad.reduce(Point(0, 0), +) * 0.25 }

    private static func contains(_ quad: [Point], _ point: Point) -> Bool {
        var isInside = false
        for (a, b) in zip(quad, [quad[3]] + quad[..<3])
        where (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
            isInside.toggle()
        }
        return isInside
    }
}
