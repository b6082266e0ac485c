/// Parts of a picture that overlap, each looked at on its own, and one more look at the whole of it.
struct DetectTiles: Sendable {
    let parts: [FramePart]
    private let width: Int
    private let height: Int

    /// Of a part's side, at least.
    private static let overlap = 0.2
    /// How near its part's inner border a box ends that is cut by it, of the part's side.
    private static let border = 0.01
    /// A cut box of which more than this lies in another one is a part of that thing.
    private static let most = 0.5

    /// - Parameters:
    ///   - width: of the picture, pixels.
    ///   - columns: how many parts lie beside each other; 1 × 1 is the picture.
    init(width: Int, height: Int, columns: Int, rows: Int) {
        (self.width, self.height) = (width, height)
        let whole = FramePart(x: 0, y: 0, width: width, height: height)
        guard columns > 1 || rows > 1 else {
            parts = [whole]
            return
        }
        let (across, down) = (Self.spans(width, columns), Self.spans(height, rows))
        parts =
            [whole]
            + down.flatMap { y in
                across.map { x in FramePart(x: x.start, y: y.start, width: x.length, height: y.length) }
            }
    }

    /// Parts of a side of the picture, whole pixels, that overlap each other.
    private static func spans(_ length: Int, _ count: Int) -> [(start: Int, length: Int)] {
        // n parts of a length p that overlap by a share s of it cover p · (n − (n − 1) · s).
        let part = Double(length) / (Double(count) - Double(count - 1) * overlap)
        let whole = min(length, max(1, Int(part.rounded(.up))))
        guard count > 1 else { return [(0, length)] }
        return (0..<count).map { index in
            (Int((Double(length - whole) * Double(index) / Double(count - 1)).rounded()), whole)
        }
    }

    /// What was seen in the parts, each thing once.
    /// - Parameter seen: by part, the surest first.
    func merged(_ seen: [[DetectedThing]], _ suppression: DetectionSuppression) -> [DetectedThing] {
        guard seen.count > 1 else { return seen.first ?? [] }
        var all: [(thing: DetectedThing, part: Int, isCut: Bool)] = []
        for (part, things) in seen.enumerated() {
            all += things.map { ($0, part, isCut($0.box, by: parts[part])) }
        }
        // What is whole goes before what is cut, and then what is surer.
        let order = all.indices.sorted {
            let (a, b) = (all[$0], all[$1])
            return a.isCut != b.isCut ? b.isCut : (a.thing.score, $1) > (b.thing.score, $0)
        }
        var kept: [(thing: DetectedThing, part: Int)] = []
        for index in order {
            let (thing, part, isCut) = all[index]
            let isKnown = kept.contains { other in
                guard other.part != part, suppression.isAgnostic || other.thing.label == thing.label,
                    let common = other.thing.box.intersection(thing.box)?.area
                else { return false }
                let union = other.thing.box.area + thing.box.area - common
                return common / union > suppression.overlap
                    || isCut && common > Self.most * min(thing.box.area, other.thing.box.area)
            }
            if !isKnown { kept.append((thing, part)) }
        }
        return kept.map(\.thing).enumerated().sorted {
            ($0.element.score, $1.offset) > ($1.element.score, $0.offset)
        }.map(\.element)
    }

    /// Whether a box ends where its part does and the picture doesn't.
    private func isCut(_ box: Box, by part: FramePart) -> Bool {
        let (x, y) = (Self.border * Double(part.width) + 1, Self.border * Double(part.height) + 1)
        let (left, top) = (Double(part.x), Double(part.y))
        let (right, bottom) = (left + Double(part.width), top + Double(part.height))
        return part.x > 0 && box.x < left + x || part.y > 0 && box.y < top + y
            || right < Double(width) && box.right > right - x || bottom < Double(height) && box.bottom > bottom - y
    }
}
