/// The state of a track in one frame: `seeded` by a region or point, `tracked` where it is seen, `predicted` where its
/// motion leads it unseen, `lost` while it is nowhere, `recovered` where it is seen again, `ended` once at its end.
public enum TrackState: String, Sendable, CaseIterable {
    /// A track's states, in the order of its life.
    case seeded, tracked, predicted, lost, recovered, ended

    /// Whether the thing has a place in the picture, as far as its stage knows.
    public var isInSight: Bool { self != .lost && self != .ended }
}

/// A track, named by the stage that keeps it.
///
/// `number` is the stage's own count from 1, in order of confirmation, until `TrackNumbering` has put a frame's results in
/// order; from then on, and in a track file, it is unique in the whole file.
public struct TrackReference: Sendable, Hashable {
    /// Id of the stage that keeps the track.
    public var stage: String
    /// Number of the track, from 1.
    public var number: Int

    /// A track by its stage's id and its number, from 1.
    public init(stage: String, number: Int) {
        self.stage = stage
        self.number = number
    }
}

/// One thing that one stage saw in one frame, or carries over from an earlier one: a head, which every consumer needs, and
/// the finding of its kind.
public struct Observation: Sendable, Hashable {
    /// Id of the stage that saw it.
    public var stage: String
    /// The thing's track; nil until it is confirmed.
    public var track: TrackReference?
    /// The track that a classification or an alteration is about.
    public var about: TrackReference?
    /// The manifest's region or point that seeded the track.
    public var region: String?
    /// Name of the thing, its class say; nil for none.
    public var label: String?
    /// Confidence of the stage, 0…1; nil where it has none.
    public var confidence: Double?
    /// State of the track; nil for what isn't tracked.
    public var state: TrackState?
    /// Upright box around the thing, pixels; nil where the kind has none.
    public var box: Box?
    /// Corners, clockwise; a marker's start at its own top left.
    public var polygon: [Point]?
    /// Whether a stage that runs at a lower rate carries over its last result.
    public var isHeld: Bool
    /// The finding: what its kind says of it beyond the head.
    public var finding: AnyFinding

    /// An observation by what its kind says and by the head, of which all but the stage may be left out.
    public init(
        _ finding: any Finding, stage: String, track: TrackReference? = nil, about: TrackReference? = nil,
        region: String? = nil, label: String? = nil, confidence: Double? = nil, state: TrackState? = nil,
        box: Box? = nil, polygon: [Point]? = nil, isHeld: Bool = false
    ) {
        self.finding = AnyFinding(finding)
        self.stage = stage
        self.track = track
        self.about = about
        self.region = region
        self.label = label
        self.confidence = confidence
        self.state = state
        self.box = box
        self.polygon = polygon
        self.isHeld = isHeld
    }

    /// The finding, where it is of this kind.
    public func finding<Kind: Finding>(as kind: Kind.Type) -> Kind? { finding.base as? Kind }

    /// Name of its kind, as in a track file.
    public var kind: String { type(of: finding.base).kind }

    /// Whether it has a place: its track is neither lost nor has it ended.
    public var isInSight: Bool { state?.isInSight ?? true }

    /// Whether this frame shows it: it is neither lost, ended, predicted nor held.
    public var isMeasured: Bool { isInSight && state != .predicted && !isHeld }

    /// The observation as it is carried over to a frame on which its stage doesn't run.
    public var held: Observation {
        var held = self
        held.isHeld = true
        return held
    }

    /// Four corners, clockwise; a box's run along the outer edges of its pixels. nil for what has none.
    public var quad: [Point]? {
        // A box begins half a pixel before the centre of its first pixel.
        let corners =
            polygon ?? box.map { Box(x: $0.x - 0.5, y: $0.y - 0.5, width: $0.width, height: $0.height).corners }
        return corners?.count == 4 ? corners : nil
    }

    /// The box around its pixels; nil for what has no place.
    public var bounds: Box? { box ?? polygon.flatMap { Mark.outline($0).bounds } }

    /// The head's place as a mark.
    public var outline: [Mark] { [polygon.map(Mark.outline) ?? box.map(Mark.box)].compactMap(\.self) }

    /// The words of its label.
    public var title: String? { finding.base.title(self) }

    /// Marks that show it in a picture.
    ///
    /// - Parameters:
    ///   - size: The picture's.
    ///   - skeleton: Its stage's, for the bones between joints.
    public func marks(in size: PictureSize, _ skeleton: Skeleton? = nil) -> [Mark] {
        finding.base.marks(self, in: size).map { mark in
            guard case .joints(let joints, nil) = mark else { return mark }
            return .joints(joints, edges: skeleton?.edges ?? [])
        }
    }
}
