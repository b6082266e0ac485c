internal import Glibc

/// Text and numbers as a script's event has them.
enum ScriptText {
    /// A text with nothing in it that is a command to a player.
    static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "{": out.append(contentsOf: "\\{".unicodeScalars)
            case "}": out.append(contentsOf: "\\}".unicodeScalars)
            // With a joiner of no width behind it, a backslash begins nothing.
            case "\\": out.append(contentsOf: "\\\u{2060}".unicodeScalars)
            default: out.append(isControl(scalar) ? " " : scalar)
            }
        }
        // Players leave plain spaces at a line's ends out.
        let spaced = String(out)
        let leading = spaced.prefix { $0 == " " }.count
        guard leading < spaced.count else { return String(repeating: "\u{A0}", count: spaced.count) }
        let trailing = spaced.reversed().prefix { $0 == " " }.count
        return String(repeating: "\u{A0}", count: leading) + spaced.dropFirst(leading).dropLast(trailing)
            + String(repeating: "\u{A0}", count: trailing)
    }

    /// Whether a character is shown as a space, as `cpg_render` has it.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// A number with three decimals at most, whatever the locale.
    static func number(_ value: Double) -> String {
        let thousandths = Int(min(max((value * 1000).rounded(), -1e12), 1e12))
        let magnitude = thousandths.magnitude
        var text = (thousandths < 0 ? "-" : "") + String(magnitude / 1000)
        var fraction = magnitude % 1000
        guard fraction > 0 else { return text }
        text += "."
        for place in [100, 10, 1] as [UInt] where fraction > 0 {
            text += String(fraction / place)
            fraction %= place
        }
        return text
    }

    /// Colour and opacity of what is filled.
    static func fill(_ color: RGB, alpha: UInt8) -> String {
        let parts = [color.blue, color.green, color.red].map(hex).joined()
        return "\\c&H\(parts)&" + (alpha == 0 ? "" : "\\1a&H\(hex(alpha))&")
    }

    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + text : text
    }
}
