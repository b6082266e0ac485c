/// Gives tracks their numbers: from 1, unique in the file, without gaps, in order of confirmation.
///
/// Stages count for themselves, on several threads; numbers are given here, where frames are in order again, so that
/// they don't depend on the schedule.
struct TrackNumbering {
    private var numbers: [TrackReference: Int] = [:]

    /// The observations of one frame with their file-wide numbers. Call once a frame, in order.
    mutating func number(_ results: [[Observation]], plan: GraphPlan) -> [NumberedObservation] {
        var numbered: [NumberedObservation] = []
        for (node, observations) in zip(plan.nodes, results) {
            for observation in observations {
                numbered.append(
                    NumberedObservation(
                        observation: observation, track: observation.track.map { number($0) },
                        of: observation.of.flatMap { numbers[$0] }, style: node.style))
            }
        }
        return numbered
    }

    private mutating func number(_ track: TrackReference) -> Int {
        if let number = numbers[track] { return number }
        numbers[track] = numbers.count + 1
        return numbers.count
    }
}
