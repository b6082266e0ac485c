import Glibc

/// A motion: where a thing is and how it moves, by a path through keyframes, and on top of it a circle and a swing.
///
/// Rotations are degrees about the camera's axes: first about x (positive: the lower edge goes away from the camera),
/// then about y (positive: the right edge comes nearer), then about z (positive: clockwise as seen).
package struct Motion: Sendable {
    /// The path. One keyframe stands still; none is the same as one with its defaults. Times must rise.
    package var keyframes: [Keyframe]
    /// How the path leads from keyframe to keyframe. Default `smooth`.
    package var interpolation: Interpolation = .smooth
    /// A circle about the path. Default none.
    package var orbit: Orbit?
    /// A swing about the path. Default none.
    package var sway: Sway?

    package init(keyframes: [Keyframe]) {
        self.keyframes = keyframes
    }

    /// Standing still.
    package init(position: SIMD3<Double> = [0, 0, 1], rotation: SIMD3<Double> = .zero) {
        keyframes = [Keyframe(position: position, rotation: rotation)]
    }

    /// A place of the path at one time.
    package struct Keyframe: Sendable {
        /// Seconds from the start of the clip. Default 0.
        package var time = 0.0
        /// Metres, −1000…1000 each. Default 0, 0, 1: one metre before the camera.
        package var position: SIMD3<Double> = [0, 0, 1]
        /// Degrees about x, y and z, −36 000…36 000 each. Default none.
        package var rotation: SIMD3<Double> = .zero

        package init(time: Double = 0, position: SIMD3<Double> = [0, 0, 1], rotation: SIMD3<Double> = .zero) {
            self.time = time
            self.position = position
            self.rotation = rotation
        }
    }

    /// The way from keyframe to keyframe.
    package enum Interpolation: String, Sendable, CaseIterable {
        /// A cubic without overshoot that rests at the ends and where a component turns round.
        case smooth
        /// Straight lines.
        case linear
    }

    /// A circle about the path.
    package struct Orbit: Sendable {
        /// Metres, 0…1000. Default 0.1.
        package var radius = 0.1
        /// Seconds of one turn, not 0; negative turns the other way. Default 4.
        package var period = 4.0
        /// Where it starts, in turns, −1…1. Default 0: on the first axis of the plane.
        package var phase = 0.0
        /// Default `xy`: parallel to the sensor, clockwise.
        package var plane: Plane = .xy

        /// The plane of the circle, by two camera axes.
        package enum Plane: String, Sendable, CaseIterable {
            case xy, xz, yz
        }

        package init() {}
    }

    /// A sinusoidal swing about the path.
    package struct Sway: Sendable {
        /// Metres along x, y and z, −1000…1000 each. Default none.
        package var position: SIMD3<Double> = .zero
        /// Degrees about x, y and z, −360…360 each. Default none.
        package var rotation: SIMD3<Double> = .zero
        /// Seconds of one swing, above 0. Default 4.
        package var period = 4.0
        /// Where it starts, in swings, −1…1. Default 0: in the middle, towards positive.
        package var phase = 0.0

        package init() {}
    }

    /// The position in metres and the rotation in degrees at a time.
    package func placement(at time: Double) -> (position: SIMD3<Double>, rotation: SIMD3<Double>) {
        var position = interpolated(at: time, \.position)
        var rotation = interpolated(at: time, \.rotation)
        if let orbit {
            let turn = time / orbit.period + orbit.phase
            let (first, second) = (orbit.radius * turnCosine(turn), orbit.radius * turnSine(turn))
            switch orbit.plane {
            case .xy: position += [first, second, 0]
            case .xz: position += [first, 0, second]
            case .yz: position += [0, first, second]
            }
        }
        if let sway {
            let factor = turnSine(time / sway.period + sway.phase)
            position += sway.position * factor
            rotation += sway.rotation * factor
        }
        return (position, rotation)
    }

    /// At most the depth of the nearest place of the path, metres.
    var leastDepth: Double {
        let path = keyframes.map(\.position.z).min() ?? Keyframe().position.z
        return path - (orbit?.radius ?? 0) - abs(sway?.position.z ?? 0)
    }

    private func interpolated(at time: Double, _ value: KeyPath<Keyframe, SIMD3<Double>>) -> SIMD3<Double> {
        guard let first = keyframes.first, let last = keyframes.last else { return Keyframe()[keyPath: value] }
        if time <= first.time { return first[keyPath: value] }
        if time >= last.time { return last[keyPath: value] }
        // The keyframe before; there is one after it, as `time` lies between the first and the last.
        let k = (keyframes.firstIndex { $0.time > time } ?? 1) - 1
        let span = keyframes[k + 1].time - keyframes[k].time
        let s = (time - keyframes[k].time) / span
        let (from, to) = (keyframes[k][keyPath: value], keyframes[k + 1][keyPath: value])
        switch interpolation {
        case .linear:
            return from + (to - from) * s
        case .smooth:
            let (leave, arrive) = (tangent(at: k, value) * span, tangent(at: k + 1, value) * span)
            let (s2, s3) = (s * s, s * s * s)
            let ends = from * (2 * s3 - 3 * s2 + 1) + to * (3 * s2 - 2 * s3)
            return ends + leave * (s3 - 2 * s2 + s) + arrive * (s3 - s2)
        }
    }

    /// The speed at a keyframe after Fritsch and Butland (1984): the weighted harmonic mean of the slopes on both
    /// sides, 0 where they differ in sign, so that no component overshoots its keyframes.
    private func tangent(at k: Int, _ value: KeyPath<Keyframe, SIMD3<Double>>) -> SIMD3<Double> {
        guard k > 0, k + 1 < keyframes.count else { return .zero }
        let (before, here, after) = (keyframes[k - 1], keyframes[k], keyframes[k + 1])
        let (h0, h1) = (here.time - before.time, after.time - here.time)
        let d0 = (here[keyPath: value] - before[keyPath: value]) / h0
        let d1 = (after[keyPath: value] - here[keyPath: value]) / h1
        var result = SIMD3<Double>.zero
        for axis in 0..<3 where d0[axis] * d1[axis] > 0 {
            let (w0, w1) = (2 * h1 + h0, h1 + 2 * h0)
            result[axis] = (w0 + w1) / (w0 / d0[axis] + w1 / d1[axis])
        }
        return result
    }
}

/// The sine of an angle given in turns.
func turnSine(_ turns: Double) -> Double { sin(2 * .pi * turns) }
/// The cosine of an angle given in turns.
func turnCosine(_ turns: Double) -> Double { cos(2 * .pi * turns) }
