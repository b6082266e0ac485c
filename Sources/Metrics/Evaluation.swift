package import Annotate
import Stages

/// What results are held against a truth for.
package struct MetricRequest: Sendable {
    /// Ids of the stages that are judged; all that give what the truth tells of where it is empty.
    package var stages: [String] = []
    /// Names of a MOT truth's classes, from 1.
    package var classes: [String] = []
    /// What is less sure counts as not found, 0…1.
    package var minimumConfidence = 0.0

    package init() {}
}

/// Results held against the truth: figures by stage, clip and class, and what is missed and false.
package struct Evaluation: Sendable {
    /// Figures of one stage.
    package struct Stage: Sendable {
        package var id: String
        /// What it gives: `object` for whatever is found, followed or imported.
        package var kind: String
        package var all: MetricFigures
        /// Figures of each class, by their names; none where things have no classes.
        package var classes: [(name: String, figures: MetricFigures)]
        /// Figures of each clip, in the order of their names.
        package var clips: [(name: String, figures: MetricFigures, classes: [(name: String, figures: MetricFigures)])]
        /// What is missed and false, the worst first.
        package var faults: [Fault]
    }

    package let truth: String
    package let results: String
    package let stages: [Stage]
    /// Sentences about what was left out.
    package let notes: [String]
    /// Sentences about what can't be judged.
    package let failures: [String]

    /// The list of classes beside a truth that is a file, which is read with it; nil for none.
    package static func classes(beside truth: String) -> String? { AnnotationFile.labels(beside: truth) }

    /// - Throws: `FileError` where nothing can be judged.
    package init(truth: String, results: String, _ request: MetricRequest, kinds: FindingCatalog) throws {
        (self.truth, self.results) = (truth, results)
        let (all, withoutTruth, withoutResults) = try ClipPair.find(truth: truth, results: results, kinds: kinds)
        var files: [String: Int] = [:]
        let pairs = all.map { pair in
            var pair = pair
            pair.truth.file = files[pair.truth.path] ?? files.count
            files[pair.truth.path] = pair.truth.file
            return pair
        }
        let found = try parallelMap(pairs.count, threads: Machine.cores) {
            index -> Result<ClipTallies, SentenceError> in
            do {
                return .success(try ClipTallies(pairs[index], request, kinds: kinds))
            } catch {
                return .failure(SentenceError("\(error)"))
            }
        }
        var failures: [String] = []
        var clips: [(name: String, tallies: ClipTallies)] = []
        for (pair, result) in zip(pairs, found) {
            switch result {
            case .success(let tallies): clips.append((pair.name, tallies))
            case .failure(let error): failures.append(error.sentence)
            }
        }
        failures += withoutResults.map { "\(truth): no results of “\($0.inOneLine)”" }
        var notes = clips.flatMap(\.tallies.notes)
        if !withoutTruth.isEmpty {
            notes.append("no truth about, and left out: \(withoutTruth.map(\.inOneLine).joined(separator: ", "))")
        }
        let nameless = clips.reduce(into: Set<Int>()) { $0.formUnion($1.tallies.namelessClasses) }.sorted()
        if nameless.count > 1 {
            let told = nameless.prefix(12).map(String.init).joined(separator: ", ") + (nameless.count > 12 ? ", …" : "")
            notes.append(
                "\(truth): its classes \(told) have no names: all its things are judged as one class; --classes names them, a line "
                    + "each from 1")
        }
        // What a stage could give and never did counts where it is all that it has to give.
        let keys = Set(
            clips.flatMap { clip in clip.tallies.stages.filter { $0.value.hasThings || $0.value.isAll }.map(\.key) }
        ).sorted()
        let summaries = keys.map { StageSums($0, clips) }
        if keys.isEmpty, !clips.isEmpty {
            failures.append(
                request.stages.isEmpty
                    ? "\(results): no stage gives what \(truth) tells of; expected results of its kinds, or another truth"
                    : "\(results): no stage “\(request.stages.joined(separator: "”, “"))” gives what \(truth) tells of")
        }
        for sums in summaries { notes += sums.notes }
        stages = summaries.map(\.stage)
        (self.notes, self.failures) = (notes, failures)
    }
}

