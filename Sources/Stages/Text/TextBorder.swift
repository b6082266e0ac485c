internal import Graph

/// Whether a line goes on beyond the picture: by what is to be seen between its last letter and the picture's border. The
/// letter touches the border, or letters that weren't read go on to it. A panel's rim, texture and other lines are none.
struct TextBorder {
    let frame: VideoFrame

    /// Distances in heights of a line. The border is too far to cut it; it is so near that no letter need be seen between,
    /// where texture lets none be told; and so far from the last letter that this one is whole and the next would be seen.
    private static let (far, tooNear, gap) = (1.4, 0.2, 0.19)
    /// Share of what is beside the line that has its letters' colour: from there on it is texture.
    private static let mostTexture = 0.12
    /// Room that an outline leaves above and below the letters, in its height: that may lie beyond the picture.
    private static let margin = 0.2
    /// How far a letter is looked for that can't be read, in heights.
    private static let reach = 0.9

    func cuts(_ line: TextRegion) throws -> Bool {
        guard let inner = line.grown(left: 0, right: 0, above: -Self.margin, below: -Self.margin),
            isInPicture(inner)
        else { return true }
        return try cutsEnd(of: line) || cutsEnd(of: line.turned)
    }

    /// Whether a line's right end is where the picture ends.
    private func cutsEnd(of line: TextRegion) throws -> Bool {
        let room = room(beyond: line)
        guard room < Self.far else { return false }
        guard let strokes = try strokes(beyond: line, by: room), strokes.texture < Self.mostTexture,
            let last = strokes.letters.filter(Self.isSure).map(\.columns.upperBound).max()
        else { return room < Self.tooNear }
        return room * Double(Self.rows) - Double(last) < Self.gap * Double(Self.rows)
    }

    /// Whether a part of a letter is to be seen close beyond an end of a line, rather than the edge of what it stands on.
    func showsLetter(beyond end: TextRegion) throws -> Bool {
        let strokes = try strokes(beyond: end, by: min(Self.reach, room(beyond: end)))
        return strokes?.letters.contains { Self.isSure($0) && $0.columns.upperBound > Self.rows / 5 } ?? false
    }

    /// Whether a piece of ink is a part of a letter; a speck apart from the line is none.
    private static func isSure(_ piece: TextStrokes.Piece) -> Bool {
        piece.columns.lowerBound <= rows / 6 || piece.area >= rows / 2 && piece.columns.count >= 2
    }

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

    // MARK: The line's end

    /// Rows of a line as it is sampled; and what is looked at above and below it and before its end, in its height.
    private static let (rows, beside, before) = (48, 0.35, 2.0)

    /// The strokes of the letters' colour at a line's right end and so many heights of the line beyond it; nil where the line
    /// has no contrast.
    private func strokes(beyond line: TextRegion, by heights: Double) throws -> TextStrokes? {
        let length = line.width / max(line.height, 1)
        let width = max(8, Int(Double(Self.rows) * length))
        let inside = try TextNetworks.pixels(of: line.polygon, in: frame, width: width, height: Self.rows)
        let before = min(Self.before, length)
        guard let tones = Tones(inside, width: width, height: Self.rows), before + heights > 0,
            let strip = line.grown(left: before - length, right: heights, above: Self.beside, below: Self.beside)
        else { return nil }
        let wide = max(4, Int((Double(Self.rows) * (before + heights)).rounded()))
        let beside = Int(Double(Self.rows) * Self.beside), high = Self.rows + 2 * beside
        let pixels = try TextNetworks.pixels(of: strip.polygon, in: frame, width: wide, height: high)
        return TextStrokes(
            (0..<wide * high).map { tones.isInk(pixels, $0 * 3) }, width: wide,
            end: Int((Double(Self.rows) * before).rounded()), lines: beside..<beside + Self.rows)
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
