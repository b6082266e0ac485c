/// Whether a video shows what a cover hides.
///
/// Encoders change pixels, and something may be drawn over a cover. So it is asked how much of what the cover took away is there
/// again, in the luma plane and in those of the colours: `BareSums`.
package enum BareCover {
    /// Side of the parts of a cover that are judged on their own, luma pixels.
    private static let part = 16
    /// The share of a cover's parts with detail, or of their detail, that is seen where it doesn't hold: what is drawn over it has
    /// edges of its own.
    private static let uncovered = 1.0 / 3
    /// How much along a cover's edges is left out where what is faint or a colour counts, luma pixels: encoders take some of what
    /// is around into it. And how many parts must show it.
    private static let rim = 4.0, least = 2

    /// The first cover that doesn't hold.
    /// - Returns: Its box, pixels from the top left corner; nil where all hold.
    package static func first(of picture: CoverQueue.Picture, in shown: VideoFrame) -> Box? {
        picture.frame.withPicture { source in
            shown.withPicture { video in
                let covered = CoveredPlanes(
                    source, like: video, covers: picture.covers, ownShift: shown.originalChromaShift)
                return picture.covers.lazy.compactMap(\.spot.bounds).first { box in
                    covered.planes.indices.contains { isBare(box, covered.planes[$0], video.planes[$0]) }
                }
            }
        }
    }

    private static func isBare(_ box: Box, _ covered: CoveredPlanes.Plane, _ video: PlaneView) -> Bool {
        var plain = Tally()
        if !covered.isColor {
            forEachPart(of: box, covered, video) { if $0.isTelling { plain.add($0, isSeen: $0.isPlainlySeen) } }
            if plain.parts.seen > 0, Double(plain.parts.seen) >= uncovered * Double(plain.parts.all) { return true }
        }
        let inside = Box(x: box.x + rim, y: box.y + rim, width: box.width - 2 * rim, height: box.height - 2 * rim)
        var faint = Tally()
        var echo = Echo()
        forEachPart(of: inside, covered, video) {
            if $0.isFaintlyTelling { faint.add($0, isSeen: $0.isPlainlySeen || $0.shimmersThrough) }
            if $0.isFlat { echo.add($0) }
        }
        return faint.parts.seen >= least && faint.detail.seen >= uncovered * faint.detail.all
            || !covered.isColor && echo.isHeard
    }

    /// What a cover of one colour as a whole shows of the source's detail, however faint: what an encoder makes of one colour isn't like
    /// the source, and over many pixels that is told from what is.
    private struct Echo {
        /// Levels, root mean square, from which on somebody sees it who stretches the picture's contrast, and how like the source's detail it
        /// is there (correlation).
        private static let least = 0.4, likeness = 0.5
        /// Mean square of the source's detail, levels, below which there is nothing to read; and pixels.
        private static let something = 36.0, fewest = 1024

        private var pixels = 0
        private var (taken, shown, both) = (0.0, 0.0, 0.0)

        mutating func add(_ sums: BareSums) {
            pixels += sums.count
            let count = Double(sums.count)
            taken += sums.fine.taken * count
            shown += sums.fine.shown * count
            both += sums.fine.both * count
        }

        var isHeard: Bool {
            guard pixels >= Self.fewest, taken >= Self.something * Double(pixels) else { return false }
            return both * both >= Self.likeness * Self.likeness * taken * shown
                && both * both >= Self.least * Self.least * taken * Double(pixels)
        }
    }

    /// Parts and their detail, those in which it is seen and all.
    private struct Tally {
        var parts = (seen: 0, all: 0)
        var detail = (seen: 0.0, all: 0.0)

        mutating func add(_ sums: BareSums, isSeen: Bool) {
            parts.all += 1
            detail.all += sums.taken
            guard isSeen else { return }
            parts.seen += 1
            detail.seen += sums.taken
        }
    }

    private static func forEachPart(
        of box: Box, _ covered: CoveredPlanes.Plane, _ video: PlaneView, _ body: (BareSums) -> Void
    ) {
        let (scaleX, scaleY) = (Double(1 << covered.shift.x), Double(1 << covered.shift.y))
        let columns = pixels(box.x / scaleX, box.right / scaleX, min(covered.width, video.width))
        let rows = pixels(box.y / scaleY, box.bottom / scaleY, min(covered.height, video.height))
        let side = (x: max(part >> covered.shift.x, 1), y: max(part >> covered.shift.y, 1))
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: side.y) {
            for left in stride(from: columns.lowerBound, to: columns.upperBound, by: side.x) {
                let (xs, ys) = (left..<min(left + side.x, columns.upperBound), top..<min(top + side.y, rows.upperBound))
                // A strip tells nothing.
                guard xs.count * ys.count >= side.x * side.y / 2 else { continue }
                body(BareSums(x: xs, y: ys, covered, video))
            }
        }
    }

    private static func pixels(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
        let first = min(max(Int(inRange: from.rounded(.down)), 0), count)
        return first..<min(max(Int(inRange: to.rounded(.up)), first), count)
    }
}
