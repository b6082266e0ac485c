/// A rectangle of whole pixels.
struct PixelRect: Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    var height: Int

    package var right: Int { x + width }
    package var bottom: Int { y + height }

    /// The number of pixels in common.
    func overlap(_ other: PixelRect) -> Int {
        let columns = min(right, other.right) - max(x, other.x)
        let rows = min(bottom, other.bottom) - max(y, other.y)
        return columns > 0 && rows > 0 ? columns * rows : 0
    }
}

/// Finds places for one frame's labels: always entirely inside the picture, beside what they name, and clear of one
/// another as far as there is room.
struct LabelLayout {
    /// The picture's size, pixels.
    let width: Int
    let height: Int
    private(set) var taken: [PixelRect] = []
    private var index: LabelIndex

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        index = LabelIndex(width: width, height: height)
    }

    /// Keeps labels away from a place.
    mutating func reserve(_ rect: PixelRect) {
        taken.append(rect)
        index.insert(rect)
    }

    /// Finds a place for a label and reserves it.
    ///
    /// Above the box is tried first, then below, inside, flush right and beside it, each moved sideways into the
    /// picture; then the nearest free place up or down from there; at last the place with the least overlap.
    ///
    /// - Parameters:
    ///   - gap: Pixels to leave between the box and the label.
    /// - Returns: nil where the label is larger than the picture, or the box is outside.
    mutating func place(width w: Int, height h: Int, beside box: Box, gap: Int) -> PixelRect? {
        guard w > 0, h > 0, w <= width, h <= height, box.isDrawable else { return nil }
        let (left, top) = (Int(inRange: box.x.rounded()), Int(inRange: box.y.rounded()))
        let (right, bottom) = (Int(inRange: box.right.rounded()), Int(inRange: box.bottom.rounded()))
        guard right >= 0, bottom >= 0, left < width, top < height else { return nil }

        let roomInside = right - left >= w + 2 * gap && bottom - top >= h + 2 * gap
        var wishes = [(left, top - gap - h), (left, bottom + gap)]
        if roomInside { wishes += [(left + gap, top + gap), (left + gap, bottom - gap - h)] }
        wishes += [(right - w, top - gap - h), (right - w, bottom + gap)]
        let sides = [(right + gap, top), (left - gap - w, top)]

        var places: [PixelRect] = []
        for (x, y) in wishes where y >= 0 && y + h <= height {
            places.append(inside(x, y, w, h))
        }
        for (x, y) in sides where x >= 0 && x + w <= width {
            places.append(inside(x, y, w, h))
        }
        // A box that fills the picture has no side with room: its label goes to its top left, moved in.
        places.append(inside(left, top - gap - h, w, h))

        guard let best = places.first(where: index.isFree) ?? slide(places[0]) ?? leastCovering(places) else {
            return nil
        }
        reserve(best)
        return best
    }

    /// The first of those that have least in common with what is taken.
    private func leastCovering(_ places: [PixelRect]) -> PixelRect? {
        places.map { (place: $0, overlap: index.overlap($0)) }.min { $0.overlap < $1.overlap }?.place
    }

    private func inside(_ x: Int, _ y: Int, _ w: Int, _ h: Int) -> PixelRect {
        PixelRect(x: min(max(x, 0), width - w), y: min(max(y, 0), height - h), width: w, height: h)
    }

    /// The nearest free place straight up or down, up to six lines away: farther off, nobody would know whose it is.
    private func slide(_ rect: PixelRect) -> PixelRect? {
        for step in 1...12 {
            for direction in [-1, 1] {
                var moved = rect
                moved.y += direction * step * (rect.height / 2 + 1)
                if moved.y >= 0, moved.bottom <= height, index.isFree(moved) { return moved }
            }
        }
        return nil
    }
}
