/// The frames between two in which a thing is told of: it is rather there, and nobody says where.
///
/// What carries a number is one thing under several tracks, as in a track file's summary.
struct UntoldFrames {
    private enum Thing: Hashable {
        case track(Int)
        case number(Int, kind: String, stage: String)
    }

    private var latest: [Thing: Int] = [:]

    /// The frames since the thing of an observation was last told of.
    /// - Parameter frame: The observation's; frames come in order.
    mutating func next(_ observation: Observation, in frame: Int) -> Range<Int> {
        let number = observation.finding.base.identity.map {
            Thing.number($0, kind: observation.kind, stage: observation.stage)
        }
        guard let thing = number ?? observation.track.map({ .track($0.number) }) else { return frame..<frame }
        return min((latest.updateValue(frame, forKey: thing) ?? frame) + 1, frame)..<frame
    }
}
