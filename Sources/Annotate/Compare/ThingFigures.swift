/// How one thing's results in one file differ from those in the other, over all frames.
///
/// A thing is a pair of tracks, a track that only one file has, or all of a stage's results of a kind without a track.
public struct ThingFigures: Sendable {
    public let stage: String
    public let kind: String
    /// Its track in the old file.
    public let old: Int?
    public let new: Int?
    /// The first label or region that either file gives it, or its number: “id 4”.
    public internal(set) var name: String?

    /// Frames with it in sight in both; of what has no track, observations, as in what follows.
    public internal(set) var both = 0
    /// Frames with it in the old file alone.
    var went = Runs()
    /// Frames with it in the new file alone.
    var came = Runs()
    /// Intersection over union of boxes.
    var overlap = Tally()
    /// Pixels: for each frame the mean way of the corners, or the longest one of an edge.
    var moved = Tally()
    /// Pixels: the longest way of a corner or an edge in any frame.
    var longestWay = 0.0
    /// Frames with another label, or region.
    var labels = Runs()
    /// Frames with another state.
    var states = Runs()
    /// Frames with another confidence.
    var confidences = 0
    var oldConfidence = Tally()
    var newConfidence = Tally()
    /// Metres.
    var poseDistance = Tally()
    /// Radians.
    var poseAngle = Tally()
    /// Intersection over union of masks.
    var maskOverlap = Tally()
    /// Object key point similarity of joints.
    var jointSimilarity = Tally()
    /// What else its kind says, by name: frames, and the largest difference.
    var fields: [String: OwnField] = [:]

    struct OwnField: Sendable {
        var unit: String?
        var frames = 0
        var largest = 0.0
        /// Frames in which it is more than numbers that differs.
        var others = 0
    }

    init(_ key: ObservationPair.Key) {
        (stage, kind, old, new) = (key.stageKind.stage, key.stageKind.kind, key.old, key.new)
    }

    /// Whether anything differs at all.
    var isEqual: Bool {
        isSameButForNumbers && confidences == 0 && longestWay == 0 && fields.isEmpty
    }

    /// Whether no more differs than `--tolerance` forgives: how far things are from one another, and numbers that follow
    /// from their places.
    func isWithin(_ tolerance: Double) -> Bool {
        if tolerance <= 0 { return isEqual }
        // Coordinates are hundredths: what is written there is compared with what is written here.
        let most = tolerance + 1e-6
        return isSameButForNumbers && longestWay <= most
            && fields.allSatisfy { name, field in
                (field.others == 0 || name == "pose") && (field.unit != "px" || field.largest <= most)
            }
    }

    /// Nothing came, went or changed its label or state.
    private var isSameButForNumbers: Bool {
        went.frames == 0 && came.frames == 0 && labels.frames == 0 && states.frames == 0
    }
}
