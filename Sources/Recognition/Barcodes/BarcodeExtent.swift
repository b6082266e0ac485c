internal import CVision
internal import Glibc

/// How far a row of bars reaches: a decoder reads a few lines of it, and tells where these lie. Bars look the same all along, so
/// from the lines that were read on, up and down, what looks like them is theirs.
struct BarcodeExtent {
    /// How rows of bars stand on one another.
    enum Stacking {
        /// There is one.
        case none
        /// Several, other ones each.
        case rows
        /// Several, of which the first and the last bars are the same.
        case framed
    }

    /// Parts of a row that are followed by themselves, in parts of its length: where each one ends tells how the row's edge is turned.
    private static let parts: [Range<Double>] = (0..<8).map { part -> Range<Double> in
        Range(uncheckedBounds: (Double(part) / 8, Double(part + 1) / 8))
    }
    private static let frame = [0..<0.1, 0.9..<1]
    /// The least that grey values correlate with those of the lines that were read where bars go on.
    private static let alike: Float = 0.65
    /// Grey values' standard deviation, below which there are no bars.
    private static let flat: Float = 3
    /// What may lie between rows that stand on one another, and the gap of a scratch, in parts of the row's length.
    private static let (separator, scratch) = (0.1, 0.02)
    /// The least height of a row on another, in parts of the row's length.
    private static let lowest = 0.03
    private static let mostRows = 12

    /// Where a part of a row ends.
    private struct End {
        /// The part's middle along the line that was read, and how far it lies further along at its end, pixels.
        var middle: Double, shift: Double
        /// Its end below that line, pixels.
        var offset: Double
    }

    private let luma: ocv_plane
    /// The middle of the lines that were read: its beginning, and the direction of the row.
    private let start: Point, along: Point
    private let length: Double
    /// Pixels between the lines that are looked at.
    private let step: Double
    /// Samples along the row.
    private let count: Int
    /// Pixels along the row by which bars lie further on with each pixel down.
    private var slant = 0.0

    /// The outline of a row of bars.
    /// - Parameters:
    ///   - lines: Corners of the lines that were read, the first two in the direction of reading.
    /// - Returns: Corners in the order of those of `lines`; nil where no bars are seen there.
    static func outline(of lines: [Point], _ stacking: Stacking, _ luma: ocv_plane) -> [Point]? {
        guard var extent = BarcodeExtent(lines, luma) else { return nil }
        return extent.outline(stacking)
    }

    private init?(_ lines: [Point], _ luma: ocv_plane) {
        let (a, b) = ((lines[0] + lines[3]) * 0.5, (lines[1] + lines[2]) * 0.5)
        let length = a.distance(to: b)
        guard length.isFinite, length >= 16, length < 1e5 else { return nil }
        (self.luma, start, self.length) = (luma, a, length)
        along = (b - a) * (1 / length)
        step = max(1, length / 150)
        count = min(Int(length), 800)
    }

    private var down: Point { Point(-along.y, along.x) }

    private mutating func outline(_ stacking: Stacking) -> [Point]? {
        guard let middle = profile(at: 0), Self.deviation(middle[...]) >= Self.flat else { return nil }
        slant = slant(of: middle)
        let parts = stacking == .framed ? Self.frame : Self.parts
        var (top, bottom) = (ends(from: 0, middle, -1, parts), ends(from: 0, middle, 1, parts))
        if stacking == .rows {
            top = stacked(top, middle, -1)
            bottom = stacked(bottom, middle, 1)
        }
        guard let upper = corners(top), let lower = corners(bottom) else { return nil }
        let corners = upper + lower.reversed()
        return corners.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? corners : nil
    }

