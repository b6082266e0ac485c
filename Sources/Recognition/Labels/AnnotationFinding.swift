/// A text that stays on a physical point.
struct AnnotationFinding: Finding {
    static let kind = "annotation"
    static let doc = "A text, the label, on a point that the job names; hidden while the point is covered."
    static let place = Place.none
    static let style = DrawStyle { $0.confidence = false }

    /// The point, pixels; nil while it is out of sight.
    var point: Point?

    static let fields: [Field<AnnotationFinding>] = [
        Field("point", \.point, .point, .inSight, unit: "px", doc: "Where it is.")
    ]

    /// The text; empty until it is known.
    func title(_ head: Observation) -> String? { head.label ?? "" }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] { point.map { [.pin($0)] } ?? [] }
}
