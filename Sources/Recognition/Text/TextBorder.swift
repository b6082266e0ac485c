/// Whether a line goes on beyond the picture: by what is in view between its last letter and the picture's border, not by
/// what it stands on. The letter is nearer to the border than words are to each other, or letters that weren't read go on
/// to it. A panel's rim, texture and other lines are none.
struct TextBorder {
    let frame: VideoFrame

    /// What is to be seen at a line's end.
    private enum End {
        /// What the line stands on ends before the border.
        case free
        /// So much ground lies between the last letter and the border, and so much between one piece of a letter and the next
        /// all along the line, in heights of it.
        case ground(Double, between: [Double])
        /// No letter can be told for texture or want of contrast.
        case unknown
    }

    /// Distances in heights of a line. The border is too far to cut it; where letters can't be told it is too near for a
    /// space; no space between words is as wide.
    private static let (far, tooNear, space) = (1.4, 0.45, 0.45)
    /// Ground that ends a line, as a share of what is between its words.
    private static let ofSpaces = 0.9
    /// What is wider than letters stand apart by so much is a space, and no space is narrower than that.
    private static let (clearly, leastSpace) = (2.2, 0.2)
    /// How far inside its outline a line's last letter ends at the most: where it seems to end sooner it wasn't made out.
    private static let deepest = 0.35
    /// The least ground beside an outline that has a margin, which that of a line that is cut hasn't; and between a letter
    /// and an edge of what the line stands on.
    private static let (leastMargin, clear) = (0.08, 0.1)
    /// What counts as much ground at a line's other end, as a picture of one line has it.
    private static let alike = 0.12
    /// How many other lines' ends lie in a row, but for so many heights, and so far from a border, where a column of lines
    /// has its margin.
    private static let (leastInColumn, row, marginOfColumn) = (3, 0.25, 0.2)
    /// Share of what is beside the line that has its letters' colour: from there on it is texture.
    private static let mostTexture = 0.12
    /// Room that an outline leaves above and below the letters, in its height: that may lie beyond the picture.
    private static let margin = 0.2
    /// The least share of ink where half a letter is.
    private static let leastInk = 0.01
    /// How far a letter is looked for that can't be read, in heights.
    private static let reach = 0.9

    /// - Parameters:
    ///   - text: what the line says.
    ///   - others: the other lines of the picture.
    func cuts(_ line: TextRegion, saying text: String, besides others: [TextRegion]) throws -> Bool {
        guard let inner = line.grown(left: 0, right: 0, above: -Self.margin, below: -Self.margin),
            isInPicture(inner)
        else { return true }
        let sides = [line.turned, line], rooms = sides.map(room)
        if rooms.allSatisfy({ (Self.leastMargin..<Self.far).contains($0) }), abs(rooms[0] - rooms[1]) <= Self.alike {
            return false
        }
        return try zip(sides, rooms).contains { side, room in
            guard room < Self.far, room < Self.marginOfColumn || !endsInColumn(side, others) else { return false }
            switch try end(of: side, room) {
            case .free: return false
            case .ground(let gap, let gaps): return gap < Self.end(of: text, gaps)
            case .unknown: return room < Self.tooNear
            }
        }
    }

    /// What is to be seen at a line's right end, from which the border is so far.
    private func end(of line: TextRegion, _ room: Double) throws -> End {
        guard let view = try strokes(beyond: line, by: room), view.strokes.texture < Self.mostTexture,
            let last = view.strokes.letters.filter(Self.isSure).map(\.columns.upperBound).max(),
            Double(last) >= -Self.deepest * Double(Self.rows)
        else { return .unknown }
        // Letters that run right up to an edge may be hidden behind it.
        if view.edges.contains(where: { Double($0 - last) >= Self.clear * Double(Self.rows) }) { return .free }
        return .ground(
            room - Double(last) / Double(Self.rows), between: view.strokes.gaps.map { Double($0) / Double(Self.rows) })
    }

    /// The ground after which a line has come to its end, in its heights: of what ends between two words no more is in view
    /// than a part of the space there.
    /// - Parameter gaps: between the pieces of its letters.
    private static func end(of text: String, _ gaps: [Double]) -> Double {
        // The letters of these scripts have parts side by side, and their words no spaces.
        guard !text.unicodeScalars.contains(where: { $0.value >= 0x2E80 }) else { return space }
        // A word alone doesn't tell how wide its font's spaces are.
        let spaces = gaps.sorted(by: >).prefix(text.count { $0 == " " })
        guard let least = spaces.last, least > max(clearly * gaps.sorted()[gaps.count / 2], leastSpace) else {
            return space
        }
        return min(ofSpaces * spaces[spaces.count / 2], space)
    }

