internal import CVision

/// Finds the rectangles of a frame.
struct RectangleDetector: StorableDetector {
    private let searches: ResourcePool<RectangleSearch>

    init(_ options: RectanglesBlueprint.Options) {
        searches = ResourcePool { try RectangleSearch(ocv_rectangle_options(options)) }
    }

    func detect(_ input: StageInput) throws -> FoundRectangles {
        try searches.withResource { search in
            FoundRectangles(rectangles: try input.frame.withPicture { try search.rectangles(in: ocv_picture($0)) })
        }
    }
}

/// Gives the rectangles of successive frames their tracks.
struct RectangleTracker: Tracker {
    private let id: String
    private var association: Association

    init(_ options: RectanglesBlueprint.Options, _ context: StageContext) {
        id = context.id
        association = Association(
            memory: options.memory, confirmation: context.isStill ? 1 : options.confirmation, width: context.width,
            height: context.height)
    }

    mutating func update(_ found: FoundRectangles, _ input: StageInput) -> [Observation] {
        let matches = association.match(
            found.rectangles.map { Association.Candidate(name: 0, polygon: $0.corners) }, at: input.frame.seconds)
        return zip(found.rectangles, matches).map { rectangle, match in
            Observation(
                RectangleFinding(), stage: id, track: match.track.map { TrackReference(stage: id, number: $0) },
                confidence: rectangle.confidence, polygon: rectangle.corners)
        }
    }
}

/// The rectangles of one frame, the most prominent first, before they have tracks.
struct FoundRectangles: Record, Storable, Hashable {
    struct Rectangle: Record, Hashable {
        var confidence = 0.0
        /// Clockwise from the one nearest to the picture's top left.
        var corners: [Point] = []

        static let fields: [Field<Rectangle>] = [
            Field("confidence", \.confidence, .number(), doc: "0 to 1."),
            Field("corners", \.corners, .list(.exactPoint, count: 4...4), unit: "px", doc: "Clockwise."),
        ]
    }

    var rectangles: [Rectangle] = []

    static let fields: [Field<FoundRectangles>] = [
        Field("rectangles", \.rectangles, .list(.record(doc: "A rectangle.")), doc: "The most prominent first.")
    ]
}

/// The shim's detector with its scratch memory, for one thread at a time.
private final class RectangleSearch {
    private let handle: OpaquePointer
    private var room = [ocv_rectangle](repeating: ocv_rectangle(), count: 256)

    init(_ options: ocv_rectangle_options) throws {
        var handle: OpaquePointer?
        try check(ocv_rectangle_detector_create(options, &handle), "make a rectangle detector")
        guard let handle else { throw VisionError(operation: "make a rectangle detector", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_rectangle_detector_destroy(handle) }

    func rectangles(in picture: ocv_picture) throws -> [FoundRectangles.Rectangle] {
        var (picture, count) = (picture, Int32(0))
        try check(ocv_rectangle_detect(handle, &picture, &room, Int32(room.count), &count), "detect rectangles")
        return room[..<Int(count)].map { rectangle in
            let (a, b, c, d) = rectangle.corners
            return FoundRectangles.Rectangle(
                confidence: rectangle.confidence, corners: [a, b, c, d].map { Point($0) })
        }
    }
}

extension ocv_rectangle_options {
    fileprivate init(_ options: RectanglesBlueprint.Options) {
        self.init(
            minimumAspectRatio: options.minimumAspectRatio, maximumAspectRatio: options.maximumAspectRatio,
            quadratureTolerance: options.quadratureTolerance, minimumSize: options.minimumSize,
            minimumConfidence: options.minimumConfidence, maximumObservations: Int32(options.maximumObservations))
    }
}
