/// A mark: what shows an observation in a picture, as data. The annotator paints it, a subtitle track or a web page can
/// too.
///
/// Places are in pixels of the picture as shown, origin at the top left; integer coordinates are pixel centres.
public enum Mark: Sendable, Hashable {
    /// A closed outline through these corners, the first not repeated.
    case outline([Point])
    /// An upright box around pixels.
    case box(Box)
    /// A straight line between two points; its label is at its middle.
    case line(Point, Point)
    /// One place, its label some way off.
    case pin(Point)
    /// Features, a dot each.
    case dots([Point])
    /// Features that a line joins.
    case path([Point], isClosed: Bool)
    /// Pixels that are the thing's, filled.
    case region(RunMask)
    /// Joints and the bones between them; nil for those of the stage's skeleton.
    case joints([Joint], edges: [Skeleton.Pair]?)
    /// A flat thing in space, for what the style stands on it.
    case posed(EstimatedPose)
    /// Names with confidences, the best first: beside what they are about, or for the whole picture in its corner.
    case names([ScoredLabel])
    /// Pictures laid on a quad, whose corners run clockwise from the pictures' own top left.
    case pictures([PictureLayer], on: [Point])

    /// The box around the mark's pixels, where its label goes; nil for a mark that has no place of its own.
    public var bounds: Box? {
        switch self {
        // Corners are pixel centres: the box covers these pixels.
        case .outline(let points):
            Box(around: points).map { Box(x: $0.x, y: $0.y, width: $0.width + 1, height: $0.height + 1) }
        case .box(let box): box
        // A line's label is at its middle.
        case .line(let a, let b): Box(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: 1, height: 1)
        case .pin(let point): Box(x: point.x, y: point.y, width: 1, height: 1)
        case .region(let mask): mask.box.isEmpty ? nil : mask.box.box
        case .joints(let joints, _): Mark.outline(joints.filter(\.isFound).map(\.point)).bounds
        case .dots, .path, .posed, .names, .pictures: nil
        }
    }
}

/// A name with its confidence, 0…1 (or a model's raw score where nobody asked for probabilities).
public struct ScoredLabel: Sendable, Hashable {
    /// The name.
    public var label: String
    /// Confidence, 0…1, or a model's raw score.
    public var confidence: Double

    /// A name with its confidence; nothing is checked.
    public init(label: String, confidence: Double) {
        self.label = label
        self.confidence = confidence
    }
}

/// A picture that is laid on something, and its share of what is seen there, 0…1: one fades into another by them.
public struct PictureLayer: Sendable, Hashable {
    /// The picture.
    public var texture: PictureTexture
    /// Its share of what is seen, 0…1.
    public var weight: Float

    /// A picture with its share of what is seen, 0…1; the shares of what lies on one place should add up to 1.
    public init(texture: PictureTexture, weight: Float) {
        self.texture = texture
        self.weight = weight
    }
}
