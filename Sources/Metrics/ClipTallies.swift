import Annotate

/// What one clip's results come to, by stage and class.
struct ClipTallies: Sendable {
    /// A stage's results of one group of kinds.
    struct Stage: Hashable, Comparable, Sendable {
        var stage: String
        var group: String

        static func < (a: Stage, b: Stage) -> Bool { (a.stage, a.group) < (b.stage, b.group) }
    }

    struct StageTallies: Sendable {
        /// By the class's name; "" for things without one.
        var classes: [String: ClassTally] = [:]
        var faults: [Fault] = []
        var hasTracks = false
        var hasLabels = false
        var hasThings = false
        /// Whether the stage gives nothing else.
        var isAll = false
        /// Things without classes: all as one.
        var asOne = ClassTally()
        var faultsAsOne: [Fault] = []
    }

    private(set) var stages: [Stage: StageTallies] = [:]
    /// Classes that the truth has, by group of kinds; "" under a name that stands for all groups.
    private(set) var classes: Set<String> = []
    /// Numbers of the truth's classes that nobody gave names.
    let namelessClasses: Set<Int>
    private(set) var truthHasTracks = false
    private(set) var truthHasLabels = false
    private(set) var notes: [String] = []

    /// - Throws: A sentence that says what can't be read or isn't of one another.
    init(_ pair: ClipPair, _ request: MetricRequest, kinds: FindingCatalog) throws {
        let results = try TrackFileThings(pair.results, kinds: kinds, minimumConfidence: request.minimumConfidence)
        let truth = try TruthClip(pair.truth, classes: request.classes, size: results.size, kinds: kinds)
        if let size = truth.size, size != results.size {
            throw FileError(
                "judge", path: pair.results,
                reason:
                    "its pictures have \(results.size.width) × \(results.size.height) pixels, and those of \(pair.truth.path) "
                    + "\(size.width) × \(size.height); expected the truth about this clip")
        }
        namelessClasses = truth.namelessClasses
        notes = truth.notes.map { "\(pair.truth.path): \($0)" }
        var frames = truth.listed ?? Set(truth.frames.keys).union(results.frames.keys)
        if let range = results.range {
            let count = frames.count
            frames = frames.filter(range.contains)
            if frames.count < count {
                notes.append("\(pair.name): \(count - frames.count) frames of the truth lie outside of the job’s range")
            }
        }
        if let listed = truth.listed, listed.isDisjoint(with: results.frames.keys), !listed.isEmpty {
            throw FileError(
                "judge", path: pair.results, reason: "it has none of the frames that \(pair.truth.path) tells of")
        }
        let absent = frames.count { results.frames[$0] == nil && !(truth.frames[$0] ?? []).isEmpty }
        if absent > 0 {
            notes.append(
                "\(pair.name.inOneLine): the truth tells of things in \(absent) frame\(absent == 1 ? "" : "s") that the results "
                    + "haven't; they count as missed")
        }
        classes = Set(truth.classes ?? [])
        let groups = Set(truth.frames.values.joined().compactMap { $0.source?.group })
        for source in results.sources
        where request.stages.isEmpty || request.stages.contains(source.stage) {
            // A truth of another program's may be of anything.
            guard groups.isEmpty || groups.contains(source.group) else { continue }
            let key = Stage(stage: source.stage, group: source.group)
            guard stages[key] == nil else { continue }
            judge(pair, truth, results, key, frames.sorted(), isOurs: !groups.isEmpty)
            stages[key]?.isAll = results.sources.allSatisfy { $0.stage != key.stage || $0.group == key.group }
        }
    }

    private mutating func judge(
        _ pair: ClipPair, _ truth: TruthClip, _ results: TrackFileThings, _ key: Stage, _ frames: [Int], isOurs: Bool
    ) {
        // What the stage of the same id says in the truth is its truth, where there is such a stage.
        let isNamed = truth.stages.contains(key.stage)
        let skeleton =
            truth.skeleton ?? truth.skeletons.first {
                $0.key.group == key.group && (!isNamed || $0.key.stage == key.stage)
            }?.value
            ?? results.skeletons.first { $0.key.stage == key.stage && $0.key.group == key.group }?.value
        var judged: [(frame: Int, truth: [JudgedThing], found: [JudgedThing])] = []
        var tallies = StageTallies()
        for frame in frames {
            let things = (truth.frames[frame] ?? []).filter { one in
                guard isOurs, let source = one.source else { return !isOurs }
                return source.group == key.group && (!isNamed || source.stage == key.stage)
            }.map(\.thing)
            let found = (results.frames[frame] ?? []).filter {
                $0.source.stage == key.stage && $0.source.group == key.group
            }
            .map(\.thing)
            judged.append((frame, things, found))
            for thing in things {
                if thing.track != nil { truthHasTracks = true }
                if let label = thing.label {
                    truthHasLabels = true
                    classes.insert(label)
                }
            }
            for thing in found {
                tallies.hasThings = true
                if thing.track != nil { tallies.hasTracks = true }
                if thing.label != nil { tallies.hasLabels = true }
            }
        }
        func image(_ frame: Int) -> JudgedImage { JudgedImage(file: pair.truth.file, id: truth.images[frame] ?? 0) }
        let labels = Set(judged.flatMap { ($0.truth + $0.found).map { $0.label ?? "" } })
        for label in labels.sorted() {
            let frames = judged.map { frame in
                JudgedFrame(
                    frame: frame.frame, image: image(frame.frame),
                    truth: frame.truth.filter { ($0.label ?? "") == label },
                    found: frame.found.filter { ($0.label ?? "") == label })
            }
            tallies.classes[label] = Self.tally(frames, pair, key.stage, skeleton, &tallies.faults)
        }
        if labels.count > 1 || !labels.contains("") {
            let frames = judged.map {
                JudgedFrame(
                    frame: $0.frame, image: image($0.frame), truth: $0.truth, found: $0.found)
            }
            tallies.asOne = Self.tally(frames, pair, key.stage, skeleton, &tallies.faultsAsOne)
        } else {
            (tallies.asOne, tallies.faultsAsOne) = (tallies.classes[""] ?? ClassTally(), tallies.faults)
        }
        stages[key] = tallies
    }

    private static func tally(
        _ frames: [JudgedFrame], _ pair: ClipPair, _ stage: String, _ skeleton: Skeleton?, _ faults: inout [Fault]
    ) -> ClassTally {
        var (tally, runs) = (ClassTally(), FaultRuns())
        var before: Int?
        for frame in frames {
            let wrong = tally.detection.add(frame, skeleton)
            for (what, things) in [
                (Fault.What.missed, wrong.missed.map { frame.truth[$0] }),
                (.wrong, wrong.wrong.map { frame.found[$0] }),
            ] {
                runs.add(things, what, frame: frame.frame, before: before, of: pair, stage: stage)
            }
            before = frame.frame
        }
        runs.end()
        faults += runs.all
        let clip = TrackedClip(frames)
        tally.clear = ClearTally(clip)
        tally.identity = IdentityTally(clip)
        tally.higherOrder = HigherOrderTally(clip)
        return tally
    }
}
