/// Whether a job's results are up to date, before it runs, and what is left to be done otherwise.
enum JobFreshness: Sendable {
    /// Up to date: nothing has changed, and what was found then is still what is expected.
    case upToDate(JobOutcome)
    /// What is left to be done follows from the track file: files of other forms, and judgements of expectations.
    /// - because: nil where nothing has changed but what is expected, or what was accepted.
    case toBeReread(JobOutcome, JobTask, because: String?)
    /// Not to be tried again: it crashed the last time, and nothing has changed since.
    case crashes(JobOutcome)
    case outdated(because: String, JobTask)
}

/// Checks whether jobs are up to date, by how they ended the last time.
struct FreshnessCheck: Sendable {
    let folders: ResultFolders
    let earlier: [String: JobOutcome]
    let options: RunOptions
    let cancellation: Cancellation
    /// Whether an input that lies elsewhere counts as what it was: for who tells of jobs, and asks no server.
    let believesReport: Bool

    init(
        _ folders: ResultFolders, earlier: [String: JobOutcome], options: RunOptions, cancellation: Cancellation,
        believesReport: Bool = false
    ) {
        (self.folders, self.earlier, self.believesReport) = (folders, earlier, believesReport)
        (self.options, self.cancellation) = (options, cancellation)
    }

    func freshness(of order: JobOrder) -> JobFreshness {
        if options.force { return .outdated(because: "--force", JobTask()) }
        guard let fingerprint = order.fingerprint else {
            return .outdated(because: "a stream runs each time", JobTask())
        }
        guard var outcome = earlier[order.id] else { return .outdated(because: "new", JobTask()) }
        if outcome.isUnstored || outcome.isUnfetched, outcome.status == .failed {
            outcome.status = outcome.judgements.allSatisfy(\.holds) ? .done : .unexpected
            outcome.failure = nil
        }
        if outcome.isCrash, outcome.fingerprint == fingerprint, !options.retriesCrashed, isTheSame(order, &outcome) {
            outcome.notes = ["not tried again, since nothing has changed (--retry-crashed does)"]
            return .crashes(outcome)
        }
        guard outcome.status.isWhole else {
            return .outdated(because: Self.reason(outcome), reuse(of: outcome, for: order))
        }
        guard outcome.fingerprint == fingerprint else {
            let reason = RecipeChange.describe(from: outcome.recipe, to: order.recipe)
            if let task = otherForms(of: outcome, for: order), isTheSame(order, &outcome) {
                outcome.stamp = order.stamp
                return .toBeReread(outcome, task, because: reason)
            }
            return .outdated(because: reason, reuse(of: outcome, for: order))
        }
        if let reason = whyOutputsDiffer(outcome, order) {
            if let task = otherForms(of: outcome, for: order), isTheSame(order, &outcome) {
                outcome.stamp = order.stamp
                return .toBeReread(outcome, task, because: reason)
            }
            return .outdated(because: reason, reuse(of: outcome, for: order))
        }
        guard isTheSame(order, &outcome) else { return .outdated(because: "the input changed", JobTask()) }
        outcome.stamp = order.stamp
        outcome.isUpToDate = true
        guard outcome.isJudged(as: order) else {
            if let contents = outcome.trackFile, let tracks = order.results.last, !holds(tracks, contents) {
                return .outdated(because: "\(tracks) was changed since", JobTask())
            }
            return .toBeReread(
                outcome, JobTask(kind: .reread, contents: outcome.trackFile, results: []), because: nil)
        }
        outcome.status = outcome.judgements.allSatisfy(\.holds) ? .upToDate : .unexpected
        return .upToDate(outcome)
    }

    private static func reason(_ outcome: JobOutcome) -> String {
        switch outcome.status {
        case .failed: "it failed the last time"
        case .interrupted: "it was interrupted"
        default: "it has not been run"
        }
    }

