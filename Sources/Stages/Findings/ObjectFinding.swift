package import Graph

/// What a region of the job points at.
package struct ObjectFinding: Finding {
    package static let kind = "object"
    package static let doc = "A thing that is followed."
    package static let place = Place.box
    package static let fields: [Field<ObjectFinding>] = []
    package static let style = DrawStyle { $0.trail = 1 }

    package init() {}
}
