@testable import Drawing
import Testing

@testable import Annotate

/// When a script's events are shown.
@Suite struct ScriptTimelineTests {
    private static func events(_ times: [Int64], unit: Int64, _ texts: (Int) -> [String]) -> [ScriptEvent] {
        var timeline = ScriptTimeline(unit: unit)
        var events: [ScriptEvent] = []
        for (index, time) in times.enumerated() { timeline.add(texts(index), at: time) { events.append($0) } }
        timeline.finish(at: (times.last ?? 0) + 20) { events.append($0) }
        return events
    }

    /// Times as a container counts them, of frames at a constant rate or closer and farther apart.
    private static let rates: [[Double]] = {
        func constant(_ count: Int, _ duration: Double, from start: Double = 0) -> [Double] {
            (0..<count).map { start + Double($0) * duration }
        }
        let variable = (0..<300).map { index -> Double in
            let jitter = index % 7 * 4
            return Double(index * 40 + jitter + (index > 100 ? 700 : 0))
        }
        return [
            constant(300, 40), constant(300, 1001.0 / 30), constant(300, 1001.0 / 24), constant(600, 1000.0 / 60),
            constant(1000, 10), constant(300, 1001.0 / 30, from: 1400), variable,
        ]
    }()

    @Test(arguments: rates, [1, 10] as [Int64])
    func eachFrameHasItsOwn(times: [Double], unit: Int64) {
        // Matroska rounds to milliseconds; a script beside a video is made from cut ones.
        let known = times.map { Int64(unit == 1 ? $0.rounded() : $0.rounded(.down)) }
        let events = Self.events(known, unit: unit) { ["\($0)"] }
        #expect(events.count == times.count)
        #expect(events.allSatisfy { $0.start % unit == 0 && $0.end % unit == 0 && $0.start < $0.end })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.end == $1.start })
        for (index, time) in times.enumerated() {
            // Cut, exact, and through floating point as ffmpeg's filter does it.
            let players =
                unit == 1
                ? [Double(known[index]), (Double(known[index]) * 0.001 * 1000).rounded(.down)]
                : [time, time.rounded(.down), (time * 0.001 * 1000).rounded(.down)]
            for player in players {
                let shown = events.filter { Double($0.start) <= player && player < Double($0.end) }.map(\.text)
                // A hundred frames a second leave no room for a player's slip.
                guard shown != ["\(index)"], unit == 1 || times[1] - times[0] > 10 || player == time else { continue }
                #expect(shown == ["\(index)"], "at \(player)")
            }
        }
    }

    @Test func whatStaysIsOneEvent() {
        let events = Self.events([0, 40, 80, 120], unit: 1) { ["still", $0 < 2 ? "a" : "b"] }
        #expect(
            events == [
                ScriptEvent(start: 0, end: 140, layer: 0, text: "still"),
                ScriptEvent(start: 0, end: 79, layer: 1, text: "a"),
                ScriptEvent(start: 79, end: 140, layer: 1, text: "b"),
            ])
    }

    @Test func noneIsLong() {
        let events = Self.events((0..<300).map { $0 * 40 }, unit: 10) { _ in ["still"] }
        #expect(events.count == 6)
        #expect(events.allSatisfy { $0.end - $0.start <= ScriptTimeline.longest + 40 })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    @Test func inTheOrderOfTheirStarts() {
        // One ends late that began early.
        let events = Self.events([0, 40, 80, 120, 160], unit: 1) { ["still", "\($0)"] }
        #expect(events.map(\.start) == events.map(\.start).sorted())
        #expect(events.first?.text == "still")
    }

    @Test func whatCannotBeToldApart() {
        var timeline = ScriptTimeline(unit: 10)
        var events: [ScriptEvent] = []
        for (index, time) in [0, 40, 43, 80].enumerated() as EnumeratedSequence<[Int64]> {
            timeline.add(["\(index)"], at: time) { events.append($0) }
        }
        timeline.finish(at: 120) { events.append($0) }
        #expect(timeline.lost == 1)
        #expect(events.allSatisfy { $0.start < $0.end })
        #expect(events.map(\.text) == ["0", "2", "3"])
    }

    @Test func nothing() {
        #expect(Self.events([], unit: 10) { _ in [] } == [])
        #expect(Self.events([0, 40], unit: 10) { _ in [] } == [])
    }

    @Test func beforeTheClock() {
        let events = Self.events([-80, -40, 0, 40], unit: 1) { ["\($0)"] }
        #expect(events.allSatisfy { $0.start >= 0 && $0.start < $0.end })
        #expect(events.last?.text == "3")
    }
}
