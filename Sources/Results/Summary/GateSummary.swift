/// The figures of one line or zone in a track file's last line.
public struct GateSummary: Record, Hashable {
    /// Id of the stage that counted.
    public var stage = ""
    /// The line's id; nil for a zone.
    public var line: String?
    /// The zone's id; nil for a line.
    public var zone: String?
    /// The figures of things of all labels.
    public var figures = CountFinding.Figures()
    /// How many of those that left a zone weren't seen any more inside; nil for a line.
    public var lost: Int?
    /// The most things that were in the zone at once; nil for a line.
    public var most: Int?
    /// Mean time in the zone of things that left, seconds; nil for none.
    public var meanDwell: Double?
    /// Longest time in the zone of a thing that left, seconds; nil for none.
    public var longestDwell: Double?
    /// The figures of things of each label.
    public var byLabel: [String: CountFinding.Figures] = [:]

    public init() {}

    public static let fields: [Field<GateSummary>] =
        [
            Field("stage", \.stage, .text(.identifier), doc: "The stage that counted."),
            Field("line", \.line, .text(), doc: "The line's id."),
            Field("zone", \.zone, .text(), doc: "The zone's id."),
        ] + CountFinding.Figures.fields.map { $0.lifted(to: \.figures) } + [
            Field(
                "lost", \.lost, .integer(0...Int.mostCounted),
                doc: "Of those that left, how many were not seen any more inside."),
            Field("most", \.most, .integer(0...Int.mostCounted), doc: "The most that were there at once."),
            Field(
                "meanDwell", \.meanDwell, .number(Bounds(0), decimals: 3), unit: "s", doc: "Of those that left."),
            Field(
                "longestDwell", \.longestDwell, .number(Bounds(0), decimals: 3), unit: "s", doc: "Of those that left."),
            Field(
                "counts", \.byLabel, .figuresByLabel, .optional, tellsDefault: false,
                doc: "The same figures of each label; left out where nothing was counted."),
        ]

    /// `gate: 3 forward, 1 backward`, `crossing: 5 entered, 4 left (1 lost), 2 at once`.
    var sentence: String {
        if let line {
            return "\(line.inOneLine): \(figures.forward ?? 0) forward, \(figures.backward ?? 0) backward"
        }
        let lost = lost.map { $0 > 0 ? " (\($0) lost)" : "" } ?? ""
        return "\((zone ?? "").inOneLine): \(figures.entered ?? 0) entered, \(figures.left ?? 0) left\(lost), "
            + "\(most ?? 0) at once"
    }

    /// The stage with the line or zone.
    package var name: [String] { [stage, line ?? "", zone ?? ""] }

    /// How this differs from what the frames say, in words; nil where it doesn't.
    package func difference(from frames: GateSummary) -> String? {
        guard rounded != frames.rounded else { return nil }
        let what = line.map { "line “\($0.inOneLine)”" } ?? "zone “\((zone ?? "").inOneLine)”"
        return "the summary's \(what) has \(sentence), the frames \(frames.sentence)"
    }
}

/// Adds up what the frames say of lines and zones.
struct GateBook: Sendable {
    private struct Key: Hashable {
        var stage: String
        var line: String?
        var zone: String?
    }

    private struct Sum {
        var summary: GateSummary
        var dwell = 0.0
    }

    private var sums: [Key: Sum] = [:]
    /// Lines and zones in the order in which they came.
    private var order: [Key] = []

    mutating func add(_ observations: [Observation]) {
        for observation in observations {
            if let count = observation.finding(as: CountFinding.self) {
                change(Key(stage: observation.stage, line: count.line, zone: count.zone)) { sum in
                    sum.summary.figures = count.figures
                    sum.summary.byLabel = count.byLabel
                    guard let present = count.figures.present else { return }
                    sum.summary.most = max(sum.summary.most ?? 0, present)
                    sum.summary.lost = sum.summary.lost ?? 0
                }
            } else if let event = observation.finding(as: EventFinding.self), event.event == .left {
                change(Key(stage: observation.stage, line: event.line, zone: event.zone)) { sum in
                    if event.isLost { sum.summary.lost = (sum.summary.lost ?? 0).addingInRange(1) }
                    guard let dwell = event.dwell else { return }
                    sum.dwell += dwell
                    sum.summary.longestDwell = max(sum.summary.longestDwell ?? 0, dwell)
                }
            }
        }
    }

    private mutating func change(_ key: Key, _ change: (inout Sum) -> Void) {
        if sums[key] == nil {
            var summary = GateSummary()
            (summary.stage, summary.line, summary.zone) = (key.stage, key.line, key.zone)
            sums[key] = Sum(summary: summary)
            order.append(key)
        }
        if var sum = sums[key] {
            change(&sum)
            sums[key] = sum
        }
    }

    var summaries: [GateSummary] {
        order.compactMap { key in
            guard let sum = sums[key] else { return nil }
            var summary = sum.summary
            if let left = summary.figures.left, left > 0 { summary.meanDwell = sum.dwell / Double(left) }
            return summary.rounded
        }
    }

    /// The totals in a sentence; nil where nothing counts.
    var sentence: String? { order.isEmpty ? nil : summaries.map(\.sentence).joined(separator: "; ") }
}
