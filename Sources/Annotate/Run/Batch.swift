/// An order for a job: what it reads and writes, and its own JSON, from which another process makes the job.
public struct JobOrder: Record {
    /// The job's id.
    public var id = ""
    /// A path that can be opened, with `%04d` for numbered pictures, or `-` for standard input.
    public var input = ""
    /// Files that it writes, from the output folder, the track file last: with it the job is whole.
    public var results: [String] = []
    /// Hash of all that the results depend on besides the input; nil for a stream.
    var fingerprint: String?
    /// What the results depend on besides the input, by name, as a JSON object of short texts.
    var recipe: String?
    /// The codec's word.
    var codec: String?
    /// Whether the first of the results is a video.
    var hasVideo = false
    /// For each stage, inputs first, what its results depend on.
    var stages: [StageRecipe] = []
    /// Hash of the input's path, size and age: while it is the same, the contents are.
    var stamp: String?
    /// The input's entity tag, where it lies elsewhere and its server has one.
    var etag: String?
    /// Time of the last change of the youngest file that it depends on, nanoseconds since 1970.
    var modified = 0
    /// Files that it depends on besides its input and the manifest: paths that can be opened.
    public var dependencies: [String] = []
    /// Warnings about it before it runs.
    public var warnings: [String] = []
    /// Why it can't run: a file of its graph that couldn't be opened; nil where it can.
    var obstacle: String?
    /// The expectations, as JSON; nil for none.
    public var expect: String?
    /// Files that its results are held against, and those with what may differ: paths that can be opened.
    var accepted: [String] = []
    /// Hash of the places, sizes and ages of these; nil for none.
    var acceptedStamp: String?
    /// Line of the manifest with the job, from 1.
    public var line = 0
    /// Lines of the manifest with the expectations, from 1.
    public var expectLines: [Int] = []
    /// The manifest's entry, as JSON.
    var entry = ""
    /// The graph, as JSON.
    var graph = ""

    public init() {}

    /// Where the input lies elsewhere; nil for a file, a stream and pictures.
    var address: RemoteAddress? { RemoteAddress(input) }

    /// Fingerprints of what each stage's results depend on, by its id.
    var stageFingerprints: [String: String] {
        Dictionary(stages.map { ($0.id, $0.fingerprint) }, uniquingKeysWith: { $1 })
    }

    public static let fields: [Field<JobOrder>] = [
        Field("id", \.id, .text(), doc: "The job's id."), Field("input", \.input, .text(), doc: "What it reads."),
        Field("results", \.results, .list(.text()), doc: "What it writes."),
        Field("fingerprint", \.fingerprint, .text(), doc: "Of all that the results depend on."),
        Field("recipe", \.recipe, .text(), doc: "The same by name, as JSON."),
        Field("codec", \.codec, .text(), doc: "The codec's word."),
        Field("hasVideo", \.hasVideo, .flag, doc: "Whether the first result is a video."),
        Field("stages", \.stages, .list(.record(doc: "A stage.")), doc: "What each stage's results depend on."),
        Field("stamp", \.stamp, .text(), doc: "Of the input's place, size and age."),
        Field("modified", \.modified, .integer(), unit: "ns", doc: "The youngest file's time."),
        Field("dependencies", \.dependencies, .list(.text()), doc: "Files besides input and manifest."),
        Field("warnings", \.warnings, .list(.text()), doc: "What a user should know."),
        Field("obstacle", \.obstacle, .text(), doc: "Why it can't run."),
        Field("expect", \.expect, .text(), doc: "The expectations, as JSON."),
        Field("accepted", \.accepted, .list(.text()), doc: "What results are held against."),
        Field("acceptedStamp", \.acceptedStamp, .text(), doc: "Of the place, size and age of these."),
        Field("line", \.line, .integer(), doc: "Of the manifest."),
        Field("expectLines", \.expectLines, .list(.integer()), doc: "The same of each expectation."),
        Field("entry", \.entry, .text(), doc: "The manifest's entry, as JSON."),
        Field("graph", \.graph, .text(), doc: "The graph, as JSON."),
    ]
}

/// The jobs of a manifest that has been read and validated, to be handed out.
public struct Batch: Sendable {
    /// The manifest's path as the user gave it.
    public var manifest: String
    /// The folders of results.
    public var output: OutputPlaces
    /// Words of `output.formats`.
    var formats: [String] = []
    /// The data set of all jobs; nil for none.
    public var dataSet: DataSetOptions?
    /// The jobs, in the manifest's order.
    public var jobs: [JobOrder]
    /// Remarks on the manifest before anything runs.
    var remarks: [String] = []
    /// The manifest's command that fetches inputs that lie elsewhere; nil for none.
    public var fetch: [String]?
    /// The same that stores results elsewhere.
    public var store: [String]?
    /// The address to which results go besides; nil for none.
    public var address: String?
    /// The part of the jobs that is run here; nil for all.
    public var shard: Shard?
    /// Networks of its jobs that have been compiled ahead.
    var compiled: [CompiledModel] = []

    /// The output folder.
    public var directory: String { output.directory }

