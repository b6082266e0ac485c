/// Whether a line goes on beyond the picture. The end of one that does lies nearer to the picture's border than words are
/// to each other, or a part of the next letter is still to be seen there. Where what the line stands on ends before the
/// picture does, the line ends too.
struct TextBorder {
    let frame: VideoFrame

    /// Distances from the border, in heights of a line: no room for a space between the line and the border, and room
    /// for a space and most of a letter.
    private static let (tooNear, far) = (0.45, 1.4)
    /// Room that an outline leaves above and below the letters, in its height: that may lie beyond the picture.
    private static let margin = 0.2
    /// How far a letter is looked for that can't be read, in heights.
    private static let reach = 0.9

    func cuts(_ line: TextRegion) throws -> Bool {
        guard let inner = line.grown(left: 0, right: 0, above: -Self.margin, below: -Self.margin),
            isInPicture(inner)
        else { return true }
        for end in [line, line.turned] {
            let room = room(beyond: end)
            guard room < Self.far else { continue }
            switch try view(beyond: end, by: nil) {
            case .letter: return true
            case .edge: continue
            case .ground: if room < Self.tooNear { return true }
            }
        }
        return false
    }

    /// Whether a part of a letter is to be seen close beyond an end of a line, rather than the edge of what it stands on.
    func showsLetter(beyond end: TextRegion) throws -> Bool { try view(beyond: end, by: Self.reach) == .letter }

    private func isInPicture(_ region: TextRegion) -> Bool {
        region.polygon.allSatisfy {
            $0.x >= -0.5 && $0.y >= -0.5 && $0.x <= Double(frame.width) - 0.5 && $0.y <= Double(frame.height) - 0.5
        }
    }

    /// Distance of the border from a line's right end, in heights of it: along the side that is nearer.
    private func room(beyond line: TextRegion) -> Double {
        min(room(from: line.polygon[0], to: line.polygon[1]), room(from: line.polygon[3], to: line.polygon[2]))
            / max(line.height, 1)
    }

    /// Distance from a side's end to the border, straight on, pixels.
    private func room(from start: Point, to end: Point) -> Double {
        let length = max(start.distance(to: end), 1e-6)
        let way = (end - start) * (1 / length)
        func room(_ place: Double, _ way: Double, _ side: Int) -> Double {
            abs(way) < 1e-6 ? .infinity : ((way > 0 ? Double(side) - 0.5 : -0.5) - place) / way
        }
        return min(room(end.x, way.x, frame.width), room(end.y, way.y, frame.height))
    }

    // MARK: The sliver

    /// Rows of a line as it is sampled; and what is looked at above and below it, in its height.
    private static let (rows, beside) = (48, 0.35)

    /// What is to be seen beyond a line's end.
    private enum View {
        /// A stroke of the letters' colour and no higher than the line.
        case letter
        /// What the line stands on ends there: a whole height of something else.
        case edge
        /// What the line stands on goes on.
        case ground
    }

    /// What is to be seen between a line's right end and the border, or so many heights of the line.
    private func view(beyond line: TextRegion, by heights: Double?) throws -> View {
        let width = max(8, Int(Double(Self.rows) * line.width / max(line.height, 1)))
        let inside = try TextNetworks.pixels(of: line.polygon, in: frame, width: width, height: Self.rows)
        guard let tones = Tones(inside, width: width, height: Self.rows),
            // From the line's end to where both sides have reached the border, which goes on beyond it.
            let map = Homography(unitSquareTo: line.polygon)
        else { return .ground }
        let (x, y) = (line.height / max(line.width, 1), Self.beside)
        let border = max(
            room(from: line.polygon[0], to: line.polygon[1]), room(from: line.polygon[3], to: line.polygon[2]))
        let reach = heights.map { min($0 * line.height, border) } ?? border
        guard reach < 3 * line.height, reach > 0 else { return .ground }
        let strip = Box(x: 1, y: -y, width: reach / max(line.width, 1) + 0.05 * x, height: 1 + 2 * y)
        let corners = strip.corners.map { map($0) }
        guard Homography.isConvex(corners) else { return .ground }
        let high = Int(Double(Self.rows) * (1 + 2 * y))
        let wide = max(4, Int(Double(Self.rows) * strip.width / x))
        let pixels = try TextNetworks.pixels(of: corners, in: frame, width: wide, height: high)
        // Edges of what it stands on cross the line at least; the line's own last letter may reach a little beyond its end.
        let rim = Int(Double(Self.rows) * (Self.beside - 0.1))
        var other = 0
        for column in min(Self.rows / 8, wide - 1)..<wide {
            let places = (0..<high).map { ($0 * wide + column) * 3 }
            if Self.hasLetter(places.map { tones.isInk(pixels, $0) }) { return .letter }
            let strange = places[rim..<high - rim].count { !tones.isGround(pixels, $0) }
            other = Double(strange) > 0.85 * Double(high - 2 * rim) ? other + 1 : 0
            if other >= Self.edge { return .edge }
        }
        return .ground
    }

