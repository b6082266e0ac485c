/// A fraction of whole numbers: a time base in seconds a tick, a frame rate in frames a second, an aspect ratio.
public struct Rational: Sendable, Hashable {
    /// The numerator.
    public var numerator: Int
    /// The denominator.
    public var denominator: Int

    /// A fraction as it stands: it isn't reduced, and the denominator may be 0, which `isPositive` tells.
    public init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Whether it is more than 0 and can be divided by.
    public var isPositive: Bool { numerator > 0 && denominator > 0 }
    /// The quotient, nearest to the fraction; infinite or NaN where the denominator is 0.
    public var value: Double { Double(numerator) / Double(denominator) }

    /// The same fraction in lowest terms.
    public var reduced: Rational {
        var (a, b) = (abs(numerator), abs(denominator))
        while b != 0 { (a, b) = (b, a % b) }
        return a > 1 ? Rational(numerator / a, denominator / a) : self
    }
}

/// Ticks of some time base. All media time is kept like this and rounded once, where it is shown.
public struct MediaTime: Sendable, Hashable {
    /// How many ticks: a time on the source's own clock, or a span.
    public var ticks: Int64
    /// Seconds a tick.
    public var timeBase: Rational

    /// A time, or a span, by its ticks and how long one lasts in seconds.
    public init(ticks: Int64, timeBase: Rational) {
        self.ticks = ticks
        self.timeBase = timeBase
    }

    /// The latest tick that counts as a time: JSON's numbers are exact to 2⁵³, microseconds fit 64 bits up to 10¹² seconds, and no
    /// sum of a few of these overflows.
    package static func latest(_ timeBase: Rational) -> Int64 {
        let seconds = 1e12 * Double(max(timeBase.denominator, 1)) / Double(max(timeBase.numerator, 1))
        return Int64(min(seconds, Double(Int64(1) << 52)))
    }

    /// Seconds, for people.
    public var seconds: Double { Double(ticks) * Double(timeBase.numerator) / Double(timeBase.denominator) }

    /// The tick of `timeBase` at or after a time in seconds.
    public static func ticks(atOrAfter seconds: Double, timeBase: Rational) -> Int64 {
        let exact = seconds * Double(timeBase.denominator) / Double(timeBase.numerator)
        // A time that was written with few decimals means the frame it names, not the one after it.
        let slack = 1e-6 * Double(timeBase.denominator) / Double(timeBase.numerator)
        // A time beyond all ticks is never reached.
        return Int64(exactly: (exact - min(slack, 0.5)).rounded(.up)) ?? (exact < 0 ? .min : .max)
    }

    /// The tick of `timeBase` at or before a time in seconds, with the same allowance for rounding as
    /// `ticks(atOrAfter:)`.
    public static func ticks(atOrBefore seconds: Double, timeBase: Rational) -> Int64 {
        let exact = seconds * Double(timeBase.denominator) / Double(timeBase.numerator)
        let slack = 1e-6 * Double(timeBase.denominator) / Double(timeBase.numerator)
        return Int64(exactly: (exact + min(slack, 0.5)).rounded(.down)) ?? (exact < 0 ? .min : .max)
    }
}
