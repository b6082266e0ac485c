/// Texts in cells of tables that spreadsheets open.
///
/// What begins like a formula is one to a spreadsheet, and what a video shows may say anything. An apostrophe before it makes
/// it a text (OWASP, CSV Injection). Numbers stay numbers.
package enum CSVCell {
    /// A text as a cell of a table.
    package static func guarded(_ text: String) -> String {
        // Nearly all are numbers and words.
        if let first = text.utf8.first, (0x30...0x39).contains(first) || (0x41...0x5A).contains(first & ~0x20) {
            return text
        }
        return beginsAsFormula(text) && !isNumber(text) ? "'" + text : text
    }

    /// The text that a cell of such a table stands for.
    package static func meant(_ cell: String) -> String {
        guard cell.utf8.first == apostrophe, beginsAsFormula(cell) else { return cell }
        return String(cell.dropFirst())
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let starts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"]

    /// Whether a text begins like a formula, also behind apostrophes, so that each of them can be taken away again.
    private static func beginsAsFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(starts.contains) ?? false
    }

    /// Whether a text is a number as this program writes them.
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.utf8.count - rest.count <= 1 else { return false }
        func digits() -> Bool {
            let after = rest.drop { (0x30...0x39).contains($0) }
            defer { rest = after }
            return after.count < rest.count
        }
        guard digits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() else { return false }
        }
        return rest.isEmpty
    }
}
