/// Whether a video shows what a cover hides.
///
/// Encoders change pixels, and something may be drawn over a cover. So two things are asked: how much of what the cover took away
/// is there again, the part of the difference between the source and the covered picture that the video shows, 0 for a
/// cover that holds and 1 for none; and whether the video is like the source there, which a line that is drawn along an edge
/// isn't.
package enum BareCover {
    /// Side of the parts of a cover that are judged on their own, pixels.
    private static let part = 16
    /// The part of what was taken away from which on it is seen.
    private static let seen = 0.5
    /// How far the video is from the source where that is seen, at the most: of the mean square of what was taken away.
    private static let far = 0.4
    /// The detail that a cover takes away, mean squares of luma levels, below which there is nothing to see.
    private static let something = 36.0
    /// The share of a cover's parts with detail that are seen where it doesn't hold: what is drawn over it has edges of its own.
    private static let uncovered = 1.0 / 3

    /// The first cover that doesn't hold.
    /// - Returns: Its box, pixels from the top left corner; nil where all hold.
    package static func first(of picture: CoverQueue.Picture, in shown: VideoFrame) -> Box? {
        picture.frame.withLuma { source in
            shown.withLuma { video in
                let size = (
                    width: min(source.width, video.width), height: min(source.height, video.height)
                )
                let covered = Luma(copying: source)
                // Covers reach over whole chroma samples of the video.
                covered.paint(picture.covers, shown.withPicture { ($0.chromaShift, $0.colorSpace) })
                for cover in picture.covers {
                    guard let box = cover.spot.bounds else { continue }
                    let columns = pixels(box.x, box.right, size.width), rows = pixels(box.y, box.bottom, size.height)
                    var (told, bare) = (0, 0)
                    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: part) {
                        for left in stride(from: columns.lowerBound, to: columns.upperBound, by: part) {
                            let isSeen = covered.isSeen(
                                left..<min(left + part, columns.upperBound), top..<min(top + part, rows.upperBound),
                                source, video)
                            if let isSeen { (told, bare) = (told + 1, bare + (isSeen ? 1 : 0)) }
                        }
                    }
                    if bare > 0, Double(bare) >= uncovered * Double(told) { return box }
                }
                return nil
            }
        }
    }

    private static func pixels(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
        let first = min(max(Int(inRange: from.rounded(.down)), 0), count)
        return first..<min(max(Int(inRange: to.rounded(.up)), first), count)
    }

    /// A copy of a luma plane that is painted on.
    private final class Luma {
        private let memory: UnsafeMutableBufferPointer<UInt8>
        private let width: Int
        private let height: Int

        init(copying plane: PlaneView) {
            (width, height) = (plane.width, plane.height)
            memory = .allocate(capacity: max(width * height, 1))
            memory.initialize(repeating: 0)
            guard let base = memory.baseAddress else { return }
            for y in 0..<height {
                (base + y * width).update(from: plane.base + y * plane.stride, count: width)
            }
        }

        deinit { memory.deallocate() }

        func paint(_ covers: [Cover], _ form: (chromaShift: (x: Int, y: Int), colorSpace: ColorSpace)) {
            guard let base = memory.baseAddress else { return }
            let canvas = Canvas(
                luma: MutablePlane(base: base, width: width, height: height, stride: width), chroma: nil,
                chromaShift: form.chromaShift, colorSpace: form.colorSpace)
            for cover in covers { CoverPainter.paint(cover, onto: canvas) }
        }

        /// Whether a picture shows what was taken away; nil where that is next to nothing.
        func isSeen(_ columns: Range<Int>, _ rows: Range<Int>, _ source: PlaneView, _ video: PlaneView) -> Bool? {
            guard columns.count * rows.count >= part * part / 2 else { return nil }
            // About the part's own mean: a label of one colour may be as bright as what is hidden.
            var sums = (lost: 0, shown: 0)
            for y in rows {
                for x in columns {
                    let covered = Int(memory[y * width + x])
                    sums.lost += Int(source.base[y * source.stride + x]) - covered
                    sums.shown += Int(video.base[y * video.stride + x]) - covered
                }
            }
            let count = Double(columns.count * rows.count)
            let mean = (lost: Double(sums.lost) / count, shown: Double(sums.shown) / count)
            var (taken, back, away) = (0.0, 0.0, 0.0)
            for y in rows {
                for x in columns {
                    let covered = Int(memory[y * width + x])
                    let lost = Double(Int(source.base[y * source.stride + x]) - covered) - mean.lost
                    let shown = Double(Int(video.base[y * video.stride + x]) - covered) - mean.shown
                    taken += lost * lost
                    back += lost * shown
                    away += (shown - lost) * (shown - lost)
                }
            }
            guard taken >= something * count else { return nil }
            return back > seen * taken && away < far * taken
        }
    }
}
