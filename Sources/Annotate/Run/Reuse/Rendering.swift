/// Draws a saved track file onto the video that it was made from, without running the stages.
public struct Rendering: Sendable {
    private var job: Job
    private let tracks: String

    /// The outcome of drawing.
    public struct Outcome: Sendable {
        /// How many frames were drawn.
        public var frames: Int
        /// Notes for the user.
        public var notes: [String]
    }

    /// Reads a track file's header and the video.
    /// - Parameters:
    ///   - tracks: The track file's path.
    ///   - input: The video's.
    ///   - output: Where the drawn video goes; its extension is the codec's container's.
    ///   - styles: How each stage's kinds are drawn, by the stage's id and the kind; what isn't there isn't drawn. What
    ///     the annotated video covers is covered all the same.
    ///   - encode: How the drawn video is encoded.
    ///   - catalog: The program's stage types, with their kinds.
    /// - Throws: `TrackFileError` for a file without a header that fits.
    public init(
        tracks: String, input: String, output: String, styles: [String: [String: DrawStyle]], encode: EncodeSettings,
        catalog: StageCatalog
    ) throws {
        let header = try TrackFileReader(path: tracks, kinds: catalog.findings).header
        self.tracks = tracks
        // A file has times of its own.
        var isFile = false
        if case .file = MediaInput(path: input) { isFile = true }
        // What was hidden stays so, whatever is drawn.
        var styles = styles
        for stage in header.stages where stage.cover != nil {
            var own = styles[stage.id] ?? [:]
            for kind in catalog.findings.kinds(of: stage.type) ?? [] {
                own[kind.kind] = stage.covering(own[kind.kind] ?? kind.style, alone: own[kind.kind] == nil)
            }
            styles[stage.id] = own
        }
        if encode.codec == .copy { try Self.checkOverlay(styles, header) }
        let (drawn, pauses) = (styles, header.pauses)
        let nodes = header.stages.compactMap { stage in
            catalog.blueprint(for: stage.type).map { type in
                GraphPlan.Node(
                    id: stage.id, contract: type.contract, inputs: [], rate: pauses[stage.id].map { 1 / $0 },
                    styles: drawn[stage.id] ?? [:],
                    blueprint: SavedBlueprint(skeleton: stage.skeleton), options: stage.options)
            }
        }
        job = Job(
            id: Files.stem(of: Files.name(of: output)), input: input,
            graph: GraphPlan(nodes: nodes, catalog: catalog.findings), range: header.range,
            encode: encode,
            // What the stages had no picture of has no line in the track file.
            onError: .skipFrame, deinterlacing: header.source.isDeinterlaced ? .always : .never,
            frameRate: isFile ? nil : header.source.frameRate,
            camera: header.camera.map { $0.isAssumed ? .assumed : .intrinsics($0) } ?? .assumed, entry: "",
            graphText: "", output: OutputPlaces(Files.parent(of: output)), formats: [], writesTracks: false)
        job.covers = header.cover
        if header.isSilent { job.encode.audio = .drop }
        job.start = .at(header.source.decodedFrom.map(Int64.init))
    }

    /// Refuses styles that an overlay can't draw: it takes no pixel away, and has lines and text alone.
    private static func checkOverlay(_ styles: [String: [String: DrawStyle]], _ header: TrackFileHeader) throws {
        guard header.cover.isEmpty else {
            throw OptionProblem(
                description:
                    "the track file's job hides places by hand, and an overlay takes no pixel away: they would be "
                    + "seen; expected another --codec than copy")
        }
        for (id, kinds) in styles.sorted(by: { $0.key < $1.key }) {
            for style in kinds.sorted(by: { $0.key < $1.key }).map(\.value) {
                let what =
                    style.cover != nil
                    ? "a cover, and an overlay takes no pixel away: what is covered would be seen"
                    : style.image != nil || style.model != nil
                        ? "a picture or a model, and an overlay has lines and text alone" : nil
                guard let what else { continue }
                throw OptionProblem(
                    description: "stage “\(id)” is drawn with \(what); expected another --codec than copy")
            }
        }
    }

    /// The codec for a container of this extension where nobody says; nil for an extension of no container.
    public static func codec(forExtension name: String) -> EncodeSettings.Codec? {
        EncodeSettings.Codec.allCases.first { $0.container?.fileExtension == name }
    }

    /// Reads settings as a job's `encode` has them.
    /// - Parameters:
    ///   - node: An object; what it leaves out is as by default.
    ///   - name: The extension of the video's name.
    /// - Throws: `OptionProblem`.
    public static func settings(_ node: JSONNode, forExtension name: String) throws -> EncodeSettings {
        var validator = ShapeValidator(file: "")
        validator.validate(node, against: .object(EncodeSettings.shape(doc: "")))
        let reader = EncodeReader(node: node, path: [], log: validator.log)
        let settings = reader.read()
        if let container = settings.codec.container, container.fileExtension != name {
            reader.log.add(
                "\(settings.codec.rawValue) makes .\(container.fileExtension) files; expected a name that ends so",
                at: node, path: [.key("codec")])
        }
        if settings.codec.container == nil {
            reader.log.add("\(settings.codec.rawValue) makes no video; expected another codec", at: node, path: [])
        }
        if let problem = reader.log.sorted.first {
            guard case .key(let key)? = problem.path.first else { throw OptionProblem(description: problem.message) }
            throw OptionProblem(description: "--\(key): \(problem.message)")
        }
        return settings
    }

    /// The error of an option, a sentence without its full stop.
    public struct OptionProblem: Error, CustomStringConvertible {
        public var description: String
    }

    /// Draws and encodes. Nothing stands under the output's name before it is whole.
    /// - Throws: Also where the track file tells of other frames than the video has.
    public func run(
        generator: String, threads: Int, limits: MediaLimits, progress: JobProgress, cancellation: Cancellation
    ) throws -> Outcome {
        let stages = job.graph.nodes.map(\.id)
        let runner = JobRunner(
            job: job, task: JobTask(reused: stages, keepsNumbers: true), generator: generator, threads: threads,
            limits: limits, cancellation: cancellation,
            progress: progress)
        let finished = try runner.annotate(
            reusing: SavedResults(tracks, stages: stages, of: job.graph, contents: nil))
        for file in finished.files { try file.commit() }
        return Outcome(frames: finished.result.frames, notes: missing + finished.result.notes)
    }

    /// Notes on what was drawn in the first place, and can't be again.
    private var missing: [String] {
        job.graph.nodes.filter { $0.contract.attachmentUse == .toDrawing && !$0.styles.isEmpty }.map { node in
            "the pictures that stage “\(node.id)” (\(node.contract.type)) made are not in the track file: they are not drawn"
        }
    }
}

/// Stands for the stages whose results are saved. It never runs.
private struct SavedBlueprint: StageBlueprint {
    static let contract = StageContract(type: "saved", summary: "", produces: [], keepsState: false, emits: [])

    let skeleton: Skeleton?

    init(skeleton: Skeleton?) { self.skeleton = skeleton }
    init(_ options: NoOptions, _ context: OptionContext) { skeleton = nil }

    func makeStage(_ context: StageContext) -> Stage { Stage(tracker: Blind()) }

    private struct Blind: Tracker {
        func update(_ detection: Void, _ input: StageInput) -> [Observation] { [] }
    }
}
