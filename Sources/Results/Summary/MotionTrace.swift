/// How unsteady one thing's way is, in one space: steps between frames that follow on one another, in all of which it was
/// measured.
///
/// Times are the frames' own, so that a rate that varies changes nothing: what moves at one speed has neither jitter nor
/// jumps.
struct MotionTrace: Sendable {
    /// A step from one frame to the next one.
    private struct Step {
        var way: SIMD3<Double>
        var seconds: Double
        /// The frame that it leads to.
        var end: Moment

        /// What is left of this step where the thing goes on at the speed of another one.
        func rest(atSpeedOf other: Step) -> Double {
            let rest = way - other.way * (seconds / other.seconds)
            return (rest * rest).sum().squareRoot()
        }
    }

    /// A value and when it was.
    struct Worst: Sendable {
        var value: Double
        var moment: Moment
    }

    /// Noise is told from this many places between two others on; a median of fewer says nothing.
    static let least = 8

    /// The largest step beyond what the speeds before and behind it let expect; nil where there was none to compare with.
    private(set) var jump: Worst?
    /// How far the place is off the line between the two beside it, for each axis; as much as the place itself is off
    /// where all three are off by chance. In single precision: only their medians are told.
    private var offsets: [[Float]] = [[], [], []]
    private var farthest: [Worst?] = [nil, nil, nil]
    private var before: Step?
    private var last: Step?

    /// Takes the step to the next frame.
    mutating func add(_ way: SIMD3<Double>, seconds: Double, to moment: Moment) {
        // Two frames at one time have no speed.
        guard seconds > 0, way.x.isFinite, way.y.isFinite, way.z.isFinite else { return interrupt() }
        let step = Step(way: way, seconds: seconds, end: moment)
        if let last {
            let (a, b) = (seconds / (last.seconds + seconds), last.seconds / (last.seconds + seconds))
            let offset = (last.way * a - way * b) / (1 + a * a + b * b).squareRoot()
            for axis in 0..<3 {
                offsets[axis].append(Float(offset[axis].magnitude))
                if offset[axis].magnitude > farthest[axis]?.value ?? -1 {
                    farthest[axis] = Worst(value: offset[axis].magnitude, moment: last.end)
                }
            }
            note(last, behind: step)
        }
        (before, last) = (last, step)
    }

    /// Begins anew: the thing wasn't measured in a frame.
    mutating func interrupt() {
        if let last { note(last, behind: nil) }
        (before, last) = (nil, nil)
    }

    private mutating func note(_ step: Step, behind: Step?) {
        // What begins to move goes on so; what jumps does neither as before nor as behind.
        guard let rest = [before, behind].compactMap({ $0.map(step.rest(atSpeedOf:)) }).min() else { return }
        if rest > jump?.value ?? -1 { jump = Worst(value: rest, moment: step.end) }
    }

    /// The noise of the least steady axis, and where that axis is farthest off; nil where too little was seen of it.
    ///
    /// 1.4826 times the median, which is the standard deviation of normal noise (Hampel, 1974), and which single jumps
    /// don't change.
    var jitter: (axis: Int, worst: Worst)? {
        guard offsets[0].count >= Self.least else { return nil }
        let noise = offsets.map { 1.4826 * Self.median($0) }
        let axis = noise.indices.max { noise[$0] < noise[$1] } ?? 0
        return farthest[axis].map { (axis, Worst(value: noise[axis], moment: $0.moment)) }
    }

    private static func median(_ values: [Float]) -> Double {
        let sorted = values.sorted()
        let sum: Float = sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
        return Double(sum) / 2
    }
}
