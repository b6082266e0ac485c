import Testing

@testable import Annotate
@testable import TestSupport

/// What is found and then told once more as tracks has one label, the track's.
@Suite struct RetoldLabelTests {
    private struct SightBlueprint: StageBlueprint {
        static let contract = StageContract(
            type: "sight", summary: "Sees things.", produces: [.regions], keepsState: false,
            emits: [RectangleFinding.self])

        init(_ options: NoOptions, _ context: OptionContext) {}
        func makeStage(_ context: StageContext) -> Stage { .blind }
    }

    private struct TellBlueprint: StageBlueprint {
        static let contract = StageContract(
            type: "tell", summary: "Follows things.", consumes: [.regions], produces: [.regions, .tracks],
            keepsState: true, emits: [ObjectFinding.self])

        init(_ options: NoOptions, _ context: OptionContext) {}
        func makeStage(_ context: StageContext) -> Stage { .blind }
    }

    private static let catalog = StageCatalog(
        own: [SightBlueprint.self, TellBlueprint.self, FindBlueprint.self, NameBlueprint.self], resources: [],
        compiler: nil)

    private func plan(_ stages: [String], besides others: [GraphPlan] = []) throws -> GraphPlan {
        let log = ProblemLog(file: "graph")
        let node = try JSONParser.parse(Array(#"{"stages":[\#(stages.joined(separator: ","))]}"#.utf8))
        let plan = GraphPlanner(catalog: Self.catalog, paths: ManifestPaths(directory: ".")).plan(
            node, path: [], log: log, reusing: others)
        return try #require(plan, "\(log.sorted)")
    }

    /// Whether each stage's results are labelled, in the order of the file; nil for those that aren't drawn.
    private func labels(_ stages: String..., besides others: [GraphPlan] = []) throws -> [Bool?] {
        try plan(stages, besides: others).nodes.map { $0.styles.first?.value.label }
    }

    private static let seen = #"{"id":"s","type":"sight"}"#

    @Test func tracksHaveTheLabels() throws {
        #expect(try labels(Self.seen) == [true])
        #expect(try labels(Self.seen, #"{"id":"t","type":"tell","inputs":["s"]}"#) == [false, true])
        // What has numbers of its own is known by them.
        #expect(try labels(#"{"id":"s","type":"find"}"#, #"{"id":"t","type":"tell","inputs":["s"]}"#) == [true, true])
        // Who names things doesn't tell where they are.
        #expect(try labels(Self.seen, #"{"id":"t","type":"name","inputs":["s"]}"#) == [true, true])
    }

    @Test func whatIsSaidHolds() throws {
        let follow = #"{"id":"t","type":"tell","inputs":["s"]}"#
        #expect(try labels(#"{"id":"s","type":"sight","draw":{}}"#, follow) == [true, true])
        #expect(try labels(#"{"id":"s","type":"sight","draw":false}"#, follow) == [nil, true])
        // Without the tracks' labels those of what is found are all that there is.
        #expect(try labels(Self.seen, #"{"id":"t","type":"tell","inputs":["s"],"draw":false}"#) == [true, nil])
        #expect(
            try labels(Self.seen, #"{"id":"t","type":"tell","inputs":["s"],"draw":{"label":false}}"#) == [true, false])
    }

    /// Stages with the same words are looked at once.
    @Test func anotherGraphHasItsOwn() throws {
        let both = [Self.seen, #"{"id":"t","type":"tell","inputs":["s"]}"#]
        let (alone, followed) = (try plan([Self.seen]), try plan(both))
        #expect(try labels(Self.seen, besides: [followed]) == [true])
        #expect(try labels(both[0], both[1], besides: [alone]) == [false, true])
    }
}
