/// Looks for what was to be hidden in the annotated video itself, by another look than the job's: every picture for itself, at
/// full rate, as a photo is looked at, without anything that is known of the ones before.
///
/// What lies under a cover for two thirds is the cover's own look, and what the source doesn't show there was drawn: neither is
/// told. What the stage is unsure of is rather nothing, looked at so closely, and is told by itself.
struct AgainCheck {
    /// The confidence below which a find is unsure, unless less is enough for the stage.
    private static let sure = 0.6

    /// How much of a thing has to be under covers not to be told.
    private static let hidden = 2.0 / 3
    /// How like the source's a place has to be, the correlation of luma, to show what was there.
    private static let alike = 0.5
    /// How much of what is around a thing is looked at too, of its size.
    private static let rim = 0.15
    /// Points along each side of a thing that are looked at.
    private static let points = 24

    private let plan: GraphPlan
    /// Indices of the stages that cover, which are asked.
    private let asked: Set<Int>
    private let camera: CameraIntrinsics?
    private(set) var found: [CoverDoubt] = []
    private(set) var count = 0
    /// Pictures that show something.
    private(set) var pictures = 0
    /// Finds that are unsure, the pictures of them, and the first one.
    private var unsure: (count: Int, pictures: Int, first: CoverDoubt?) = (0, 0, nil)

    /// - Parameters:
    ///   - plan: The job's.
    ///   - asked: Ids of the stages that cover.
    init(plan: GraphPlan, asked: Set<String>, camera: CameraIntrinsics?) {
        self.plan = plan
        self.asked = Set(plan.nodes.indices.filter { asked.contains(plan.nodes[$0].id) })
        self.camera = camera
    }

    /// A sentence for each of the first finds, and in how many pictures there are more.
    var problems: [String] {
        let few = found.prefix(3).map(\.sentence)
        return few
            + (count > few.count ? ["… and \(count - few.count) more such finds, in \(pictures) pictures in all"] : [])
    }

    /// A sentence on what the stages are unsure of, if anything.
    var notes: [String] {
        guard let first = unsure.first else { return [] }
        let places = unsure.count == 1 ? "a place" : "\(unsure.count) places"
        let pictures = unsure.pictures == 1 ? "a picture" : "\(unsure.pictures) pictures"
        return [
            "looking again is unsure about \(places) in \(pictures); \(unsure.count == 1 ? "" : "the first: ")\(first.sentence)"
        ]
    }

    /// Looks into a picture of the annotated video.
    /// - Parameter source: The same picture of the source; nil where that isn't there.
    mutating func look(at shown: VideoFrame, source: VideoFrame?, _ places: CoveredPlaces) throws {
        let camera = try self.camera ?? CameraDeclaration.assumed.intrinsics(width: shown.width, height: shown.height)
        var needed = Set<Int>()
        for index in asked.sorted() { need(index, &needed) }
        let stages = try plan.nodes.indices.map { index -> Stage? in
            guard needed.contains(index) else { return nil }
            let node = plan.nodes[index]
            var context = StageContext(
                id: node.id, width: shown.width, height: shown.height, isStill: true, isStream: true, camera: camera,
                threads: 1, range: nil)
            context.hides = true
            return try node.blueprint.makeStage(context)
        }
        let executor = GraphExecutor(plan: plan, stages: stages, window: 1)
        try executor.admit(shown)
        executor.close()
        executor.work()
        guard let finished = try executor.next() else { return }
        let before = (count, unsure.count)
        for index in asked.sorted() {
            for emission in finished.results[index] {
                let observation = emission.observation
                guard observation.isMeasured, let box = observation.bounds, box.isDrawable,
                    !isHidden(box, shown, places), try isThere(box, shown, source)
                else { continue }
                let find = CoverDoubt(
                    .found, stage: plan.nodes[index].id, frame: source?.ordinal ?? shown.ordinal,
                    time: source?.seconds ?? shown.seconds, box: box)
                guard observation.confidence ?? 1 >= Self.sure(of: plan.nodes[index]) else {
                    unsure.count += 1
                    unsure.first = unsure.first ?? find
                    continue
                }
                count += 1
                if found.count < CoverSummary.mostMoments { found.append(find) }
            }
        }
        pictures += count > before.0 ? 1 : 0
        unsure.pictures += unsure.count > before.1 ? 1 : 0
    }

