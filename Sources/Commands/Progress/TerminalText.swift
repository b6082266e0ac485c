import Annotate

/// The width of text on a terminal, in columns. Where terminals differ, the most that any of them takes.
enum TerminalText {
    static func width(_ text: some StringProtocol) -> Int {
        var (width, last) = (0, 0)
        for scalar in text.unicodeScalars {
            // A selector makes a picture of the sign before it, which some draw two columns wide.
            let own = scalar == "\u{FE0F}" ? (last == 1 ? 1 : 0) : columns(scalar)
            width += own
            last = own
        }
        return width
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return scalar == "\u{AD}" ? 1 : 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Characters that Unicode's EastAsianWidth.txt calls wide or full width, besides emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F000...0x1F02F, 0x1F18E...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]

    /// The text's beginning, with “…” where it goes on, and spaces up to a width.
    static func fitted(_ text: String, to columns: Int) -> String {
        // As it will be shown.
        let text = text.inOneLine
        let own = width(text)
        if own <= columns { return text + String(repeating: " ", count: columns - own) }
        guard columns > 0 else { return "" }
        var (kept, used) = ("", 0)
        for character in text {
            let next = width(String(character))
            guard used + next < columns else { break }
            kept.append(character)
            used += next
        }
        return kept + "…" + String(repeating: " ", count: columns - used - 1)
    }

    /// The text in lines of at most so many columns, broken between words; longer words are left whole.
    static func wrapped(_ text: String, to columns: Int, indent: String = "    ") -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var (line, used) = ("", 0)
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                let next = width(word)
                if used > 0, used + 1 + next > columns, columns > 2 * indent.count {
                    lines.append(line)
                    (line, used) = (indent, indent.count)
                    line += word
                    used += next
                } else {
                    if !line.isEmpty || used > 0 { (line, used) = (line + " ", used + 1) }
                    line += word
                    used += next
                }
            }
            lines.append(line)
        }
        return lines
    }
}

/// A terminal's size in characters.
struct TerminalSize: Equatable {
    var columns = 80
    var rows = 24
}
