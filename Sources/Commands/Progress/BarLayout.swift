/// The lines of running jobs, as wide as the terminal allows: what has no room is left out as a whole, the least important
/// part first, and from all lines alike, so that they stay columns.
struct BarLayout {
    struct Row {
        /// The job's place in the batch: `[3/12]`.
        var place: String
        var name: String
        var frames: Int
        var total: Int?
        /// Frames a second.
        var rate: Double
        var secondsLeft: Double?

        fileprivate var isFinishing: Bool { total.map { frames >= $0 } ?? false }
        fileprivate var share: Double? { total.map { min(1, Double(frames) / Double(max(1, $0))) } }
    }

    private enum Part {
        case bar, count, percent, rate, left, time

        func text(_ row: Row) -> String {
            switch self {
            case .bar: ""
            case .count: row.total.map { "\(row.frames)/\($0)" } ?? plural(row.frames, "frame")
            // Only the end is the whole.
            case .percent: row.share.map { "\(min(99, Int($0 * 100)))%" } ?? "\(row.frames)"
            case .rate: "\(Int(row.rate.rounded())) frames/s"
            // The encoder has frames in hand when the last one has been given to it.
            case .left: row.isFinishing ? "finishing" : row.secondsLeft.map { clock($0) + " left" } ?? ""
            case .time: row.isFinishing ? "" : row.secondsLeft.map { clock($0) } ?? ""
            }
        }
    }

    /// Parts of a line, by how much room there is, the most first, with the columns that a name needs beside them.
    private static let levels: [(parts: [Part], name: Int)] = [
        ([.bar, .count, .rate, .left], 12), ([.bar, .count, .left], 12), ([.bar, .percent, .left], 12),
        ([.count, .left], 8), ([.percent, .time], 6), ([.percent], 4), ([], 1),
    ]
    private static let longestName = 32
    private static let bar = 8...24

    /// - Parameter columns: The terminal's; the last one stays free.
    static func lines(_ rows: [Row], columns: Int) -> [String] {
        let room = columns - 1
        let place = rows.map { TerminalText.width($0.place) }.max() ?? 0
        let name = min(longestName, rows.map { TerminalText.width($0.name) }.max() ?? 0)
        for (parts, least) in levels {
            let widths = parts.map { part in rows.map { TerminalText.width(part.text($0)) }.max() ?? 0 }
            let gap = parts.count > 3 ? 2 : 1
            let fixed = place + 1 + widths.reduce(0) { $0 + ($1 > 0 ? $1 + gap : 0) }
            let hasBar = parts.contains(.bar)
            let free = room - fixed - (hasBar ? bar.lowerBound + gap : 0)
            guard free >= min(name, least) else { continue }
            let nameWidth = min(name, free)
            let barWidth = hasBar ? min(bar.upperBound, bar.lowerBound + free - nameWidth) : 0
            return rows.map { row in
                var line =
                    TerminalText.fitted(row.place, to: place) + " " + TerminalText.fitted(row.name, to: nameWidth)
                for (part, width) in zip(parts, widths) {
                    let text = part == .bar ? drawn(row.share, barWidth) : part.text(row)
                    let width = part == .bar ? barWidth : width
                    guard width > 0 else { continue }
                    // Numbers stand below one another.
                    line += String(repeating: " ", count: gap + max(0, width - TerminalText.width(text))) + text
                }
                while line.last == " " { line.removeLast() }
                return line
            }
        }
        return rows.map { TerminalText.fitted($0.name, to: max(0, room)) }
    }

    private static func drawn(_ share: Double?, _ width: Int) -> String {
        guard let share else { return String(repeating: " ", count: width) }
        let filled = Int(share * Double(width))
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }

    /// The line for the whole batch: the longest form that fits.
    static func batch(ended: Int, of jobs: Int, failed: Int, secondsLeft: Double?, columns: Int) -> String {
        let count = "\(ended)/\(jobs)"
        let failures = failed > 0 ? ", \(failed) failed" : ""
        let time = secondsLeft.map { clock($0) }
        let left = time.map { ", \($0) left" } ?? ""
        let forms = [
            "\(ended) of \(plural(jobs, "job")) ended\(failures)" + (time.map { ", about \($0) left" } ?? ""),
            "\(count) jobs\(failures)\(left)", "\(count)\(failures)\(left)",
            "\(count)\(failures)" + (time.map { ", \($0)" } ?? ""),
            "\(count) jobs\(failures)", "\(count)\(failures)", count,
        ]
        return forms.first { TerminalText.width($0) < columns } ?? ""
    }
}