/// An error that is a sentence.
struct SentenceError: Error {
    var sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}

/// One stage's tallies of all clips, put together.
private struct StageSums {
    let stage: Evaluation.Stage
    let notes: [String]

    init(_ key: ClipTallies.Stage, _ clips: [(name: String, tallies: ClipTallies)]) {
        let own = clips.compactMap { clip in clip.tallies.stages[key].map { (name: clip.name, tallies: $0) } }
        let isTracked = clips.contains { $0.tallies.truthHasTracks } && own.contains { $0.tallies.hasTracks }
        let truthHasLabels = clips.contains { $0.tallies.truthHasLabels }
        let hasLabels = own.contains { $0.tallies.hasLabels } || !own.contains { $0.tallies.hasThings }
        let isByClass = truthHasLabels && hasLabels
        let names = isByClass ? clips.reduce(into: Set<String>()) { $0.formUnion($1.tallies.classes) }.sorted() : []
        var notes: [String] = []
        if truthHasLabels, !hasLabels { notes.append("“\(key.stage)” names no classes: all things are judged as one") }
        if isByClass {
            let others = own.reduce(into: [String: Int]()) { counts, clip in
                for (name, tally) in clip.tallies.classes where !names.contains(name) {
                    counts[name, default: 0] += tally.detection.entries.count
                }
            }.filter { $0.value > 0 }
            if !others.isEmpty {
                let told = others.keys.sorted().prefix(6).map { $0.isEmpty ? "without a class" : $0 }.joined(
                    separator: ", ")
                let count = others.values.reduce(0, +)
                notes.append(
                    "“\(key.stage)”: \(count) results of classes that the truth doesn’t know are left out (\(told.inOneLine)"
                        + "\(others.count > 6 ? ", …" : ""))")
            }
        }
        func tally(_ clip: ClipTallies.StageTallies, _ name: String?) -> ClassTally {
            name.map { clip.classes[$0] ?? .ofNothing } ?? clip.asOne
        }
        func figures(_ tallies: [ClassTally]) -> MetricFigures { MetricFigures(tallies, isTracked: isTracked) }
        let order: [String?] = isByClass ? names : [nil]
        let byClass = order.map { name in
            own.reduce(into: ClassTally()) { $0.add(tally($1.tallies, name)) }
        }
        let classes = isByClass ? zip(names, byClass).map { ($0, figures([$1])) } : []
        let perClip = own.map { clip -> (String, MetricFigures, [(name: String, figures: MetricFigures)]) in
            let tallies = order.map { tally(clip.tallies, $0) }
            return (clip.name, figures(tallies), isByClass ? zip(names, tallies).map { ($0, figures([$1])) } : [])
        }
        let known = Set(names)
        let faults = own.flatMap { clip in
            isByClass ? clip.tallies.faults.filter { known.contains($0.label ?? "") } : clip.tallies.faultsAsOne
        }
        stage = Evaluation.Stage(
            id: key.stage, kind: key.group, all: figures(byClass), classes: classes, clips: perClip,
            faults: Self.worst(faults))
        self.notes = notes
    }

    /// The longest first, of those as long the surest; then by place.
    private static func worst(_ faults: [Fault]) -> [Fault] {
        faults.sorted { a, b in
            if a.count != b.count { return a.count > b.count }
            if a.confidence ?? 1 != b.confidence ?? 1 { return a.confidence ?? 1 > b.confidence ?? 1 }
            return (a.clip, a.first, a.what.rawValue, a.box.x) < (b.clip, b.first, b.what.rawValue, b.box.x)
        }
    }
}
