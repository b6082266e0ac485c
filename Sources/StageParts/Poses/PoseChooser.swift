internal import Glibc

/// Chooses, frame by frame, between the two poses at which a flat thing may be seen.
///
/// The two differ by the sign of the tilt. Seen at a steep perspective one has a clearly smaller reprojection error; seen
/// face-on, small or far away, noise decides, and taking the smaller error makes the pose flip from frame to frame. So
/// both are followed through time, as the two states of a hidden Markov model (Viterbi's algorithm, forwards only):
///
/// - A pose costs what its error is worth in units of the corners' noise, which the track's own smaller errors tell, and
///   what turning there from a pose of the frame
///   before is worth, a thing turning by some degrees a frame.
/// - Costs are carried along the cheaper way and fade, so that they are a vote of about the last ten frames.
/// - The pose reported goes on along its own way. It moves over to the other way only when the vote is clear.
///
/// The same poses at the same times give the same choice.
package struct PoseChooser {
    /// Noise of a corner in each direction, pixels: what is taken for it at first, and the least that is believed.
    private static let firstNoise = 0.1
    private static let leastNoise = 0.02
    /// Degrees that a thing turns in a 25th of a second, standard deviation.
    private static let turn = 5.0
    /// What the dearest turn costs: also a thing that jumped is where it is seen.
    private static let dearestTurn = 12.0
    /// What is left of a cost after a frame.
    private static let memory = 0.9
    /// By how much the other way must be cheaper: odds of about 20 to 1.
    private static let clear = 3.0

    private struct State {
        var rotation: Rotation
        var cost: Double
    }

    private var states: [State] = []
    private var variance = Self.firstNoise * Self.firstNoise
    private var reported: Rotation?
    package private(set) var time = 0.0

    /// Which of a thing's two poses is meant.
    /// - Parameters:
    ///   - poses: One or two.
    ///   - points: From how many points they were computed.
    ///   - time: Of the frame, seconds.
    /// - Returns: The index of the pose to report.
    package mutating func choose(_ poses: [Pose], points: Int, at time: Double) -> Int {
        guard let least = poses.map(\.reprojectionError).min() else { return 0 }
        let interval = max(time - self.time, 1e-3)
        self.time = time
        // A pose has six degrees of freedom, which n points' 2n coordinates lose to it.
        let measured = Double(points) * least * least / Double(max(2 * points - 6, 1))
        variance = max(Self.memory * variance + (1 - Self.memory) * measured, Self.leastNoise * Self.leastNoise)
        var next = poses.map { pose in
            let fit = Double(points) * pose.reprojectionError * pose.reprojectionError / (2 * variance)
            let past = states.map { Self.memory * $0.cost + turning(from: $0.rotation, to: pose.rotation, interval) }
            return State(rotation: pose.rotation, cost: fit + (past.min() ?? 0))
        }
        let cheapest = next.map(\.cost).min() ?? 0
        for index in next.indices { next[index].cost -= cheapest }
        states = next
        let best = next.firstIndex { $0.cost == 0 } ?? 0
        var choice = best
        if let reported {
            let angles = poses.map { reported.angle(to: $0.rotation) }
            let own = angles.firstIndex(of: angles.min() ?? 0) ?? best
            if next[own].cost < Self.clear { choice = own }
        }
        reported = poses[choice].rotation
        return choice
    }

    private func turning(from a: Rotation, to b: Rotation, _ interval: Double) -> Double {
        let degrees = a.angle(to: b) * 180 / .pi
        let variance = Self.turn * Self.turn * interval * 25
        return min(degrees * degrees / (2 * variance), Self.dearestTurn)
    }
}

/// A chooser for each track of a stage.
package struct PoseChoosers {
    /// Seconds for which a track that is out of sight is remembered.
    package let memory: Double
    private var choosers: [Int: PoseChooser] = [:]

    package init(memory: Double) { self.memory = memory }

    /// The poses of a thing, the better first, in the order of choice.
    package mutating func choose(_ poses: [Pose], extent: SIMD2<Double>, points: Int, track: Int?, at time: Double)
        -> EstimatedPose?
    {
        guard let first = poses.first else { return nil }
        guard let track else { return EstimatedPose(pose: first, alternative: poses.dropFirst().first, extent: extent) }
        let index = choosers[track, default: PoseChooser()].choose(poses, points: points, at: time)
        return EstimatedPose(
            pose: poses[index], alternative: poses.indices.first { $0 != index }.map { poses[$0] }, extent: extent)
    }

    /// Forgets tracks that are gone. Call once a frame.
    package mutating func forget(before time: Double) {
        let memory = memory
        choosers = choosers.filter { time - $0.value.time <= memory }
    }
}
