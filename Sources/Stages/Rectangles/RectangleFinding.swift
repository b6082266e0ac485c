public import Annotate

/// A quad seen in perspective.
public struct RectangleFinding: Finding {
    public static let kind = "rectangle"
    public static let doc = "A quad: a card, a sheet, a screen, a drawn shape."
    public static let place = Place.polygon
    public static let fields: [Field<RectangleFinding>] = []
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.confidence = false
        style.track = true
        return style
    }()

    public init() {}
}
