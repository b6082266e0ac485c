/// A colour with its alpha in four lanes of 16 bits: red, green and blue (each times alpha) and alpha, 0…255 each.
///
/// Lanes are worked on at once in one integer, which is fast and the same on every machine.
struct PixelLanes {
    var bits: UInt64

    static let zero = PixelLanes(bits: 0)
    private static let low: UInt64 = 0x00FF_00FF_00FF_00FF
    private static let half: UInt64 = 0x0080_0080_0080_0080

    @inline(__always) init(bits: UInt64) { self.bits = bits }

    /// Lanes of four bytes as they lie in memory.
    @inline(__always)
    init(bytes: UInt32) {
        var spread = UInt64(bytes)
        spread = (spread | spread &<< 16) & 0x0000_FFFF_0000_FFFF
        bits = (spread | spread &<< 8) & Self.low
    }

    @inline(__always)
    init(_ red: UInt32, _ green: UInt32, _ blue: UInt32, _ alpha: UInt32) {
        bits = UInt64(red) | UInt64(green) &<< 16 | UInt64(blue) &<< 32 | UInt64(alpha) &<< 48
    }

    /// The colour a share of the way to another, in 256ths.
    @inline(__always)
    func mixed(_ other: PixelLanes, _ share: UInt64) -> PixelLanes {
        PixelLanes(bits: ((bits &* (256 &- share) &+ other.bits &* share &+ Self.half) &>> 8) & Self.low)
    }

    /// The colour times a factor, in 255ths.
    @inline(__always)
    func scaled(_ factor: UInt64) -> PixelLanes {
        let product = bits &* factor &+ Self.half
        return PixelLanes(bits: ((product &+ ((product &>> 8) & Self.low)) &>> 8) & Self.low)
    }
}

/// Blends rows of coloured pixels with a canvas's planes: what is not of one colour, as shapes are.
///
/// Luma takes each pixel for itself, a chroma sample the mean of the luma pixels that it stands for. All in integers.
struct ColorBlender {
    /// The part that each lane adds to a code, in 65536ths.
    private struct Weights {
        var red: Int, green: Int, blue: Int, alpha: Int

        init(_ weights: SIMD4<Double>) {
            func fixed(_ value: Double) -> Int { Int((value * 65536).rounded()) }
            (red, green, blue) = (fixed(weights.x), fixed(weights.y), fixed(weights.z))
            alpha = fixed(weights.w)
        }

        @inline(__always)
        func code(_ lanes: PixelLanes) -> Int {
            let bits = lanes.bits
            let red = Int(truncatingIfNeeded: bits & 0xFFFF), green = Int(truncatingIfNeeded: bits &>> 16 & 0xFFFF)
            let blue = Int(truncatingIfNeeded: bits &>> 32 & 0xFFFF), alpha = Int(truncatingIfNeeded: bits &>> 48)
            return self.red &* red &+ self.green &* green &+ self.blue &* blue &+ self.alpha &* alpha
        }
    }

    private let canvas: Canvas
    private let luma: Weights
    private let cb: Weights
    private let cr: Weights
    private let highest: Int
    /// Sums over the luma pixels of the chroma row at work.
    private var sums: [UInt64]
    private var row = -1
    private var columns = 0..<0

    init(_ canvas: Canvas) {
        self.canvas = canvas
        let weights = canvas.colorSpace.weights(bitDepth: canvas.bitDepth)
        (luma, cb, cr) = (Weights(weights.y), Weights(weights.cb), Weights(weights.cr))
        highest = (1 << canvas.bitDepth) - 1
        sums = [UInt64](repeating: 0, count: canvas.chroma?.cb.width ?? 0)
    }

