internal import Glibc

/// What is known of how things move and of how detectors see them: all that following has of constants.
///
/// Times are seconds and lengths shares of a thing's own width and height, so that neither the frame rate nor the size of the
/// picture matters. What speaks for or against something is in nats, the logarithm of a ratio of likelihoods.
struct FollowModel: Sendable {
    // MARK: Detectors

    /// Standard deviation of a box's centre.
    var placeError = 0.05
    /// Standard deviation of the logarithm of a box's width and height.
    var sizeError = 0.11
    /// Degrees of freedom of the errors: Student's t, since some boxes are far off.
    var tail = 3.5
    /// A false alarm stays that long: looks within it say the same thing again.
    var alarm = 0.1

    // MARK: Things

    /// How fast velocity wanders: sizes a second, in a second.
    var agility = 0.35
    /// Standard deviation of the velocity of something new, sizes a second.
    var speed = 1.3
    /// Seconds in which a thing turns, stops or sets off once.
    var turning = 2.5
    /// How fast the logarithm of a size wanders, in a second.
    var sizeDrift = 0.17

    // MARK: Who is who

    /// How likely something new is anywhere: things a unit of place (in sizes) and of the sizes' logarithms.
    var novelty = 0.15
    /// What a miss in the last look costs, since what was seen just now is likely to be seen again.
    var regain = 0.3
    /// Seconds unseen that cost a nat, where nothing is in the way.
    var absence = 1.6
    /// What another label costs.
    var relabel = 3.0
    /// Two ways to pair that differ by less aren't told apart while frames stream.
    var margin = 6.0

    /// A pair for which less speaks may be of two things: what comes later says whether they are one.
    var certain = 3.0

    /// What joining two tracklets costs: most that might be joined aren't one thing's.
    var joint = 0.5
    /// What it says instead that they were one track while frames streamed, look by look.
    var continuation = 1.0
    /// What there has to be for a joint at first; less is asked for when what is sure is joined.
    var firstJoint = 8.0
    /// What looks say.
    var looks = LookScale.stripes

    // MARK: What counts

    /// Unsure detections only go on with what was seen that recently, and is where it is expected: intersection over union.
    var weakMemory = 0.3
    var weakOverlap = 0.5
    /// Nothing new begins on a thing that was seen that recently and that it overlaps by more.
    var birthMemory = 2.0
    var birthOverlap = 0.3
    /// But where that isn't seen now, and its look speaks against it by more, nats.
    var otherness = 2.0
    /// Detections that overlap by more are of one thing where no two are followed, and by how much where it is one that is
    /// detected twice as a rule.
    var twinOverlap = 0.7
    var knownTwinOverlap = 0.5
    /// How sure it must be that a thing is none of the detector's false alarms: before it is told while frames stream, and of
    /// the whole track afterwards.
    var confirmation = 1.5
    var worth = 4.0
    /// How long a thing that isn't seen is told where it is expected, while frames stream.
    var patience = 0.0
    /// The longest gap that is filled when both of its ends are known.
    var fill = 1.5
    /// A loose detection lies on a path between two others if they overlap by more.
    var pathOverlap = 0.4

    /// Minus the logarithm of a four-dimensional t density's shape.
    /// - Parameter distance: The squared Mahalanobis distance.
    func surprise(_ distance: Double) -> Double { (tail + 4) / 2 * log1p(distance / tail) }

    /// How likely something turns within a time.
    func turn(in seconds: Double) -> Double { -expm1(-seconds / turning) }

    /// The logarithm of the density of what goes on or turns.
    /// - Parameters:
    ///   - on: The logarithm of what goes on's.
    ///   - off: That of what turned's.
    ///   - turned: How likely it turned.
    func either(_ on: Double, _ off: Double, turned: Double) -> Double {
        let most = max(on, off)
        return most + log((1 - turned) * exp(on - most) + turned * exp(off - most))
    }

    /// How much a detection says that it is no false alarm.
    /// - Parameter gap: Seconds since the last one of the same thing; nil for the first.
    func assurance(score: Double, after gap: Double?) -> Double {
        -log1p(-min(max(score, 0), 0.999)) * min(1, gap.map { $0 / alarm } ?? 1)
    }
}
