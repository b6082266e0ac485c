/// Gives tracks their numbers: from 1, unique in the file, without gaps, in order of confirmation.
///
/// Stages count for themselves, on several threads; numbers are given here, where frames are in order again, so that
/// they don't depend on the schedule.
public struct TrackNumbering {
    private var numbers: [TrackReference: Int] = [:]

    public init() {}

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
        numbers[track] = numbers.count + 1
        return numbers.count
    }
}
