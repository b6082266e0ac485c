/// A quad seen in perspective.
package struct RectangleFinding: Finding {
    package static let kind = "rectangle"
    package static let doc = "A quad: a card, a sheet, a screen, a drawn shape."
    package static let place = Place.polygon
    package static let fields: [Field<RectangleFinding>] = []
    package static let style = DrawStyle {
        $0.confidence = false
        $0.track = true
    }

    package init() {}
}
