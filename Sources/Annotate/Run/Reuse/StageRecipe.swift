/// A recipe of one stage: what its results depend on besides the input. While it is the same, so are they.
struct StageRecipe: Record, Hashable {
    var id = ""
    /// Hash of the program, the stage's options and files, what of the job it looks at, and the same of its inputs.
    var fingerprint = ""
    /// Ids of the stages whose results it takes.
    var inputs: [String] = []
    var attachmentUse = AttachmentUse.nothing
    /// Whether a video shows its results.
    var isDrawn = false
    /// Whether its tracks have numbers already, which others have to know before the first frame.
    var keepsNumbers = false

    static let fields: [Field<StageRecipe>] = [
        Field("id", \.id, .text(), doc: "Its id."),
        Field("fingerprint", \.fingerprint, .text(), doc: "Of all that its results depend on."),
        Field("inputs", \.inputs, .list(.text()), doc: "Stages whose results it takes."),
        Field("handsOn", \.attachmentUse, Format<AttachmentUse>.choice(), doc: "What the track file hasn't."),
        Field("isDrawn", \.isDrawn, .flag, doc: "Whether a video shows it."),
        Field("keepsNumbers", \.keepsNumbers, .flag, doc: "Whether its tracks have numbers already."),
    ]

    /// Keys of a job on which every frame depends.
    private static let ofFrames: Set<String> = ["range", "onError", "deinterlace", "frameRate"]

    /// Recipes of a job's stages.
    /// - Parameter parts: All that the job's results depend on, by name, as `RecipeBook` has them.
    static func recipes(of job: Job, parts: [String: String]) -> [StageRecipe] {
        var recipes: [StageRecipe] = []
        for (index, node) in job.graph.nodes.enumerated() {
            let contract = node.contract
            var keys = ofFrames
            keys.formUnion(contract.takes.map { $0.word })
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
                // A stage whose finds are hidden looks more often.
                if job.graph.hides(index) { json.value("hides") }
                if job.deinterlacing == .ifNeeded { json.value("deinterlaces-2") }
                for input in node.inputs { json.value(recipes[input].fingerprint) }
            }
            recipes.append(
                StageRecipe(
                    id: node.id, fingerprint: String(SHA256.hash(json.bytes).prefix(16)),
                    inputs: node.inputs.map { recipes[$0].id }, attachmentUse: contract.attachmentUse,
                    isDrawn: job.video != nil && !node.styles.isEmpty, keepsNumbers: contract.keepsNumbers))
        }
        return recipes
    }

    /// The stages whose results can be taken from an earlier run's track file: nothing that they depend on has changed, and
    /// nobody needs what they hand on beside their results.
    ///
    /// A stage runs where one of its inputs does, though that will say the same as before: tracks that its results are about
    /// are called by other numbers while a job runs than in a file. One that brings numbers along says which others can't
    /// have, and is taken over with all the others or not at all.
    ///
    /// - Parameters:
    ///   - stages: Inputs first.
    ///   - earlier: Fingerprints by id.
    ///   - keepsNumbers: True where all tracks have the numbers that they had if nothing runs.
    static func reusable(_ stages: [StageRecipe], earlier: [String: String], keepsNumbers: Bool) -> [String] {
        var running: Set<String> = []
        func settle() {
            while true {
                let wanted = Set(stages.filter { running.contains($0.id) }.flatMap(\.inputs))
                let more = stages.filter { stage in
                    !running.contains(stage.id)
                        && (earlier[stage.id] != stage.fingerprint
                            || stage.attachmentUse == .toDrawing && stage.isDrawn
                            || stage.attachmentUse == .toStages && wanted.contains(stage.id)
                            || stage.inputs.contains(where: running.contains))
                }
                if more.isEmpty { return }
                running.formUnion(more.map(\.id))
            }
        }
        settle()
        if !running.isEmpty || !keepsNumbers {
            running.formUnion(stages.filter(\.keepsNumbers).map(\.id))
            settle()
        }
        return stages.map(\.id).filter { !running.contains($0) }
    }
}
