extension String {
    /// The text in one line: signs that begin a line or command a terminal are written out. For what comes from elsewhere, a
    /// label or a file's name, and goes into logs.
    public var inOneLine: String { writingOut(Self.isControl) }

    /// The text with its lines, and without what commands a terminal otherwise: for all that people are shown there.
    public var inLines: String { writingOut { Self.isControl($0) && $0 != "\n" && $0 != "\t" } }

    /// Whether it has signs that begin a line or command a terminal.
    package var hasControls: Bool { unicodeScalars.contains(where: \.isControl) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl || scalar.turnsText }

    private func writingOut(_ isMeant: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isMeant) else { return self }
        return unicodeScalars.map { isMeant($0) ? $0.writtenOut : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// Control characters of ASCII and of Latin-1, and what begins lines or paragraphs.
    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) || [0x2028, 0x2029].contains(value) }

    /// Whether it has what follows it run the other way, in the line that it is told in, too.
    package var turnsText: Bool {
        [0x061C, 0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value)
            || (0x2066...0x2069).contains(value)
    }

    /// Its number, as Swift writes it.
    package var writtenOut: String { "\\u{\(String(value, radix: 16))}" }
}
