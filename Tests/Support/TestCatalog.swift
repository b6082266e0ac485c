@testable import Annotate

/// Stage types for tests of the graph.
enum TestCatalog {
    static let catalog = StageCatalog(
        // What they give isn't checked: tests of the executor give anything.
        own: [
            FindBlueprint.self, NameBlueprint.self, PlainBlueprint.self, LabelsOnlyBlueprint.self,
            FollowBlueprint.self, PinBlueprint.self,
        ], resources: [], compiler: nil)

    /// A plan of stages by id, type and inputs.
    /// - Parameters:
    ///   - rates: By the stages' ids.
    ///   - draws: “draw” of stages, JSON, by their ids.
    static func plan(
        _ stages: [(id: String, type: String, inputs: [String])], rates: [String: Double] = [:],
        draws: [String: String] = [:]
    ) throws -> GraphPlan {
        let texts = stages.map { stage in
            let inputs = stage.inputs.map { "\"\($0)\"" }.joined(separator: ",")
            let rate = rates[stage.id].map { ",\"rate\":\($0)" } ?? ""
            let draw = draws[stage.id].map { ",\"draw\":\($0)" } ?? ""
            return "{\"id\":\"\(stage.id)\",\"type\":\"\(stage.type)\",\"inputs\":[\(inputs)]\(rate)\(draw)}"
        }
        let node = try JSONParser.parse(Array("{\"stages\":[\(texts.joined(separator: ","))]}".utf8))
        let log = ProblemLog(file: "graph")
        guard
            let plan = GraphPlanner(catalog: catalog, paths: ManifestPaths(directory: ".")).plan(
                node, path: [], log: log)
        else {
            throw InvalidFileError(problems: log.sorted)
        }
        return plan
    }
}

/// Sees nothing.
struct BlindTracker: Tracker {
    func update(_ detection: Void, _ input: StageInput) -> [Observation] { [] }
}

extension Stage {
    static var blind: Stage { Stage(tracker: BlindTracker()) }
}

struct FindBlueprint: StageBlueprint {
    struct Options: Record {
        var size = 0.2
        var limit = 1.0

        static let fields: [Field<Options>] = [
            Field("size", \.size, .number(Bounds(0, 1)), .optional, unit: "px", doc: "Least size."),
            Field("limit", \.limit, .number(Bounds(0, 1)), .optional, doc: "Greatest size."),
        ]
    }

    static let contract = StageContract(
        type: "find", summary: "Finds things.", produces: [.regions, .tracks], keepsState: true,
        emits: [RectangleFinding.self], options: Options.self)

    init(_ options: Options, _ context: OptionContext) throws {
        guard options.size <= options.limit else {
            throw StageOptionError(option: "size", "\(options.size) is over “limit”; expected no more")
        }
    }

    func makeStage(_ context: StageContext) -> Stage { .blind }
}

/// Takes the frame, or regions.
struct NameBlueprint: StageBlueprint {
    struct Options: Record {
        var model: String?

        static let fields: [Field<Options>] = [Field("model", \.model, .text(.path), doc: "A model.")]
    }

    static let contract = StageContract(
        type: "name", summary: "Names things.", consumes: [.frame, .regions], produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self], options: Options.self)

    init(_ options: Options, _ context: OptionContext) throws {
        guard let model = options.model else { return }
        guard Files.exists(context.resolve(model)) else {
            throw StageOptionError(option: "model", "no file “\(model)”; expected a model")
        }
    }

    func makeStage(_ context: StageContext) -> Stage { .blind }
}

/// Reads the frame alone.
struct PlainBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "plain", summary: "Names the frame.", produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { .blind }
}

/// Needs labels and can't do without.
struct LabelsOnlyBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "judge", summary: "Judges labels.", consumes: [.labels], produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { .blind }
}

struct FollowBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "follow", summary: "Follows regions.", produces: [.regions, .tracks], keepsState: true,
        takes: [Region.self],
        emits: [ObjectFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { .blind }
}

struct PinBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "pin", summary: "Labels points.", consumes: [.frame, .labels], produces: [.tracks], keepsState: true,
        takes: [TappedPoint.self], emits: [AnnotationFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { .blind }
}
