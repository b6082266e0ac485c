internal import CZXing

/// The modules of an EAN, UPC or Code 93 that stands for some digits or characters.
struct BarcodeBars {
    /// Modules that stand for a digit or a character, and what may stand there.
    struct Digit {
        var first: Int
        var patterns: [[Int]]
        var count: Int { patterns[0].count }
    }

    /// 1 where a module is dark.
    private(set) var dark: [Int]
    let digits: [Digit]
    /// Modules at whose left edge dark begins (1) or ends (-1), from the left.
    private(set) var edges: [(place: Int, sign: Double)] = []

    /// nil for other kinds than EAN, UPC and Code 93, and for what is no payload of the kind.
    init?(_ symbology: BarcodeSymbology, digits text: String) {
        let places: (left: Int, right: Int)
        switch symbology {
        case .ean13, .upca: places = (6, 6)
        case .ean8: places = (4, 4)
        case .upce: places = (6, 0)
        case .code93: places = (0, 0)
        default: return nil
        }
        guard let dark = Self.modules(symbology, text) else { return nil }
        self.dark = dark
        edges = Self.edges(of: dark)
        guard symbology != .code93 else {
            // A start, characters and two checks, a stop and a last bar.
            let count = (dark.count - 1) / Self.code93 - 2
            guard dark.count == (count + 2) * Self.code93 + 1, count > 2 else { return nil }
            digits = (1...count).map { Digit(first: $0 * Self.code93, patterns: Self.charactersOfCode93) }
            return
        }
        // Guards are 3 + 5 + 3 modules, of a UPC-E 3 + 6.
        let guards = places.right > 0 ? 11 : 9
        guard dark.count == guards + 7 * (places.left + places.right) else { return nil }
        let left = symbology == .ean13 || symbology == .upce ? Self.setA + Self.setB : Self.setA
        digits =
            (0..<places.left).map { Digit(first: 3 + 7 * $0, patterns: left) }
            + (0..<places.right).map { Digit(first: 8 + 7 * (places.left + $0), patterns: Self.setC) }
    }

    /// 1 where a module is dark; nil for what is no payload of the kind.
    private static func modules(_ symbology: BarcodeSymbology, _ text: String) -> [Int]? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard let modules = zx_write(zx_symbology(symbology.bit), text, &width, &height) else { return nil }
        defer { zx_free_modules(modules) }
        return (0..<Int(width)).map { modules[$0] == 0 ? 1 : 0 }
    }

    /// The same with other modules for a digit.
    func replacing(_ digit: Digit, by pattern: [Int]) -> BarcodeBars {
        var out = self
        out.dark.replaceSubrange(digit.first..<digit.first + digit.count, with: pattern)
        out.edges = Self.edges(of: out.dark)
        return out
    }

    private static func edges(of dark: [Int]) -> [(place: Int, sign: Double)] {
        zip([0] + dark, dark + [0]).enumerated().compactMap { place, pair in
            pair.0 == pair.1 ? nil : (place, Double(pair.1 - pair.0))
        }
    }

    /// Modules of a Code 93's character.
    private static let code93 = 9
    /// Every character of Code 93, the four that shift another among them: each is the first of a pair.
    private static let charactersOfCode93 =
        ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".map(String.init) + ["\u{1}", "\u{1B}", "!", "a"]).compactMap {
            modules(.code93, $0).map { Array($0[code93..<2 * code93]) }
        }

    /// Number sets A, B and C of ISO/IEC 15420: C is the inverse of A, B is C from right to left.
    private static let setA = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ].map { $0.map { $0 == "1" ? 1 : 0 } }
    private static let setC = setA.map { $0.map { 1 - $0 } }
    private static let setB = setC.map { Array($0.reversed()) }
}
