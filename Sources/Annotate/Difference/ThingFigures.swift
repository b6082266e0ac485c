/// The differences of one thing's results in two files, over all frames.
///
/// A thing is a pair of tracks, a track that only one file has, or all of a stage's results of a kind without a track that are
/// said of the same: of one line, say.
public struct ThingFigures: Sendable {
    /// Id of the stage.
    public let stage: String
    /// Kind of the thing.
    public let kind: String
    /// Number of its track in the old file; nil for none.
    public let old: Int?
    /// Number of its track in the new file; nil for none.
    public let new: Int?
    /// Name: the first label or region that either file gives it, or its number, “id 4”; nil for none.
    public internal(set) var name: String?

    /// How many frames have it in sight in both files; for what has no track, how many observations, as in what
    /// follows.
    public internal(set) var both = 0
    /// Frames with it in the old file alone.
    var went = Runs()
    /// Frames with it in the new file alone.
    var came = Runs()
    /// Intersection over union of boxes, 0…1.
    var overlap = Tally()
    /// Displacement: for each frame the mean way of the corners, or the longest one of an edge, pixels.
    var moved = Tally()
    /// The longest way of a corner or an edge in any frame, pixels.
    var longestWay = 0.0
    /// Frames with another label, or region.
    var labels = Runs()
    /// Frames with another state.
    var states = Runs()
    /// How many frames have another confidence.
    var confidences = 0
    var oldConfidence = Tally()
    var newConfidence = Tally()
    /// Distance of poses, metres.
    var poseDistance = Tally()
    /// Angle between poses, radians.
    var poseAngle = Tally()
    /// Intersection over union of masks, 0…1.
    var maskOverlap = Tally()
    /// Object key point similarity of joints, 0…1.
    var jointSimilarity = Tally()
    /// Differences in the kind's own fields, by name: frames, and the largest difference.
    var fields: [String: OwnField] = [:]

    struct OwnField: Sendable {
        var unit: String?
        var frames = 0
        var largest = 0.0
        /// Frames in which it is more than numbers that differs.
        var others = 0
    }

    init(_ key: ObservationPair.Key) {
        (stage, kind, old, new, name) = (key.stageKind.stage, key.stageKind.kind, key.old, key.new, key.subject)
    }

    /// Whether anything differs at all.
    var isEqual: Bool {
        isSameButForNumbers && confidences == 0 && longestWay == 0 && fields.isEmpty
    }

    /// Whether no more differs than a tolerance forgives: how far things are from one another, and numbers that follow
    /// from their places.
    func isWithin(_ tolerance: Tolerance) -> Bool {
        if tolerance.forgivesNothing { return isEqual }
        guard went.frames <= tolerance.gone, came.frames <= tolerance.came, labels.frames <= tolerance.text,
            states.frames <= tolerance.states
        else { return false }
        guard tolerance.pixels > 0 else {
            return longestWay == 0 && confidences == 0
                && fields.values.allSatisfy { $0.largest == 0 && $0.others <= tolerance.text }
        }
        // Coordinates are hundredths: what is written there is compared with what is written here.
        let most = tolerance.pixels + 1e-6
        return longestWay <= most
            && fields.allSatisfy { name, field in
                (field.others <= tolerance.text || name == "pose") && (field.unit != "px" || field.largest <= most)
            }
    }

    /// Whether it is a track that only one of the files has.
    var isOfOneAlone: Bool { (old == nil) != (new == nil) }

    /// Whether nothing came, went or changed its label or state.
    private var isSameButForNumbers: Bool {
        went.frames == 0 && came.frames == 0 && labels.frames == 0 && states.frames == 0
    }
}
