/// A place of the picture that the manifest hides for a time, whatever is seen there: one of a job's `cover`.
public struct HandCover: Sendable, Hashable {
    /// What coordinates count in: pixels of the picture, or parts of its width and height.
    public enum Units: String, Sendable, CaseIterable {
        case pixels, normalized
    }

    /// The box that is hidden; nil where a polygon is.
    public var box: Box?
    /// Corners of the polygon that is hidden; nil where a box is.
    public var polygon: [Point]?
    /// What the coordinates count in.
    public var units = Units.pixels
    /// Time at which it begins, seconds of the source's clock.
    public var start = 0.0
    /// Time at which it ends, seconds of the source's clock; nil for the end of the video.
    public var end: Double?
    /// How its pixels are taken away.
    public var style = CoverStyle.blur

    public init() {}

    /// The cover with coordinates in a picture's pixels, to hundredths.
    package func inPixels(of size: PictureSize) -> HandCover {
        var cover = self
        cover.units = .pixels
        if units == .normalized {
            let (width, height) = (Double(size.width), Double(size.height))
            cover.box = box.map {
                Box(x: $0.x * width, y: $0.y * height, width: $0.width * width, height: $0.height * height)
            }
            cover.polygon = polygon?.map { Point($0.x * width - 0.5, $0.y * height - 0.5) }
        }
        return cover.rounded
    }

    /// The shape that is covered: the outline of a polygon's pixels reaches half a pixel beyond their centres.
    package var spot: Cover.Spot? {
        if let box { return .box(box) }
        return polygon.map { .polygon($0.map { Point($0.x + 0.5, $0.y + 0.5) }) }
    }

    /// Seconds by which a time that was written with few decimals may miss the time of its frame.
    private static let slack = 0.001

    /// Whether a picture is to be covered that is shown at a moment from its own time on until the next one's: it is seen
    /// within the time.
    /// - Parameter shown: Seconds; its end is after its start.
    package func holds(from time: Double, until next: Double) -> Bool {
        let slack = min(Self.slack, max(next - time, 0) / 2)
        return next > start + slack && time <= (end ?? .infinity) + slack
    }
}

extension HandCover: Record {
    public static let fields: [Field<HandCover>] = [
        Field("box", \.box, .box, doc: "[left, top, width, height]; every pixel that it touches is covered."),
        Field(
            "polygon", \.polygon, .list(.point, count: 3...1000),
            doc: "Corners [x, y], instead of a box; every pixel that it touches is covered."),
        Field("units", \.units, Format<Units>.choice(), .optional, doc: "Of the coordinates."),
        Field(
            "start", \.start, .number(Bounds(0)), .optional, unit: "s",
            doc: "The first picture that is covered is the one that is seen then."),
        Field(
            "end", \.end, .number(Bounds(0)), unit: "s",
            doc: "The last one is the one that is seen then. The end of the video when left out."),
        Field("style", \.style, Format<CoverStyle>.choice(), .optional, doc: "How the pixels are taken away."),
    ]

    package static let shape = shape(doc: "A place that is hidden for a time: a box or a polygon.", name: "cover")
}