    /// What is enough for the stage by its own “minimumConfidence”, where that is less.
    private static func sure(of node: GraphPlan.Node) -> Double {
        min(sure, node.options.first { $0.key == "minimumConfidence" }?.value.number ?? sure)
    }

    private func need(_ index: Int, _ needed: inout Set<Int>) {
        needed.insert(index)
        for input in plan.nodes[index].inputs { need(input, &needed) }
    }

    private func isHidden(_ box: Box, _ shown: VideoFrame, _ places: CoveredPlaces) -> Bool {
        // What is outside the picture is seen by nobody.
        guard let inside = box.intersection(Box(x: 0, y: 0, width: Double(shown.width), height: Double(shown.height)))
        else { return true }
        func isIn(_ box: Box, _ point: Point) -> Bool {
            box.x <= point.x && point.x <= box.right && box.y <= point.y && point.y <= box.bottom
        }
        var (under, all) = (0, 0)
        Self.forEachPoint(of: inside) { point in
            all += 1
            under += places.covered.contains { isIn($0, point) } ? 1 : 0
        }
        if Double(under) >= Self.hidden * Double(all) { return true }
        return places.left.contains { left in
            var (inside, all) = (0, 0)
            Self.forEachPoint(of: box) { point in
                all += 1
                inside += isIn(left, point) ? 1 : 0
            }
            return 2 * inside >= all
        }
    }

    /// Whether the source shows the same there.
    private func isThere(_ box: Box, _ shown: VideoFrame, _ source: VideoFrame?) throws -> Bool {
        guard let source else { return true }
        return shown.withLuma { video in
            source.withLuma { original in
                var (count, a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
                // With its rim: what is of one colour is told by that.
                let rim = Point(box.width * Self.rim, box.height * Self.rim)
                let around = Box(
                    x: box.x - rim.x, y: box.y - rim.y, width: box.width + 2 * rim.x, height: box.height + 2 * rim.y)
                Self.forEachPoint(of: around) { point in
                    let (x, y) = (Int(inRange: point.x.rounded(.down)), Int(inRange: point.y.rounded(.down)))
                    guard x >= 0, y >= 0, x < min(video.width, original.width), y < min(video.height, original.height)
                    else { return }
                    let first = Double(video.base[y * video.stride + x])
                    let second = Double(original.base[y * original.stride + x])
                    (count, a, b) = (count + 1, a + first, b + second)
                    (aa, bb, ab) = (aa + first * first, bb + second * second, ab + first * second)
                }
                guard count > 0 else { return false }
                let (varianceA, varianceB) = (aa / count - a * a / count / count, bb / count - b * b / count / count)
                let covariance = ab / count - a * b / count / count
                return covariance > 0
                    && covariance * covariance >= Self.alike * Self.alike * varianceA * varianceB
                    && varianceA * varianceB > 0
            }
        }
    }

    private static func forEachPoint(of box: Box, _ body: (Point) -> Void) {
        for row in 0..<points {
            for column in 0..<points {
                body(
                    Point(
                        box.x + (Double(column) + 0.5) * box.width / Double(points),
                        box.y + (Double(row) + 0.5) * box.height / Double(points)))
            }
        }
    }
}

extension AgainCheck {
    /// Whether a stage goes by the picture, and not by what it was given or what lies in a file.
    static func canLook(_ index: Int, in plan: GraphPlan) -> Bool {
        let (node, contract) = (plan.nodes[index], plan.nodes[index].contract)
        return contract.takes.isEmpty && !contract.keepsNumbers && node.inputs.allSatisfy { canLook($0, in: plan) }
    }

    /// Looks into the video that a job has written.
    /// - Parameter path: Where it lies for the time being.
    static func found(
        in path: String, of job: Job, places: [CoveredPlaces], threads: Int, limits: MediaLimits,
        cancellation: Cancellation
    ) throws -> AgainCheck {
        let asked = job.graph.nodes.indices.filter { index in
            job.graph.nodes[index].styles.values.contains(where: \.checksAgain) && canLook(index, in: job.graph)
        }.map { job.graph.nodes[$0].id }
        var check = AgainCheck(plan: job.graph, asked: Set(asked), camera: nil)
        var options = SourceOptions()
        options.knowsEnd = true
        options.threads = threads
        let shown = try SourceReader(path: path, options: options, cancellation: cancellation)
        var source: SourceReader?
        if case .file = MediaInput(path: job.input) {
            var options = job.sourceOptions(threads: threads, limits: limits)
            options.keepsAudio = false
            source = try SourceReader(path: job.input, options: options, cancellation: cancellation)
        }
        for places in places {
            guard let frame = try shown.next() else { break }
            try check.look(at: frame, source: try source?.next(), places)
        }
        return check
    }