    /// The name of the file that says how each job ended.
    var report: String { shard?.reportName ?? Manifest.reportName }

    /// The file that writing to a path would replace: the manifest, or something that a job reads or writes; nil for
    /// none of these.
    public func overwritten(by path: String) -> String? {
        guard let file = Files.identity(path) else { return nil }
        func isIt(_ other: String) -> Bool { Files.identity(other) == file }
        if isIt(manifest) { return "the manifest" }
        for job in jobs {
            if MediaInput(path: job.input).files.contains(where: isIt) { return "the input of “\(job.id)”" }
            if let other = job.dependencies.first(where: isIt) { return "\(other), which “\(job.id)” needs" }
            if let other = job.accepted.first(where: isIt) { return "\(other), which “\(job.id)” is held against" }
            if job.results.contains(where: { isIt(output.path($0)) }) { return "a result of “\(job.id)”" }
        }
        return isIt("\(directory)/\(report)") ? "the report" : nil
    }

    /// Folders that the manifest doesn't name, or no longer, in which earlier runs of its jobs wrote: each with the first
    /// such file's name. Nothing there is looked at.
    public func resultsElsewhere(_ earlier: [String: JobOutcome]) -> [(folder: String, file: String)] {
        var found: [String: String] = [:]
        for job in jobs {
            for place in earlier[job.id]?.elsewhere ?? [] where found[Files.parent(of: place)] == nil {
                found[Files.parent(of: place)] = Files.name(of: place)
            }
        }
        return found.sorted { $0.key < $1.key }.map { (directory + "/" + $0.key, $0.value) }
    }

    /// Warnings before anything runs.
    /// - Parameter only: Ids of jobs; nil for all.
    public func warnings(of only: Set<String>? = nil) -> [String] {
        var warnings = BatchWarnings()
        for job in jobs where only?.contains(job.id) ?? true { warnings.add(job.warnings, of: job.id) }
        return remarks + warnings.sentences
    }
}

extension Batch {
    /// The jobs of a manifest.
    /// - Parameters:
    ///   - manifest: One that has been read.
    ///   - generator: The program and its version, on which results depend too.
    public init(_ manifest: Manifest, generator: String) {
        self.init(manifest, generator: generator, attention: PlanAttention())
    }

    /// - Parameter attention: Told of the files whose contents are taken.
    init(_ manifest: Manifest, generator: String, attention: PlanAttention) {
        self.init(
            manifest: manifest.file, output: manifest.output, formats: manifest.formats, dataSet: manifest.dataSet,
            jobs: [], remarks: manifest.remarks, fetch: manifest.fetch, store: manifest.store,
            address: manifest.address)
        let recipes = RecipeBook(generator: generator, attention: attention)
        jobs = manifest.jobs.map { JobOrder($0, recipe: recipes.recipe(of: $0)) }

    }
}

extension JobOrder {
    init(_ job: Job, recipe: RecipeBook.Recipe) {
        (id, input) = (job.id, job.input)
        (results, hasVideo) = (job.places, job.video != nil)
        (entry, graph, codec) = (job.entry, job.graphText, job.encode.codec.rawValue)
        warnings = job.warnings
        expect = Self.text(job.expectations)
        (line, expectLines) = (job.lines.job, job.lines.expectations)
        accepted = job.accepted.compactMap(\.self).flatMap { $0.files(of: job.id) }
        if !accepted.isEmpty { acceptedStamp = Self.stamp(of: accepted, []).0 }
        dependencies = recipe.files
        obstacle = job.graph.skippedSubject
        let source = MediaInput(path: job.input)
        // What results depend on isn't known where something wasn't looked at.
        if source == .standardInput || obstacle != nil { return }
        (self.recipe, stages) = (recipe.text, recipe.stages)
        fingerprint = SHA256.hash(Array(recipe.text.utf8))
        (stamp, modified) = Self.stamp(of: address == nil ? source.files : [], recipe.files)
        // What lies elsewhere is known when it has been fetched.
        if address != nil { stamp = nil }
    }

    private static func text(_ expectations: [Expectation]) -> String? {
        guard !expectations.isEmpty else { return nil }
        var json = JSONWriter()
        json.array { json in for expectation in expectations { expectation.write(into: &json) } }
        return json.text
    }

    /// - Returns: A hash of where the input is, how large, and how old, and when the youngest file was changed.
    static func stamp(of input: [String], _ others: [String]) -> (String, Int) {
        var json = JSONWriter()
        var youngest = 0
        json.array { json in
            for file in input {
                let status = Files.status(file)
                json.value(Files.canonical(file))
                json.value(status?.size ?? 0)
                json.value(status?.modified ?? 0)
                // A file may be given another's time.
                let generation = Files.generation(file)
                json.value(generation.inode)
                json.value(generation.changed)
                youngest = max(youngest, Int(status?.modified ?? 0))
            }
        }
        for file in others { youngest = max(youngest, Int(Files.status(file)?.modified ?? 0)) }
        return (SHA256.hash(json.bytes), youngest)
    }
}
