/// What one stage's results depend on besides the input: while it is the same, so are they.
struct StageRecipe: Record, Hashable {
    var id = ""
    /// Of the program, the stage's options and files, what of the job it looks at, and the same of its inputs.
    var fingerprint = ""
    /// The stages whose results it takes.
    var inputs: [String] = []
    var handsOn = Handover.nothing
    /// True where a video shows its results.
    var isDrawn = false
    /// True where its tracks bring their numbers along, which others have to know before the first frame.
    var keepsNumbers = false

    static let fields: [Field<StageRecipe>] = [
        Field("id", \.id, .text(), doc: "Its id."),
        Field("fingerprint", \.fingerprint, .text(), doc: "Of all that its results depend on."),
        Field("inputs", \.inputs, .list(.text()), doc: "Stages whose results it takes."),
        Field("handsOn", \.handsOn, Format<Handover>.choice(), doc: "What the track file hasn't."),
        Field("isDrawn", \.isDrawn, .flag, doc: "Whether a video shows it."),
        Field("keepsNumbers", \.keepsNumbers, .flag, doc: "Whether its tracks have numbers already."),
    ]

    /// Keys of a job on which every frame depends.
    private static let ofFrames: Set<String> = ["range", "onError", "deinterlace", "frameRate"]

    /// - Parameter parts: All that the job's results depend on, by name, as `RecipeBook` has them.
    static func recipes(of job: Job, parts: [String: String]) -> [StageRecipe] {
        var recipes: [StageRecipe] = []
        for node in job.graph.nodes {
            let contract = node.contract
            var keys = ofFrames
            if contract.takesSeeds { keys.insert("regions") }
            if contract.takesPoints { keys.insert("points") }
            if node.blueprint.usesCamera { keys.insert("camera") }
            let (own, draw) = ("stages.\(node.id).", "stages.\(node.id).draw")
            let counting = parts.filter { name, _ in
                if name == draw || name.hasPrefix(draw + ".") { return false }
                return name == "program" || name.hasPrefix(own)
                    || keys.contains(String(name.prefix { $0 != "." }))
            }
            var json = JSONWriter()
            json.array { json in
                for (name, text) in counting.sorted(by: { $0.key < $1.key }) {
                    json.value(name)
                    json.value(text)
                }
                for input in node.inputs { json.value(recipes[input].fingerprint) }
            }
            recipes.append(
                StageRecipe(
                    id: node.id, fingerprint: String(SHA256.hash(json.bytes).prefix(16)),
                    inputs: node.inputs.map { recipes[$0].id }, handsOn: contract.handsOn,
                    isDrawn: job.video != nil && !node.styles.isEmpty, keepsNumbers: contract.keepsNumbers))
        }
        return recipes
    }

    /// The stages whose results can be taken from an earlier run's track file: nothing that they depend on has changed, and
    /// nobody needs what they hand on beside their results.
    ///
    /// One that only reads a file with numbers of its own runs: it costs nothing, and says which numbers others can't have.
    ///
    /// - Parameters:
    ///   - stages: Inputs first.
    ///   - earlier: Fingerprints by id.
    static func reusable(_ stages: [StageRecipe], earlier: [String: String]) -> [String] {
        var running: Set<String> = []
        var wanted: Set<String> = []
        for stage in stages.reversed() {
            let isMissed = stage.handsOn == .toStages && wanted.contains(stage.id)
            let isShown = stage.handsOn == .toDrawing && stage.isDrawn
            let hasChanged = earlier[stage.id] != stage.fingerprint
            guard hasChanged || isMissed || isShown || stage.keepsNumbers else { continue }
            running.insert(stage.id)
            wanted.formUnion(stage.inputs)
        }
        return stages.map(\.id).filter { !running.contains($0) }
    }
}
