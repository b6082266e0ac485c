package import Annotate

/// What a detector saw in one frame, without a track.
package struct DetectionFinding: Finding {
    package static let kind = "detection"
    package static let doc = "A thing that a detector saw, in one frame alone."
    package static let place = Place.box
    package static let fields: [Field<DetectionFinding>] = []

    package init() {}
}
