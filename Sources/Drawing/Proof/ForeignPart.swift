/// Whether a video on which nothing but covers was drawn shows something that is neither its source nor a cover: what is hidden,
/// as it is or as an outline, dots, or a colour of it, under its cover or beside it.
///
/// Encoders change every pixel, so blocks are asked for what no encoder makes: more that differs from what is expected than there
/// is in it, far above what differs elsewhere in the picture. One that saves leaves what it showed before where something moved or
/// a cover was, and moves it: beside covers, that is none of it (`Leftovers`). Used from one thread, picture by picture.
package struct ForeignPart {
    /// Side of a block, luma pixels.
    private static let side = 16
    /// What a block may differ by, mean square of levels: so much anyhow, and this many times what is in it and what three
    /// quarters of the picture's blocks stay below. An encoder that drops all of a block's detail differs by what was in it.
    private static let floor = 30.0, own = 1.5, usual = 8.0
    /// How many blocks hang together in what is told, one of them under a cover, or none: what shows less is too small to be known.
    private static let least = (covered: 3, beside: 6)
    /// The share of their detail from which on, lost by half of the blocks, an encoder tells nothing beside covers.
    private static let coarse = 0.2
    /// How many blocks of a plane are foreign where no more are asked for what an encoder makes: another video need not be searched.
    private static let searched = 100
    /// What the brightness of a picture may be changed by on its way, and its contrast: nearer to none, none is taken.
    private static let same = (offset: 1.0, gain: 0.02)

    /// By plane of the video.
    private var leftovers: [Leftovers] = []

    package init() {}

    /// The largest such part of the next picture.
    /// - Returns: The box around its blocks, pixels from the top left corner; nil where all is as expected.
    package mutating func largest(of picture: CoverQueue.Picture, in shown: VideoFrame) -> Box? {
        picture.frame.withPicture { source in
            shown.withPicture { video in
                // A video of odd size is padded to an even one. That others differ is told elsewhere.
                guard let luma = source.planes.first, let first = video.planes.first,
                    (0...1).contains(first.width - luma.width), (0...1).contains(first.height - luma.height)
                else { return nil }
                let expected = CoveredPlanes(
                    source, like: video, covers: picture.covers, ownShift: shown.originalChromaShift)
                let columns = (luma.width + Self.side - 1) / Self.side
                let rows = (luma.height + Self.side - 1) / Self.side
                var blocks = [Block](repeating: .own, count: columns * rows)
                let places = picture.covers.compactMap(\.spot.bounds)
                let side = Double(Self.side)
                let isCovered = blocks.indices.map { index in
                    let (x, y) = (Double(index % columns) * side, Double(index / columns) * side)
                    return places.contains {
                        $0.x <= x && $0.y <= y && $0.right >= x + side && $0.bottom >= y + side
                    }
                }
                while leftovers.count < video.planes.count { leftovers.append(Leftovers()) }
                let planes = zip(expected.planes, zip(video.planes, leftovers))
                let carried = planes.map { plane, there in
                    Self.mark(&blocks, columns, rows, plane, there.0, there.1, isCovered)
                }
                let foreign = blocks.map { $0 != .own }
                for (index, (plane, wanted)) in zip(video.planes, expected.planes).enumerated() {
                    leftovers[index].keep(plane, expected: wanted.covered, foreign: foreign, carried: carried[index])
                }
                return Self.largest(blocks, columns: columns, rows: rows)
            }
        }
    }

    /// Marks blocks that aren't as expected in one plane.
    /// - Returns: Those that are left of the picture before.
    private static func mark(
        _ blocks: inout [Block], _ columns: Int, _ rows: Int, _ plane: CoveredPlanes.Plane, _ video: PlaneView,
        _ before: Leftovers, _ isCovered: [Bool]
    ) -> [Leftovers.Carried] {
        let wide = max(side >> plane.shift.x, 1), high = max(side >> plane.shift.y, 1)
        let width = min(plane.width, video.width), height = min(plane.height, video.height)
        var sums = [BlockSums](repeating: BlockSums(), count: columns * rows)
        for y in 0..<height {
            let line = video.base + y * video.stride
            let row = min(y / high, rows - 1) * columns
            plane.covered.withUnsafeBufferPointer { covered in
                for x in 0..<width {
                    let there = Int(line[x])
                    var expected = Int(covered[y * plane.width + x])
                    if plane.isEdge?[y * plane.width + x] == true {
                        let other = Int(plane.source[y * plane.width + x])
                        expected = min(max(there, min(expected, other)), max(expected, other))
                    }
                    sums[row + min(x / wide, columns - 1)].add(expected, there)
                }
            }
        }
        // Narrow strips at the picture's end tell nothing.
        let whole = sums.indices.filter { sums[$0].count * 2 >= wide * high }
        guard !whole.isEmpty else { return [] }
        let change = light(whole.map { sums[$0] })
        let differences = whole.map { sums[$0].difference(change) }
        let common = differences.sorted()[differences.count * 3 / 4]
        let details = whole.map { sums[$0].detail(change) }
        // What is foreign is few of the blocks.
        let shares = zip(differences, details).filter { $0.1 >= floor }.map { $0 / $1 }.sorted()
        let isCoarse = shares.isEmpty || shares[shares.count / 2] > coarse
        let levels = (0...255).map { Int((change.gain * Double($0) + change.offset).rounded()) }
        var foreign = 0
        var carried: [Leftovers.Carried] = []
        for (number, index) in whole.enumerated() {
            let bound = floor + own * details[number] + usual * common
            guard differences[number] > bound else { continue }
            if isCovered[index] {
                blocks[index] = .underCover
            } else if !isCoarse, blocks[index] == .own {
                let (x, y) = (index % columns * wide, index / columns * high)
                let place = Leftovers.Place(x: x, y: y, width: min(wide, width - x), height: min(high, height - y))
                guard foreign < searched else {
                    blocks[index] = .beside
                    continue
                }
                if let left = before.shown(
                    place, of: video, in: plane, levels: levels, grid: (wide, high, columns))
                {
                    carried.append(left)
                } else if !before.isBlend(place, of: video, in: plane, levels: levels, bound: bound),
                    !Leftovers.isExpected(place, of: video, in: plane, levels: levels, bound: bound)
                {
                    blocks[index] = .beside
                    foreign += 1
                }
            }
        }
        return carried
    }

    /// What a block shows.
    private enum Block { case own, beside, underCover }

    /// What a picture's brightness was multiplied by and what was added, by the means of its blocks.
    private static func light(_ blocks: [BlockSums]) -> (gain: Double, offset: Double) {
        var used = blocks
        var change = (gain: 1.0, offset: 0.0)
        // What is foreign is left out in the second and third round.
        for _ in 0..<3 {
            let count = Double(used.count)
            let x = used.map(\.expected), y = used.map(\.shown)
            let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
            let spread = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
            let both = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
            change.gain = spread > 25 * count ? min(max(both / spread, 0.5), 2) : 1
            change.offset = meanY - change.gain * meanX
            let off = used.map { abs($0.shown - change.gain * $0.expected - change.offset) }
            let limit = max(2, 3 * off.sorted()[off.count / 2])
            let kept = zip(used, off).filter { $0.1 <= limit }.map(\.0)
            guard kept.count * 2 >= blocks.count else { break }
            used = kept
        }
        let isSame = abs(change.gain - 1) < same.gain && abs(change.offset + (change.gain - 1) * 128) < same.offset
        return isSame ? (1, 0) : change
    }

    /// The box around the most blocks that touch each other, by an edge or a corner.
    private static func largest(_ blocks: [Block], columns: Int, rows: Int) -> Box? {
        var isOpen = blocks.map { $0 != .own }
        var best: (count: Int, x: ClosedRange<Int>, y: ClosedRange<Int>)?
        for start in isOpen.indices where isOpen[start] {
            isOpen[start] = false
            var waiting = [start], count = 0, least = least.beside
            var (left, right, top, bottom) = (columns, 0, rows, 0)
            while let index = waiting.popLast() {
                let (x, y) = (index % columns, index / columns)
                count += 1
                if blocks[index] == .underCover { least = Self.least.covered }
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
                for nextY in max(y - 1, 0)...min(y + 1, rows - 1) {
                    for nextX in max(x - 1, 0)...min(x + 1, columns - 1) where isOpen[nextY * columns + nextX] {
                        isOpen[nextY * columns + nextX] = false
                        waiting.append(nextY * columns + nextX)
                    }
                }
            }
            if count >= least, count > best?.count ?? 0 { best = (count, left...right, top...bottom) }
        }
        return best.map {
            Box(
                x: Double($0.x.lowerBound * side), y: Double($0.y.lowerBound * side),
                width: Double($0.x.count * side), height: Double($0.y.count * side))
        }
    }

    /// Sums over a block of what is expected and what is shown.
    private struct BlockSums {
        private(set) var count = 0
        private var (sums, squares) = ((expected: 0, shown: 0), (expected: 0, shown: 0, both: 0))

        @inline(__always)
        mutating func add(_ expected: Int, _ shown: Int) {
            count += 1
            sums.expected += expected
            sums.shown += shown
            squares.expected += expected * expected
            squares.shown += shown * shown
            squares.both += expected * shown
        }

        var expected: Double { Double(sums.expected) / Double(count) }
        var shown: Double { Double(sums.shown) / Double(count) }

        /// The variance of what is expected, in the light of the video.
        func detail(_ light: (gain: Double, offset: Double)) -> Double {
            light.gain * light.gain * max(Double(squares.expected) / Double(count) - expected * expected, 0)
        }

        /// The mean square of what differs.
        func difference(_ light: (gain: Double, offset: Double)) -> Double {
            let (gain, offset, count) = (light.gain, light.offset, Double(count))
            let squares =
                Double(squares.shown) + gain * gain * Double(squares.expected) - 2 * gain * Double(squares.both)
            return max(
                (squares - 2 * offset * (Double(sums.shown) - gain * Double(sums.expected))) / count + offset * offset,
                0)
        }
    }
}