    /// Grey values of a line beside the one that was read; nil where a part of it isn't in the picture.
    /// - Parameters:
    ///   - offset: How far below, pixels.
    ///   - shift: How far along, pixels.
    private func profile(at offset: Double, shift: Double = 0, _ range: Range<Int>? = nil) -> [Float]? {
        let range = range ?? 0..<count
        let pace = length / Double(count)
        let first = start + down * offset + along * (shift + (Double(range.lowerBound) + 0.5) * pace)
        let last = first + along * (Double(range.count - 1) * pace)
        let (right, bottom) = (Double(luma.width - 1), Double(luma.height - 1))
        guard min(first.x, last.x) >= 0, min(first.y, last.y) >= 0, max(first.x, last.x) < right,
            max(first.y, last.y) < bottom
        else { return nil }
        var (x, y) = (Float(first.x), Float(first.y))
        let (dx, dy) = (Float(along.x * pace), Float(along.y * pace))
        let (lastColumn, lastRow) = (Int(luma.width) - 2, Int(luma.height) - 2)
        return [Float](unsafeUninitializedCapacity: range.count) { values, filled in
            for index in 0..<range.count {
                // So many steps may come to a little more than where they lead.
                let (column, row) = (min(max(Int(x), 0), lastColumn), min(max(Int(y), 0), lastRow))
                let (u, v) = (x - Float(column), y - Float(row))
                let here = luma.data + row * Int(luma.stride) + column
                let below = here + Int(luma.stride)
                let upper = Float(here[0]) * (1 - u) + Float(here[1]) * u
                let lower = Float(below[0]) * (1 - u) + Float(below[1]) * u
                values[index] = upper * (1 - v) + lower * v
                (x, y) = (x + dx, y + dy)
            }
            filled = range.count
        }
    }

    /// How bars lie to the line that was read: they cross it at a right angle where it is 0.
    private func slant(of middle: [Float]) -> Double {
        var (best, slant) = (Float(0), 0.0)
        // Near it, where also a low row goes on; the further away, the more exactly.
        for distance in [2.0, 4, 8].map({ $0 * step }) {
            for side in [-1.0, 1] {
                let offset = side * distance
                for shift in stride(from: -distance, through: distance, by: step / 2) {
                    guard let values = profile(at: offset, shift: shift) else { continue }
                    let alike = Self.correlation(values[...], middle[...])
                    // Far lines decide where they are as much alike.
                    if alike >= Self.alike, alike + 0.02 * Float(distance / step) > best {
                        (best, slant) = (alike + 0.02 * Float(distance / step), shift / offset)
                    }
                }
            }
        }
        return slant
    }

    /// Where each part of a row ends.
    /// - Parameters:
    ///   - origin: The line from which it is followed, and its grey values.
    ///   - side: 1 downwards, −1 upwards.
    private func ends(
        from origin: Double, _ values: [Float], _ side: Double, _ parts: [Range<Double>] = Self.parts
    ) -> [End] {
        let pace = length / Double(count)
        let whole = Self.deviation(values[...])
        return parts.compactMap { part in
            let range = Int(Double(count) * part.lowerBound)..<Int(Double(count) * part.upperBound)
            let reference = values[range]
            // A part without bars of its own is followed by the others.
            guard reference.count >= 6, Self.deviation(reference) > max(Self.flat, 0.3 * whole) else { return nil }
            var (shift, reach, missed) = (slant * origin, 0.0, 0.0)
            // How much the last line that was taken is alike, and the first one behind it.
            var (last, next) = (Float(1), Float?.none)
            // In perspective bars grow or shrink on their way: each line is also held against the one before it.
            var recent = Array(reference)
            while missed <= max(2 * step, Self.scratch * length) {
                let way = missed + step
                let expected = shift + slant * side * way
                let looks = [0, -0.5, 0.5, -1, 1].lazy.compactMap {
                    aside -> (shift: Double, alike: Float, values: [Float])? in
                    let place = expected + aside * step
                    return profile(at: origin + side * (reach + way), shift: place, range).map { values in
                        let alike = max(
                            Self.correlation(values[...], reference), Self.correlation(values[...], recent[...]))
                        return (place, alike, values)
                    }
                }
                // The first that is good enough; else the best.
                let best = looks.first { $0.alike > 0.9 } ?? looks.max { $0.alike < $1.alike }
                // What fades into the ground is its end, however alike.
                if let best, best.alike >= Self.alike,
                    Self.deviation(best.values[...]) >= 0.4 * Self.deviation(reference)
                {
                    (shift, reach, missed, last, next) = (best.shift, reach + way, 0, best.alike, nil)
                    recent = best.values
                } else {
                    (missed, next) = (way, next ?? best?.alike ?? last)
                }
            }
            // The edge lies where it would be just alike enough.
            if let next { reach += step * (next < Self.alike ? Double((last - Self.alike) / (last - next)) : 0.5) }
            let middle = (Double(range.lowerBound + range.upperBound) / 2) * pace
            return End(middle: middle, shift: shift, offset: origin + side * reach)
        }
    }

