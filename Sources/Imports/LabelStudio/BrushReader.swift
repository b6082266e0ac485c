/// Reads Label Studio's code of a brush's pixels, which `BrushCode` writes: runs of bytes, four a pixel, of which the last says
/// how opaque it is.
struct BrushReader {
    private let bytes: [UInt8]
    private var place = 0

    /// The mask that a code says.
    /// - Returns: nil for a code that isn't of so many pixels.
    static func mask(_ bytes: [UInt8], _ size: PictureSize) -> RunMask? {
        var reader = BrushReader(bytes: bytes)
        guard let pixels = reader.pixels(size.width * size.height) else { return nil }
        return RunMask(PixelBox(size), bitmap: pixels)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Whether each pixel is opaque, row by row.
    private mutating func pixels(_ count: Int) -> [UInt8]? {
        guard let all = number(32), all == count * 4, let width = number(5).map({ $0 + 1 }) else { return nil }
        var sizes: [Int] = []
        for _ in 0..<4 {
            guard let size = number(4) else { return nil }
            sizes.append(size + 1)
        }
        var pixels = [UInt8](repeating: 0, count: count)
        var index = 0
        /// Takes bytes of one value.
        func take(_ value: Int, _ length: Int) {
            // Each pixel's fourth byte.
            if value > 0 { for pixel in (index / 4)..<(index + length) / 4 { pixels[pixel] = 1 } }
            index += length
        }
        while index < all {
            guard let isRun = number(1), let choice = number(2), let length = number(sizes[choice]).map({ $0 + 1 }),
                length <= all - index
            else { return nil }
            if isRun == 1 {
                guard let value = number(width) else { return nil }
                take(value, length)
            } else {
                for _ in 0..<length {
                    guard let value = number(width) else { return nil }
                    take(value, 1)
                }
            }
        }
        return pixels
    }

    /// The number in the next bits, the highest first; nil at the end.
    private mutating func number(_ count: Int) -> Int? {
        guard place + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
            place += 1
        }
        return value
    }
}
