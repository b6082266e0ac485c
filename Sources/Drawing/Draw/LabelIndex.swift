/// Rectangles by the cells of a grid that they touch: what overlaps a place is found without a look at all of them.
struct LabelIndex {
    /// Side of a cell, pixels: about a label's length.
    private static let side = 64

    private let across: Int
    private let down: Int
    /// Places in `rects` of those that touch a cell, row by row.
    private var cells: [[Int]]
    /// Each once: labels of things on one spot often have the same place.
    private var rects: [(rect: PixelRect, count: Int)] = []
    private var places: [PixelRect: Int] = [:]

    /// - Parameters:
    ///   - width: Of the picture, pixels.
    ///   - height: The same.
    init(width: Int, height: Int) {
        (across, down) = (max(1, (width + Self.side - 1) / Self.side), max(1, (height + Self.side - 1) / Self.side))
        cells = Array(repeating: [], count: across * down)
    }

    mutating func insert(_ rect: PixelRect) {
        if let known = places[rect] {
            rects[known].count += 1
            return
        }
        places[rect] = rects.count
        for row in rows(of: rect) {
            for column in columns(of: rect) { cells[row * across + column].append(rects.count) }
        }
        rects.append((rect, 1))
    }

    /// Pixels that a place inside the picture has in common with those that are there, each for itself.
    func overlap(_ rect: PixelRect) -> Int {
        var sum = 0
        visit(rect) { common, count in
            sum += common * count
            return true
        }
        return sum
    }

    /// Whether nothing is on a place inside the picture.
    func isFree(_ rect: PixelRect) -> Bool {
        var isFree = true
        visit(rect) { _, _ in
            isFree = false
            return false
        }
        return isFree
    }

    /// Visits what overlaps a place, until the body says false.
    private func visit(_ rect: PixelRect, _ body: (_ common: Int, _ count: Int) -> Bool) {
        for row in rows(of: rect) {
            for column in columns(of: rect) {
                for place in cells[row * across + column] {
                    let (other, count) = rects[place]
                    let common = other.overlap(rect)
                    // Several cells may have both: the one counts in which what they have in common begins.
                    guard common > 0, max(other.x, rect.x) / Self.side == column,
                        max(other.y, rect.y) / Self.side == row
                    else { continue }
                    if !body(common, count) { return }
                }
            }
        }
    }

    private func columns(of rect: PixelRect) -> Range<Int> { Self.cells(rect.x, rect.right, across) }
    private func rows(of rect: PixelRect) -> Range<Int> { Self.cells(rect.y, rect.bottom, down) }

    /// Cells that a stretch of pixels touches, cut to the picture's.
    private static func cells(_ start: Int, _ end: Int, _ count: Int) -> Range<Int> {
        let (first, last) = (max(start, 0) / side, min(max(end - 1, 0) / side, count - 1))
        return end > max(start, 0) && first <= last ? first..<last + 1 : 0..<0
    }
}
