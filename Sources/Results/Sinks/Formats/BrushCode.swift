/// Label Studio's code of a brush's pixels: runs of bytes, four a pixel, in bits (`@thi.ng/rle-pack`).
///
/// 32 bits: how many bytes; 5: a byte's bits less one; four times 4: the lengths' bits less one. Then each run: 1, two bits that
/// choose a length's bits, its length less one, the byte.
struct BrushCode {
    private(set) var bytes: [UInt8] = []
    private var rest: UInt64 = 0
    private var bits = 0

    /// Bits that lengths of runs have.
    private static let sizes = [3, 4, 8, 16]

    /// - Parameter mask: Of the whole picture.
    init(_ mask: RunMask) {
        put(UInt64(mask.box.area * 4), 32)
        put(7, 5)
        for size in Self.sizes { put(UInt64(size - 1), 4) }
        var (value, count): (UInt8, Int) = (0, 0)
        for pixel in mask.bitmap {
            if pixel != value {
                run(of: value, count)
                (value, count) = (pixel, 0)
            }
            count += 4
        }
        run(of: value, count)
        if bits > 0 { put(0, 8 - bits) }
    }

    private mutating func run(of value: UInt8, _ count: Int) {
        var left = count
        while left > 0 {
            let length = min(left, 1 << 16)
            let choice = Self.sizes.firstIndex { length <= 1 << $0 } ?? 3
            put(1, 1)
            put(UInt64(choice), 2)
            put(UInt64(length - 1), Self.sizes[choice])
            put(value == 0 ? 0 : 255, 8)
            left -= length
        }
    }

    /// The lowest bits of a number, the highest of them first.
    private mutating func put(_ number: UInt64, _ count: Int) {
        rest = rest << UInt64(count) | number
        bits += count
        while bits >= 8 {
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: rest >> UInt64(bits)))
        }
    }
}
