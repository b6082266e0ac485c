/// `follow`: tracks of what other stages find.
public struct FollowBlueprint: StageBlueprint {
    /// The options of `follow`: how often it goes through the video, and how long a thing that isn't seen is
    /// remembered.
    public struct Options: Record {
        var passes = 2
        var memory = 3.0
        var minimumConfidence = 0.5
        var cameraMotion = false
        var model: String?

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "passes", \.passes, .integer(1...2), .optional,
                doc:
                    "2 goes through the video once more when all is known, joins what belongs together and fills short gaps; 1 tells "
                    + "what is known at each frame."),
            Field(
                "memory", \.memory, .number(Bounds(0, 3600)), .optional, unit: "s",
                doc: "How long something that isn't seen keeps its track."),
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional,
                doc: "The least confidence of what begins a track; what has a fifth of it may go on with one."),
            Field(
                "cameraMotion", \.cameraMotion, .flag, .optional,
                doc: "Takes the camera's own motion out, found by the background's flow."),
            Field(
                "model", \.model, .text(.path),
                doc:
                    "An ONNX network from a thing's picture (blue first, 0…255) to features that tell things apart; colours in "
                    + "stripes tell them apart when left out."),
        ]
    }

    public static let contract = StageContract(
        type: "follow", summary: "Follows what its inputs find: a track for each thing, through gaps.",
        consumes: [.regions], produces: [.regions, .tracks], keepsState: true, emits: [ObjectFinding.self],
        options: Options.self,
        details: [
            Property("model", .map(of: .any, keys: .any, doc: "The model."), doc: "The model's hash and input.")
        ])

    private let options: Options
    private let givesPasses: Bool
    private let network: AppearanceNetwork?
    public let details: [JSONMember]
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        self.options = options
        givesPasses = context.isGiven(\Options.passes)
        guard let file = options.model else {
            (network, details, files) = (nil, [], [])
            return
        }
        let network = try context.model(file) { try AppearanceNetwork(path: $0) }
        let path = context.resolve(file)
        self.network = network
        details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(path)), "input": .string(network.inputDescription),
                    ])))
        ]
        files = try ModelFile.data(of: [path])
    }

    public var labels: LabelSources? { LabelSources(ofInputs: true) }

    public func makeStage(_ context: StageContext) throws -> Stage {
        var model = FollowModel()
        if network != nil { model.looks = .features }
        // Nothing will confirm what a single picture shows.
        if context.isStill { model.confirmation = 0 }
        // A false alarm is rather covered than somebody shown: whatever is told of begins a track.
        var least = options.minimumConfidence
        if context.hides { (model.confirmation, model.worth, least) = (0, 0, FrameFollower.weakest(least)) }
        if context.isStream, options.passes > 1, givesPasses {
            throw StageOptionError(
                option: "passes", "standard input can be read once, and “passes” is 2; expected 1, or a file as input")
        }
        let looksAhead = options.passes > 1 && !context.isStill && !context.isStream
        let notes =
            context.isStream && options.passes > 1
            ? ["one pass was made, since standard input can be read once (“passes”: 1 says so)"] : []
        let choice = SightingChoice(minimumScore: least)
        let followsCamera = options.cameraMotion && !context.isStill
        return Stage(
            FollowDetector(
                choice: choice, reader: context.isStill ? nil : network.map(AppearanceReader.network) ?? .stripes,
                followsCamera: followsCamera),
            FollowTracker(
                id: context.id, model, choice, memory: options.memory, followsCamera: followsCamera,
                looksAhead: looksAhead, tellsAll: context.hides, notes: notes))
    }
}
