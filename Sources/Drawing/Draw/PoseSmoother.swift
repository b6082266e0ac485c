internal import Glibc

/// Steadies the poses that are drawn; the poses reported stay as they were measured.
///
/// Each track's drawn pose goes a share 1 − e^(−t/τ) of the way to the measured one, t being the time since the last: a
/// first-order low-pass filter. Where the thing really moves, τ shrinks with its speed, so that what is drawn trembles
/// neither at rest nor falls behind in motion (the “1€ filter”: Casiez, Roussel and Vogel, 2012).
struct PoseSmoother {
    private struct Track {
        var drawn: Pose
        var measured: Pose
        var time: Double
        /// Time of its first frame, seconds.
        let start: Double
        /// Velocity of the measured place, in distances from the camera a second; that of the rotation is in radians a
        /// second.
        var velocity = SIMD3<Double>.zero
        var turning = SIMD3<Double>.zero
    }

    private var tracks: [Int: Track] = [:]

    /// Seconds over which speeds are averaged: noise goes to and fro. A track that is younger is averaged over all of
    /// it: what moves from its first frame on isn't taken to rest.
    private static let averaging = 0.25
    /// The speeds at which τ is halved.
    private static let speed = 0.03
    private static let turningSpeed = 0.3

    /// The pose to draw.
    ///
    /// - Parameters:
    ///   - timeConstant: τ at rest, seconds; 0 for none.
    ///   - time: Of the frame, seconds.
    mutating func smooth(_ pose: Pose, track: Int?, timeConstant: Double, at time: Double) -> Pose {
        guard timeConstant > 0, let track else { return pose }
        var next = Track(drawn: pose, measured: pose, time: time, start: time)
        // After a second out of sight, or where time runs backwards, it starts anew.
        if let last = tracks[track], time > last.time, time - last.time <= 1 {
            let elapsed = time - last.time
            func share(_ speed: SIMD3<Double>, _ halving: Double) -> Double {
                let factor = 1 + (speed * speed).sum().squareRoot() / halving
                return 1 - exp(-elapsed * factor / timeConstant)
            }
            next = Track(drawn: pose, measured: pose, time: time, start: last.start)
            let recent = max(1 - exp(-elapsed / Self.averaging), elapsed / (time - last.start))
            let distance = max(abs(pose.translation.z), 1e-9)
            let velocity = (pose.translation - last.measured.translation) / (distance * elapsed)
            let turning = last.measured.rotation.turn(to: pose.rotation) / elapsed
            next.velocity = last.velocity + (velocity - last.velocity) * recent
            next.turning = last.turning + (turning - last.turning) * recent
            next.drawn.translation =
                last.drawn.translation
                + (pose.translation - last.drawn.translation) * share(next.velocity, Self.speed)
            next.drawn.rotation = last.drawn.rotation.interpolated(
                to: pose.rotation, share(next.turning, Self.turningSpeed))
        } else if let last = tracks[track], time == last.time {
            return last.drawn
        }
        tracks[track] = next
        return next.drawn
    }

    /// Forgets tracks that have not been seen for a second.
    mutating func forget(before time: Double) {
        tracks = tracks.filter { abs(time - $0.value.time) <= 1 }
    }
}
