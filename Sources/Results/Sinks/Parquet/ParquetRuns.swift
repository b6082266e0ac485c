/// Parquet's hybrid code of small whole numbers: runs of one number, and between them groups of eight in as few bits as the
/// largest needs.
enum ParquetRuns {
    /// Bits that numbers up to one take.
    static func width(of largest: Int) -> Int { Int.bitWidth - largest.leadingZeroBitCount }

    /// The code of numbers below 2 to the power of `width`.
    static func encode(_ values: [UInt32], width: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        /// Numbers of groups that are to be packed: whole groups but for the last.
        var packed = 0..<0
        var index = 0
        while index < values.count {
            var end = index + 1
            while end < values.count, values[end] == values[index] { end += 1 }
            // What fills up the group before doesn't go into the run.
            let fill = min((8 - packed.count % 8) % 8, end - index)
            if end - index - fill >= 8 {
                packed = packed.lowerBound..<index + fill
                pack(values[packed], width, into: &bytes)
                bytes.appendVarint(UInt64(end - index - fill) << 1)
                var value = values[index]
                for _ in 0..<(width + 7) / 8 {
                    bytes.append(UInt8(truncatingIfNeeded: value))
                    value >>= 8
                }
                packed = end..<end
            } else {
                packed = packed.lowerBound..<end
            }
            index = end
        }
        pack(values[packed], width, into: &bytes)
        return bytes
    }

    private static func pack(_ values: ArraySlice<UInt32>, _ width: Int, into bytes: inout [UInt8]) {
        guard !values.isEmpty else { return }
        let groups = (values.count + 7) / 8
        bytes.appendVarint(UInt64(groups) << 1 | 1)
        var (bits, count, written) = (UInt64(0), 0, 0)
        for value in values {
            bits |= UInt64(value) << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count, written) = (bits >> 8, count - 8, written + 1)
            }
        }
        if count > 0 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            written += 1
        }
        // The last group is whole.
        bytes += [UInt8](repeating: 0, count: groups * width - written)
    }
}
