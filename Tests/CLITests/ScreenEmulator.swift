@testable import Commands

/// A terminal of some columns and rows: what it shows after what was written to it. It knows the few sequences that the
/// program uses.
struct ScreenEmulator {
    private(set) var columns: Int
    private(set) var rows: Int
    private var cells: [[String]] = [[]]
    private var (row, column) = (0, 0)
    /// Lines that left at the top.
    private(set) var gone: [String] = []
    /// True once a line was longer than the screen is wide.
    private(set) var hasWrapped = false

    init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    var lines: [String] { cells.map { $0.joined() } }

    /// Lines that are too long now are cut off, as xterm does it, or broken, as most others do.
    mutating func resize(columns: Int, reflowing: Bool) {
        self.columns = columns
        var next: [[String]] = []
        var cursor = row
        for (index, line) in cells.enumerated() {
            if index == row { cursor = next.count }
            guard line.count > columns else {
                next.append(line)
                continue
            }
            next.append(Array(line.prefix(columns)))
            var rest = Array(line.dropFirst(columns))
            while reflowing, !rest.isEmpty {
                next.append(Array(rest.prefix(columns)))
                rest = Array(rest.dropFirst(columns))
            }
        }
        (cells, row) = (next, cursor)
        scroll()
    }

    private mutating func scroll() {
        while row >= rows {
            gone.append(cells.removeFirst().joined())
            row -= 1
        }
    }

    mutating func write(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n":
                (row, column) = (row + 1, 0)
                if row == cells.count { cells.append([]) }
                scroll()
            case "\r": column = 0
            case "\u{1B}":
                _ = rest.popFirst()
                var number = ""
                while let next = rest.popFirst() {
                    guard next.properties.numericType == nil else {
                        number.unicodeScalars.append(next)
                        continue
                    }
                    obey(next, Int(number))
                    break
                }
            default: put(String(Character(scalar)))
            }
        }
    }

    private mutating func obey(_ letter: Unicode.Scalar, _ number: Int?) {
        switch letter {
        case "A": row = max(0, row - (number ?? 1))
        case "H": (row, column) = (0, 0)
        case "J":
            cells[row] = Array(cells[row].prefix(column))
            cells.removeSubrange((row + 1)...)
        default: break
        }
    }

    private mutating func put(_ text: String) {
        let width = TerminalText.width(text)
        if column + width > columns {
            hasWrapped = true
            (row, column) = (row + 1, 0)
            if row == cells.count { cells.append([]) }
            scroll()
        }
        while cells[row].count < column { cells[row].append(" ") }
        cells[row].replaceSubrange(
            column..<min(cells[row].count, column + width), with: width == 0 ? [] : [text] + (width == 2 ? [""] : []))
        column += width
    }
}
