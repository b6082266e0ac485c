internal import Graph
internal import Glibc

/// One coordinate and its velocity: a Kalman filter with a velocity that wanders (white noise acceleration), exact for any
/// step of time.
struct AxisMotion: Sendable {
    /// Pixels, pixels a second.
    var position: Double
    var velocity = 0.0
    /// Covariance: of the position, of both, of the velocity.
    var variance: Double
    var covariance = 0.0
    var velocityVariance: Double

    init(_ position: Double, error: Double, speed: Double) {
        self.position = position
        variance = error * error
        velocityVariance = speed * speed
    }

    /// - Parameter agility: Pixels a second, in a second.
    mutating func advance(_ step: Double, agility: Double) {
        let noise = agility * agility
        position += velocity * step
        variance += step * (2 * covariance + step * velocityVariance) + noise * step * step * step / 3
        covariance += step * velocityVariance + noise * step * step / 2
        velocityVariance += noise * step
    }

    mutating func correct(_ measured: Double, error: Double) {
        let total = variance + error * error
        let (gain, velocityGain) = (variance / total, covariance / total)
        let residual = measured - position
        position += gain * residual
        velocity += velocityGain * residual
        velocityVariance -= velocityGain * covariance
        covariance -= gain * covariance
        variance -= gain * variance
    }
}

/// The logarithm of a width or height that wanders.
struct SizeMotion: Sendable {
    var value: Double
    var variance: Double

    mutating func correct(_ measured: Double, error: Double) {
        let gain = variance / (variance + error * error)
        value += gain * (measured - value)
        variance *= 1 - gain
    }
}

/// Where a thing is supposed to be: its centre moves, its width and height wander (as BoT-SORT's filter has them, Aharon et
/// al. 2022, but in seconds).
struct BoxMotion: Sendable {
    private(set) var x: AxisMotion
    private(set) var y: AxisMotion
    private(set) var width: SizeMotion
    private(set) var height: SizeMotion

    /// A thing's first box.
    init(_ box: Box, _ model: FollowModel) {
        let speed = model.speed * box.area.squareRoot()
        x = AxisMotion(box.center.x, error: model.placeError * box.width, speed: speed)
        y = AxisMotion(box.center.y, error: model.placeError * box.height, speed: speed)
        let variance = model.sizeError * model.sizeError
        width = SizeMotion(value: log(box.width), variance: variance)
        height = SizeMotion(value: log(box.height), variance: variance)
    }

    /// What is known of a thing at one end of a row of its boxes.
    /// - Parameter steps: In the order in which they are gone through: backwards for what was before the first one.
    init?(along steps: some Sequence<TrackStep>, _ model: FollowModel) {
        var (motion, last) = (BoxMotion?.none, 0.0)
        for step in steps {
            if motion == nil {
                motion = BoxMotion(step.box, model)
            } else {
                motion?.advance(abs(step.seconds - last), model)
                motion?.correct(step.box, model)
            }
            last = step.seconds
        }
        guard let motion else { return nil }
        self = motion
    }

    var size: (width: Double, height: Double) { (exp(width.value), exp(height.value)) }

    var box: Box {
        let (width, height) = size
        return Box(x: x.position - width / 2, y: y.position - height / 2, width: width, height: height)
    }

    mutating func advance(_ step: Double, _ model: FollowModel) {
        let (w, h) = size
        let agility = model.agility * (w * h).squareRoot()
        x.advance(step, agility: agility)
        y.advance(step, agility: agility)
        width.variance += model.sizeDrift * model.sizeDrift * step
        height.variance += model.sizeDrift * model.sizeDrift * step
    }

    /// Takes a box over; one that is far off counts for less (the t distribution's weight).
    mutating func correct(_ box: Box, _ model: FollowModel) {
        let (w, h) = size
        let distance = Residual(self, box, model).distance
        let doubt = max(1, (model.tail + distance) / (model.tail + 4)).squareRoot()
        x.correct(box.center.x, error: model.placeError * w * doubt)
        y.correct(box.center.y, error: model.placeError * h * doubt)
        width.correct(log(box.width), error: model.sizeError * doubt)
        height.correct(log(box.height), error: model.sizeError * doubt)
    }

    /// How much speaks for a box being this thing's rather than something new.
    func evidence(for box: Box, _ model: FollowModel) -> Double {
        let residual = Residual(self, box, model)
        return -model.surprise(residual.distance) - residual.logSpread / 2 - log(model.novelty)
    }

    /// How a box differs from what was expected, in units of the thing's size.
    private struct Residual {
        /// Squared, in standard deviations.
        var distance = 0.0
        /// The logarithm of the covariance's determinant times (2π)⁴.
        var logSpread = 4 * log(2 * Double.pi)

        init(_ motion: BoxMotion, _ box: Box, _ model: FollowModel) {
            let (w, h) = motion.size
            let (place, size) = (model.placeError * model.placeError, model.sizeError * model.sizeError)
            add((box.center.x - motion.x.position) / w, variance: motion.x.variance / (w * w) + place)
            add((box.center.y - motion.y.position) / h, variance: motion.y.variance / (h * h) + place)
            add(log(box.width) - motion.width.value, variance: motion.width.variance + size)
            add(log(box.height) - motion.height.value, variance: motion.height.variance + size)
        }

        private mutating func add(_ difference: Double, variance: Double) {
            distance += difference * difference / variance
            logSpread += log(variance)
        }
    }

    /// How much speaks for what ended here going on there, over a gap in which velocity wanders from the one to the other (a
    /// Brownian bridge of velocity).
    /// - Parameters:
    ///   - later: Known from its boxes backwards.
    ///   - gap: Seconds.
    func evidence(for later: BoxMotion, after gap: Double, _ model: FollowModel) -> Double {
        let (a, b) = (size, later.size)
        let (w, h) = ((a.width * b.width).squareRoot(), (a.height * b.height).squareRoot())
        var (distance, spread) = (0.0, 4 * log(2 * Double.pi))
        func add(_ difference: Double, _ variance: Double) {
            distance += difference * difference / variance
            spread += log(variance)
        }
        func axis(_ from: AxisMotion, _ to: AxisMotion, _ size: Double) {
            // The later one's velocity is that of time running backwards.
            let way = to.position - from.position - gap * (from.velocity - to.velocity) / 2
            let bridge = model.agility * model.agility * w * h * gap * gap * gap / 12
            let variance =
                from.variance + to.variance + gap * (from.covariance + to.covariance)
                + gap * gap * (from.velocityVariance + to.velocityVariance) / 4 + bridge
            add(way / size, variance / (size * size))
        }
        axis(x, later.x, w)
        axis(y, later.y, h)
        let drift = model.sizeDrift * model.sizeDrift * gap
        add(later.width.value - width.value, width.variance + later.width.variance + drift)
        add(later.height.value - height.value, height.variance + later.height.variance + drift)
        return -model.surprise(distance) - spread / 2 - log(model.novelty)
    }
}
