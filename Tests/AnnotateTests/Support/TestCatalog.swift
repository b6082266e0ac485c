@testable import Annotate

/// Stage types for tests of the graph.
enum TestCatalog {
    static let catalog = StageCatalog([
        FindBlueprint.self, NameBlueprint.self, PlainBlueprint.self, LabelsOnlyBlueprint.self, FollowBlueprint.self,
        PinBlueprint.self,
    ])

    /// A plan of stages by id, type and inputs.
    static func plan(_ stages: [(id: String, type: String, inputs: [String])], rates: [String: Double] = [:]) throws
        -> GraphPlan
    {
        let texts = stages.map { stage in
            let inputs = stage.inputs.map { "\"\($0)\"" }.joined(separator: ",")
            let rate = rates[stage.id].map { ",\"rate\":\($0)" } ?? ""
            return "{\"id\":\"\(stage.id)\",\"type\":\"\(stage.type)\",\"inputs\":[\(inputs)]\(rate)}"
        }
        let node = try JSONParser.parse(Array("{\"stages\":[\(texts.joined(separator: ","))]}".utf8))
        var log = ProblemLog(file: "graph")
        guard
            let plan = GraphPlanner(catalog: catalog, paths: ManifestPaths(directory: ".")).plan(
                node, path: [], log: &log)
        else {
            throw InvalidFileError(problems: log.sorted)
        }
        return plan
    }
}

/// Sees nothing.
final class BlindStage: Stage {
    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] { [] }
}

struct FindBlueprint: StageBlueprint {
    static let size = StageOption("size", .number(Bounds(0, 1)), default: 0.2, unit: "px", doc: "Least size.")
    static let limit = StageOption("limit", .number(Bounds(0, 1)), default: 1, doc: "Greatest size.")
    static let contract = StageContract(
        type: "find", summary: "Finds things.", produces: [.regions, .tracks], keepsState: true,
        emits: [RectangleFinding.self], options: [size.property, limit.property])

    init(options: StageOptions) throws {
        guard options[Self.size] <= options[Self.limit] else {
            throw StageOptionError(option: "size", "\(options[Self.size]) is over “limit”; expected no more")
        }
    }

    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}

/// Takes the frame, or regions.
struct NameBlueprint: StageBlueprint {
    static let model = StageOption("model", .text(.path), doc: "A model.")
    static let contract = StageContract(
        type: "name", summary: "Names things.", consumes: [.frame, .regions], produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self], options: [model.property])

    init(options: StageOptions) throws {
        guard let model = options[Self.model] else { return }
        guard Files.exists(options.resolve(model)) else {
            throw StageOptionError(option: "model", "no file “\(model)”; expected a model")
        }
    }

    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}

/// Reads the frame alone.
struct PlainBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "plain", summary: "Names the frame.", produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self], options: [])

    init(options: StageOptions) throws {}
    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}

/// Needs labels and can't do without.
struct LabelsOnlyBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "judge", summary: "Judges labels.", consumes: [.labels], produces: [.labels], keepsState: false,
        emits: [ClassificationFinding.self], options: [])

    init(options: StageOptions) throws {}
    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}

struct FollowBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "follow", summary: "Follows regions.", produces: [.regions, .tracks], keepsState: true, takesSeeds: true,
        emits: [ObjectFinding.self], options: [])

    init(options: StageOptions) throws {}
    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}

struct PinBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "pin", summary: "Labels points.", consumes: [.frame, .labels], produces: [.tracks], keepsState: true,
        takesPoints: true, emits: [AnnotationFinding.self], options: [])

    init(options: StageOptions) throws {}
    func makeStage(_ context: StageContext) throws -> any Stage { BlindStage() }
}
