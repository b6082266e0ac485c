/// How Y′CbCr codes stand for colours: the matrix and the range of the codes (ITU-R BT.601, BT.709, BT.2020).
public struct ColorSpace: Sendable, Hashable {
    public enum Matrix: String, Sendable {
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

    public var matrix: Matrix
    /// True for codes 0…255, false for 16…235 (luma) and 16…240 (chroma).
    public var fullRange: Bool

    public init(matrix: Matrix, fullRange: Bool) {
        self.matrix = matrix
        self.fullRange = fullRange
    }

    /// The codes of an R′G′B′ colour whose components are 0…255.
    public func codes(of color: RGB) -> (y: UInt8, cb: UInt8, cr: UInt8) {
        let (kr, kb) = matrix.weights
        let (r, g, b) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let cb = (b - y) / (2 * (1 - kb))
        let cr = (r - y) / (2 * (1 - kr))
        let (scale, offset, chromaScale) = fullRange ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
        func code(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return (code(y * scale + offset), code(cb * chromaScale + 128), code(cr * chromaScale + 128))
    }
}

/// An R′G′B′ colour, 0…255 a component.
public struct RGB: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}
