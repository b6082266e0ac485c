/// A table for people: columns as wide as what is in them, none that is empty, no line over a hundred characters.
package struct TextTable {
    static let width = 100
    private let width: Int
    private static let narrowest = 6

    /// A column of a table.
    package struct Column {
        var title: String
        /// Whether cells are flush right, as numbers are.
        var isRight = false
        /// Whether cells are cut where a line would be too long, in the widest column first.
        var canShrink = false

        package init(title: String, isRight: Bool = false, canShrink: Bool = false) {
            (self.title, self.isRight, self.canShrink) = (title, isRight, canShrink)
        }
    }

    let columns: [Column]
    /// Cells, and lines of text under them.
    private var rows: [(cells: [String], below: [String])] = []

    /// - Parameter width: The most characters of a line.
    package init(_ columns: [Column], width: Int = 100) { (self.columns, self.width) = (columns, width) }

    /// Adds a row.
    package mutating func add(_ cells: [String], below: [String] = []) { rows.append((cells, below)) }

    /// The lines.
    /// - Parameter indent: Blanks before each line.
    package func lines(indent: Int) -> [String] {
        let shown = columns.indices.filter { column in rows.contains { !$0.cells[column].isEmpty } }
        var widths = columns.indices.map { column in
            max(columns[column].title.count, rows.map { $0.cells[column].count }.max() ?? 0)
        }
        var surplus = indent + shown.reduce(0) { $0 + widths[$1] + 2 } - 2 - width
        while surplus > 0 {
            let wide = shown.filter { columns[$0].canShrink && widths[$0] > Self.narrowest }
            guard let column = wide.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[column] -= 1
            surplus -= 1
        }
        func line(_ cells: [String]) -> String {
            let text = shown.map { column -> String in
                let cell = Self.cut(cells[column], widths[column])
                let pad = String(repeating: " ", count: widths[column] - cell.count)
                return columns[column].isRight ? pad + cell : cell + pad
            }.joined(separator: "  ")
            return Self.blanks(indent) + Self.withoutEnd(text)
        }
        return [line(columns.map(\.title))]
            + rows.flatMap { row in
                [line(row.cells)] + row.below.flatMap { Self.wrap($0, indent: indent + 2) }
            }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func withoutEnd(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : String(text.prefix(width - 1)) + "…"
    }

    /// A sentence in lines that are not too long, all but the first two blanks further in.
    static func wrap(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = blanks(indent)
        for word in text.split(separator: " ") {
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, line.count + 1 + word.count > width {
                lines.append(line)
                line = blanks(indent + 2) + word
            } else {
                line += (isFirst ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
