/// Gives tracks their numbers: from 1, unique in the file, in order of confirmation; without gaps, but for those that bring
/// their numbers along.
///
/// Stages count for themselves, on several threads; numbers are given here, where frames are in order again, so that
/// they don't depend on the schedule.
public struct TrackNumbering {
    private var numbers: [TrackReference: Int] = [:]
    /// For numbers that tracks have already: the stage of those tracks.
    private let keepers: [Int: String]
    private var last = 0

    /// The numbering of one file's tracks.
    /// - Parameter kept: Stages whose tracks have numbers already; of several that want one, the first gets it.
    public init(keeping kept: [(stage: String, numbers: Set<Int>)] = []) {
        var keepers: [Int: String] = [:]
        for (stage, numbers) in kept {
            for number in numbers where number > 0 { keepers[number] = keepers[number] ?? stage }
        }
        self.keepers = keepers
    }

    /// An observation with the file's numbers of its tracks. Call in the frames' order, within a frame in the stages'.
    ///
    /// A track that it is about and that nobody has reported so far is none.
    public mutating func number(_ observation: Observation) -> Observation {
        var numbered = observation
        numbered.track?.number = observation.track.map { number($0) } ?? 0
        numbered.about = observation.about.flatMap { about in
            numbers[about].map { TrackReference(stage: about.stage, number: $0) }
        }
        return numbered
    }

    private mutating func number(_ track: TrackReference) -> Int {
        if let number = numbers[track] { return number }
        var number = track.number
        if keepers[number] != track.stage {
            repeat { last += 1 } while keepers[last] != nil
            number = last
        }
        numbers[track] = number
        return number
    }
}