    /// Blends part of one row. Rows come in ascending order, each once; call `finish` behind the last one.
    ///
    /// - Parameters:
    ///   - x: The column of the first pixel; all pixels lie in the canvas.
    mutating func blend(_ pixels: UnsafeBufferPointer<PixelLanes>, x: Int, y: Int) {
        guard !pixels.isEmpty else { return }
        let line = UnsafeMutableRawPointer(canvas.luma.base + y * canvas.luma.stride)
        if canvas.bitDepth > 8 {
            blendLuma(line + x * 2, as: UInt16.self, pixels)
        } else {
            blendLuma(line + x, as: UInt8.self, pixels)
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
        let last = sums.count - 1
        sums.withUnsafeMutableBufferPointer { sums in
            for index in 0..<pixels.count {
                let column = min((x &+ index) &>> shiftX, last)
                sums[column] = sums[column] &+ pixels[index].bits
            }
        }
    }

    @inline(__always)
    private func blendLuma<Sample: FixedWidthInteger & UnsignedInteger>(
        _ line: UnsafeMutableRawPointer, as sample: Sample.Type, _ pixels: UnsafeBufferPointer<PixelLanes>
    ) {
        for index in 0..<pixels.count {
            let lanes = pixels[index]
            guard lanes.bits != 0 else { continue }
            blend(
                line + index &* MemoryLayout<Sample>.size, as: sample, (luma.code(lanes) &+ 32768) &>> 16,
                255 &- Int(truncatingIfNeeded: lanes.bits &>> 48))
        }
    }

    /// Adds a code to what is left of a sample, in 255ths.
    @inline(__always)
    private func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ target: UnsafeMutableRawPointer, as sample: Sample.Type, _ code: Int, _ left: Int
    ) {
        var new = code
        if left > 0 {
            let old = Int(truncatingIfNeeded: target.loadUnaligned(as: Sample.self))
            new = new &+ (old &* left &+ 127) / 255
        }
        target.storeBytes(of: Sample(truncatingIfNeeded: min(max(new, 0), highest)), as: Sample.self)
    }

    /// Blends the chroma of the last rows.
    mutating func finish() {
        defer { columns = 0..<0 }
        guard let chroma = canvas.chroma, row >= 0, row < min(chroma.cb.height, chroma.cr.height) else { return }
        let (shiftX, shiftY) = canvas.chromaShift
        // Of an odd-sized picture the last samples stand for fewer pixels.
        let rows = max(min((row + 1) << shiftY, canvas.height) - row << shiftY, 1)
        let full = rows << shiftX
        let (first, second) = (
            UnsafeMutableRawPointer(chroma.cb.base + row * chroma.cb.stride),
            UnsafeMutableRawPointer(chroma.cr.base + row * chroma.cr.stride)
        )
        for column in columns {
            let sum = PixelLanes(bits: sums[column])
            sums[column] = 0
            guard sum.bits != 0, column < chroma.cr.width else { continue }
            let count =
                (column + 1) << shiftX <= canvas.width ? full : max(canvas.width - column << shiftX, 1) * rows
            let alpha = Int(truncatingIfNeeded: sum.bits &>> 48)
            let left = 255 - (alpha + count / 2) / count
            let half = count << 15
            let codes = (Self.divided(cb.code(sum) + half, count), Self.divided(cr.code(sum) + half, count))
            if canvas.bitDepth > 8 {
                blend(first + column * 2, as: UInt16.self, codes.0, left)
                blend(second + column * 2, as: UInt16.self, codes.1, left)
            } else {
                blend(first + column, as: UInt8.self, codes.0, left)
                blend(second + column, as: UInt8.self, codes.1, left)
            }
        }
    }

    /// A value over 65536 · count, rounded down.
    @inline(__always)
    private static func divided(_ value: Int, _ count: Int) -> Int {
        count & (count - 1) == 0
            ? value &>> (16 + count.trailingZeroBitCount) : Int((Double(value) / Double(count << 16)).rounded(.down))
    }
}

extension ColorSpace {
    /// The codes that red, green, blue and alpha, 0…255, each add to a sample.
    func weights(bitDepth: Int) -> (y: SIMD4<Double>, cb: SIMD4<Double>, cr: SIMD4<Double>) {
        let (kr, kb) = matrix.weights
        let kg = 1 - kr - kb
        let unit = Double(1 << (min(max(bitDepth, 8), 16) - 8))
        let highest = 256 * unit - 1
        let (scale, offset, chromaScale) =
            fullRange ? (highest, 0, highest) : (219 * unit, 16 * unit, 224 * unit)
        func weights(_ r: Double, _ g: Double, _ b: Double, _ a: Double) -> SIMD4<Double> {
            SIMD4(r, g, b, a) / 255
        }
        let (u, v) = (chromaScale / (2 * (1 - kb)), chromaScale / (2 * (1 - kr)))
        return (
            weights(kr * scale, kg * scale, kb * scale, offset),
            weights(-kr * u, -kg * u, (1 - kb) * u, 128 * unit), weights((1 - kr) * v, -kg * v, -kb * v, 128 * unit)
        )
    }
}
