/// The things of a track file that a data set takes, and what is known of where there are none.
struct ThingChoice {
    /// What an observation is to the data set.
    enum Role {
        /// Nothing.
        case none
        /// It is taken.
        case thing
        /// It would be taken, but is too unsure.
        case unsure
        /// Its track is lost.
        case lost
    }

    private let stages: Set<String>
    private let kinds: Set<String>
    private let minimum: Double?
    private let namesStages: Bool
    /// Stages that follow what the job points at, and don't say that they are complete.
    let pointed: Set<String>
    /// Whether a picture without things is one in which there are none.
    let isComplete: Bool
    /// Rates of the stages.
    let rates: [Double]
    /// Stages whose finds one of those that are taken tells anew, by their ids: from which confidence on that one begins with a
    /// find.
    private let retold: [String: Double]
    /// The overlap with what is told from which on a find is taken for the same thing.
    private static let sameOverlap = 0.3
    /// How many things stages tell of a picture at the most, by their ids.
    let limits: [String: Int]
    /// What the stages that are taken can give, by their ids.
    let sources: [String: ClassReach.Source]

    init(_ options: DataSetOptions, _ header: TrackFileHeader, _ catalog: FindingCatalog, path: String) throws {
        var filter = ExportFilter(stages: options.stages, kinds: options.kinds)
        // Others of the clips have it: see `DataSetRun`.
        filter.allowsMissing = true
        let (chosen, _) = try filter.applied(to: header, catalog, path: path)
        func traits(_ stage: TrackFileHeader.Stage) -> StageTraits { catalog.traits[stage.type] ?? StageTraits() }
        var taken = chosen.stages
        if options.stages.isEmpty {
            // What is followed is told by the stage that follows it.
            let retold = Set(header.stages.filter { traits($0).retells }.flatMap(\.inputs))
            taken = taken.filter { traits($0).places && !retold.contains($0.id) }
        }
        let known = Dictionary(header.stages.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        func isComplete(_ stage: TrackFileHeader.Stage) -> Bool {
            if options.complete.contains(stage.id) { return true }
            if let said = stage.isComplete { return said }
            let (own, inputs) = (traits(stage), stage.inputs.compactMap { known[$0] })
            return own.retells ? !inputs.isEmpty && inputs.allSatisfy(isComplete) : own.searches && inputs.isEmpty
        }
        stages = Set(taken.map(\.id))
        let ids = stages
        sources = ClassReach.sources(of: header, complete: options.complete, catalog).filter { ids.contains($0.key) }
        kinds = Set(options.kinds)
        minimum = options.minimumConfidence
        namesStages = !options.stages.isEmpty
        pointed = Set(taken.filter { traits($0).isPointed && !isComplete($0) }.map(\.id))
        limits = Dictionary(
            taken.compactMap { stage in
                let most = stage.options.first { $0.key == "maximumObservations" }?.value.integer ?? 0
                return most > 0 ? (stage.id, most) : nil
            }, uniquingKeysWith: min)
        self.isComplete = !taken.isEmpty && taken.allSatisfy(isComplete)
        rates = taken.flatMap { stage in
            [stage.rate] + (traits(stage).retells ? stage.inputs.map { known[$0]?.rate } : [])
        }.compactMap(\.self)
        retold = Dictionary(
            taken.filter { traits($0).retells }.flatMap { stage in
                let least = stage.options.first { $0.key == "minimumConfidence" }?.value.number
                return stage.inputs.map { ($0, least ?? 0) }
            }, uniquingKeysWith: min)
    }

    /// Whether stages behind those that are taken found something in a frame that these don't tell.
    /// - Parameter isListed: Whether the data set has a class.
    /// - Returns: Whether there is any such find, and whether one is as sure as what a thing is begun with.
    func untold(in observations: [Observation], isListed: (String) -> Bool) -> (any: Bool, sure: Bool) {
        var found = (any: false, sure: false)
        guard !retold.isEmpty else { return found }
        let told = observations.filter { stages.contains($0.stage) && $0.isInSight }.compactMap(\.bounds)
        for find in observations {
            // What a rate holds is where it was some pictures ago.
            guard let least = retold[find.stage], find.isInSight, !find.isHeld, let place = find.bounds,
                type(of: find.finding.base).isThing, isListed(find.name),
                !told.contains(where: { $0.intersectionOverUnion(place) >= Self.sameOverlap })
            else { continue }
            found.any = true
            if find.confidence ?? 1 >= least { found.sure = true }
        }
        return found
    }

    /// Whether an observation is of a thing of a stage that is taken.
    func takes(_ observation: Observation) -> Bool {
        stages.contains(observation.stage) && (kinds.isEmpty || kinds.contains(observation.kind))
            && (namesStages || observation.about == nil) && type(of: observation.finding.base).isThing
    }

    func role(of observation: Observation) -> Role {
        guard takes(observation) else { return .none }
        guard observation.isInSight else { return observation.state == .lost ? .lost : .none }
        guard observation.bounds != nil else { return .none }
        if let minimum, let confidence = observation.confidence, confidence < minimum { return .unsure }
        return .thing
    }
}
