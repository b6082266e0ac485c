/// Blends rows of coloured pixels with a canvas's planes: what is not of one colour, as shapes are.
///
/// A pixel is red, green, blue and alpha, 0…255 each, the colours already multiplied by alpha. Luma takes each pixel for
/// itself, a chroma sample the mean of the luma pixels that it stands for. Everything is correctly rounded single
/// precision, so that results are the same on every machine.
struct ColorBlender {
    private let canvas: Canvas
    private let luma: SIMD4<Float>
    private let cb: SIMD4<Float>
    private let cr: SIMD4<Float>
    private let highest: Float
    /// Sums over the luma pixels of the chroma row at work.
    private var sums: [SIMD4<Float>]
    private var row = -1
    private var columns = 0..<0

    init(_ canvas: Canvas) {
        self.canvas = canvas
        (luma, cb, cr) = canvas.colorSpace.weights(bitDepth: canvas.bitDepth)
        highest = Float((1 << canvas.bitDepth) - 1)
        sums = [SIMD4<Float>](repeating: .zero, count: canvas.chroma?.cb.width ?? 0)
    }

    /// Blends part of one row. Rows come in ascending order, each once; call `finish` behind the last one.
    ///
    /// - Parameters:
    ///   - x: The column of the first pixel; all pixels lie in the canvas.
    mutating func blend(_ pixels: UnsafeBufferPointer<SIMD4<Float>>, x: Int, y: Int) {
        guard !pixels.isEmpty else { return }
        let line = UnsafeMutableRawPointer(canvas.luma.base + y * canvas.luma.stride)
        if canvas.bitDepth > 8 {
            for index in pixels.indices {
                Self.blend(line + (x + index) * 2, as: UInt16.self, pixels[index], luma, highest)
            }
        } else {
            for index in pixels.indices {
                Self.blend(line + (x + index), as: UInt8.self, pixels[index], luma, highest)
            }
        }
        guard canvas.chroma != nil else { return }
        let (shiftX, shiftY) = canvas.chromaShift
        if y >> shiftY != row {
            finish()
            row = y >> shiftY
        }
        let touched = (x >> shiftX)..<min(((x + pixels.count - 1) >> shiftX) + 1, sums.count)
        guard !touched.isEmpty else { return }
        columns =
            columns.isEmpty
            ? touched
            : min(columns.lowerBound, touched.lowerBound)..<max(columns.upperBound, touched.upperBound)
        sums.withUnsafeMutableBufferPointer { sums in
            for index in pixels.indices { sums[min((x + index) >> shiftX, sums.count - 1)] += pixels[index] }
        }
    }

    /// Blends the chroma of the last rows.
    mutating func finish() {
        defer { columns = 0..<0 }
        guard let chroma = canvas.chroma, row >= 0, row < min(chroma.cb.height, chroma.cr.height) else { return }
        let (shiftX, shiftY) = canvas.chromaShift
        // Of an odd-sized picture the last samples stand for fewer pixels.
        let rows = min((row + 1) << shiftY, canvas.height) - row << shiftY
        for column in columns {
            let across = min((column + 1) << shiftX, canvas.width) - column << shiftX
            let mean = sums[column] / Float(max(rows * across, 1))
            sums[column] = .zero
            guard column < chroma.cr.width else { continue }
            let (first, second) = (
                UnsafeMutableRawPointer(chroma.cb.base + row * chroma.cb.stride),
                UnsafeMutableRawPointer(chroma.cr.base + row * chroma.cr.stride)
            )
            if canvas.bitDepth > 8 {
                Self.blend(first + column * 2, as: UInt16.self, mean, cb, highest)
                Self.blend(second + column * 2, as: UInt16.self, mean, cr, highest)
            } else {
                Self.blend(first + column, as: UInt8.self, mean, cb, highest)
                Self.blend(second + column, as: UInt8.self, mean, cr, highest)
            }
        }
    }

    @inline(__always)
    private static func blend<Sample: FixedWidthInteger>(
        _ target: UnsafeMutableRawPointer, as sample: Sample.Type, _ pixel: SIMD4<Float>, _ weights: SIMD4<Float>,
        _ highest: Float
    ) {
        guard pixel.w > 0 else { return }
        let old = Float(target.loadUnaligned(as: Sample.self))
        let parts = pixel * weights
        let new = old * (1 - pixel.w * (1 / 255)) + ((parts.x + parts.y) + (parts.z + parts.w))
        target.storeBytes(of: Sample(truncatingIfNeeded: Int32(min(highest, max(0, new)) + 0.5)), as: Sample.self)
    }
}

extension ColorSpace {
    /// What red, green, blue and alpha, 0…255, each add to a sample's code.
    func weights(bitDepth: Int) -> (y: SIMD4<Float>, cb: SIMD4<Float>, cr: SIMD4<Float>) {
        let (kr, kb) = matrix.weights
        let kg = 1 - kr - kb
        let unit = Double(1 << (min(max(bitDepth, 8), 16) - 8))
        let highest = 256 * unit - 1
        let (scale, offset, chromaScale) =
            fullRange ? (highest, 0, highest) : (219 * unit, 16 * unit, 224 * unit)
        func weights(_ r: Double, _ g: Double, _ b: Double, _ a: Double) -> SIMD4<Float> {
            SIMD4(Float(r / 255), Float(g / 255), Float(b / 255), Float(a / 255))
        }
        let (u, v) = (chromaScale / (2 * (1 - kb)), chromaScale / (2 * (1 - kr)))
        return (
            weights(kr * scale, kg * scale, kb * scale, offset),
            weights(-kr * u, -kg * u, (1 - kb) * u, 128 * unit), weights((1 - kr) * v, -kg * v, -kb * v, 128 * unit)
        )
    }
}
