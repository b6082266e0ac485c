/// A square fiducial marker.
package struct MarkerFinding: PosedFinding {
    package static let kind = "marker"
    package static let doc = "A square fiducial marker; its polygon starts at its own top left."
    package static let place = Place.polygon
    package static let style = DrawStyle.marker

    package var id = 0
    /// Pose; nil where its size isn't known.
    package var pose: EstimatedPose?

    package init() {}

    package init(id: Int, pose: EstimatedPose? = nil) {
        self.id = id
        self.pose = pose
    }

    package static let fields: [Field<MarkerFinding>] = [
        Field("id", \.id, .integer(0...Int.mostCounted), doc: "The marker's id in its dictionary."),
        EstimatedPose.field(\.pose),
    ]

    package var identity: Int? { id }

    package func title(_ head: Observation) -> String? { "id \(id)" }

    package func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

/// A board of markers.
struct BoardFinding: PosedFinding {
    static let kind = "board"
    static let doc = "A board of markers: its outline, as its pose projects it, and its pose."
    static let style = DrawStyle.marker

    var pose: EstimatedPose?

    static let fields: [Field<BoardFinding>] = [EstimatedPose.field(\.pose)]

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

extension DrawStyle {
    fileprivate static let marker = DrawStyle {
        $0.confidence = false
        $0.firstCorner = true
    }
}
