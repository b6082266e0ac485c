/// Which classes the stages of a data set's clips can give: a picture in which they found nothing is without these, and nobody
/// knows whether it is without others.
struct ClassReach {
    /// What a stage can give.
    struct Source {
        /// What is the same for stages that give the same, in whichever clips.
        var key: String
        /// The same of stages that somebody calls alike: each clip may have a file of its own there.
        var name: String
        /// Names that it says it gives; nil where it says none.
        var names: Set<String>?
        /// Kinds that it emits, which are the names of things without a label.
        var kinds: Set<String>
        /// Whether somebody says that all of its sort is among its results.
        var isSaid: Bool
    }

    /// Names of things that came, by the keys of their stages.
    private var seen: [String: Set<String>] = [:]
    /// Names of all things that came.
    private var all: Set<String> = []

    /// Takes what a clip's stages gave.
    /// - Parameter names: Of things, by their stages' ids.
    mutating func add(_ sources: [String: Source], _ names: [String: Set<String>]) {
        for (stage, names) in names {
            all.formUnion(names)
            guard let source = sources[stage] else { continue }
            for key in [source.key, source.name] { seen[key, default: []].formUnion(names) }
        }
    }

    /// Whether stages look for every class of a list.
    func covers(_ classes: ClassList, _ sources: [String: Source]) -> Bool {
        missing(classes, sources).isEmpty
    }

    /// The classes of a list that no stage looks for.
    func missing(_ classes: ClassList, _ sources: [String: Source]) -> [String] {
        classes.names.filter { name in !sources.values.contains { gives($0, name) } }
    }

    private func gives(_ source: Source, _ name: String) -> Bool {
        if let names = source.names { return names.contains(name) }
        if source.kinds.contains(name) || seen[source.key]?.contains(name) ?? false { return true }
        // Who says that everything is marked means what such stages give, and also what there isn't anywhere.
        return source.isSaid && (seen[source.name]?.contains(name) ?? false || !all.contains(name))
    }
}

extension ClassReach {
    /// What the stages of a track file can give, by their ids.
    /// - Parameters:
    ///   - complete: Ids of stages that are said to be complete, besides those of which the header says so.
    ///   - catalog: What stages of each type emit, and whether they tell of their inputs' things again.
    static func sources(
        of header: TrackFileHeader, complete: [String], _ catalog: FindingCatalog
    ) -> [String: Source] {
        var sources: [String: Source] = [:]
        // Inputs come first.
        for stage in header.stages {
            let inputs = stage.inputs.compactMap { sources[$0] }
            let retells = catalog.traits[stage.type]?.retells ?? false
            var source = Source(
                key: "", name: "\(stage.type)\n\(stage.id)", names: names(of: stage),
                kinds: Set((catalog.kinds(of: stage.type) ?? []).map { $0.kind }),
                isSaid: complete.contains(stage.id) || stage.isComplete == true)
            if retells, !inputs.isEmpty {
                let given = inputs.compactMap(\.names)
                if source.names == nil, given.count == inputs.count { source.names = given.reduce([]) { $0.union($1) } }
                source.isSaid = source.isSaid || inputs.allSatisfy(\.isSaid)
            }
            source.key = text(of: stage) + inputs.map { "\n" + $0.key }.joined()
            sources[stage.id] = source
        }
        return sources
    }

    private static func names(of stage: TrackFileHeader.Stage) -> Set<String>? {
        stage.details.first { $0.key == TrackFileHeader.Stage.gives }.map {
            Set(($0.value.elements ?? []).compactMap(\.string))
        }
    }

    private static func text(of stage: TrackFileHeader.Stage) -> String {
        var json = JSONWriter()
        json.value(.object(stage.options + stage.details))
        return stage.type + json.text
    }
}
