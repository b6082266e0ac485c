/// The figures of lines and zones as events come in, in their frames' order.
struct FlowLedger: Sendable {
    /// The figures of one line or zone.
    struct Account: Sendable {
        var figures: CountFinding.Figures
        var byLabel: [String: CountFinding.Figures] = [:]
        /// Places and times, seconds, of what happened last.
        var recent: [(point: Point, time: Double)] = []
    }

    private let isZone: [Bool]
    private(set) var accounts: [Account]

    /// Time for which an event is marked, seconds.
    private static let highlight = 0.5
    /// The most labels with figures of their own; those of more are counted under the last one's name.
    private static let mostLabels = 64
    private static let others = "…"

    /// - Parameter isZone: Of each line and zone.
    init(isZone: [Bool]) {
        self.isZone = isZone
        accounts = isZone.map { Account(figures: Self.none(isZone: $0)) }
    }

    private static func none(isZone: Bool) -> CountFinding.Figures {
        var figures = CountFinding.Figures()
        if isZone {
            (figures.entered, figures.left, figures.present) = (0, 0, 0)
        } else {
            (figures.forward, figures.backward) = (0, 0)
        }
        return figures
    }

    /// - Parameter time: Of the frame with the event, seconds.
    mutating func add(_ event: FlowEvent, at time: Double) {
        var account = accounts[event.gate]
        let isKnown = account.byLabel[event.name] != nil || account.byLabel.count < Self.mostLabels
        let label = isKnown ? event.name : Self.others
        Self.add(event.kind, to: &account.figures)
        Self.add(event.kind, to: &account.byLabel[label, default: Self.none(isZone: isZone[event.gate])])
        if event.kind != .began { account.recent.append((event.point, time)) }
        accounts[event.gate] = account
    }

    /// Forgets what needn't be marked any more in a frame.
    mutating func advance(to time: Double) {
        for index in accounts.indices where !accounts[index].recent.isEmpty {
            accounts[index].recent.removeAll { time - $0.time > Self.highlight }
        }
    }

    private static func add(_ kind: FlowEvent.Kind, to figures: inout CountFinding.Figures) {
        switch kind {
        case .crossed(true): figures.forward = (figures.forward ?? 0) + 1
        case .crossed(false): figures.backward = (figures.backward ?? 0) + 1
        case .began: figures.present = (figures.present ?? 0) + 1
        case .entered:
            figures.entered = (figures.entered ?? 0) + 1
            figures.present = (figures.present ?? 0) + 1
        case .left:
            figures.left = (figures.left ?? 0) + 1
            figures.present = (figures.present ?? 0) - 1
        }
    }
}
