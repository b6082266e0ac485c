/// The parts of a picture that aren't what they were when they were searched last: there alone may text be that wasn't found then.
///
/// A camera that stands still shows the same but where something moves, and a search costs by its area.
struct ChangedParts {
    /// Each fine cell as it was when it was searched last.
    private var searched: FrameCells?

    /// Change of a fine cell's mean, grey values, that is more than noise.
    private static let noise = 6
    /// Fine cells along the side of a cell, and how many of them change where it does: the smallest digit has more.
    private static let (fine, least) = (5, 2)
    /// Cells around changed ones that are searched with them: the network sees a line by what is about it.
    private static let margin = 1
    /// The most parts, and the most of the picture that they have, where searching them costs less than searching it all.
    private static let (most, mostShare) = (6, 0.6)
    /// The sides of a part are multiples of what the network sees as this many pixels, and this many times that at the least.
    private static let (unit, leastUnits) = (32.0, 6)

    /// Notes that all of a frame was searched.
    mutating func searchedAll(of cells: FrameCells) { searched = cells }

    /// Notes that parts of a frame were.
    mutating func searched(_ parts: [FramePart], of cells: FrameCells) {
        for part in parts { searched?.take(cells, in: part) }
    }

    /// Where to search a frame; nil where all of it has to be.
    /// - Parameters:
    ///   - lines: That are known, each in one part as a whole, or in none.
    ///   - scale: At which it is searched.
    func parts(of cells: FrameCells, lines: [TextRegion], in frame: VideoFrame, scale: Double) -> [FramePart]? {
        guard
            let changes = cells.changes(from: searched, by: Self.noise, times: Self.fine, least: Self.least)
        else { return nil }
        let side = Double(changes.side)
        let changed = changes.cells.boxes(near: 1, margin: Self.margin).map {
            Box(x: $0.x * side, y: $0.y * side, width: $0.width * side, height: $0.height * side)
        }
        let boxes = joined(changed, with: lines.compactMap { Box(around: $0.polygon) })
        let parts = boxes.map { part(around: $0, in: frame, scale: scale) }
        let area = parts.reduce(0) { $0 + $1.width * $1.height }
        let isLess = Double(area) <= Self.mostShare * Double(frame.width * frame.height)
        return parts.count <= Self.most && isLess ? parts : nil
    }

    /// Boxes that hold each line that they meet, and as few as there is no room between.
    private func joined(_ boxes: [Box], with lines: [Box]) -> [Box] {
        var joined: [Box] = []
        for box in boxes {
            var box = box
            while true {
                let whole = lines.reduce(box) { $0.intersection($1) == nil ? $0 : $0.joined($1) }
                let near = joined.filter { $0.joined(whole).area <= $0.area + whole.area }
                joined.removeAll(where: near.contains)
                let next = near.reduce(whole) { $0.joined($1) }
                guard next != box else { break }
                box = next
            }
            joined.append(box)
        }
        return joined
    }

    /// A part of a size that the network takes as it is.
    private func part(around box: Box, in frame: VideoFrame, scale: Double) -> FramePart {
        let unit = Self.unit / scale
        func span(_ first: Double, _ length: Double, _ whole: Int) -> (Int, Int) {
            let units = max(Self.leastUnits, Int((length / unit).rounded(.up)))
            let size = min(whole, Int((Double(units) * unit).rounded(.up)))
            let start = Int((first + (length - Double(size)) / 2).rounded(.down))
            return (min(max(0, start), whole - size), size)
        }
        let (x, width) = span(box.x, box.width, frame.width)
        let (y, height) = span(box.y, box.height, frame.height)
        return FramePart(x: x, y: y, width: width, height: height)
    }
}
