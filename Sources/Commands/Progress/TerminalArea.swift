/// The lines at a terminal's bottom that are drawn anew again and again, below those that stay.
struct TerminalArea {
    private(set) var lines: [String] = []
    /// The last lines that stay, for when the screen is written anew.
    private var told: [String] = []
    private var size = TerminalSize()

    private static let most = 200

    /// Text that makes the area show other lines, below some more that stay.
    mutating func show(_ next: [String], below more: [String], in size: TerminalSize) -> String {
        let isTooWide = lines.contains { TerminalText.width($0) > size.columns }
        guard next != lines || !more.isEmpty || isTooWide || size.rows < self.size.rows else { return "" }
        self.size = size
        told = Array((told + more).suffix(Self.most))
        func wrapped(_ line: String) -> [String] { TerminalText.wrapped(line, to: size.columns - 1) }
        var text = ""
        if isTooWide {
            // Some terminals break such lines when they become narrower, others cut them off: nobody knows how many rows
            // they take now, so the screen is written anew.
            text = "\u{1B}[H\u{1B}[J"
            var room = size.rows - next.count - 1
            var kept: [String] = []
            for line in told.flatMap(wrapped).reversed() {
                // A word that is longer than the line is broken by the terminal.
                room -= max(1, (TerminalText.width(line) + size.columns - 1) / max(1, size.columns))
                if room < 0 { break }
                kept.append(line)
            }
            text += kept.reversed().map { $0 + "\n" }.joined()
        } else {
            if !lines.isEmpty { text = "\u{1B}[\(lines.count)A\r\u{1B}[J" }
            text += more.flatMap(wrapped).map { $0 + "\n" }.joined()
        }
        lines = next
        return text + next.map { $0 + "\n" }.joined()
    }
}
