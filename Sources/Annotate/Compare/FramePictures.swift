/// Pictures of a video's frames for a page, each a part of a frame with boxes drawn on it.
package final class FramePictures {
    /// A box that is drawn.
    package struct Outline {
        package var corners: [Point]
        /// Whether it is of the old side, or the truth.
        package var isOld: Bool

        package init(_ corners: [Point], isOld: Bool) { (self.corners, self.isOld) = (corners, isOld) }

        package init(_ box: Box, isOld: Bool) { self.init(box.corners, isOld: isOld) }
    }

    private let finder: FrameFinder
    private let writer = PictureWriter(.jpg, isSmall: true)
    private let path: String
    private let size: PictureSize

    private static let largest = PictureSize(width: 420, height: 320)

    /// - Throws: `FileError` for a video that can't be read.
    package init(video path: String, cancellation: Cancellation? = nil) throws {
        self.path = path
        finder = try FrameFinder(path: path, cancellation: cancellation)
        size = PictureSize(width: finder.info.width, height: finder.info.height)
    }

    /// A part of a frame, as HTML.
    /// - Throws: `FileError` for a frame that isn't there.
    package func html(_ frame: Int, around place: Box, _ outlines: [Outline]) throws -> String {
        let view = size.view(around: place)
        let part = try finder.frame(frame).part(view, within: Self.largest)
        let address = "data:image/jpeg;base64," + Base64.text(try writer.bytes(of: part, for: path))
        let shapes = outlines.map { outline in
            // Pixels' centres are integers, and a view's edges lie half a pixel before.
            let points = outline.corners.map { "\(($0.x - view.x).text(1)),\(($0.y - view.y).text(1))" }.joined(
                separator: " ")
            return "<polygon class=\"\(outline.isOld ? "old" : "new")\" points=\"\(points)\"/>"
        }
        let box = "0 0 \(view.width.text(1)) \(view.height.text(1))"
        return "<img src=\"\(address)\" alt=\"frame \(frame)\"><svg viewBox=\"\(box)\" preserveAspectRatio=\"none\">"
            + shapes.joined() + "</svg>"
    }
}

extension PictureSize {
    /// The part of a picture that is shown around a place: three times its size, a third of the picture at least, inside
    /// the picture.
    package func view(around place: Box) -> Box {
        func span(_ from: Double, _ length: Double, _ limit: Int) -> (Double, Double) {
            let all = Double(limit)
            let wanted = min(max(3 * length, all / 3).rounded(.up), all)
            return (min(max((from + length / 2 - wanted / 2).rounded(), 0), all - wanted), wanted)
        }
        let (x, width) = span(place.x, place.width, self.width)
        let (y, height) = span(place.y, place.height, self.height)
        return Box(x: x, y: y, width: width, height: height)
    }
}
