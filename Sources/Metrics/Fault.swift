package import Annotate

/// A fault: a thing that was missed, or found where nothing is, over a run of frames.
package struct Fault: Sendable {
    /// Whether something wasn't found, or something was found where nothing is.
    package enum What: String, Sendable { case missed, wrong = "false" }

    package var what: What
    package var clip: String
    /// Path of the clip's track file.
    package var results: String
    package var stage: String
    package var label: String?
    /// Its track, in the truth or in the results; nil for none.
    package var track: Int?
    package var first: Int
    package var last: Int
    /// Its box in the run's middle, pixels, and in which frame that is.
    package var box: Box
    package var shown: Int
    /// The largest confidence; nil for what was missed.
    package var confidence: Double?

    /// How many frames it has.
    package var count: Int { last - first + 1 }
}

/// Gathers faults of one clip and class into runs.
struct FaultRuns {
    private struct Run {
        var fault: Fault
        var boxes: [Box] = []
        var frames: [Int] = []
    }

    private var open: [Run] = []
    private(set) var all: [Fault] = []

    mutating func add(
        _ things: [JudgedThing], _ what: Fault.What, frame: Int, before: Int?, of clip: ClipPair, stage: String
    ) {
        var going: [Run] = []
        for thing in things {
            let index = open.firstIndex { run in
                guard run.fault.what == what, run.fault.last == before, let last = run.boxes.last else { return false }
                return thing.track == nil && run.fault.track == nil
                    ? last.intersectionOverUnion(thing.box) > 0.5 : run.fault.track == thing.track
            }
            var run =
                index.map { open.remove(at: $0) }
                ?? Run(
                    fault: Fault(
                        what: what, clip: clip.name, results: clip.results, stage: stage, label: thing.label,
                        track: thing.track, first: frame, last: frame, box: thing.box, shown: frame))
            run.fault.last = frame
            if what == .wrong { run.fault.confidence = max(run.fault.confidence ?? 0, thing.confidence) }
            run.boxes.append(thing.box)
            run.frames.append(frame)
            going.append(run)
        }
        let (others, ended) = (open.filter { $0.fault.what != what }, open.filter { $0.fault.what == what })
        close(ended)
        open = others + going
    }

    mutating func end() {
        close(open)
        open = []
    }

    private mutating func close(_ runs: [Run]) {
        for run in runs {
            var fault = run.fault
            let middle = run.boxes.count / 2
            (fault.box, fault.shown) = (run.boxes[middle], run.frames[middle])
            all.append(fault)
        }
    }
}