    /// Whether other lines' ends lie in a row with a line's right end, across the line.
    private func endsInColumn(_ line: TextRegion, _ others: [TextRegion]) -> Bool {
        func end(_ region: TextRegion) -> Point { (region.polygon[1] + region.polygon[2]) * 0.5 }
        let along = line.polygon[1] - line.polygon[0] + line.polygon[2] - line.polygon[3]
        let length = max(Point(0, 0).distance(to: along), 1e-6)
        return others.count { other in
            guard (0.6...1.6).contains(other.height / max(line.height, 1)) else { return false }
            return [other, other.turned].contains { side in
                let way = end(side) - end(line)
                return abs(way.x * along.x + way.y * along.y) / length < Self.row * line.height
                    && Point(0, 0).distance(to: way) > 0.5 * line.height
            }
        } >= Self.leastInColumn
    }

    /// Whether a part of a letter is to be seen close beyond an end of a line, rather than the edge of what it stands on.
    func showsLetter(beyond end: TextRegion) throws -> Bool {
        let strokes = try strokes(beyond: end, by: min(Self.reach, room(beyond: end)))?.strokes
        return strokes?.letters.contains { Self.isSure($0) && $0.columns.upperBound > Self.rows / 5 } ?? false
    }

    /// Whether anything of the letters' colour is to be seen beyond a line's right end, so many heights on, as a letter there
    /// has: what is next to a line is read as one more letter now and then. True where the line has no contrast.
    func showsInk(beyond end: TextRegion, by heights: Double) throws -> Bool {
        try strokes(beyond: end, by: heights).map { $0.strokes.beyond >= Self.leastInk } ?? true
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

    /// Rows of a line as it is sampled; and what is looked at above and below it, in its height.
    private static let (rows, beside) = (48, 0.35)
    /// Columns that the edge of what a line stands on is wide at the least, and the share of the line's height that has
    /// another colour than its ground there.
    private static let (edge, whole) = (2, 0.85)

    /// The strokes of the letters' colour at a line's right end and so many heights of the line beyond it, and columns from
    /// the end on where what it stands on ends; nil where the line has no contrast.
    private func strokes(
        beyond line: TextRegion, by heights: Double
    ) throws -> (strokes: TextStrokes, edges: [Int])? {
        let length = line.width / max(line.height, 1)
        let width = max(8, Int(Double(Self.rows) * length))
        let inside = try TextNetworks.pixels(of: line.polygon, in: frame, width: width, height: Self.rows)
        guard let tones = Tones(inside, width: width, height: Self.rows), length + heights > 0,
            let strip = line.grown(left: 0, right: heights, above: Self.beside, below: Self.beside)
        else { return nil }
        let wide = max(4, Int((Double(Self.rows) * (length + heights)).rounded()))
        let beside = Int(Double(Self.rows) * Self.beside), high = Self.rows + 2 * beside
        let pixels = try TextNetworks.pixels(of: strip.polygon, in: frame, width: wide, height: high)
        let end = Int((Double(Self.rows) * length).rounded())
        // Edges cross the line at least.
        let rim = Int(Double(Self.rows) * (Self.beside - 0.1))
        let isOther = (0..<wide).map { column in
            let strange = (rim..<high - rim).count { !tones.isGround(pixels, ($0 * wide + column) * 3) }
            return Double(strange) > Self.whole * Double(high - 2 * rim)
        }
        let edges = isOther.indices.filter { $0 + Self.edge <= wide && isOther[$0..<$0 + Self.edge].allSatisfy { $0 } }
        let strokes = TextStrokes(
            (0..<wide * high).map { tones.isInk(pixels, $0 * 3) }, width: wide, end: end,
            lines: beside..<beside + Self.rows,
            ground: Self.ground(height: high, lines: beside..<beside + Self.rows) { row in
                let near = max(0, min(end - Self.rows / 2, wide - 8))
                return Double((near..<wide).count { tones.isGround(pixels, (row * wide + $0) * 3) })
                    / Double(wide - near)
            })
        return (strokes, edges.map { $0 - end })
    }

    /// Share of a row that shows what a line stands on, and that of one beyond the edge of it.
    private static let (plain, strange) = (0.9, 0.5)

    /// The rows of what a line stands on: to the edges along it, which rows of nothing else come before.
    /// - Parameter share: of a row that has the ground's colour.
    private static func ground(height: Int, lines: Range<Int>, share: (Int) -> Double) -> Range<Int> {
        func isEdge(_ row: Int, _ before: [Int]) -> Bool {
            share(row) < strange && before.allSatisfy { $0 < 0 || $0 >= height || share($0) > plain }
        }
        // A row of the edge itself is between both.
        let top = (0..<lines.lowerBound).last { isEdge($0, [$0 + 2, $0 + 3, $0 + 4]) }
        let bottom = (lines.upperBound..<height).first { isEdge($0, [$0 - 2, $0 - 3, $0 - 4]) }
        return (top.map { $0 + 1 } ?? 0)..<(bottom ?? height)
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
