/// A thing that is followed: what a region of the job points at, or what another stage finds, with the parts that its detection
/// has.
package struct ObjectFinding: MaskedFinding, JointedFinding, TurnedFinding {
    package static let kind = "object"
    package static let doc = "A thing that is followed."
    package static let place = Place.box
    package static let fields: [Field<ObjectFinding>] =
        [TurnedBox.field(\.angle), RunMask.field(\.mask)] + Joint.fields(\.joints)
    package static let style = DrawStyle {
        // Which one it is, is what following is for.
        $0.track = true
        $0.trail = 1
    }

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
}
