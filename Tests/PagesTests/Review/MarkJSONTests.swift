import Annotate
import Testing

@testable import Pages

@Suite struct MarkJSONTests {
    private struct PuppetFinding: MaskedFinding, JointedFinding {
        static let kind = "puppet"
        static let doc = "A thing with a mask and joints."
        var mask: RunMask?
        var joints: [Joint] = []
        static let fields: [Field<PuppetFinding>] = [RunMask.field(\.mask)] + Joint.fields(\.joints)
    }

    @Test func masksAndJointsComeWithTheirBones() {
        var puppet = PuppetFinding()
        puppet.mask = RunMask(filling: PixelBox(x: 3, y: 4, width: 5, height: 2))
        puppet.joints = [Joint(Point(3, 4), confidence: 0.5), Joint(Point(6.25, 5), confidence: 1, visibility: 0)]
        let seen = Observation(puppet, stage: "p", box: Box(x: 3, y: 4, width: 5, height: 2))
        let marks = MarkJSON(
            size: PictureSize(width: 20, height: 10), projection: nil,
            skeletons: ["p": Skeleton(names: ["a", "b"], edges: [.init(0, 1)])])
        var json = JSONWriter()
        marks.write(seen, thing: 0, into: &json)
        #expect(
            json.text.hasSuffix(
                #""marks":[["box",[3,4,5,2]],["region",[3,4,5,2],"0:"],"#
                    + #"["joints",[[3,4,0.5,0.5],[6.25,5,1,0]],[[0,1]]]]}"#), "\(json.text)")
    }
}
