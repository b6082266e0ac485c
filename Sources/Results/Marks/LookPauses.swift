/// How long stages don't look, by their ids, seconds: those with a `rate`, and those that go by what such a stage finds.
///
/// Nobody knows of anything that comes or goes meanwhile, so covers reach as far.
package enum LookPauses {
    /// The longest that covers reach, seconds; and the longest that they do for a look in which something is missed: pictures wait as long.
    private static let longest = 10.0, longestMissed = 4.0
    /// Looks that may miss something that is in sight, behind something else say, and a little: a look is at the next picture.
    private static let looks = 2.25

    /// How far covers reach at the least where nobody looks for so long, seconds: a look that misses a thing opens no gap.
    package static func reach(_ pause: Double) -> Double { max(pause, min(looks * pause, longestMissed)) }

    /// How long each doesn't look.
    /// - Parameter stages: Each behind its inputs.
    package static func of(_ stages: [(id: String, inputs: [String], rate: Double?)]) -> [String: Double] {
        var pauses: [String: Double] = [:]
        for (id, inputs, rate) in stages {
            let own = rate.flatMap { $0 > 0 ? 1 / $0 : nil }
            pauses[id] = (inputs.map { pauses[$0] } + [own]).compactMap(\.self).max().map { min($0, longest) }
        }
        return pauses
    }
}
