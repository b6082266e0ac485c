import Testing
@testable import Annotate
@testable import Results
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// How the program's own kinds stand in a track file.
@Suite struct FindingTests {
    private static let pose = Pose(
        rotation: Rotation(rodrigues: [3.1, 0.25, -0.125]), translation: [0.1, -0.25, 1], reprojectionError: 0.125)

    /// Findings, with what they write. Their numbers have no more digits than a track file.
    private static let findings: [(any Finding, String)] = [
        (MarkerFinding(id: 7), #""id":7"#),
        (
            BoardFinding(pose: EstimatedPose(pose: pose, alternative: pose, extent: .zero)),
            #""pose":{"rotation":[3.1,0.25,-0.125],"translation":[0.1,-0.25,1],"reprojectionError":0.125,"#
                + #""alternative":{"rotation":[3.1,0.25,-0.125],"translation":[0.1,-0.25,1],"reprojectionError":0.125}}"#
        ),
        (RectangleFinding(), ""), (ObjectFinding(), ""), (DetectionFinding(), ""),
        (ImageFinding(isTracked: true, pose: nil), #""isTracked":true"#),
        (FaceFinding(landmarks: [], angles: nil), ""),
        (
            FaceFinding(
                landmarks: (0..<5).map { Point(Double($0), 0.5) }, angles: HeadAngles(roll: -1.5, yaw: 2, pitch: 0)),
            #""landmarks":[[0,0.5],[1,0.5],[2,0.5],[3,0.5],[4,0.5]],"angles":{"roll":-1.5,"yaw":2,"pitch":0}"#
        ),
        (ClassificationFinding(labels: []), #""labels":[]"#),
        (
            ClassificationFinding(labels: [ScoredLabel(label: "a \"b\"", confidence: -3.125)]),
            #""labels":[{"label":"a \"b\"","confidence":-3.125}]"#
        ),
        (AnnotationFinding(point: Point(1.5, 2)), #""point":[1.5,2]"#), (AnnotationFinding(point: nil), ""),
        (TextFinding(text: "", parts: []), #""text":"""#),
        (
            TextFinding(
                text: "ab",
                parts: [TextPart(text: "ab", polygon: Box(x: 0, y: 0, width: 2, height: 1).corners, confidence: 0.5)]),
            #""text":"ab","parts":[{"text":"ab","polygon":[[0,0],[2,0],[2,1],[0,1]],"confidence":0.5}]"#
        ),
        (BarcodeFinding(payload: .text("a\nb")), #""payload":"a\nb""#),
        (BarcodeFinding(payload: .bytes([0xFF, 0, 0x80])), #""payloadBase64":"/wCA""#),
        (BarcodeFinding(payload: .bytes([])), #""payloadBase64":"""#),
        (
            crossing,
            #""event":"crossed","line":"gate","direction":"backward","time":1.25,"frame":31,"point":[4,5.5]"#
        ),
        (
            gate,
            #""line":"gate","from":[0,60],"to":[160,60],"forward":2,"backward":1,"counts":{"dog":{"forward":2,"backward":1}}"#
        ),
        (HorizonFinding(line: HorizonLine(angle: -2.25, offset: 10)), #""horizon":{"angle":-2.25,"offset":10}"#),
        (AlterationFinding(alteration: Alteration(style: "neon")), #""alteration":{"style":"neon"}"#),
        (
            AlterationFinding(alteration: Alteration(style: "neon", from: "mosaic", fade: 0.5)),
            #""alteration":{"style":"neon","from":"mosaic","fade":0.5}"#
        ),
    ]

    private static var crossing: EventFinding {
        var event = EventFinding()
        (event.line, event.direction, event.time, event.frame) = ("gate", .backward, 1.25, 31)
        event.point = Point(4, 5.5)
        return event
    }

    private static var gate: CountFinding {
        var count = CountFinding()
        (count.line, count.from, count.to) = ("gate", Point(0, 60), Point(160, 60))
        (count.figures.forward, count.figures.backward) = (2, 1)
        count.byLabel = ["dog": count.figures]
        return count
    }

    @Test(arguments: findings.indices)
    func writtenAndReadBack(index: Int) throws {
        let (finding, expected) = Self.findings[index]
        let place = Box(x: 1, y: 2, width: 30, height: 40)
        let seen = Observation(
            finding, stage: "s", label: "l", confidence: 0.5, state: .tracked, box: place, polygon: place.corners)
        func text(_ observation: Observation) -> String {
            var json = JSONWriter()
            observation.write(into: &json)
            return json.text
        }
        let written = text(seen)
        let head =
            #"{"stage":"s","kind":"\#(seen.kind)","label":"l","confidence":0.5,"state":"tracked","box":[1,2,30,40],"#
            + #""polygon":[[1,2],[31,2],[31,42],[1,42]]"#
        #expect(written == head + (expected.isEmpty ? "" : ",") + expected + "}")
        let node = try JSONParser.parse(Array(written.utf8))
        var validator = ShapeValidator(file: "f")
        validator.validate(node, against: .tagged(StageCatalog.standard.findings.shape))
        #expect(validator.log.problems.map(\.message) == [])
        var wrong: [String] = []
        var again = Observation(node, kind: type(of: finding), wrong: &wrong)
        #expect(wrong == [])
        #expect(text(again) == written)
        // A rotation is kept as another thing than it is written as.
        guard !(finding is BoardFinding) else { return }
        again.stage = "s"
        #expect(again == seen)
    }

    @Test func everyKindIsAmongThem() {
        let kinds = StageCatalog.standard.findings.kinds.map { $0.kind }
        #expect(Set(kinds) == Set(Self.findings.map { type(of: $0.0).kind }))
        #expect(Set(kinds).count == kinds.count)
    }

    /// No field has the name of one of the head's: both are members of one object.
    @Test func namesDoNotClash() {
        #expect(!StageCatalog.standard.findings.kinds.isEmpty)
        for kind in StageCatalog.standard.findings.kinds {
            let names = Observation.head.map(\.name) + kind.variant.properties.map(\.name)
            #expect(Set(names).count == names.count, "\(kind.kind)")
            #expect(!kind.doc.isEmpty)
        }
    }
}
