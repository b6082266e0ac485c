public import Annotate

/// What a region of the job points at.
public struct ObjectFinding: Finding {
    public static let kind = "object"
    public static let doc = "A thing that is followed."
    public static let place = Place.box
    public static let fields: [Field<ObjectFinding>] = []
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.trail = 1
        return style
    }()

    public init() {}
}
