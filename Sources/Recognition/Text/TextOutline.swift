/// A line's outline: four corners, clockwise from the line's own top left.
protocol TextOutline: PolygonTrackable {}

extension TextOutline {
    /// Pixels, the mean of both ends.
    var height: Double { (polygon[0].distance(to: polygon[3]) + polygon[1].distance(to: polygon[2])) / 2 }
    /// Pixels, the mean of top and bottom.
    var width: Double { (polygon[0].distance(to: polygon[1]) + polygon[3].distance(to: polygon[2])) / 2 }

    /// True for a place that is inside.
    func contains(_ place: Point) -> Bool {
        polygon.indices.allSatisfy { index in
            let (a, b) = (polygon[index], polygon[(index + 1) % 4])
            return (b - a).cross(place - a) >= 0
        }
    }
}

/// A place where a network sees a line of text. Which way up it is written is known once it has been read.
struct TextRegion: TextOutline, Sendable {
    var polygon: [Point]
    /// 0…1.
    var score: Double

    /// From which length on, in its heights, and which score on what the network sees is a line, whatever it says: of another
    /// script than is read, too. What is no text and seen as surely is as high as wide.
    private static let (lineLength, lineScore) = (3.5, 0.8)

    /// Whether it is rather a part of the picture that looks like a letter: a letter or two of the picture's own height, for two
    /// things side by side, or one with holes in it, look like that; or a single one of half of it that isn't seen whole, for
    /// soft patches do. With the room that the network leaves around letters.
    /// - Parameters:
    ///   - text: What is read there.
    ///   - confidence: With which it is, 0…1.
    func isPatch(saying text: String, _ confidence: Double, in picture: PictureSize) -> Bool {
        let side = Double(min(picture.width, picture.height))
        let (longer, shorter) = (max(width, height) / side, min(width, height) / side)
        return text.count <= 2 && longer >= 0.9 && shorter >= 0.6
            || text.count == 1 && confidence <= TextLineReader.mostOfCut && longer >= 0.5 && shorter >= 0.3
    }

    var isSurelyALine: Bool { width >= Self.lineLength * height && score >= Self.lineScore }

    /// The same, longer at its ends and higher, in heights of it; nil where that is no quad any more.
    func grown(left: Double, right: Double, above: Double = 0, below: Double = 0) -> TextRegion? {
        guard let map = Homography(unitSquareTo: polygon), width > 0 else { return nil }
        let (x, y) = (-left * height / width, -above)
        let box = Box(x: x, y: y, width: 1 - x + right * height / width, height: 1 + above + below)
        let corners = box.corners.map { map($0) }
        guard Homography.isConvex(corners), corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        return TextRegion(polygon: corners, score: score)
    }

    /// The same, read from the other side.
    var turned: TextRegion { TextRegion(polygon: Array(polygon[2...] + polygon[..<2]), score: score) }
}

extension FramePart {
    /// Whether a line that was found in the part goes on beyond it: it ends at a side that isn't the picture's own.
    func cuts(_ line: TextRegion, in frame: VideoFrame) -> Bool {
        let corners = line.polygon
        let ends = [(corners[0] + corners[3]) * 0.5, (corners[1] + corners[2]) * 0.5]
        // No space between words would be seen in less.
        let room = 0.45 * line.height
        return ends.contains { end in
            let (left, top) = (end.x - Double(x), end.y - Double(y))
            return x > 0 && left < room || y > 0 && top < room
                || x + width < frame.width && Double(width) - left < room
                || y + height < frame.height && Double(height) - top < room
        }
    }
}
