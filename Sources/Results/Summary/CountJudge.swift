/// The part of an expectation that is about lines and zones, frame by frame.
struct CountJudge: Sendable {
    /// A figure: what is expected, how much it is, the moment to look at, and the sentence about it, given the words of
    /// what is expected.
    typealias Figure = (
        range: Expectation.Range?, value: Int, place: Moment?, sentence: (_ expected: String) -> String
    )

    private let expectation: Expectation
    private var crossings = 0
    private var entered = 0
    private var lastCrossing: Moment?
    private var lastEntry: Moment?
    /// The most things at once, and when that was first.
    private var most = 0
    private var mostAt: Moment?

    init(_ expectation: Expectation) { self.expectation = expectation }

    mutating func add(_ frame: FrameRecord, at moment: Moment) {
        var present = 0
        for observation in frame.observations where observation.stage == expectation.stage {
            if let event = observation.finding(as: EventFinding.self) {
                guard expectation.isMeant(event), expectation.label == nil || observation.label == expectation.label
                else { continue }
                if event.event == .entered { (entered, lastEntry) = (entered + 1, moment) }
                guard event.event == .crossed,
                    expectation.direction == nil || event.direction == expectation.direction
                else { continue }
                (crossings, lastCrossing) = (crossings + 1, moment)
            } else if let count = observation.finding(as: CountFinding.self), let zone = count.zone,
                expectation.zone ?? zone == zone
            {
                let figures = expectation.label.map { count.byLabel[$0] ?? CountFinding.Figures() } ?? count.figures
                present = max(present, figures.present ?? 0)
            }
        }
        if present > most { (most, mostAt) = (present, moment) }
    }

    var figures: [Figure] {
        let subject = expectation.subject
        func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
        return [
            (
                expectation.crossings, crossings, lastCrossing,
                { "\($0) crossings of \(subject), there \(crossings == 1 ? "is 1" : "are \(crossings)")" }
            ),
            (
                expectation.entered, entered, lastEntry,
                { "\($0) entries of \(subject), it was entered \(times(entered))" }
            ),
            (expectation.count, most, mostAt, { "\($0) at once in \(subject), there were \(most)" }),
        ]
    }
}
