/// How far a camera went that was moved so quickly that its pictures look other one after another, as in a whip pan: nothing looks
/// like itself meanwhile, and what was in sight went along with the rest.
struct CameraWay {
    /// By how much everything moved in sight with the picture of a time, pixels.
    private var steps: [(time: Double, step: Point)] = []

    mutating func add(_ step: Point, at time: Double) { steps.append((time, step)) }

    /// Forgets what was up to a time.
    mutating func forget(before time: Double) { steps.removeAll { $0.time < time } }

    func isGoing(at time: Double) -> Bool { steps.contains { $0.time == time } }

    /// Where what was somewhere at one time is at another, if it went along with everything; nil where the camera didn't go.
    func place(of box: Box, from start: Double, at time: Double) -> Box? {
        let passed = steps.filter { min(start, time) < $0.time && $0.time <= max(start, time) }
        guard !passed.isEmpty else { return nil }
        let way = passed.reduce(Point(0, 0)) { $0 + $1.step } * (time > start ? 1 : -1)
        // It is smeared by as much as its picture's step, about its middle.
        let smear = steps.filter { $0.time == time }.reduce(Point(0, 0)) { $0 + $1.step } * 0.5
        return box.moved(by: way).widened(by: Point(abs(smear.x), abs(smear.y)))
    }
}
