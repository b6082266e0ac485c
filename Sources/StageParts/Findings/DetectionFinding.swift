/// A detection: what a detector saw in one frame, without a track.
package struct DetectionFinding: MaskedFinding, JointedFinding, TurnedFinding {
    package static let kind = "detection"
    package static let doc = "A thing that a detector saw, in one frame alone."

    package var mask: RunMask?
    package var joints: [Joint] = []
    package var angle: Double?

    package init() {}

    /// With the parts of another finding.
    package init(partsOf finding: any Finding) {
        mask = (finding as? any MaskedFinding)?.mask
        joints = (finding as? any JointedFinding)?.joints ?? []
        angle = (finding as? any TurnedFinding)?.angle
    }

    package static let fields: [Field<DetectionFinding>] =
        [TurnedBox.field(\.angle), RunMask.field(\.mask)] + Joint.fields(\.joints)
}
