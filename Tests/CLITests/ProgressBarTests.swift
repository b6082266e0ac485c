import Testing

@testable import Annotate
@testable import Commands

/// The lines that a terminal shows while a batch runs.
@Suite struct ProgressBarTests {
    @Test(arguments: [
        ("desk", 4), ("", 0), ("日本語", 6), ("é", 1), ("e\u{301}", 1), ("🎬", 2), ("한글", 4), ("ﬁ…█", 3), ("ｆｕｌｌ", 8),
        ("❤\u{FE0F}", 2),
        ("a\u{200D}b", 2),
    ])
    func columns(text: String, expected: Int) { #expect(TerminalText.width(text) == expected) }

    @Test(arguments: [
        ("desk", 6, "desk  "), ("workbench", 6, "workb…"), ("日本語", 5, "日本…"), ("日本語", 4, "日… "), ("a", 0, ""),
    ])
    func aTextOfFixedWidth(text: String, columns: Int, expected: String) {
        #expect(TerminalText.fitted(text, to: columns) == expected)
    }

    @Test func linesAreBrokenBetweenWords() {
        let text = "[1/2] desk: done, 300 frames in 4.2 s (71 frames/s), 7 tracks"
        #expect(
            TerminalText.wrapped(text, to: 30) == [
                "[1/2] desk: done, 300 frames", "    in 4.2 s (71 frames/s), 7", "    tracks",
            ])
        #expect(TerminalText.wrapped(text, to: 80) == [text])
        #expect(
            TerminalText.wrapped("a /very/long/path/that/has/no/room b", to: 12).contains(
                "    /very/long/path/that/has/no/room"))
    }

    private static let rows = [
        BarLayout.Row(place: "[3/12]", name: "desk-by-the-window", frames: 120, total: 300, rate: 71, secondsLeft: 4),
        BarLayout.Row(place: "[10/12]", name: "壁の時計", frames: 17, total: nil, rate: 5, secondsLeft: nil),
    ]

    @Test func allThatThereIsRoomFor() {
        #expect(
            BarLayout.lines(Self.rows, columns: 200)
                == [
                    "[3/12]  desk-by-the-window  █████████░░░░░░░░░░░░░░░    120/300  71 frames/s  0:04 left",
                    "[10/12] 壁の時計                                      17 frames   5 frames/s",
                ])
    }

    @Test func framesInTheEncodersHands() {
        let row = BarLayout.Row(place: "[1/1]", name: "a", frames: 300, total: 300, rate: 9, secondsLeft: 0)
        #expect(
            BarLayout.lines([row], columns: 80) == ["[1/1] a  ████████████████████████  300/300  9 frames/s  finishing"]
        )
    }

    @Test(arguments: [
        (50, "[3/12]  desk-by-the… ███░░░░░   120/300 0:04 left"), (40, "[3/12]  desk-by-th…   120/300 0:04 left"),
        (30, "[3/12]  desk-by-the… 40% 0:04"), (20, "[3/12]  desk-b… 40%"), (10, "[3/12]  …"), (5, "des…"),
    ])
    func theLeastImportantGoesFirst(columns: Int, expected: String) {
        let lines = BarLayout.lines(Self.rows, columns: columns)
        #expect(lines.first == expected)
    }

    @Test(arguments: 1...200)
    func everyLineFits(columns: Int) {
        for rows in [Self.rows, [Self.rows[0]], [Self.rows[1]]] {
            for line in BarLayout.lines(rows, columns: columns) {
                #expect(TerminalText.width(line) < columns, "\(line)")
            }
        }
        let batch = BarLayout.batch(ended: 1234, of: 5678, failed: 12, secondsLeft: 4000, columns: columns)
        #expect(TerminalText.width(batch) < columns)
        // Numbers are whole, or not there.
        for part in batch.split(whereSeparator: { !"0123456789:".contains($0) }) {
            #expect(["1234", "5678", "12", "1:06:40"].contains(part), "\(batch)")
        }
    }

    @Test func theBatchInOneLine() {
        func line(_ columns: Int, failed: Int = 1) -> String {
            BarLayout.batch(ended: 3, of: 12, failed: failed, secondsLeft: 42, columns: columns)
        }
        #expect(line(80) == "3 of 12 jobs ended, 1 failed, about 0:42 left")
        #expect(line(40) == "3/12 jobs, 1 failed, 0:42 left")
        #expect(line(20) == "3/12 jobs, 1 failed")
        #expect(line(20, failed: 0) == "3/12, 0:42 left")
        #expect(BarLayout.batch(ended: 0, of: 1, failed: 0, secondsLeft: nil, columns: 80) == "0 of 1 job ended")
    }

    // MARK: Redrawing

    @Test(arguments: [true, false])
    func nothingIsSmearedWhenTheTerminalChanges(reflowing: Bool) {
        var (area, screen) = (TerminalArea(), ScreenEmulator(columns: 60, rows: 12))
        func size() -> TerminalSize { TerminalSize(columns: screen.columns, rows: 12) }
        let told = (1...3).map { "[\($0)/9] ended" }
        for step in 0..<20 {
            if step == 5 { screen.resize(columns: 40, reflowing: reflowing) }
            if step == 10 { screen.resize(columns: 70, reflowing: reflowing) }
            if step == 15 { screen.resize(columns: 20, reflowing: reflowing) }
            let lines = BarLayout.lines(
                (4...6).map {
                    BarLayout.Row(
                        place: "[\($0)/9]", name: "clip-of-the-day", frames: step, total: 100, rate: 5, secondsLeft: 9)
                }, columns: screen.columns)
            screen.write(area.show(lines + ["batch"], below: step < 3 ? [told[step]] : [], in: size()))
            if step >= 2 { #expect(screen.lines == told + lines + ["batch", ""], "step \(step)") }
        }
        #expect(!screen.hasWrapped)
        screen.write(area.show([], below: [], in: size()))
        #expect(screen.lines == told + [""])
    }

    @Test func nothingIsWrittenWhereNothingChanged() {
        var area = TerminalArea()
        let size = TerminalSize(columns: 40, rows: 10)
        #expect(area.show(["a"], below: [], in: size) == "a\n")
        #expect(area.show(["a"], below: [], in: size) == "")
        #expect(area.show(["a"], below: ["x"], in: size) == "\u{1B}[1A\r\u{1B}[Jx\na\n")
    }

    private static func running(_ count: Int) -> BatchState {
        let jobs = (1...count).map { JobProgress(id: "job-\($0)") }
        jobs.forEach { $0.start() }
        var state = BatchState(jobs)
        state.look(at: 0)
        return state
    }

    @Test(arguments: [1, 2, 3, 5, 24])
    func moreJobsThanRows(rows: Int) {
        for count in [1, 2, 3, 4, 30] {
            let lines = BarDisplay.area(Self.running(count), TerminalSize(columns: 50, rows: rows))
            #expect(lines.count <= max(1, rows - 1))
            #expect(lines.last == "0 of \(plural(count, "job")) ended")
            if lines.count < count + 1, rows > 2 {
                #expect(lines.dropLast().last == "… and \(count - lines.count + 2) more")
            }
        }
    }

    // MARK: Time left

    @Test func theTimeThatIsLeftCountsJobsThatWait() throws {
        let jobs = (0..<4).map { JobProgress(id: "\($0)") }
        var state = BatchState(jobs)
        jobs[0].start()
        jobs[0].expect(100)
        state.look(at: 0)
        #expect(state.secondsLeft == nil)
        // Ten frames a second: 100 in this job, and as many in each of the others.
        for second in 1...5 {
            for _ in 0..<10 { jobs[0].advance() }
            state.look(at: Double(second))
        }
        #expect(abs(try #require(state.secondsLeft) - 35) < 0.5)
        for second in 6...10 {
            for _ in 0..<10 { jobs[0].advance() }
            state.look(at: Double(second))
        }
        var outcome = JobOutcome(.done)
        (outcome.frames, outcome.seconds) = (100, 10)
        jobs[0].finish(outcome)
        jobs[1].start()
        jobs[1].expect(400)
        var shown: [Double] = []
        for tick in 101...200 {
            jobs[1].advance()
            state.look(at: Double(tick) / 10)
            shown.append(try #require(state.secondsLeft))
        }
        // The mean has become 250: 300 + 2 × 250 are left at the end, in steps that nobody is startled by.
        #expect(abs(try #require(shown.last) - 80) < 8)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { abs($1 - $0) < 3 })
        #expect(state.endedCount == 1)
    }

    @Test func aSingleJobMayTakeLongerThanAllTogether() throws {
        let jobs = (0..<2).map { JobProgress(id: "\($0)") }
        var state = BatchState(jobs)
        jobs.forEach { $0.start() }
        jobs[0].expect(20)
        jobs[1].expect(100)
        for second in 0...10 {
            state.look(at: Double(second))
            jobs[0].advance()
            jobs[1].advance()
        }
        #expect(abs(try #require(state.secondsLeft) - 90) < 5)
    }

    // MARK: For logs

    /// Seconds at which lines come where so many jobs of some length run one after another, several at once.
    private static func lines(jobs: Int, atOnce: Int, seconds: Double) -> [(time: Double, job: Int)] {
        var (pace, lines) = (PlainPace(), [(time: Double, job: Int)]())
        for tick in 0..<Int(seconds * 10) * jobs / atOnce {
            let now = Double(tick) / 10
            let first = Int(now / seconds) * atOnce
            let running = (0..<atOnce).map { (job: first + $0, seconds: now.truncatingRemainder(dividingBy: seconds)) }
            if let job = pace.next(running, now) { lines.append((now, job)) }
        }
        return lines
    }

    @Test func aLongJobIsToldOfNowAndThen() {
        #expect(Self.lines(jobs: 1, atOnce: 1, seconds: 9).isEmpty)
        #expect(Self.lines(jobs: 1, atOnce: 1, seconds: 200).map(\.time) == [10, 30, 60, 120, 180])
        let hours = Self.lines(jobs: 1, atOnce: 1, seconds: 7200).map(\.time)
        #expect(zip(hours, hours.dropFirst()).allSatisfy { $1 - $0 >= 20 && $1 - $0 <= 601 })
    }

    @Test(arguments: [(1, 60.0), (2, 60), (4, 60), (12, 60), (4, 300), (2, 900), (12, 7000)])
    func aLogOfTwelveClipsIsShort(atOnce: Int, seconds: Double) {
        let lines = Self.lines(jobs: 12, atOnce: atOnce, seconds: seconds)
        #expect(lines.count <= 26, "\(lines)")
        // Each of those at work has its turn.
        if atOnce > 1 { #expect(Set(lines.map(\.job)).count > 1) }
    }
}