    /// Columns that an edge is wide at the least.
    private static let edge = 2

    /// Whether a run across the line is as long as a stroke is wide, and stays within the line.
    private static func hasLetter(_ isInk: [Bool]) -> Bool {
        let margin = Int(Double(rows) * (beside - 0.1)), least = rows / 12
        return isInk.indices.split(whereSeparator: { !isInk[$0] }).contains { run in
            run.count >= least && run.startIndex >= margin && run.endIndex <= isInk.count - margin
        }
    }
}

/// The colours of a line's letters and of what is around them: two classes (Otsu 1979) in the channel that tells most.
private struct Tones {
    private let ink: SIMD3<Double>
    private let ground: SIMD3<Double>

    /// - Parameter pixels: height × width × 3.
    /// - Returns: nil where there is no contrast.
    init?(_ pixels: [UInt8], width: Int, height: Int) {
        let (channel, threshold) = Self.classes(pixels)
        // The letters don't reach the rim.
        var sums = [SIMD3<Double>(), SIMD3<Double>()], counts = [0.0, 0], rim = [0, 0]
        for row in 0..<height {
            for column in 0..<width {
                let at = (row * width + column) * 3
                let side = Int(pixels[at + channel]) > threshold ? 1 : 0
                sums[side] += Self.colour(pixels, at)
                counts[side] += 1
                if row < 3 || row >= height - 3 { rim[side] += 1 }
            }
        }
        guard counts[0] > 0, counts[1] > 0 else { return nil }
        let means = [sums[0] / counts[0], sums[1] / counts[1]]
        (ground, ink) = rim[0] >= rim[1] ? (means[0], means[1]) : (means[1], means[0])
        guard Self.square(ink - ground) > 20 * 20 else { return nil }
    }

    /// Whether a colour is the ground's, lighter or darker by a part of the way to the letters' at the most.
    func isGround(_ pixels: [UInt8], _ at: Int) -> Bool {
        Self.square(Self.colour(pixels, at) - ground) < 0.16 * Self.square(ink - ground)
    }

    /// Whether a colour is nearer to the letters' than to the ground's.
    func isInk(_ pixels: [UInt8], _ at: Int) -> Bool {
        let way = ink - ground, place = Self.colour(pixels, at) - ground
        let share = (way * place).sum() / Self.square(way)
        // Something else again isn't either.
        return share > 0.45 && share < 1.6 && Self.square(place - way * share) < 0.36 * Self.square(way)
    }

    private static func colour(_ pixels: [UInt8], _ at: Int) -> SIMD3<Double> {
        SIMD3(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
    }

    private static func square(_ v: SIMD3<Double>) -> Double { (v * v).sum() }

    /// The channel in which two classes lie farthest apart for their spread, and the highest value of the lower one.
    private static func classes(_ pixels: [UInt8]) -> (channel: Int, threshold: Int) {
        var best = (channel: 0, threshold: 0, between: -1.0)
        for channel in 0..<3 {
            var counts = [Double](repeating: 0, count: 256)
            for at in stride(from: channel, to: pixels.count, by: 3) { counts[Int(pixels[at])] += 1 }
            let all = counts.reduce(0, +)
            let sum = counts.indices.reduce(0.0) { $0 + Double($1) * counts[$1] }
            var (below, sumBelow) = (0.0, 0.0)
            for value in 0..<255 {
                below += counts[value]
                sumBelow += Double(value) * counts[value]
                guard below > 0, below < all else { continue }
                let step = sumBelow / below - (sum - sumBelow) / (all - below)
                let between = below * (all - below) / (all * all) * step * step
                if between > best.between { best = (channel, value, between) }
            }
        }
        return (best.channel, best.threshold)
    }
}
