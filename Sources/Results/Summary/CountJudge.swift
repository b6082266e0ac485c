/// The part of an expectation that is about lines and zones, frame by frame.
struct CountJudge: Sendable {
    /// A figure that may be expected.
    struct Figure {
        /// Its name in a manifest.
        var name: String
        var range: Expectation.Range?
        var value: Int
        /// The last of what was counted, or when most were there at once.
        var place: Spot?
        /// Whether the place shows what is wrong however much is expected; else only where there are too many.
        var isOfOneMoment = false
        /// The sentence about it, given the words of what is expected.
        var sentence: (_ expected: String) -> String

        /// Where the figure is worst.
        var worst: Spot? { isOfOneMoment || range?.isExceeded(by: Double(value)) == true ? place : nil }
    }

    private let expectation: Expectation
    private var crossings = 0
    private var entered = 0
    private var lastCrossing: Spot?
    private var lastEntry: Spot?
    /// The most things at once, and when that was first.
    private var most = 0
    private var mostAt: Spot?

    init(_ expectation: Expectation) { self.expectation = expectation }

    mutating func add(_ frame: FrameRecord, at moment: Moment) {
        var present = 0
        for observation in frame.observations where observation.stage == expectation.stage {
            if let event = observation.finding(as: EventFinding.self) {
                guard expectation.isMeant(event), expectation.label == nil || observation.label == expectation.label
                else { continue }
                let spot = Spot(moment: moment, track: observation.about?.number)
                if event.event == .entered { (entered, lastEntry) = (entered + 1, spot) }
                guard event.event == .crossed,
                    expectation.direction == nil || event.direction == expectation.direction
                else { continue }
                (crossings, lastCrossing) = (crossings + 1, spot)
            } else if let count = observation.finding(as: CountFinding.self), let zone = count.zone,
                expectation.zone ?? zone == zone
            {
                let figures = expectation.label.map { count.byLabel[$0] ?? CountFinding.Figures() } ?? count.figures
                present = max(present, figures.present ?? 0)
            }
        }
        if present > most { (most, mostAt) = (present, Spot(moment: moment)) }
    }

    var figures: [Figure] {
        let subject = expectation.subject
        func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
        return [
            Figure(name: "crossings", range: expectation.crossings, value: crossings, place: lastCrossing) {
                "\($0) crossings of \(subject), there \(crossings == 1 ? "is 1" : "are \(crossings)")"
            },
            Figure(name: "entered", range: expectation.entered, value: entered, place: lastEntry) {
                "\($0) entries of \(subject), it was entered \(times(entered))"
            },
            Figure(name: "count", range: expectation.count, value: most, place: mostAt, isOfOneMoment: true) {
                "\($0) at once in \(subject), there were \(most)"
            },
        ]
    }
}
