/// Paints one colour through a coverage mask onto a canvas.
///
/// Luma is blended by each pixel's coverage; a chroma sample by the mean coverage of the luma pixels that it stands
/// for, so that a shape's colour ends where its brightness does. All in integers.
struct Compositor {
    let mask: CoverageMask
    let canvas: Canvas
    /// Codes of the colour, in the canvas's bit depth.
    let codes: (y: UInt16, cb: UInt16, cr: UInt16)
    /// Opacity, 0…255.
    let opacity: UInt16

    /// Paints the touched tiles. The mask keeps its content, except that it is continued beyond the picture's right
    /// and bottom edge, so clear it next.
    func paint() {
        if canvas.bitDepth > 8 { paint(UInt16.self) } else { paint(UInt8.self) }
    }

    private func paint<Sample: CanvasSample>(_ sample: Sample.Type) {
        guard opacity > 0 else { return }
        for index in 0..<mask.touchedCount {
            let (x, y) = mask.tileOrigin(index)
            paintLuma(sample, x, y)
            guard let chroma = canvas.chroma else { continue }
            continueBeyondEdges(x, y)
            paintChroma(sample, chroma, x, y)
        }
    }

    private func paintLuma<Sample: CanvasSample>(_ sample: Sample.Type, _ x: Int, _ y: Int) {
        let side = CoverageMask.tileSide
        let size = MemoryLayout<Sample>.size
        let plane = canvas.luma
        let columns = min(side, plane.width - x)
        for row in y..<max(min(y + side, plane.height), y) {
            let source = UnsafeRawPointer(mask.bytes + row * mask.stride + x)
            guard Self.hasCoverage(source) else { continue }
            let target = UnsafeMutableRawPointer(plane.base + row * plane.stride + x * size)
            if columns == side {
                let first = Self.widened(source), second = Self.widened(source + 8)
                Sample.blendEight(target, codes.y, Self.divided(first &* opacity))
                Sample.blendEight(target + 8 * size, codes.y, Self.divided(second &* opacity))
            } else {
                for column in 0..<columns {
                    let coverage = UInt16(source.load(fromByteOffset: column, as: UInt8.self))
                    Sample.blend(target + column * size, codes.y, Self.divided(coverage &* opacity))
                }
            }
        }
    }

    private func paintChroma<Sample: CanvasSample>(
        _ sample: Sample.Type, _ chroma: (cb: MutablePlane, cr: MutablePlane), _ x: Int, _ y: Int
    ) {
        let (shiftX, shiftY) = canvas.chromaShift
        let side = CoverageMask.tileSide
        let size = MemoryLayout<Sample>.size
        let (left, top) = (x >> shiftX, y >> shiftY)
        let columns = min(side >> shiftX, min(chroma.cb.width, chroma.cr.width) - left)
        let bottom = min(top + (side >> shiftY), chroma.cb.height, chroma.cr.height)
        for row in top..<max(bottom, top) {
            let source = mask.bytes + (row << shiftY) * mask.stride + x
            let cb = UnsafeMutableRawPointer(chroma.cb.base + row * chroma.cb.stride + left * size)
            let cr = UnsafeMutableRawPointer(chroma.cr.base + row * chroma.cr.stride + left * size)
            if shiftX == 1, shiftY <= 1, columns == 8 {
                blendHalved(sample, source, shiftY, cb, cr)
                continue
            }
            let count = 1 << (shiftX + shiftY)
            for column in 0..<max(columns, 0) {
                var sum = 0
                for line in 0..<(1 << shiftY) {
                    let first = source + line * mask.stride + (column << shiftX)
                    for index in 0..<(1 << shiftX) { sum += Int(first[index]) }
                }
                guard sum > 0 else { continue }
                let alpha = Self.divided(UInt16((sum + count / 2) / count) &* opacity)
                Sample.blend(cb + column * size, codes.cb, alpha)
                Sample.blend(cr + column * size, codes.cr, alpha)
            }
        }
    }

    /// Eight samples of each chroma plane of 4:2:0 or 4:2:2.
    @inline(__always)
    private func blendHalved<Sample: CanvasSample>(
        _ sample: Sample.Type, _ source: UnsafeMutablePointer<UInt8>, _ shiftY: Int, _ cb: UnsafeMutableRawPointer,
        _ cr: UnsafeMutableRawPointer
    ) {
        let upper = UnsafeRawPointer(source)
        let lower = shiftY == 1 ? UnsafeRawPointer(source + mask.stride) : upper
        guard Self.hasCoverage(upper) || Self.hasCoverage(lower) else { return }
        // Each 16-bit lane holds two neighbouring coverages. Without vertical subsampling the row counts twice.
        let above = upper.loadUnaligned(as: SIMD8<UInt16>.self)
        let below = lower.loadUnaligned(as: SIMD8<UInt16>.self)
        let sum = (above & 255) &+ (above &>> 8) &+ (below & 255) &+ (below &>> 8)
        let alpha = Self.divided(((sum &+ 2) &>> 2) &* opacity)
        Sample.blendEight(cb, codes.cb, alpha)
        Sample.blendEight(cr, codes.cr, alpha)
    }

    /// The coverage of eight pixels.
    @inline(__always)
    private static func widened(_ source: UnsafeRawPointer) -> SIMD8<UInt16> {
        SIMD8<UInt16>(truncatingIfNeeded: source.loadUnaligned(as: SIMD8<UInt8>.self))
    }

    /// Whether any of sixteen pixels is covered.
    @inline(__always)
    private static func hasCoverage(_ source: UnsafeRawPointer) -> Bool {
        source.loadUnaligned(as: UInt64.self) | source.loadUnaligned(fromByteOffset: 8, as: UInt64.self) != 0
    }

    /// Repeats the last column and row of an odd-sized picture, so that the outermost chroma samples take their mean
    /// over pixels that exist.
    private func continueBeyondEdges(_ x: Int, _ y: Int) {
        let side = CoverageMask.tileSide
        let (shiftX, shiftY) = canvas.chromaShift
        let (width, height) = (mask.width, mask.height)
        if x + side > width, width & ((1 << shiftX) - 1) != 0 {
            for row in y..<min(y + side, height) {
                let line = mask.bytes + row * mask.stride
                for column in width..<min((width | ((1 << shiftX) - 1)) + 1, x + side) {
                    line[column] = line[width - 1]
                }
            }
        }
        if y + side > height, height & ((1 << shiftY) - 1) != 0 {
            let last = mask.bytes + (height - 1) * mask.stride + x
            for row in height..<min((height | ((1 << shiftY) - 1)) + 1, y + side) {
                (mask.bytes + row * mask.stride + x).update(from: last, count: side)
            }
        }
    }

    /// v / 255, rounded to the nearest; exact for 0…255².
    @inline(__always)
    static func divided(_ value: UInt16) -> UInt16 {
        let v = value &+ 128
        return (v &+ (v &>> 8)) &>> 8
    }

    @inline(__always)
    static func divided(_ value: SIMD8<UInt16>) -> SIMD8<UInt16> {
        let v = value &+ 128
        return (v &+ (v &>> 8)) &>> 8
    }
}