    /// What a new run can take from the track file of the last one.
    private func reuse(of earlier: JobOutcome, for order: JobOrder) -> JobTask {
        var outcome = earlier
        // A run that was broken off leaves no recipe.
        let isInOrder =
            outcome.recipe != nil
            && !RecipeChange.names(from: outcome.recipe, to: order.recipe).contains(RecipeBook.order)
        let reused = StageRecipe.reusable(order.stages, earlier: outcome.stages, keepsNumbers: isInOrder)
        // It may lie in the other folder, from a time when the manifest had it there.
        let known = outcome.files.filter { $0.hasSuffix(TracksSink.format.suffix) }
        guard let contents = outcome.trackFile, let own = order.results.last, !reused.isEmpty,
            isTheSame(order, &outcome), let tracks = ([own] + known).first(where: { holds($0, contents) })
        else { return JobTask() }
        return JobTask(
            reused: reused, notes: Self.notes(of: reused, in: outcome), contents: contents,
            trackFile: tracks == own ? nil : folders.path(tracks),
            keepsNumbers: isInOrder && reused.count == order.stages.count)
    }

    /// Whether a result has these contents.
    private func holds(_ name: String, _ contents: String) -> Bool {
        folders.holds(name, contents, isCancelled: { cancellation.isCancelled })
    }

    /// The task of writing other forms of the results from the track file, where all that has changed is which of them
    /// are wanted, or how pictures that nobody wants would look. nil where more has changed.
    private func otherForms(of outcome: JobOutcome, for order: JobOrder) -> JobTask? {
        guard let contents = outcome.trackFile, let tracks = order.results.last,
            order.stages.allSatisfy({ outcome.stages[$0.id] == $0.fingerprint })
        else { return nil }
        func isThere(_ name: String) -> Bool {
            outcome.outputs.contains {
                $0.file == name && folders.size(name) == $0.bytes
            }
        }
        let changes = RecipeChange.names(from: outcome.recipe, to: order.recipe).subtracting(["output.formats"])
        // What is covered stands in the track file.
        let isDrawing = { (name: String) in
            let words = name.split(separator: ".")
            return words.first == "encode"
                || words.first == "stages" && words.contains("draw") && words.last != "cover"
                    && words.last != "coverGap" && words.last != "coverShape"
        }
        guard holds(tracks, contents), changes.allSatisfy({ isDrawing($0) && !order.hasVideo }) else { return nil }
        // A form may show how things are drawn.
        let missing = order.results.filter { $0 != tracks && (!changes.isEmpty || !isThere($0)) }
        guard !missing.contains(where: { order.hasVideo && $0 == order.results.first }) else { return nil }
        return JobTask(
            kind: .reread, reused: order.stages.map(\.id),
            notes: Self.notes(of: order.stages.map(\.id), in: outcome), contents: contents, results: missing)
    }

    private static func notes(of stages: [String], in outcome: JobOutcome) -> [String] {
        outcome.notes.filter { note in stages.contains { note.hasPrefix(JobRunner.mark(of: $0)) } }
    }

    private func whyOutputsDiffer(_ outcome: JobOutcome, _ order: JobOrder) -> String? {
        let files = outcome.outputs
        if let more = order.results.first(where: { name in !files.contains { $0.file == name } }) {
            return "there is no \(more) yet"
        }
        if files.count > order.results.count { return "it writes fewer files than before" }
        for output in files {
            guard let size = folders.size(output.file) else {
                return "\(output.file) is missing"
            }
            if size != output.bytes { return "\(output.file) was changed since" }
        }
        return nil
    }

    /// Whether the input is what it was: by its place, size and age, or else by its contents.
    private func isTheSame(_ order: JobOrder, _ outcome: inout JobOutcome) -> Bool {
        if let stamp = order.stamp, outcome.stamp == stamp { return true }
        if believesReport, let address = order.address { return isTheSame(address, outcome) }
        let files = MediaInput(path: order.input).files
        guard let contents = outcome.contents, let size = ContentHash.size(contents),
            files.reduce(0, { $0 + (Files.status($1)?.size ?? 0) }) == size,
            let now = try? ContentHash.of(files, isCancelled: { cancellation.isCancelled })
        else { return false }
        return now == contents
    }

