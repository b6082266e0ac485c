/// A colour space of Y′CbCr codes: the matrix and the range of the codes (ITU-R BT.601, BT.709, BT.2020).
public struct ColorSpace: Sendable, Hashable {
    /// The matrix between R′G′B′ and Y′CbCr.
    public enum Matrix: String, Sendable {
        /// The matrices of ITU-R BT.601, of BT.709, and of BT.2020 with non-constant luminance.
        case bt601, bt709, bt2020

        /// The weights of red and blue in luma.
        public var weights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }
    }

    /// The matrix.
    public var matrix: Matrix
    /// Whether luma and chroma use all codes: 0…255 rather than 16…235 (luma) and 16…240 (chroma), in 8 bits.
    public var fullRange: Bool

    /// A colour space by its matrix, and whether the codes have full range.
    public init(matrix: Matrix, fullRange: Bool) {
        self.matrix = matrix
        self.fullRange = fullRange
    }

    /// The 8-bit codes of an R′G′B′ colour whose components are 0…255.
    public func codes(of color: RGB) -> (y: UInt8, cb: UInt8, cr: UInt8) {
        let (y, cb, cr) = codes(of: color, bitDepth: 8)
        return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: cb), UInt8(truncatingIfNeeded: cr))
    }

    /// The codes of an R′G′B′ colour whose components are 0…255 (ITU-T H.273, 8.3: a limited range's codes are those of 8
    /// bits times a power of two, a full range goes to the highest code).
    ///
    /// - Parameters:
    ///   - color: Its components are 0…255.
    ///   - bitDepth: Bits a code, 8…16; what is beyond is cut.
    public func codes(of color: RGB, bitDepth: Int) -> (y: UInt16, cb: UInt16, cr: UInt16) {
        let (kr, kb) = matrix.weights
        let (r, g, b) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let cb = (b - y) / (2 * (1 - kb))
        let cr = (r - y) / (2 * (1 - kr))
        // The value of 8 bits' lowest bit.
        let unit = Double(1 << (min(max(bitDepth, 8), 16) - 8))
        let highest = 256 * unit - 1
        let (scale, offset, chromaScale) =
            fullRange ? (highest, 0, highest) : (219 * unit, 16 * unit, 224 * unit)
        func code(_ value: Double) -> UInt16 { UInt16(min(max(value.rounded(), 0), highest)) }
        return (
            code(y * scale + offset), code(cb * chromaScale + 128 * unit), code(cr * chromaScale + 128 * unit)
        )
    }
}

/// An R′G′B′ colour, 0…255 a component.
public struct RGB: Sendable, Hashable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8

    /// A colour by its R′G′B′ components, 0…255 each.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A share of 0…1 (or beyond, which is cut) as a code.
    @inline(__always)
    package static func code(_ share: Double) -> UInt8 {
        // The comparison's order makes NaN 0.
        guard share > 0 else { return 0 }
        return share >= 1 ? 255 : UInt8(truncatingIfNeeded: Int32(share * 255 + 0.5))
    }
}
