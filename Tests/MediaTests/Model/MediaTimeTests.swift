@testable import Media
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct MediaTimeTests {
    @Test(
        arguments: [
            (0.0, Rational(1, 25), 0), (0.04, Rational(1, 25), 1), (0.041, Rational(1, 25), 2),
            (0.039, Rational(1, 25), 1),
            // 0.1 s is written with a rounding error of its own; 2 ÷ 29.97 with few decimals still names frame 2.
            (0.1, Rational(1, 12800), 1280), (0.066733, Rational(1001, 30000), 2),
            (0.0667334, Rational(1001, 30000), 2),
            (0.0668, Rational(1001, 30000), 3), (1.0, Rational(1, 90000), 90000), (12.5, Rational(1, 1000), 12500),
            (1.0000005, Rational(1, 1000), 1000), (1.0005, Rational(1, 1000), 1001), (-0.04, Rational(1, 25), -1),
            (3600, Rational(1, 90000), 324_000_000),
        ] as [(Double, Rational, Int64)])
    func ticksAtOrAfter(seconds: Double, timeBase: Rational, expected: Int64) {
        #expect(MediaTime.ticks(atOrAfter: seconds, timeBase: timeBase) == expected)
    }

    @Test(arguments: [
        Rational(1, 25), Rational(1001, 30000), Rational(1, 12800), Rational(1, 1000), Rational(1, 90000),
    ])
    func everyTimeThatATrackFileShowsNamesItsFrame(timeBase: Rational) throws {
        for ticks in stride(from: Int64(0), to: 100_000, by: 997) {
            var json = JSONWriter()
            json.value(MediaTime(ticks: ticks, timeBase: timeBase).seconds, decimals: 6)
            let shown = try #require(try JSONParser.parse(json.bytes).number)
            #expect(MediaTime.ticks(atOrAfter: shown, timeBase: timeBase) == ticks)
        }
    }

    @Test func seconds() {
        #expect(MediaTime(ticks: 3003, timeBase: Rational(1, 30000)).seconds == 0.1001)
        #expect(MediaTime(ticks: -512, timeBase: Rational(1, 12800)).seconds == -0.04)
    }

    // MARK: Moments of regions, ranges

    @Test(arguments: [
        (Seed.Moment.frame(3), [false, false, false, true, true]), (.frame(0), [true, true, true, true, true]),
        (.seconds(0.08), [false, false, true, true, true]), (.seconds(0.09), [false, false, false, true, true]),
        (.seconds(0), [true, true, true, true, true]), (.seconds(9), [false, false, false, false, false]),
    ])
    func aMomentIsReachedByTheFirstFrameAtOrAfterIt(moment: Seed.Moment, expected: [Bool]) throws {
        let reached = try (0..<5).map { moment.isReached(by: try emptyFrame($0, pts: Int64($0))) }
        #expect(reached == expected)
    }

    @Test func secondsAreTheSourcesOwnTimeStamps() throws {
        let late = try emptyFrame(0, pts: 250)
        #expect(Seed.Moment.seconds(10).isReached(by: late))
        #expect(!Seed.Moment.seconds(10.01).isReached(by: late))
        #expect(!Seed.Moment.frame(1).isReached(by: late))
    }

    @Test(
        arguments: [
            (FrameRange(start: 0.08, end: 0.16), [2, 3]), (FrameRange(start: 0.07, end: 0.17), [2, 3, 4]),
            (FrameRange(start: 0.1, end: nil), [3, 4]), (FrameRange(start: 0, end: 0.04), [0]),
            (nil, [0, 1, 2, 3, 4]),
        ] as [(FrameRange?, [Int64])])
    func rangesHoldTheirStartAndNotTheirEnd(range: FrameRange?, expected: [Int64]) {
        let ticks = TickRange(range, timeBase: Rational(1, 25))
        #expect((0..<5).filter { $0 >= ticks.start && $0 < ticks.end } == expected)
    }
}
