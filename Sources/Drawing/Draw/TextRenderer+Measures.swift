import CPango

/// Measures that other programs need to set the same text at the same place.
extension TextRenderer {
    /// The font that has the letters of most texts.
    struct Font: Hashable {
        var family: String
        /// Heights above and below the baseline, as the font file has them for Windows, in parts of an em.
        var ascent: Double
        var descent: Double
    }

    /// - Throws: `TextError` for a font without outlines.
    func font() throws(TextError) -> Font {
        var font = cpg_font()
        let status = cpg_renderer_font(handle, &font)
        guard status.code == 0 else { throw TextError("looking at the font", status) }
        let family = withUnsafeBytes(of: font.family) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Font(family: family, ascent: font.ascent, descent: font.descent)
    }

    /// The width without hinting, pixels.
    func plainWidth(of text: String) throws(TextError) -> Double {
        var text = text
        var width = 0.0
        let status = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                cpg_measure(handle, bytes.baseAddress, Int64(bytes.count), &width)
            }
        }
        guard status.code == 0 else { throw TextError("measuring text", status) }
        return width
    }

    /// The words that a bitmap shows: where they were cut, as many as fit, and “…”.
    func shown(_ bitmap: TextBitmap) throws(TextError) -> String {
        guard bitmap.isEllipsized else { return bitmap.text }
        let letters = Array(bitmap.text)
        // As many letters as are no wider.
        var (low, high) = (0, letters.count)
        while low < high {
            let middle = (low + high + 1) / 2
            if try plainWidth(of: String(letters[..<middle]) + "…") <= Double(bitmap.advance) + 0.5 {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return String(letters[..<low]) + "…"
    }
}
