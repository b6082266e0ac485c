internal import CVision
public import Graph

/// `rectangles`: quads seen in perspective, with the names and defaults of Vision's `VNDetectRectanglesRequest`.
public struct RectanglesBlueprint: StageBlueprint {
    static let minimumAspectRatio = StageOption(
        "minimumAspectRatio", .number(Bounds(0, 1)), default: 0.5, unit: "short side ÷ long side",
        doc: "Least aspect ratio. A rectangle that is turned away looks narrower; as much as quadratureTolerance "
            + "would do it is allowed for.")
    static let maximumAspectRatio = StageOption(
        "maximumAspectRatio", .number(Bounds(0, 1)), default: 1, unit: "short side ÷ long side",
        doc: "Greatest aspect ratio.")
    static let quadratureTolerance = StageOption(
        "quadratureTolerance", .number(Bounds(0, 45)), default: 30, unit: "°",
        doc: "How far each corner may deviate from a right angle.")
    static let minimumSize = StageOption(
        "minimumSize", .number(Bounds(0, 1)), default: 0.2, unit: "of the picture's smaller dimension",
        doc: "Least mean side, the root of the sides' product.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0, doc: "Least confidence.")
    static let maximumObservations = StageOption(
        "maximumObservations", .integer(0...1000), default: 1,
        doc: "At most so many, the most prominent first; 0 is no limit.")
    static let confirmation = StageOption(
        "confirmation", .integer(1...100), default: 2, unit: "runs",
        doc: "A rectangle gets its track number when it has been seen so often; in a photo at once.")
    static let memory = StageOption(
        "memory", .number(Bounds(0, 60)), default: 0.5, unit: "s",
        doc: "How long a rectangle may be out of sight and keep its track.")

    public static let contract = StageContract(
        type: "rectangles",
        summary: "Finds quads: cards, sheets, screens, drawn shapes, told by brightness or by colour alone.",
        produces: [.regions, .tracks], keepsState: true, emits: [RectangleFinding.self],
        options: [
            minimumAspectRatio.property, maximumAspectRatio.property, quadratureTolerance.property,
            minimumSize.property,
            minimumConfidence.property, maximumObservations.property, confirmation.property, memory.property,
        ])

    private let settings: ocv_rectangle_options
    private let confirmationRuns: Int
    private let memorySeconds: Double

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        var settings = ocv_rectangle_default_options()
        settings.minimumAspectRatio = options[Self.minimumAspectRatio]
        settings.maximumAspectRatio = options[Self.maximumAspectRatio]
        settings.quadratureTolerance = options[Self.quadratureTolerance]
        settings.minimumSize = options[Self.minimumSize]
        settings.minimumConfidence = options[Self.minimumConfidence]
        settings.maximumObservations = Int32(options[Self.maximumObservations])
        guard settings.minimumAspectRatio <= settings.maximumAspectRatio else {
            throw StageOptionError(
                option: "minimumAspectRatio",
                "\(settings.minimumAspectRatio) is over “maximumAspectRatio” \(settings.maximumAspectRatio); expected no "
                    + "more than that")
        }
        self.settings = settings
        confirmationRuns = options[Self.confirmation]
        memorySeconds = options[Self.memory]
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        RectanglesStage(
            context: context, settings: settings, confirmation: context.isStill ? 1 : confirmationRuns,
            memory: memorySeconds)
    }
}

/// Detects in any order, then gives tracks in order.
///
/// `@unchecked Sendable`: `association` is touched by `update` alone, which is never run twice at once.
private final class RectanglesStage: Stage, @unchecked Sendable {
    private let id: String
    private let detectors: ResourcePool<RectangleDetector>
    private var association: Association

    init(context: StageContext, settings: ocv_rectangle_options, confirmation: Int, memory: Double) {
        id = context.id
        detectors = ResourcePool { try RectangleDetector(settings) }
        association = Association(
            memory: memory, confirmation: confirmation, width: context.width, height: context.height)
    }

    func detect(_ input: StageInput) throws -> [FoundRectangle] {
        try detectors.withResource { detector in
            try input.frame.withPicture { try detector.detect(ocv_picture($0)) }
        }
    }

    func update(_ rectangles: [FoundRectangle], _ input: StageInput) throws -> [Observation] {
        let matches = association.match(
            rectangles.map { Association.Candidate(name: 0, polygon: $0.corners) }, at: input.frame.seconds)
        return zip(rectangles, matches).map { rectangle, match in
            Observation(
                RectangleFinding(), stage: id, track: match.track.map { TrackReference(stage: id, number: $0) },
                confidence: rectangle.confidence, polygon: rectangle.corners)
        }
    }
}

/// A rectangle in one frame, before it has a track.
struct FoundRectangle: Sendable {
    var confidence: Double
    /// Clockwise from the one nearest to the picture's top left.
    var corners: [Point]
}

/// The shim's detector with its scratch memory, for one thread at a time.
final class RectangleDetector {
    private let handle: OpaquePointer
    private var room = [ocv_rectangle](repeating: ocv_rectangle(), count: 256)

    init(_ options: ocv_rectangle_options) throws {
        var handle: OpaquePointer?
        try check(ocv_rectangle_detector_create(options, &handle), "make a rectangle detector")
        guard let handle else { throw VisionError(operation: "make a rectangle detector", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_rectangle_detector_destroy(handle) }

    func detect(_ picture: ocv_picture) throws -> [FoundRectangle] {
        var (picture, count) = (picture, Int32(0))
        try check(ocv_rectangle_detect(handle, &picture, &room, Int32(room.count), &count), "detect rectangles")
        return room[..<Int(count)].map { rectangle in
            let (a, b, c, d) = rectangle.corners
            return FoundRectangle(confidence: rectangle.confidence, corners: [a, b, c, d].map { Point($0) })
        }
    }
}
