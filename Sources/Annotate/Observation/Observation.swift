/// What kind of thing an observation is of. The raw value is what the sidecar says.
public enum ObservationKind: String, Sendable, CaseIterable {
    case marker, board, rectangle, object, face, classification, image, alteration, annotation
    case text, barcode, horizon
}

/// Where a tracked thing stands.
public enum TrackState: String, Sendable, CaseIterable {
    case seeded, tracked, predicted, lost, recovered, ended
}

/// One class of a classification with its confidence, 0…1 (or the model's raw score where no softmax was asked for).
public struct ScoredLabel: Sendable, Hashable {
    public var label: String
    public var confidence: Double

    public init(label: String, confidence: Double) {
        self.label = label
        self.confidence = confidence
    }
}

/// A word or a character of a recognised string.
public struct TextPart: Sendable, Hashable {
    public var text: String
    /// Corners, clockwise from its own top left.
    public var polygon: [Point]
    public var confidence: Double

    public init(text: String, polygon: [Point], confidence: Double) {
        self.text = text
        self.polygon = polygon
        self.confidence = confidence
    }
}

/// What a code says.
public enum Payload: Sendable, Hashable {
    case text(String)
    /// Bytes that are no UTF-8.
    case bytes([UInt8])
}

/// Where the horizon crosses the picture.
public struct HorizonLine: Sendable, Hashable {
    /// Degrees, clockwise: over 0 where it falls towards the right. The picture turned by as much anticlockwise is level.
    public var angle: Double
    /// From the picture's middle to the line, at right angles to it, pixels; over 0 where the middle is above the line.
    public var offset: Double

    public init(angle: Double, offset: Double) {
        self.angle = angle
        self.offset = offset
    }
}

/// A track, named by the stage that keeps it.
///
/// `number` is the stage's own count from 1, in order of confirmation. The number that the sidecar shows is unique in
/// the whole file; `TrackNumbering` gives it when a frame's results are put in order.
public struct TrackReference: Sendable, Hashable {
    public var stage: String
    public var number: Int

    public init(stage: String, number: Int) {
        self.stage = stage
        self.number = number
    }
}

/// One thing that one stage saw in one frame, or carries over from an earlier one (`held`).
public struct Observation: Sendable, Hashable {
    public var stage: String
    public var kind: ObservationKind
    /// The thing's track; nil until it is confirmed.
    public var track: TrackReference?
    /// The track that a classification or an alteration is about.
    public var of: TrackReference?
    /// The manifest's region that seeded the track.
    public var region: String?
    public var label: String?
    /// A marker's id.
    public var id: Int?
    public var confidence: Double?
    public var state: TrackState?
    public var box: Box?
    /// Four corners, clockwise; a marker's start at its own top left.
    public var polygon: [Point]?
    /// Where it is in front of the camera; nil where its size isn't known.
    public var pose: EstimatedPose?
    public var labels: [ScoredLabel]
    /// A face's features, 5 or 68; empty where none were looked for. `FaceFeatures` says what they are.
    public var landmarks: [Point]
    /// How a face is turned.
    public var angles: HeadAngles?
    /// Whether a picture that is looked for is seen just now.
    public var isTracked: Bool?
    /// What is laid over the polygon.
    public var alteration: Alteration?
    /// The picture that the stage looks for; not part of the sidecar.
    public var reference: ReferencePicture?
    /// A string, as recognised.
    public var text: String?
    /// Its words or characters; empty where they aren't asked for.
    public var parts: [TextPart]
    public var payload: Payload?
    public var horizon: HorizonLine?
    /// Where an annotation's anchor is.
    public var point: Point?
    /// Corners of the region that a classification is about; not in the sidecar, where `of` names its track.
    public var subject: [Point]?
    /// True where a rate-limited stage carries its last result.
    public var held: Bool

    public init(
        stage: String, kind: ObservationKind, track: TrackReference? = nil, of: TrackReference? = nil,
        region: String? = nil, label: String? = nil, id: Int? = nil, confidence: Double? = nil,
        state: TrackState? = nil, box: Box? = nil, polygon: [Point]? = nil, pose: EstimatedPose? = nil,
        labels: [ScoredLabel] = [], landmarks: [Point] = [], angles: HeadAngles? = nil, isTracked: Bool? = nil,
        alteration: Alteration? = nil, reference: ReferencePicture? = nil, text: String? = nil,
        parts: [TextPart] = [], payload: Payload? = nil, horizon: HorizonLine? = nil, point: Point? = nil,
        held: Bool = false
    ) {
        self.stage = stage
        self.kind = kind
        self.track = track
        self.of = of
        self.region = region
        self.label = label
        self.id = id
        self.confidence = confidence
        self.state = state
        self.box = box
        self.polygon = polygon
        self.pose = pose
        self.labels = labels
        self.landmarks = landmarks
        self.angles = angles
        self.isTracked = isTracked
        self.alteration = alteration
        self.reference = reference
        self.text = text
        self.parts = parts
        self.payload = payload
        self.horizon = horizon
        self.point = point
        self.held = held
    }
}
