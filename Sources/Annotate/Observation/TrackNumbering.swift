/// Gives tracks their numbers: from 1, unique in the file, without gaps, in order of confirmation.
///
/// Stages count for themselves, on several threads; numbers are given here, where frames are in order again, so that
/// they don't depend on the schedule.
public struct TrackNumbering {
    private var numbers: [TrackReference: Int] = [:]

    public init() {}

    /// One stage's observations of a frame with their file-wide numbers. Call in the frames' order, and within a frame in
    /// the stages'.
    public mutating func number(_ observations: [Observation], style: DrawStyle? = nil) -> [NumberedObservation] {
        observations.map { observation in
            NumberedObservation(
                observation: observation, track: observation.track.map { number($0) },
                of: observation.of.flatMap { numbers[$0] }, style: style)
        }
    }

    private mutating func number(_ track: TrackReference) -> Int {
        if let number = numbers[track] { return number }
        numbers[track] = numbers.count + 1
        return numbers.count
    }
}
