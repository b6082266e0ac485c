extension String {
    /// The text in one line: signs that begin a line or command a terminal are written out. For what comes from elsewhere, a
    /// label or a file's name, and goes into logs.
    public var inOneLine: String { writingOut(Self.isControl) }

    /// The text with its lines, and without what commands a terminal otherwise: for all that people are shown there.
    public var inLines: String { writingOut { Self.isControl($0) && $0 != "\n" && $0 != "\t" } }

    private func writingOut(_ isMeant: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isMeant) else { return self }
        return unicodeScalars.map { isMeant($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    /// Marks that have what follows them run the other way, in the line that it is told in, too.
    private static let turns: Set<UInt32> = Set([0x061C, 0x200E, 0x200F]).union(0x202A...0x202E).union(0x2066...0x2069)

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
            || turns.contains(scalar.value)
    }
}
