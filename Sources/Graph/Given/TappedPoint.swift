/// One of a job's `points`, as the manifest has it: its pixels are known when the video is open.
public struct TappedPoint: Given, Hashable {
    public var id: String
    /// Text that is written beside it; nil for what a classifier says, or else the id.
    public var text: String?
    /// The moment at which it begins.
    public var start: Seed.Moment
    /// The moment from which it is no more; nil for the end of the video.
    public var end: Seed.Moment?
    /// The place that was pointed at.
    public var point: Point
    /// Whether coordinates are parts of the picture's width and height, 0…1, rather than pixels.
    public var isNormalized: Bool

    /// The point in a picture's pixels. Normalized coordinates run over the picture's area: 0 is the left edge of the
    /// first column, 1 the right edge of the last.
    public func placed(in size: PictureSize) -> PointSeed {
        let (width, height) = (Double(size.width), Double(size.height))
        let place = isNormalized ? Point(point.x * width - 0.5, point.y * height - 0.5) : point
        return PointSeed(id: id, text: text, start: start, end: end, point: place)
    }
}

extension TappedPoint {
    public static let word = "points"
    public static let doc =
        "What the stage “labels” writes beside what; or the path of a file with it, as of regions."
    public static let shape = PointDeclaration.shape
    public static let use = "labels points"
    public static let tool: DrawingTool? = .point

    public static func read(_ reader: GivenReader) -> TappedPoint? {
        let node = reader.node
        var declared = PointDeclaration()
        let wrong = declared.read(node)
        let (start, end) = declared.seed.moments(of: "point", node, path: reader.path, log: reader.log)
        // The shape's validation has complained where any of these fails.
        guard node["id"] != nil, node["point"] != nil, !wrong.contains("id"), !wrong.contains("point") else {
            return nil
        }
        let point = TappedPoint(
            id: declared.id, text: declared.text, start: start, end: end, point: declared.point,
            isNormalized: declared.seed.units == .normalized)
        for picture in reader.pictures { point.checkInside(reader, picture.name, picture.size) }
        return point
    }

    private func checkInside(_ reader: GivenReader, _ name: String, _ size: PictureSize) {
        let pixel = placed(in: size).point
        let isInside =
            (-0.5...Double(size.width) - 0.5).contains(pixel.x) && (-0.5...Double(size.height) - 0.5).contains(pixel.y)
        guard !isInside else { return }
        let expected = isNormalized ? "coordinates from 0 to 1" : "one within \(size.width)×\(size.height) pixels"
        reader.log.add(
            "the point [\(plain(point.x)), \(plain(point.y))] lies outside the picture of \(name); "
                + "expected \(expected)", at: reader.node["point"] ?? reader.node, path: reader.path + [.key("point")])
    }

    public static func warning(of stages: String) -> String { "its graph labels points, and it has none" }

    public static func notes(of points: [TappedPoint], upTo last: VideoFrame) -> [String] {
        points.filter { !$0.start.isReached(by: last) }.map {
            "the point “\($0.id)” never began: the frames end at \(last.ordinal)"
        }
    }

    /// The middle of the picture.
    public static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) {
        let gap = "the point “here” is the middle of the picture; put the place and text of your own there"
        let text = JSONValue.string("here")
        guard let size else {
            return (
                .members([
                    "id": text, "text": text, "units": .string("normalized"), "point": .numbers([0.5, 0.5]),
                ]), gap
            )
        }
        let middle = [size.width / 2, size.height / 2].map(Double.init)
        return (.members(["id": text, "text": text, "point": .numbers(middle)]), gap)
    }
}