    /// Whether an input that lies elsewhere is what it was, as far as that is known here: it has the same address, and where
    /// its server had an entity tag, that is the one that it was read with.
    private func isTheSame(_ address: RemoteAddress, _ outcome: JobOutcome) -> Bool {
        guard outcome.address == address.shown else { return false }
        return outcome.etag.map { outcome.stamp == FetchedJob.stamp(of: address, $0) } ?? (outcome.contents != nil)
    }
}

/// The change from one recipe to another, for people.
enum RecipeChange {
    /// The most changes that are told one by one.
    private static let mostTold = 3

    static func describe(from old: String?, to new: String?) -> String {
        let (old, new) = (parts(of: old), parts(of: new))
        guard !old.isEmpty else { return "what it depends on changed" }
        var changes: [String] = []
        for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] && name != RecipeBook.covers {
            // A stage that comes or goes has a type that does; its options say no more.
            let type = name.split(separator: ".").prefix(2).joined(separator: ".") + ".type"
            if name == RecipeBook.order, stagesCameOrWent(old, new) { continue }
            if name.hasPrefix("stages."), name != type, (old[type] == nil) != (new[type] == nil) { continue }
            let change = sentence(name, old[name], new[name])
            if !changes.contains(change) { changes.append(change) }
        }
        // It comes and goes with covers, which are told themselves.
        if changes.isEmpty, old[RecipeBook.covers] != new[RecipeBook.covers] {
            return "the way in which things are hidden changed"
        }
        let more = changes.count > mostTold ? ", and \(changes.count - mostTold) more" : ""
        return changes.isEmpty
            ? "what it depends on changed" : changes.prefix(mostTold).joined(separator: ", ") + more
    }

    /// Names of the parts that differ.
    static func names(from old: String?, to new: String?) -> Set<String> {
        let (old, new) = (parts(of: old), parts(of: new))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    }

    private static func stagesCameOrWent(_ old: [String: String], _ new: [String: String]) -> Bool {
        func stages(_ parts: [String: String]) -> Set<String> {
            Set(parts.keys.filter { $0.hasPrefix("stages.") && $0.hasSuffix(".type") })
        }
        return stages(old) != stages(new)
    }

    private static func parts(of text: String?) -> [String: String] {
        // A report that somebody changed tells nothing.
        guard let text, let members = (try? JSONParser.parse(Array(text.utf8)))?.members else { return [:] }
        return Dictionary(members.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
    }

    private static func sentence(_ name: String, _ old: String?, _ new: String?) -> String {
        let words = name.split(separator: ".", maxSplits: 2).map(String.init)
        let what =
            switch words.first {
            case "program": "the program"
            case "stages" where words.count == 3 && words[2] == "type": "stage “\(words[1])”"
            case "stages" where words.count == 3 && words[2].hasPrefix("draw."): "“\(words[2])” of stage “\(words[1])”"
            case "stages" where words.count == 3 && words[2] == "draw": "the drawing of stage “\(words[1])”"
            case "stages" where words.count == 1: "the order of the stages"
            case "stages" where words.count == 3 && isFile(old, new): "\(words[2]) of stage “\(words[1])”"
            case "stages" where words.count == 3: "option “\(words[2])” of stage “\(words[1])”"
            case "camera": "the camera"
            default: "“\(name)”"
            }
        let (before, now) = (old.flatMap(shown), new.flatMap(shown))
        switch (old, new) {
        case (nil, _): return "\(what) is new" + (now.map { " (\($0))" } ?? "")
        case (_, nil): return "\(what) is gone" + (before.map { " (was \($0))" } ?? "")
        default:
            guard let before, let now else { return "\(what) changed" }
            return "\(what) changed (\(before) → \(now))"
        }
    }

    private static func isFile(_ old: String?, _ new: String?) -> Bool { (new ?? old)?.hasPrefix("@") ?? false }

    /// A value that isn't a hash.
    private static func shown(_ value: String) -> String? {
        value.hasPrefix("@") || value.hasPrefix("#") ? nil : value
    }
}
