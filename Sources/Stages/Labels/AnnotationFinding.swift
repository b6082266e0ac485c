public import Annotate

/// A text that stays on a physical point.
public struct AnnotationFinding: Finding {
    public static let kind = "annotation"
    public static let doc = "A text, the label, on a point that the job names; hidden while the point is covered."
    public static let place = Place.none
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.confidence = false
        return style
    }()

    /// nil while it is out of sight.
    public var point: Point?

    public init() {}

    init(point: Point?) { self.point = point }

    public static let fields: [Field<AnnotationFinding>] = [
        Field("point", \.point, .point, .inSight, unit: "px", doc: "Where it is.")
    ]

    /// Nothing until the text is known.
    public func title(_ head: Observation) -> String? { head.label ?? "" }

    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] { point.map { [.pin($0)] } ?? [] }
}
