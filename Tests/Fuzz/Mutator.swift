/// Changes texts as their readers see them: lines, numbers, members. What libFuzzer does to bytes mostly ends at the first brace.
struct Mutator {
    private var bytes: [UInt8]
    private var random: UInt64

    private static let numbers = [
        "0", "-1", "1", "0.5", "-0.0", "1e-320", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "4294967296", "2147483647", "65536", "1e15", "9007199254740993", "null", "[]", "\"\"",
    ].map { Array($0.utf8) }

    init(_ bytes: [UInt8], seed: UInt64) {
        self.bytes = bytes
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    private mutating func next(below limit: Int) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return limit > 0 ? Int(random % UInt64(limit)) : 0
    }

    mutating func mutated(longest: Int) -> [UInt8] {
        for _ in 0...next(below: 3) {
            switch next(below: 6) {
            case 0: swapLines()
            case 1: repeatLine()
            case 2: dropLine()
            case 3, 4: changeNumber()
            default: dropMember()
            }
        }
        return Array(bytes.prefix(longest))
    }

    private var lines: [ArraySlice<UInt8>] { bytes.split(separator: 0x0A, omittingEmptySubsequences: false) }

    private mutating func set(_ lines: [ArraySlice<UInt8>]) { bytes = Array(lines.joined(separator: [0x0A])) }

    private mutating func swapLines() {
        var all = lines
        all.swapAt(next(below: all.count), next(below: all.count))
        set(all)
    }

    private mutating func repeatLine() {
        var all = lines
        all.insert(all[next(below: all.count)], at: next(below: all.count))
        set(all)
    }

    private mutating func dropLine() {
        var all = lines
        all.remove(at: next(below: all.count))
        set(all)
    }

    private mutating func changeNumber() {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
        guard let start = place(from: next(below: bytes.count), where: isDigit) else { return }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: Self.numbers[next(below: Self.numbers.count)])
    }

    /// A member of an object, from its key to the comma behind its value where that is no object.
    private mutating func dropMember() {
        guard let start = place(from: next(below: bytes.count), where: { $0 == 0x22 }) else { return }
        let end = bytes[start...].firstIndex { $0 == 0x2C || $0 == 0x7D } ?? bytes.count
        bytes.removeSubrange(start..<(end < bytes.count && bytes[end] == 0x2C ? end + 1 : end))
    }

    private func place(from start: Int, where fits: (UInt8) -> Bool) -> Int? {
        guard start < bytes.count else { return nil }
        return bytes[start...].firstIndex(where: fits) ?? bytes.firstIndex(where: fits)
    }
}
