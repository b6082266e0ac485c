import Testing

@testable import Annotate
@testable import TestSupport

/// What a stage of another package can't give.
@Suite struct ObservationCheckTests {
    private static let check = ObservationCheck(
        stage: "c", kinds: [CreatureFinding.self, FaceFinding.self], skeleton: CreatureTracker.skeleton)

    private func fault(_ observations: Observation..., by check: ObservationCheck = Self.check) -> String? {
        do {
            try check.check(observations)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func creature(_ change: (inout CreatureFinding, inout Observation) -> Void = { _, _ in }) -> Observation {
        var finding = CreatureFinding()
        finding.joints = CreatureTracker.joints(0)
        var observation = Observation(
            finding, stage: "c", track: TrackReference(stage: "c", number: 1), confidence: 0.5, state: .tracked,
            box: CreatureTracker.box(0))
        change(&finding, &observation)
        observation.finding = AnyFinding(finding)
        return observation
    }

    @Test func whatIsAsItShouldBe() {
        for frame in 0..<6 {
            #expect(throws: Never.self) { try Self.check.check(CreatureTracker.observations(frame)) }
        }
        #expect(fault(creature()) == nil)
        // As numbers are rounded, so are those at the edge of what is allowed.
        #expect(fault(creature { $1.confidence = 1.0001 }) == nil)
    }

    @Test func whatCannotBeTold() throws {
        let cases: [(Observation, String)] = [
            (creature { $1.confidence = 17 }, "/confidence: 17"),
            (creature { $1.confidence = .nan }, "/confidence"),
            (creature { $1.box = Box(x: .nan, y: 0, width: 1, height: 1) }, "expected pixels"),
            (creature { $1.box = Box(x: 0, y: 0, width: .infinity, height: 1) }, "expected pixels"),
            (creature { $1.polygon = [Point(0, 0), Point(1, 1)] }, "/polygon"),
            (creature { $1.polygon = (0..<100).map { Point(Double($0), 0) } }, "/polygon"),
            (creature { $1.track = TrackReference(stage: "c", number: 0) }, "/track"),
            (creature { $1.state = .lost }, "what is lost or has ended has no place"),
            (creature { $1.stage = "other" }, "it is of stage “other”; expected “c”"),
            (creature { finding, _ in finding.joints.removeLast() }, "“joints” has 3; expected 4"),
            (creature { finding, _ in finding.joints[0].point.x = .infinity }, "/joints"),
            (creature { finding, _ in finding.angle = 1000 }, "/angle"),
            (Observation(FaceFinding(), stage: "c"), "“box” is missing"),
            (Observation(RectangleFinding(), stage: "c"), "emits “creature”, “face”; expected it among these"),
        ]
        for (observation, expected) in cases {
            let told = try #require(fault(observation), "\(expected)")
            #expect(told.contains(expected), "\(told)")
            #expect(told.hasPrefix("what it gives can't be told: observation 1, of kind “"))
        }
        #expect(
            fault(creature(), creature())?.contains("observation 2, of kind “creature”: track 1 is in the frame twice")
                ?? false)
        let without = ObservationCheck(stage: "c", kinds: [CreatureFinding.self], skeleton: nil)
        #expect(fault(creature(), by: without)?.contains("no “skeleton”") ?? false)
        let broken = ObservationCheck(
            stage: "c", kinds: [CreatureFinding.self], skeleton: Skeleton(names: ["a"], edges: [.init(0, 4)]))
        #expect(fault(by: broken)?.hasPrefix("its skeleton can't be one: ") ?? false)
    }

    @Test func namesOfTheirOwn() {
        struct Twice: Finding {
            static let kind = "twice"
            static let doc = "Two of a name."
            static let place = Place.none
            static let fields = [
                Field("label", \Twice.word, .text(), doc: "One that each has.")
            ]
            var word = ""
            init() {}
        }
        #expect(TestCatalog.catalog.fault == nil)
        #expect(
            CreatureRun.catalog.adding([EchoBlueprint.self]).fault?.hasPrefix("two stage types are called “echo”")
                ?? false)
        #expect(TestCatalog.catalog.adding([TakingBlueprint.self]).fault?.contains("both called “regions”") ?? false)
        #expect(Twice.repeatedField == "label" && FaceFinding.repeatedField == nil)
    }
}

/// Takes what it calls regions.
private struct TakingBlueprint: StageBlueprint {
    struct Own: Given {
        static let word = "regions"
        static let doc = "Others."
        static let shape = ObjectShape(doc: "One.", properties: [])
        static let use = "takes others"
        var id: String { "a" }

        static func read(_ reader: GivenReader) -> Own? { Own() }
        func placed(in size: PictureSize) -> Own { self }
        static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) { (.members([:]), "nothing") }
    }

    static let contract = StageContract(
        type: "taking", summary: "Takes them.", produces: [.regions], keepsState: false, takes: [Own.self],
        emits: [FaceFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { .blind }
}
