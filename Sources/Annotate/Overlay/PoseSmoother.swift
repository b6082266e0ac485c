internal import Glibc

/// Steadies the poses that are drawn; the poses reported stay as they were measured.
///
/// Each track's drawn pose goes a share 1 − e^(−t/τ) of the way to the measured one, t being the time since the last: a
/// first-order low-pass filter, which lags by about τ behind a steady motion.
struct PoseSmoother {
    private var drawn: [Int: (pose: Pose, time: Double)] = [:]

    /// The pose to draw.
    ///
    /// - Parameters:
    ///   - timeConstant: τ, seconds; 0 for none.
    ///   - time: Of the frame, seconds.
    mutating func smooth(_ pose: Pose, track: Int?, timeConstant: Double, at time: Double) -> Pose {
        guard timeConstant > 0, let track else { return pose }
        var result = pose
        // After a second out of sight, or where time runs backwards, it starts anew.
        if let last = drawn[track], time >= last.time, time - last.time <= 1 {
            let share = 1 - exp(-(time - last.time) / timeConstant)
            result.rotation = last.pose.rotation.interpolated(to: pose.rotation, share)
            result.translation = last.pose.translation + (pose.translation - last.pose.translation) * share
        }
        drawn[track] = (result, time)
        return result
    }

    /// Forgets tracks that have not been seen for a second.
    mutating func forget(before time: Double) {
        drawn = drawn.filter { abs(time - $0.value.time) <= 1 }
    }
}
