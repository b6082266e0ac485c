import Annotate

/// Runs of frames in which a thing has one state.
struct StateRuns {
    private var all: [(first: Int, last: Int, state: String)] = []

    /// The last frame; nil for none.
    var last: Int? { all.last?.last }

    /// Adds a frame behind the last one.
    mutating func add(_ frame: Int, _ observation: Observation) {
        let state = observation.stateName
        if let run = all.last, run.last == frame - 1, run.state == state {
            all[all.count - 1].last = frame
        } else {
            all.append((frame, frame, state))
        }
    }

    /// Writes the runs: `[[first, last, "state"], …]`.
    func write(into json: inout JSONWriter) {
        json.array { json in
            for run in all {
                json.array { json in
                    json.value(run.first)
                    json.value(run.last)
                    json.value(run.state)
                }
            }
        }
    }
}

extension Observation {
    /// Word of its state, also where it is carried over, and where its kind has none.
    var stateName: String { isHeld ? "held" : state?.rawValue ?? "seen" }
}
