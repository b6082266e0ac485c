/// A part of a frame: whole pixels, the origin top left.
package struct FramePart: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

extension FramePart {
    /// The whole pixels around a region that another stage found, cut at the picture's edges; nil for what has no place
    /// in the picture, or less than two pixels of one.
    /// - Parameter margin: Around the region, on every side, of its size.
    package init?(around observation: Observation, margin: Double, in frame: VideoFrame) {
        guard observation.isInSight else { return nil }
        // From the picture's corner, as boxes are.
        let outline = observation.polygon.flatMap { Box(around: $0.map { $0 + Point(0.5, 0.5) }) }
        guard let box = outline ?? observation.box else { return nil }
        let (x, y) = (box.width * margin, box.height * margin)
        let wide = Box(x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y)
        let picture = Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
        guard let inside = wide.intersection(picture) else { return nil }
        let (left, top) = (Int(inside.x.rounded(.down)), Int(inside.y.rounded(.down)))
        let (right, bottom) = (Int(inside.right.rounded(.up)), Int(inside.bottom.rounded(.up)))
        guard right - left >= 2, bottom - top >= 2 else { return nil }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// As a box, from the picture's corner.
    package var box: Box { Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }

    /// Its corners, clockwise from the top left; pixels' centres are at whole numbers.
    package var outline: [Point] {
        Box(x: Double(x) - 0.5, y: Double(y) - 0.5, width: Double(width), height: Double(height)).corners
    }

    /// Whether something lies so near an edge of it beyond which the picture goes on that there may be more of it: within a tenth
    /// of its own size, since what is cut is seldom found up to the cut.
    /// - Parameter box: from the picture's corner.
    package func cuts(_ box: Box, in frame: VideoFrame) -> Bool {
        let room = max(1.5, 0.1 * max(box.width, box.height))
        return x > 0 && box.x < Double(x) + room || y > 0 && box.y < Double(y) + room
            || x + width < frame.width && box.right > Double(x + width) - room
            || y + height < frame.height && box.bottom > Double(y + height) - room
    }

    /// A part with as much more on every side as something in it is wide or high, as far as the picture goes.
    package func widened(by box: Box, in frame: VideoFrame) -> FramePart {
        let more = Int(max(box.width, box.height).rounded(.up))
        let (left, top) = (max(0, x - more), max(0, y - more))
        return FramePart(
            x: left, y: top, width: min(frame.width, x + width + more) - left,
            height: min(frame.height, y + height + more) - top)
    }

    /// True for a place, a pixel's centre at whole numbers, that is inside.
    package func contains(_ place: Point) -> Bool {
        place.x >= Double(x) - 0.5 && place.y >= Double(y) - 0.5 && place.x < Double(x + width) - 0.5
            && place.y < Double(y + height) - 0.5
    }
}
