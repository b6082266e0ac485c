/// A mask: which pixels of a box are a thing's, as runs down the box's columns, the left column first: COCO's
/// run-length code.
///
/// Runs outside and inside alternate; the first is outside and may be 0, no other is. Together they are the box's area.
public struct RunMask: Sendable, Hashable {
    /// The box of pixels that the mask covers; in the picture as shown, where a picture is known.
    public private(set) var box: PixelBox
    /// Lengths of the runs, pixels; none where the box is empty.
    public private(set) var runs: [Int]

    /// The mask with these runs in a box.
    /// - Parameters:
    ///   - box: The pixels that the runs go over; in the picture as shown.
    ///   - runs: As in `runs`, but any may be 0.
    /// - Returns: nil for runs that aren't those of so many pixels.
    public init?(box: PixelBox, runs: [Int]) {
        var left = box.area
        for run in runs {
            guard run >= 0, run <= left else { return nil }
            left -= run
        }
        guard left == 0, box.width >= 0, box.height >= 0 else { return nil }
        self.box = box
        self.runs = Self.united(runs)
    }

    /// The mask of the pixels for which `isInside` says so; it is asked for every pixel of the box.
    /// - Parameters:
    ///   - box: In the picture as shown; what lies outside of it is not the thing's.
    ///   - isInside: Whether a pixel of the picture, its column and row, is the thing's.
    public init(_ box: PixelBox, where isInside: (_ x: Int, _ y: Int) throws -> Bool) rethrows {
        var runs = [0]
        var inside = false
        if !box.isEmpty {
            for x in box.x..<box.right {
                for y in box.y..<box.bottom {
                    if try isInside(x, y) != inside {
                        inside.toggle()
                        runs.append(0)
                    }
                    runs[runs.count - 1] += 1
                }
            }
        }
        self.box = box
        self.runs = box.isEmpty ? [] : runs
    }

    /// The mask of a bitmap.
    /// - Parameters:
    ///   - box: Where the bitmap lies in the picture as shown.
    ///   - bitmap: The box's pixels row by row; those that aren't 0 are the thing's. As many as the box has.
    public init?(_ box: PixelBox, bitmap: [UInt8]) {
        guard bitmap.count == box.area else { return nil }
        self.init(box) { x, y in bitmap[(y - box.y) * box.width + x - box.x] != 0 }
    }

    /// The mask that all pixels of a box are in.
    public init(filling box: PixelBox) {
        self.box = box
        runs = box.isEmpty ? [] : [0, box.area]
    }

    /// A span: pixels of one column that lie below one another.
    public struct Span: Sendable, Hashable {
        /// The column.
        public var x: Int
        /// The rows.
        public var rows: Range<Int>

        /// The pixels of a column in some rows, both counted from the picture's upper left.
        public init(x: Int, rows: Range<Int>) { (self.x, self.rows) = (x, rows) }
    }

    /// The mask with these spans of pixels.
    /// - Parameters:
    ///   - box: In the picture as shown.
    ///   - spans: In any order; they may overlap. What lies outside of the box is left out.
    public init(_ box: PixelBox, spans: some Sequence<Span>) {
        self.box = box
        guard !box.isEmpty else {
            runs = []
            return
        }
        var inside: [Range<Int>] = []
        var isInOrder = true
        for span in spans where span.x >= box.x && span.x < box.right {
            let rows = span.rows.clamped(to: box.y..<box.bottom)
            guard !rows.isEmpty else { continue }
            let start = (span.x - box.x) * box.height + rows.lowerBound - box.y
            if let last = inside.last, start < last.upperBound { isInOrder = false }
            inside.append(start..<start + rows.count)
        }
        if !isInOrder { inside.sort { $0.lowerBound < $1.lowerBound } }
        runs = Self.united(Self.runs(of: inside, in: box.area))
    }

    /// The runs of so many pixels, of which some ranges are inside: by where they begin, and they may overlap.
    static func runs(of inside: [Range<Int>], in count: Int) -> [Int] {
        var runs: [Int] = []
        var end = 0
        for range in inside where range.upperBound > end {
            let start = max(range.lowerBound, end)
            runs += [start - end, range.upperBound - start]
            end = range.upperBound
        }
        return runs + [count - end]
    }

