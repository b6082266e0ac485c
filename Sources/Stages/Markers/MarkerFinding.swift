public import Annotate

/// A square fiducial marker.
public struct MarkerFinding: Finding {
    public static let kind = "marker"
    public static let doc = "A square fiducial marker; its polygon starts at its own top left."
    public static let place = Place.polygon
    public static let style = DrawStyle.marker

    public var id = 0
    /// nil where its size isn't known.
    public var pose: EstimatedPose?

    public init() {}

    public init(id: Int, pose: EstimatedPose? = nil) {
        self.id = id
        self.pose = pose
    }

    public static let fields: [Field<MarkerFinding>] = [
        Field("id", \.id, .integer(0...Int.max), doc: "The marker's id in its dictionary."), EstimatedPose.field(\.pose),
    ]

    public func title(_ head: Observation) -> String? { "id \(id)" }

    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

/// A board of markers.
public struct BoardFinding: Finding {
    public static let kind = "board"
    public static let doc = "A board of markers: its outline, as its pose projects it, and its pose."
    public static let style = DrawStyle.marker

    public var pose: EstimatedPose?

    public init() {}

    public init(pose: EstimatedPose?) { self.pose = pose }

    public static let fields: [Field<BoardFinding>] = [EstimatedPose.field(\.pose)]

    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

extension DrawStyle {
    fileprivate static let marker: DrawStyle = {
        var style = DrawStyle()
        style.confidence = false
        style.firstCorner = true
        return style
    }()
}
