@testable import Graph
import Testing

@testable import Annotate

@Suite struct RateLimiterTests {
    /// The times at which a stage of this rate runs.
    private func runs(_ rate: Double, at times: [Double]) -> [Double] {
        var limiter = RateLimiter(rate: rate)
        return times.filter { limiter.runs(at: $0) }
    }

    /// The most runs in any half-open stretch of so many seconds.
    private func most(_ runs: [Double], in seconds: Double) -> Int {
        var most = 0
        var first = 0
        for (last, time) in runs.enumerated() {
            // A nanosecond for times that are fractions of a second.
            while time - runs[first] >= seconds - 1e-9 { first += 1 }
            most = max(most, last - first + 1)
        }
        return most
    }

    private func constant(_ rate: Rational, count: Int) -> [Double] {
        (0..<count).map { Double($0) * Double(rate.denominator) / Double(rate.numerator) }
    }

    /// Times in ticks of 1/90000 s with random steps of 1 to 120 ms and a gap now and then.
    private func variable(seed: UInt64, count: Int) -> [Double] {
        var state = seed
        var ticks = 0
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let random = Int(state >> 33)
            ticks += random % 50 == 0 ? 90_000 * (1 + random % 7) : 90 + random % 10_710
            return Double(ticks) / 90_000
        }
    }

    @Test(
        arguments: [
            (10.0, Rational(25, 1)), (10, Rational(30000, 1001)), (5, Rational(24000, 1001)), (1, Rational(25, 1)),
            (12, Rational(25, 1)), (7, Rational(60, 1)), (24, Rational(25, 1)),
        ] as [(Double, Rational)])
    func atMostSoManyInAnySecond(rate: Double, frameRate: Rational) {
        let times = constant(frameRate, count: 2500)
        let runs = runs(rate, at: times)
        #expect(runs.first == 0)
        #expect(most(runs, in: 1) <= Int(rate))
        // And no fewer than the frames allow: the rate is met on average.
        let seconds = Double(times.count) / frameRate.value
        #expect(Double(runs.count) >= 0.95 * rate * seconds - 1, "\(runs.count) in \(seconds) s")
    }

    @Test func tenASecondOfTwentyFive() {
        let runs = runs(10, at: constant(Rational(25, 1), count: 26))
        #expect(runs.map { Int(($0 * 25).rounded()) } == [0, 3, 5, 8, 10, 13, 15, 18, 20, 23, 25])
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64], [10, 3, 1] as [Double])
    func atMostSoManyOverVariableFrameTimes(seed: UInt64, rate: Double) {
        let runs = runs(rate, at: variable(seed: seed, count: 3000))
        #expect(most(runs, in: 1) <= Int(rate))
        #expect(runs.count > 100)
    }

    @Test(arguments: [0.5, 0.2, 0.75])
    func aRateUnderOneKeepsItsDistance(rate: Double) {
        for seed in 1...5 as ClosedRange<UInt64> {
            #expect(most(runs(rate, at: variable(seed: seed, count: 3000)), in: 1 / rate) <= 1)
        }
        #expect(most(runs(rate, at: constant(Rational(25, 1), count: 1000)), in: 1 / rate) <= 1)
    }

    @Test func everyOtherSecond() {
        #expect(runs(0.5, at: constant(Rational(4, 1), count: 33)) == [0, 2, 4, 6, 8])
        // A frame just before the grid's next line takes that run's place.
        #expect(runs(0.5, at: [0, 3.9, 4, 5.8, 5.9, 6]) == [0, 3.9, 5.9])
    }

    @Test(
        arguments: [
            (30, Rational(30, 1)), (25, Rational(25, 1)), (60, Rational(30000, 1001)), (30, Rational(30000, 1001)),
            (1000, Rational(25, 1)),
        ] as [(Double, Rational)])
    func aRateOfTheVideoOrMoreRunsAlways(rate: Double, frameRate: Rational) {
        let times = constant(frameRate, count: 600)
        #expect(runs(rate, at: times).count == times.count)
        // Time stamps in whole milliseconds, as Matroska has them.
        let rounded = times.map { ($0 * 1000).rounded() / 1000 }
        #expect(runs(rate, at: rounded).count == times.count)
    }

    @Test func whatAGapLeftOutIsNotMadeUpFor() {
        let times = [0, 0.04, 0.08, 0.12] + (0..<25).map { 10 + Double($0) / 25 }
        let runs = runs(5, at: times)
        #expect(runs.filter { $0 >= 10 }.map { Int((($0 - 10) * 25).rounded()) } == [0, 5, 10, 15, 20])
    }

    @Test func aStreamMayStartAnywhere() {
        for start in [-5.0, 0.02, 1e5] {
            let times = constant(Rational(25, 1), count: 100).map { $0 + start }
            #expect(runs(10, at: times).count == 40)
            #expect(runs(10, at: times).first == times.first)
        }
    }

    /// One that goes on where another one was runs on the same frames from there on.
    @Test(arguments: [0.4, 1, 4, 7.5, 30]) func goesOnWhereAnotherWas(rate: Double) {
        let times = variable(seed: 9, count: 600)
        for cut in [0, 1, 17, 300, 599] {
            var whole = RateLimiter(rate: rate)
            _ = times[..<cut].map { whole.runs(at: $0) }
            let way = whole.way
            var later = RateLimiter(rate: rate, nextDue: way.nextDue, recent: way.recent)
            for time in times[cut...] { #expect(later.runs(at: time) == whole.runs(at: time)) }
        }
    }
}