    /// A second look by the stages of a track file that cover, with the options that were in force.
    /// - Parameter paths: Of the manifest, from which the files that stages name are found.
    /// - Returns: nil where none can look; sentences on those that can't; and why those that can weren't made, in half a sentence.
    static func make(
        _ header: TrackFileHeader, catalog: StageCatalog, paths: ManifestPaths
    ) -> (check: AgainCheck?, notes: [String], refusal: String?) {
        // Whether it goes by the picture, and not by what it was given or what lies in a file. Inputs come first.
        var able: Set<String> = []
        for stage in header.stages {
            guard let contract = catalog.blueprint(for: stage.type)?.contract else { continue }
            if contract.takes.isEmpty, !contract.keepsNumbers, stage.inputs.allSatisfy(able.contains) {
                able.insert(stage.id)
            }
        }
        let covering = header.stages.filter { $0.cover != nil }
        let notes = covering.filter { !able.contains($0.id) }.map {
            "stage “\($0.id)” (\($0.type)) goes by what it is given, and can't look again"
        }
        let asked = Set(covering.map(\.id)).intersection(able)
        guard !asked.isEmpty else { return (nil, notes, nil) }
        var needed = asked
        for stage in header.stages.reversed() where needed.contains(stage.id) { needed.formUnion(stage.inputs) }
        let nodes = header.stages.filter { needed.contains($0.id) }.map { node($0, catalog) }
        let graph = JSONNode(.object([JSONMember(key: "stages", value: JSONNode(.array(nodes)))]))
        var validator = ShapeValidator(file: "")
        validator.validate(graph, against: .object(ManifestShape.graph(catalog: catalog)))
        let plan =
            validator.log.isEmpty
            ? GraphPlanner(catalog: catalog, paths: paths).plan(graph, path: [], log: validator.log) : nil
        guard let plan else {
            return (nil, notes, validator.log.sorted.first.map(\.message) ?? "its stages can't be made")
        }
        return (AgainCheck(plan: plan, asked: asked, camera: header.camera), notes, nil)
    }

    /// The option that says how many things a stage tells of; 0 for all.
    private static let limit = "maximumObservations"

    private static func allows(_ shape: Shape, _ value: Int) -> Bool {
        var validator = ShapeValidator(file: "")
        validator.validate(JSONNode(.integer(value)), against: shape)
        return validator.log.isEmpty
    }

    /// A stage as a manifest has it.
    private static func node(_ stage: TrackFileHeader.Stage, _ catalog: StageCatalog) -> JSONNode {
        let defaults = catalog.blueprint(for: stage.type)?.contract.options ?? []
        var members = [
            JSONMember(key: "id", value: JSONNode(.string(stage.id))),
            JSONMember(key: "type", value: JSONNode(.string(stage.type))),
        ]
        if !stage.inputs.isEmpty {
            let inputs = JSONNode(.array(stage.inputs.map { JSONNode(.string($0)) }))
            members.append(JSONMember(key: "inputs", value: inputs))
        }
        // What is as it is without being said may not be said beside everything. Nor is a look for what is left cut to the surest.
        let limit = defaults.first { $0.name == Self.limit && Self.allows($0.shape, 0) }
        if limit != nil { members.append(JSONMember(key: Self.limit, value: JSONNode(.integer(0)))) }
        members += stage.options.filter { option in
            guard limit == nil || option.key != Self.limit else { return false }
            return defaults.first { $0.name == option.key }?.defaultValue.map { text($0) != text(option.value.value) }
                ?? true
        }
        members.append(JSONMember(key: "draw", value: JSONNode(.bool(false))))
        return JSONNode(.object(members))
    }

    private static func text(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(value, isSorted: true)
        return json.text
    }
}
