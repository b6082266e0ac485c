internal import CZXing

/// The modules of an EAN or UPC that stands for some digits.
struct BarcodeBars {
    /// Seven modules that stand for a digit, and what may stand there.
    struct Digit {
        var first: Int
        var patterns: [[Int]]
    }

    /// 1 where a module is dark.
    private(set) var dark: [Int]
    let digits: [Digit]
    /// Modules at whose left edge dark begins (1) or ends (-1), from the left.
    private(set) var edges: [(place: Int, sign: Double)] = []

    /// nil for other kinds than EAN and UPC, and for what is no payload of the kind.
    init?(_ symbology: BarcodeSymbology, digits text: String) {
        let places: (left: Int, right: Int)
        switch symbology {
        case .ean13, .upca: places = (6, 6)
        case .ean8: places = (4, 4)
        case .upce: places = (6, 0)
        default: return nil
        }
        var (width, height): (Int32, Int32) = (0, 0)
        guard let modules = zx_write(zx_symbology(symbology.bit), text, &width, &height) else { return nil }
        defer { zx_free_modules(modules) }
        dark = (0..<Int(width)).map { modules[$0] == 0 ? 1 : 0 }
        // Guards are 3 + 5 + 3 modules, of a UPC-E 3 + 6.
        let guards = places.right > 0 ? 11 : 9
        guard dark.count == guards + 7 * (places.left + places.right) else { return nil }
        let left = symbology == .ean13 || symbology == .upce ? Self.setA + Self.setB : Self.setA
        digits =
            (0..<places.left).map { Digit(first: 3 + 7 * $0, patterns: left) }
            + (0..<places.right).map { Digit(first: 8 + 7 * (places.left + $0), patterns: Self.setC) }
        edges = Self.edges(of: dark)
    }

    /// The same with other modules for a digit.
    func replacing(_ digit: Digit, by pattern: [Int]) -> BarcodeBars {
        var out = self
        out.dark.replaceSubrange(digit.first..<digit.first + 7, with: pattern)
        out.edges = Self.edges(of: out.dark)
        return out
    }

    private static func edges(of dark: [Int]) -> [(place: Int, sign: Double)] {
        zip([0] + dark, dark + [0]).enumerated().compactMap { place, pair in
            pair.0 == pair.1 ? nil : (place, Double(pair.1 - pair.0))
        }
    }

    /// Number sets A, B and C of ISO/IEC 15420: C is the inverse of A, B is C from right to left.
    private static let setA = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ].map { $0.map { $0 == "1" ? 1 : 0 } }
    private static let setC = setA.map { $0.map { 1 - $0 } }
    private static let setB = setC.map { Array($0.reversed()) }
}
