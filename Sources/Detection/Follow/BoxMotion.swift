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

    /// The normal distribution that is most like two together.
    /// - Parameter share: Of the other one, 0…1.
    func mixed(with other: AxisMotion, share: Double) -> AxisMotion {
        var mixed = self
        let (place, speed) = (other.position - position, other.velocity - velocity)
        let spread = share * (1 - share)
        mixed.position += share * place
        mixed.velocity += share * speed
        mixed.variance += share * (other.variance - variance) + spread * place * place
        mixed.covariance += share * (other.covariance - covariance) + spread * place * speed
        mixed.velocityVariance += share * (other.velocityVariance - velocityVariance) + spread * speed * speed
        return mixed
    }

    /// In the same place, but going any way.
    func anew(speed: Double) -> AxisMotion {
        var anew = self
        (anew.velocity, anew.covariance, anew.velocityVariance) = (0, 0, speed * speed)
        return anew
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
///
/// Most go on as they did; now and then one turns or stops, and then goes on in whatever way. Both are held against every box,
/// and what comes of it is one normal distribution again (a pseudo-Bayesian estimator of first order, Ackerson and Fu 1970).
struct BoxMotion: Sendable {
    private(set) var x: AxisMotion
    private(set) var y: AxisMotion
    private(set) var width: SizeMotion
    private(set) var height: SizeMotion
    /// Where it is if it turned since it was seen.
    private var turned: Way
    /// Seconds since it was seen.
    private var age = 0.0

    /// Where it is if it goes on.
    private var way: Way { Way(x: x, y: y) }

    /// Both coordinates.
    private struct Way {
        var x: AxisMotion
        var y: AxisMotion
    }

    /// A thing's first box.
    init(_ box: Box, _ model: FollowModel) {
        let speed = model.speed * box.area.squareRoot()
        x = AxisMotion(box.center.x, error: model.placeError * box.width, speed: speed)
        y = AxisMotion(box.center.y, error: model.placeError * box.height, speed: speed)
        turned = Way(x: x, y: y)
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
        turned.x.advance(step, agility: agility)
        turned.y.advance(step, agility: agility)
        width.variance += model.sizeDrift * model.sizeDrift * step
        height.variance += model.sizeDrift * model.sizeDrift * step
        age += step
    }

    /// Takes a box over; one that is far off counts for less (the t distribution's weight).
    mutating func correct(_ box: Box, _ model: FollowModel) {
        let (on, off) = residuals(box, model)
        let turn = share(on, off, model)
        let size = size
        func corrected(_ way: Way, _ residual: Residual) -> (way: Way, doubt: Double) {
            let doubt = max(1, (model.tail + residual.distance) / (model.tail + 4))
            var way = way
            way.x.correct(box.center.x, error: model.placeError * size.width * doubt.squareRoot())
            way.y.correct(box.center.y, error: model.placeError * size.height * doubt.squareRoot())
            return (way, doubt)
        }
        let (going, turning) = (corrected(way, on), corrected(turned, off))
        x = going.way.x.mixed(with: turning.way.x, share: turn)
        y = going.way.y.mixed(with: turning.way.y, share: turn)
        let doubt = (1 / ((1 - turn) / going.doubt + turn / turning.doubt)).squareRoot()
        width.correct(log(box.width), error: model.sizeError * doubt)
        height.correct(log(box.height), error: model.sizeError * doubt)
        turned = anew(model)
        age = 0
    }

    /// What turns now goes any way, as something new does, or as fast as it was.
    private func anew(_ model: FollowModel) -> Way {
        let (w, h) = size
        let speed = (model.speed * model.speed * w * h + (x.velocity * x.velocity + y.velocity * y.velocity) / 2)
            .squareRoot()
        return Way(x: x.anew(speed: speed), y: y.anew(speed: speed))
    }

    /// How much speaks for a box being this thing's rather than something new.
    func evidence(for box: Box, _ model: FollowModel) -> Double {
        let (on, off) = residuals(box, model)
        return model.either(on.evidence(model), off.evidence(model), turned: model.turn(in: age)) - log(model.novelty)
    }

    private func residuals(_ box: Box, _ model: FollowModel) -> (on: Residual, off: Residual) {
        (Residual(self, way, box, model), Residual(self, turned, box, model))
    }

    /// How likely it turned, now that its box is known.
    private func share(_ on: Residual, _ off: Residual, _ model: FollowModel) -> Double {
        let turn = model.turn(in: age)
        guard turn > 0 else { return 0 }
        let odds = turn / (1 - turn) * exp(off.evidence(model) - on.evidence(model))
        return odds.isFinite ? odds / (1 + odds) : 1
    }

    /// How a box differs from what was expected, in units of the thing's size.
    private struct Residual {
        /// Squared, in standard deviations.
        var distance = 0.0
        /// The logarithm of the covariance's determinant times (2π)⁴.
        var logSpread = 4 * log(2 * Double.pi)

        init(_ motion: BoxMotion, _ way: Way, _ box: Box, _ model: FollowModel) {
            let (w, h) = motion.size
            let (place, size) = (model.placeError * model.placeError, model.sizeError * model.sizeError)
            add((box.center.x - way.x.position) / w, variance: way.x.variance / (w * w) + place)
            add((box.center.y - way.y.position) / h, variance: way.y.variance / (h * h) + place)
            add(log(box.width) - motion.width.value, variance: motion.width.variance + size)
            add(log(box.height) - motion.height.value, variance: motion.height.variance + size)
        }

        init() {}

        mutating func add(_ difference: Double, variance: Double) {
            distance += difference * difference / variance
            logSpread += log(variance)
        }

        /// The logarithm of the density.
        func evidence(_ model: FollowModel) -> Double { -model.surprise(distance) - logSpread / 2 }
    }

    /// How much speaks for what ended here going on there, over a gap in which velocity wanders from the one to the other (a
    /// Brownian bridge of velocity), or turns.
    /// - Parameters:
    ///   - later: Known from its boxes backwards.
    ///   - gap: Seconds.
    func evidence(for later: BoxMotion, after gap: Double, _ model: FollowModel) -> Double {
        let (a, b) = (size, later.size)
        let (w, h) = ((a.width * b.width).squareRoot(), (a.height * b.height).squareRoot())
        let drift = model.sizeDrift * model.sizeDrift * gap
        func residual(_ end: Way, _ start: Way) -> Residual {
            var residual = Residual()
            func axis(_ from: AxisMotion, _ to: AxisMotion, _ size: Double) {
                // The later one's velocity is that of time running backwards.
                let way = to.position - from.position - gap * (from.velocity - to.velocity) / 2
                let bridge = model.agility * model.agility * w * h * gap * gap * gap / 12
                let variance =
                    from.variance + to.variance + gap * (from.covariance + to.covariance)
                    + gap * gap * (from.velocityVariance + to.velocityVariance) / 4 + bridge
                residual.add(way / size, variance: variance / (size * size))
            }
            axis(end.x, start.x, w)
            axis(end.y, start.y, h)
            residual.add(later.width.value - width.value, variance: width.variance + later.width.variance + drift)
            residual.add(later.height.value - height.value, variance: height.variance + later.height.variance + drift)
            return residual
        }
        let on = residual(way, later.way)
        let off = residual(anew(model), later.anew(model))
        return model.either(on.evidence(model), off.evidence(model), turned: model.turn(in: gap)) - log(model.novelty)
    }
}
