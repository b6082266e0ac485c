/// One of a job's `regions`, as the manifest has it: its pixels are known when the video is open.
public struct Region: Given {
    /// The place that is given: a quad's corners, or a point to find a quad at.
    public enum Outline: Sendable, Hashable {
        /// Four corners, in the order in which they were given.
        case polygon([Point])
        /// A point, which stands for a square around it, a tenth of the picture's shorter side.
        case point(Point)
    }

    /// A place at a later moment, by somebody who looked.
    public struct Keyframe: Sendable, Hashable {
        /// The moment from which it holds.
        public var moment: Seed.Moment
        /// The place; nil where it is nowhere in the picture from then on.
        public var outline: Outline?
    }

    public var id: String
    /// Name that is written beside it.
    public var label: String
    /// The moment at which it begins.
    public var start: Seed.Moment
    /// The moment from which it is no more; nil for the end of the video.
    public var end: Seed.Moment?
    /// Place at the beginning.
    public var outline: Outline
    /// Whether coordinates are parts of the picture's width and height, 0…1, rather than pixels.
    public var isNormalized: Bool
    /// Places at later moments, in their order.
    public var keyframes: [Keyframe] = []
    /// How it is followed between two places that are given.
    public var fill = Seed.Fill.forward

    /// The region in a picture's pixels. Normalized coordinates run over the picture's area: 0 is the left edge of the
    /// first column, 1 the right edge of the last.
    public func placed(in size: PictureSize) -> Seed {
        let (width, height) = (size.width, size.height)
        func pixels(_ point: Point) -> Point {
            isNormalized ? Point(point.x * Double(width), point.y * Double(height)) : point
        }
        func corners(_ outline: Outline) -> [Point] {
            switch outline {
            case .polygon(let corners): return corners.map(pixels)
            case .point(let point):
                let half = Double(min(width, height)) / 20
                let center = pixels(point)
                return Box(x: center.x - half, y: center.y - half, width: 2 * half, height: 2 * half).corners
            }
        }
        return Seed(
            id: id, label: label, start: start, end: end, polygon: corners(outline),
            keyframes: keyframes.map { Seed.Keyframe($0.moment, polygon: $0.outline.map(corners)) }, fill: fill)
    }
}

extension Region {
    public static let word = "regions"
    public static let doc =
        "Seeds for the stages that track; or the path of a file with them, which may hold {name}, {folder} and {n}."
    public static let shape = RegionDeclaration.shape
    public static let use = "starts from regions"
    public static let tool: DrawingTool? = .region

    public static func read(_ reader: GivenReader) -> Region? {
        RegionReader(reader).read()
    }

    public static func warning(of stages: String) -> String {
        "its graph tracks regions (stage \(stages)), and it has none"
    }

    public static func notes(of regions: [Region], upTo last: VideoFrame) -> [String] {
        let end = "the frames end at \(last.ordinal)"
        let late = regions.filter { !$0.start.isReached(by: last) }.map { "the region “\($0.id)” never began: \(end)" }
        let passed = regions.filter { $0.start.isReached(by: last) }.compactMap { region -> String? in
            let count = region.keyframes.count { !$0.moment.isReached(by: last) }
            guard count > 0 else { return nil }
            return "\(count) \(count == 1 ? "keyframe" : "keyframes") of the region “\(region.id)” never came: the "
                + "frames end at \(last.ordinal)"
        }
        return late + passed
    }

    /// A region that is the middle half of the picture.
    public static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) {
        let gap = "the region “thing” is the middle of the picture; put the box of what is to be followed there"
        guard let size else {
            return (
                .members([
                    "id": .string("thing"), "units": .string("normalized"), "box": .numbers([0.25, 0.25, 0.5, 0.5]),
                ]), gap
            )
        }
        let box = [size.width / 4, size.height / 4, max(1, size.width / 2), max(1, size.height / 2)]
        return (.members(["id": .string("thing"), "box": .numbers(box.map(Double.init))]), gap)
    }
}
