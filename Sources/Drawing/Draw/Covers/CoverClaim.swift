/// What is to be covered of one observation of one picture: by its stage's style, or by a cover by hand that follows it.
struct CoverClaim {
    /// A track that is covered: by hand, or by its stage's style.
    struct Thing: Hashable {
        var track: Int
        var hand: Int?
    }

    /// Its stage and its kind, by which what has no track is told from others.
    var kind: String
    var stage: String
    /// The file's number; nil for what has no track.
    var track: Int?
    /// The index of the cover by hand; nil for a stage's style.
    var hand: Int?
    var box: Box
    /// What is covered in its own frame instead of the box; nil for the box.
    var mask: RunMask?
    var isMeasured: Bool
    /// 0…1.
    var confidence: Double
    var style: CoverStyle
    var color: RGB?
    /// Seconds.
    var gap: Double
    /// The indices of the exceptions that leave it visible at their times, and whether one does in this picture.
    var exceptions: Set<Int> = []
    var isLeft = false

    var thing: Thing? { track.map { Thing(track: $0, hand: hand) } }
}

extension CoverClaim {
    /// By the observation's own style; nil where that covers nothing, and for what has no place.
    init?(_ drawn: DrawnObservation) {
        guard let style = drawn.style, let cover = style.cover, let box = drawn.observation.coverableBox else {
            return nil
        }
        self.init(
            drawn.observation, box, mask: style.coverShape == .mask ? drawn.observation.mask : nil, style: cover,
            color: style.coverColor, gap: style.coverGap)
    }

    init(
        _ observation: Observation, _ box: Box, mask: RunMask? = nil, style: CoverStyle, color: RGB?, gap: Double,
        hand: Int? = nil
    ) {
        self.init(
            kind: observation.stage + "\n" + observation.kind, stage: observation.stage,
            track: observation.track?.number, hand: hand, box: box,
            mask: mask, isMeasured: observation.isMeasured, confidence: observation.confidence ?? 1, style: style,
            color: color, gap: gap)
    }
}

extension Observation {
    /// The box around what can be covered; nil for what is out of sight.
    var coverableBox: Box? {
        guard isInSight, let box = bounds, box.isDrawable else { return nil }
        return box
    }
}
