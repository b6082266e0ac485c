import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Boxes that lean to one side for some frames, as real detectors' do.
@Suite struct TrembleCountTests {
    private static let gate = DirectedLine(Point(0, 300), Point(768, 300))

    /// A way that trembles, frame by frame, as a first-order autoregressive process.
    private func trembling(
        _ way: (Double) -> Double, _ times: [Double], share: Double, deviation: Double, _ chance: inout Chance
    ) -> Way {
        var offset = deviation * chance.normal()
        var places: [Double: Point] = [:]
        for time in times {
            places[time] = Point(380, 300 + way(time) + offset)
            offset = share * offset + (1 - share * share).squareRoot() * deviation * chance.normal()
        }
        return { places[$0] }
    }

    /// What stands on a line crosses nothing, or nearly: before, nearly each of them did several times.
    @Test(arguments: FrameTimes.allCases, [(0.7, 2), (0.9, 5), (0.97, 25)])
    func standing(_ frames: FrameTimes, tremble: (share: Double, most: Int)) {
        let times = frames.until(20)
        var chance = Chance(Int(tremble.share * 100))
        let ways = (0..<60).map { thing in
            let aside = chance.between(-2, 2)
            return trembling(
                { _ in aside }, times, share: tremble.share, deviation: [1, 2, 4][thing % 3], &chance)
        }
        let events = FlowCounter.events(ways, at: times, lines: [Self.gate])
        #expect(events.count <= tremble.most, "\(events.count)")
    }

    /// Whoever walks over it has crossed it, once.
    @Test(arguments: FrameTimes.allCases, [0.7, 0.9, 0.97]) func walking(_ frames: FrameTimes, share: Double) {
        let times = frames.until(12)
        var chance = Chance(Int(share * 1000))
        let ways = (0..<60).map { thing in
            let (moment, speed) = (chance.between(4, 8), thing % 2 == 0 ? 25.0 : 100)
            return trembling(
                { speed * ($0 - moment) }, times, share: share, deviation: [1, 2, 4][thing % 3], &chance)
        }
        let events = FlowCounter.events(ways, at: times, lines: [Self.gate])
        #expect(events.allSatisfy { $0.kind == .crossed(isForward: true) })
        #expect(events.map(\.thing.number).sorted() == Array(1...60))
    }

    /// There and back after a second, in each direction once.
    @Test(arguments: FrameTimes.allCases, [0.7, 0.9]) func back(_ frames: FrameTimes, share: Double) {
        let times = frames.until(12)
        var chance = Chance(Int(share * 10_000))
        let ways = (0..<40).map { _ in
            let moment = chance.between(2, 10)
            return trembling({ 80 * (0.5 - abs($0 - moment - 0.5)) }, times, share: share, deviation: 2, &chance)
        }
        let events = FlowCounter.events(ways, at: times, lines: [Self.gate])
        #expect(events.count >= 78 && events.count <= 80, "\(events.count)")
        #expect(events.filter { $0.kind == .crossed(isForward: true) }.count * 2 == events.count)
    }

    /// What is measured is the trembling's own deviation and breath, in the mean, whatever the straight way.
    @Test(arguments: [0.0, 0.7, 0.9], [0.0, 60]) func measured(share: Double, speed: Double) throws {
        let paths = 40.0
        var (least, most, breath) = (0.0, 0.0, 0.0)
        for seed in 0..<Int(paths) {
            var chance = Chance(seed)
            var (tremble, offset) = (PathTremble(), 3 * chance.normal())
            for frame in 0..<256 {
                tremble.add(Point(0, speed * Double(frame) / 30 + offset), at: Double(frame) / 30)
                offset = share * offset + (1 - share * share).squareRoot() * 3 * chance.normal()
            }
            let bounds = try #require(tremble.bounds(along: Point(0, 1)))
            least += bounds.least.deviation / paths
            most += bounds.most.deviation / paths
            breath += bounds.most.breath / paths
        }
        #expect((2.4...4).contains(least) && (0.9 * least...6).contains(most), "\(least), \(most)")
        let expected = (1 + share) / (1 - share)
        #expect(breath > 0.6 * expected && breath < 1.7 * expected, "\(breath)")
        #expect(PathTremble().bounds(along: Point(0, 1)) == nil)
    }
}