    /// Runs with those of length 0, but the first, joined away.
    private static func united(_ runs: [Int]) -> [Int] {
        var united: [Int] = []
        var isInside = false
        for run in runs {
            defer { isInside.toggle() }
            if run == 0, !united.isEmpty { continue }
            // An even count of runs is followed by one that is outside.
            if (united.count % 2 == 1) == isInside {
                united.append(run)
            } else {
                united[united.count - 1] += run
            }
        }
        return united == [0] ? [] : united
    }

    // MARK: What it covers

    /// How many pixels are the thing's.
    public var area: Int {
        var sum = 0
        for index in stride(from: 1, to: runs.count, by: 2) { sum += runs[index] }
        return sum
    }

    /// The thing's pixels, column by column, each column's from above.
    public var spans: [Span] {
        guard box.height > 0 else { return [] }
        var spans: [Span] = []
        var place = 0
        for (index, run) in runs.enumerated() {
            defer { place += run }
            guard index % 2 == 1 else { continue }
            var start = place
            let end = place + run
            while start < end {
                let (column, row) = start.quotientAndRemainder(dividingBy: box.height)
                let length = min(end - start, box.height - row)
                spans.append(Span(x: box.x + column, rows: box.y + row..<box.y + row + length))
                start += length
            }
        }
        return spans
    }

    /// The smallest box around the thing's pixels; nil where there are none.
    public var bounds: PixelBox? {
        let spans = spans
        guard let first = spans.first, let last = spans.last else { return nil }
        let (top, bottom) = spans.reduce((Int.max, Int.min)) { ends, span in
            (min(ends.0, span.rows.lowerBound), max(ends.1, span.rows.upperBound))
        }
        return PixelBox(x: first.x, y: top, width: last.x - first.x + 1, height: bottom - top)
    }

    /// The pixels of a part of the picture row by row, 1 for the thing's, 0 for others, also outside of the mask's box.
    public func bitmap(of part: PixelBox) -> [UInt8] {
        var bitmap = [UInt8](repeating: 0, count: part.area)
        for span in spans where span.x >= part.x && span.x < part.right {
            for y in span.rows.clamped(to: part.y..<max(part.bottom, part.y)) {
                bitmap[(y - part.y) * part.width + span.x - part.x] = 1
            }
        }
        return bitmap
    }

    /// The box's pixels row by row, 1 for the thing's, 0 for others.
    public var bitmap: [UInt8] { bitmap(of: box) }

    // MARK: Elsewhere

    /// The mask cut or extended to another box: what lies outside of that is left out, what it has more is outside of
    /// the thing.
    public func of(_ other: PixelBox) -> RunMask { other == box ? self : RunMask(other, spans: spans) }

    /// The mask moved, so that its box's first pixel is at a place.
    public func at(x: Int, y: Int) -> RunMask {
        var moved = self
        (moved.box.x, moved.box.y) = (x, y)
        return moved
    }

    // MARK: Two of them

    /// How many pixels are in both.
    public func commonArea(with other: RunMask) -> Int {
        guard !box.intersection(other.box).isEmpty else { return 0 }
        let (a, b) = (spans, other.spans)
        var (i, j, sum) = (0, 0, 0)
        while i < a.count, j < b.count {
            if a[i].x == b[j].x {
                let common = a[i].rows.clamped(to: b[j].rows)
                if a[i].rows.overlaps(b[j].rows) { sum += common.count }
                if a[i].rows.upperBound <= b[j].rows.upperBound { i += 1 } else { j += 1 }
            } else if a[i].x < b[j].x {
                i += 1
            } else {
                j += 1
            }
        }
        return sum
    }

    /// Intersection over union, 0…1; 0 for two without pixels.
    public func intersectionOverUnion(_ other: RunMask) -> Double {
        let common = commonArea(with: other)
        let union = area + other.area - common
        return union > 0 ? Double(common) / Double(union) : 0
    }
}
