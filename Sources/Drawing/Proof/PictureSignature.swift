/// A signature: what a picture looks like in a few numbers, to tell whether two videos show the same: the mean luma of
/// 16 × 9 blocks.
package struct PictureSignature {
    static let columns = 16, rows = 9
    /// Means of the blocks; empty for pictures smaller than that.
    private var means: [Float] = []

    /// Blocks of a picture, true where something was drawn.
    package struct Blocks {
        /// Room for a label of usual length, pixels.
        private static let label = (width: 120.0, height: 48.0)

        private(set) var isDrawn = [Bool](repeating: false, count: columns * rows)

        /// Blocks in which observations are drawn: their marks with room for labels, and wide around what stands on
        /// something; and in which places are hidden by hand.
        package init(of observations: [Observation], hiding places: [Box], in size: PictureSize) {
            for place in places { cover(place.corners, margin: 0.3, size) }
            for observation in observations {
                let marks = observation.marks(in: size)
                let stands = marks.contains { if case .posed = $0 { true } else { false } }
                for mark in marks {
                    if case .line(let a, let b) = mark {
                        // Piece by piece: the box around it would be the whole picture.
                        for step in 0..<Self.pieces {
                            let (from, to) = (
                                Double(step) / Double(Self.pieces), Double(step + 1) / Double(Self.pieces)
                            )
                            cover([a + (b - a) * from, a + (b - a) * to], margin: 0, size)
                        }
                    }
                    cover(mark.points, margin: stands ? 1.5 : 0.3, size)
                }
            }
        }

        private static let pieces = 32

        /// Marks the blocks around some points, by a share of their extent and a label more.
        private mutating func cover(_ points: [Point], margin: Double, _ size: PictureSize) {
            guard let box = Box(around: points), box.isDrawable else { return }
            let room = margin * max(box.width, box.height)
            let (across, down) = (room + Self.label.width, room + Self.label.height)
            let (width, height) = (Double(size.width), Double(size.height))
            mark(
                (box.x - across) / width, (box.right + across) / width, (box.y - down) / height,
                (box.bottom + down) / height)
        }

        private mutating func mark(_ left: Double, _ right: Double, _ top: Double, _ bottom: Double) {
            func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
                let first = Int(max(0, min(low, 1)) * Double(count))
                return first..<max(first, min(count, Int((max(0, min(high, 1)) * Double(count)).rounded(.up))))
            }
            for row in range(top, bottom, rows) {
                for column in range(left, right, columns) { isDrawn[row * columns + column] = true }
            }
        }
    }

    package init(_ frame: VideoFrame) {
        frame.withLuma { luma in
            means = Self.means(of: luma.width, luma.height) { Int(luma.base[$1 * luma.stride + $0]) }
        }
    }

    /// Of the colours that a picture has on a screen. Some of what luma and chroma can say is none: those are others there.
    private init(ofColors image: PackedImage) {
        image.withPixels { pixels in
            means = Self.means(of: pixels.width, pixels.height) { x, y in
                let pixel = pixels.base + y * pixels.stride + 3 * x
                return (29 * Int(pixel[0]) + 150 * Int(pixel[1]) + 77 * Int(pixel[2])) >> 8
            }
        }
    }

    /// Means of the blocks of a picture.
    /// - Parameter value: At a column and a row.
    private static func means(of width: Int, _ height: Int, _ value: (Int, Int) -> Int) -> [Float] {
        guard width >= columns, height >= rows else { return [] }
        return (0..<rows * columns).map { block in
            let (row, column) = (block / columns, block % columns)
            let (left, right) = (column * width / columns, (column + 1) * width / columns)
            let (top, bottom) = (row * height / rows, (row + 1) * height / rows)
            var sum = 0, count = 0
            // Some rows and columns of a large picture tell enough.
            let (down, across) = (max(1, (bottom - top) / 16), max(1, (right - left) / 16))
            for y in stride(from: top, to: bottom, by: down) {
                for x in stride(from: left, to: right, by: across) {
                    sum += value(x, y)
                    count += 1
                }
            }
            return Float(sum) / Float(count)
        }
    }

    /// Whether a picture can't be what a frame has become: neither as it is, nor with the colours that a file of RGB holds.
    package func isOther(than frame: VideoFrame, besides drawn: Blocks) -> Bool {
        // One that has no colours to be had is judged by its luma.
        isOther(than: Self(frame), besides: drawn)
            && ((try? frame.bgr()).map { isOther(than: Self(ofColors: $0), besides: drawn) } ?? true)
    }

    /// Whether two pictures can't be the same, whatever brightness and contrast they were given on the way, and however
    /// coarsely they were encoded.
    func isOther(than other: PictureSignature, besides drawn: Blocks) -> Bool {
        guard means.count == other.means.count, !means.isEmpty else { return false }
        let open = means.indices.filter { !drawn.isDrawn[$0] }
        // Too little that was left alone tells nothing.
        guard open.count >= 36 else { return false }
        func centred(_ values: [Float]) -> (values: [Float], spread: Float) {
            let mean = open.reduce(Float(0)) { $0 + values[$1] } / Float(open.count)
            let centred = open.map { values[$0] - mean }
            return (centred, (centred.reduce(0) { $0 + $1 * $1 } / Float(open.count)).squareRoot())
        }
        let (a, b) = (centred(means), centred(other.means))
        // Pictures without contrast can't be told apart but from such with some.
        guard max(a.spread, b.spread) >= 8 else { return false }
        guard min(a.spread, b.spread) >= 2 else { return true }
        let product = zip(a.values, b.values).reduce(Float(0)) { $0 + $1.0 * $1.1 } / Float(open.count)
        return product / (a.spread * b.spread) < 0.6
    }
}

extension Mark {
    /// The places that say how far the mark reaches.
    fileprivate var points: [Point] {
        switch self {
        case .outline(let points), .dots(let points), .path(let points, _): points
        case .box(let box): [Point(box.x, box.y), Point(box.right, box.bottom)]
        // A line reaches everywhere between its ends: its label is at its middle.
        case .line(let a, let b): [(a + b) * 0.5]
        case .pin(let point): [point]
        case .region(let mask): mask.box.isEmpty ? [] : mask.box.box.corners
        case .joints(let joints, _): joints.filter(\.isFound).map(\.point)
        case .posed, .names, .pictures: []
        }
    }
}