    /// The ends of rows that stand on the one that was read: other bars, which go on as these do.
    private func stacked(_ ends: [End], _ middle: [Float], _ side: Double) -> [End] {
        let contrast = Self.deviation(middle[...])
        var ends = ends
        for _ in 0..<Self.mostRows {
            guard let line = Self.line(ends) else { return ends }
            let edge = line.height + line.slope * length / 2
            // Whatever lies beside a code looks like bars now and then, but not along all of it, as high as a row, and in line with it.
            func isRow(_ ends: [End], from origin: Double) -> Bool {
                guard let other = Self.line(ends), abs(other.slope - line.slope) < 0.1 else { return false }
                return ends.count(where: { abs($0.offset - origin) >= Self.lowest * length }) >= 6
            }
            // What parts rows looks like bars, too, but for a few pixels.
            let further = stride(from: step / 2, through: Self.separator * length, by: step / 2).lazy.compactMap {
                distance -> [End]? in
                let offset = edge + side * distance
                let beyond = offset + side * step
                guard let values = profile(at: offset, shift: slant * offset),
                    let others = profile(at: beyond, shift: slant * beyond),
                    Self.deviation(values[...]) > 0.6 * contrast, Self.correlation(values[...], others[...]) > 0.8
                else { return nil }
                let found = self.ends(from: offset, values, side)
                return isRow(found, from: offset) ? found : nil
            }.first
            guard let further else { return ends }
            ends = further
        }
        return ends
    }

    /// A row's edge: its distance from the line that was read at that one's beginning, and what is added with each pixel along.
    private static func line(_ ends: [End]) -> (height: Double, slope: Double)? {
        line(through: ends.map { Point($0.middle + $0.shift, $0.offset) })
    }

    /// The line through points by the median of the slopes of all pairs (Theil 1950, Sen 1968): a scratch, or a spot, has an end of
    /// its own.
    private static func line(through points: [Point]) -> (height: Double, slope: Double)? {
        guard !points.isEmpty else { return nil }
        var slopes: [Double] = []
        for (index, a) in points.enumerated() {
            for b in points[(index + 1)...] where abs(b.x - a.x) > 1 { slopes.append((b.y - a.y) / (b.x - a.x)) }
        }
        slopes.sort()
        let slope = slopes.isEmpty ? 0 : slopes[slopes.count / 2]
        let heights = points.map { $0.y - slope * $0.x }.sorted()
        return (heights[heights.count / 2], slope)
    }

    /// The first and the last corner of a row's edge.
    private func corners(_ ends: [End]) -> [Point]? {
        guard let edge = Self.line(ends) else { return nil }
        // In perspective bars lean more the further along they are.
        let leaning = ends.filter { abs($0.offset) >= 4 * step }.map { Point($0.middle, $0.shift / $0.offset) }
        let leans = leaning.count < 4 ? nil : Self.line(through: leaning)
        return [0, length].map { end in
            let slant = leans.map { $0.height + $0.slope * end } ?? slant
            // At offset t the end is at `end` + slant t along, where the edge is at height + slope (end + slant t).
            let offset = (edge.height + edge.slope * end) / max(1 - edge.slope * slant, 0.1)
            return start + along * (end + slant * offset) + down * offset
        }
    }

    private static func deviation(_ values: ArraySlice<Float>) -> Float {
        let mean = values.reduce(0, +) / Float(max(values.count, 1))
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(max(values.count, 1))).squareRoot()
    }

    private static func correlation(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Float {
        let n = Float(a.count)
        var (sa, sb, saa, sbb, sab) = (Float(0), Float(0), Float(0), Float(0), Float(0))
        for (x, y) in zip(a, b) {
            (sa, sb) = (sa + x, sb + y)
            (saa, sbb, sab) = (saa + x * x, sbb + y * y, sab + x * y)
        }
        let (va, vb) = (saa - sa * sa / n, sbb - sb * sb / n)
        // What is flat looks like nothing.
        return va > n && vb > n ? (sab - sa * sb / n) / (va * vb).squareRoot() : 0
    }
}
