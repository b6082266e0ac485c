import Graph

/// One plane of 32-bit samples. A single owner's scratch memory: never shared between threads.
final class Plane {
    let width: Int
    let height: Int
    let samples: UnsafeMutablePointer<Float>

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        samples = .allocate(capacity: max(width * height, 1))
        samples.initialize(repeating: 0, count: width * height)
    }

    deinit {
        samples.deallocate()
    }

    func row(_ y: Int) -> UnsafeMutablePointer<Float> { samples + y * width }
}

/// A picture in the making: luma above black at full size, chroma about 0 at half size, both in codes of 8 bits.
final class WorkFrame {
    let luma: Plane
    let cb: Plane
    let cr: Plane

    init(width: Int, height: Int) {
        luma = Plane(width: width, height: height)
        cb = Plane(width: width / 2, height: height / 2)
        cr = Plane(width: width / 2, height: height / 2)
    }
}

/// Colours as luma above black and chroma about 0, in codes of 8 bits; the fourth component is the coverage.
typealias Codes = SIMD4<Float>

/// From R′G′B′ of 0…1 to codes without the rounding and the offsets of `ColorSpace.codes`.
struct ColorCoder {
    private let red: Codes
    private let green: Codes
    private let blue: Codes
    let lumaOffset: Float
    /// The codes that a picture may use: under limited range 0 and 255 are kept for timing.
    let codeRange: ClosedRange<Float>

    init(_ space: ColorSpace) {
        let (kr, kb) = space.matrix.weights
        let kg = 1 - kr - kb
        let (luma, chroma) = space.fullRange ? (255.0, 255.0) : (219.0, 224.0)
        func column(_ weight: Double, isRed: Bool = false, isBlue: Bool = false) -> Codes {
            let cb = ((isBlue ? 1 : 0) - weight) / (2 * (1 - kb))
            let cr = ((isRed ? 1 : 0) - weight) / (2 * (1 - kr))
            return Codes(Float(weight * luma), Float(cb * chroma), Float(cr * chroma), 0)
        }
        red = column(kr, isRed: true)
        green = column(kg)
        blue = column(kb, isBlue: true)
        lumaOffset = space.fullRange ? 0 : 16
        codeRange = space.fullRange ? 0...255 : 1...254
    }

    @inline(__always)
    func codes(_ rgb: SIMD3<Float>) -> Codes {
        var result = red * rgb.x + green * rgb.y + blue * rgb.z
        result.w = 1
        return result
    }

    func codes(_ color: RGB) -> Codes { codes(SIMD3(color)) }
}

extension SIMD3<Float> {
    /// The components as 0…1.
    init(_ color: RGB) {
        self = SIMD3(Float(color.red), Float(color.green), Float(color.blue)) / 255
    }
}
