import Testing

@testable import Annotate
@testable import Results

/// What the frames say of lines and zones, added up.
@Suite struct GateBookTests {
    private func zone(_ entered: Int, _ left: Int, _ present: Int) -> Observation {
        var count = CountFinding()
        count.zone = "hall"
        (count.figures.entered, count.figures.left, count.figures.present) = (entered, left, present)
        count.byLabel = ["cat": count.figures]
        return Observation(count, stage: "flow")
    }

    private func leaving(_ dwell: Double, isLost: Bool = false) -> Observation {
        var event = EventFinding()
        (event.event, event.zone, event.dwell, event.isLost) = (.left, "hall", dwell, isLost)
        return Observation(event, stage: "flow", label: "cat")
    }

    private var frames: [[Observation]] {
        [[zone(1, 0, 1)], [zone(3, 0, 3)], [zone(3, 2, 1), leaving(1.5), leaving(0.5, isLost: true)]]
    }

    @Test func sums() throws {
        var book = GateBook()
        for frame in frames { book.add(frame) }
        let summary = try #require(book.summaries.first)
        #expect(book.summaries.count == 1)
        #expect(summary.most == 3 && summary.lost == 1 && summary.meanDwell == 1 && summary.longestDwell == 1.5)
        #expect(summary.figures.entered == 3 && summary.figures.left == 2 && summary.figures.present == 1)
        #expect(book.sentence == "hall: 3 entered, 2 left (1 lost), 3 at once")
        #expect(GateBook().sentence == nil)
    }

    /// What is written is read back.
    @Test func roundTrip() throws {
        var book = GateBook()
        for frame in frames { book.add(frame) }
        let summary = try #require(book.summaries.first)
        var json = JSONWriter()
        summary.write(into: &json)
        let read = GateSummary(try JSONParser.parse(json.bytes))
        #expect(read == summary && read.difference(from: summary) == nil)
        var other = summary
        other.figures.entered = 4
        #expect(
            other.difference(from: summary)
                == "the summary's zone “hall” has hall: 4 entered, 2 left (1 lost), 3 at once, the frames hall: 3 entered, 2 left "
                + "(1 lost), 3 at once")
    }

    private func judge(_ text: String) throws -> [String] {
        var judge = ExpectationJudge(Expectation(try JSONParser.parse(Array(text.utf8))))
        for (number, observations) in frames.enumerated() {
            judge.add(
                FrameRecord(
                    frame: number, pts: MediaTime(ticks: Int64(number), timeBase: Rational(1, 10)), duration: 1,
                    observations: observations))
        }
        return judge.judgement.complaints
    }

    @Test func expectations() throws {
        #expect(try judge(#"{"stage": "flow", "zone": "hall", "count": {"max": 3, "min": 3}}"#) == [])
        #expect(try judge(#"{"stage": "flow", "label": "cat", "count": {"max": 3}}"#) == [])
        #expect(
            try judge(#"{"stage": "flow", "label": "dog", "zone": "hall", "count": {"min": 1}}"#)
                == ["expected at least 1 at once in zone “hall”, label “dog”, there were 0"])
        #expect(try judge(#"{"stage": "flow", "line": "gate", "crossings": {"max": 0}}"#) == [])
    }
}
