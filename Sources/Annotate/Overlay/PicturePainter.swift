/// Lays pictures into a canvas, in perspective: sampled between texels and between halvings, along the direction in which
/// a slanted picture is squeezed, with anti-aliased edges.
///
/// The place on the picture is computed every few pixels and interpolated between. Everything is correctly rounded
/// arithmetic, so that results are the same on every machine. One thread at a time.
final class PicturePainter {
    /// A picture and how much of what is painted it makes up.
    struct Layer {
        var texture: PictureTexture
        var weight: Float
    }

    private var mask = CoverageMask(width: 0, height: 0)
    private var pixels: [SIMD4<Float>] = []

    /// Between two exact places, pixels; less for a small picture.
    private static let longestSpan = 8

    /// - Parameters:
    ///   - layers: Mixed by their weights, which add up to 1.
    ///   - opacity: 0…1.
    func paint(_ layers: [Layer], at placement: PicturePlacement, opacity: Double, onto canvas: Canvas) {
        guard !layers.isEmpty, opacity > 0, let box = Box(around: placement.outline) else { return }
        if mask.width != canvas.width || mask.height != canvas.height {
            mask = CoverageMask(width: canvas.width, height: canvas.height)
        }
        mask.addPolygon(placement.outline)
        defer { mask.clear() }
        let columns = mask.columns(from: box.x - 1, to: box.right + 1)
        let rows = mask.rows(from: box.y - 1, to: box.bottom + 1)
        guard !columns.isEmpty else { return }
        let span = min(max(Int(min(box.width, box.height) / 24), 1), Self.longestSpan)
        if pixels.count < columns.count { pixels = [SIMD4<Float>](repeating: .zero, count: columns.count) }
        var blender = ColorBlender(canvas)
        let strength = Float(min(opacity, 1) / 255)
        for y in rows {
            guard let covered = covered(y, columns) else { continue }
            pixels.withUnsafeMutableBufferPointer { buffer in
                let line = UnsafeMutableBufferPointer(rebasing: buffer[0..<covered.count])
                line.update(repeating: .zero)
                for layer in layers where layer.weight > 0 {
                    sample(layer, placement, y, covered, span, into: line)
                }
                let coverage = mask.bytes + y * mask.stride + covered.lowerBound
                for index in line.indices { line[index] *= Float(coverage[index]) * strength }
                blender.blend(UnsafeBufferPointer(line), x: covered.lowerBound, y: y)
            }
        }
        blender.finish()
    }

    /// The columns of a row from the first to the last that is covered.
    private func covered(_ y: Int, _ columns: Range<Int>) -> Range<Int>? {
        let line = mask.bytes + y * mask.stride
        guard let first = columns.first(where: { line[$0] > 0 }),
            let last = columns.last(where: { line[$0] > 0 })
        else { return nil }
        return first..<last + 1
    }

    // MARK: Sampling

    /// Adds a layer's colours along a row.
    private func sample(
        _ layer: Layer, _ placement: PicturePlacement, _ y: Int, _ columns: Range<Int>, _ span: Int,
        into line: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let size = SIMD2(Double(layer.texture.width), Double(layer.texture.height))
        layer.texture.texels.withUnsafeBufferPointer { texels in
            guard let base = texels.baseAddress else { return }
            var x = columns.lowerBound
            var place = placement.place(Double(x), Double(y))
            while x < columns.upperBound {
                let end = min(x + span, columns.upperBound)
                let next = placement.place(Double(end), Double(y))
                let step = (next - place) / Double(end - x)
                let below = placement.place(Double(x), Double(y) + 1) - place
                let footprint = Footprint(step * size, below * size, levels: layer.texture.levels)
                let start = SIMD2<Float>(Float(place.x), Float(place.y))
                let delta = SIMD2<Float>(Float(step.x), Float(step.y))
                for index in 0..<end - x {
                    let at = start + delta * Float(index)
                    line[x - columns.lowerBound + index] += footprint.sample(base, at) * layer.weight
                }
                (x, place) = (end, next)
            }
        }
    }
}

/// What a pixel covers of a picture: how finely it is sampled, and along which line.
private struct Footprint {
    private let fine: PictureTexture.Level
    private let coarse: PictureTexture.Level
    /// How much of the coarser level, 0…1.
    private let share: Float
    private let probes: Int
    /// From the middle to the first probe, and from one to the next, 0…1 of the picture.
    private let offset: SIMD2<Float>
    private let stride: SIMD2<Float>

    /// - Parameters:
    ///   - across: Texels of the full picture from one pixel to the next on its right.
    ///   - down: To the next below.
    init(_ across: SIMD2<Double>, _ down: SIMD2<Double>, levels: [PictureTexture.Level]) {
        let (a, b) = ((across * across).sum().squareRoot(), (down * down).sum().squareRoot())
        let (major, minor) = (max(a, b), min(a, b))
        guard major.isFinite, major > 1 else {
            (fine, coarse, share, probes, offset, stride) = (levels[0], levels[0], 0, 1, .zero, .zero)
            return
        }
        let wanted = minor > 0 ? min((major / minor).rounded(.up), 4) : 4
        probes = major > 1.5 ? Int(wanted) : 1
        let scale = max(major / Double(probes), 1)
        // Halvings come in powers of two; between them the share grows with the scale.
        let level = min(Int(scale.exponent), levels.count - 1)
        fine = levels[level]
        coarse = levels[min(level + 1, levels.count - 1)]
        share = Float(min(scale.significand - 1, 1))
        let size = SIMD2(Double(levels[0].width), Double(levels[0].height))
        let line = (a >= b ? across : down) / size / Double(probes)
        stride = SIMD2(Float(line.x), Float(line.y))
        offset = stride * (-Float(probes - 1) / 2)
    }

    @inline(__always)
    func sample(_ texels: UnsafePointer<SIMD4<UInt8>>, _ place: SIMD2<Float>) -> SIMD4<Float> {
        if probes == 1 { return trilinear(texels, place) }
        var sum = SIMD4<Float>.zero
        var at = place + offset
        for _ in 0..<probes {
            sum += trilinear(texels, at)
            at += stride
        }
        return sum / Float(probes)
    }

    @inline(__always)
    private func trilinear(_ texels: UnsafePointer<SIMD4<UInt8>>, _ place: SIMD2<Float>) -> SIMD4<Float> {
        let sharp = Self.bilinear(texels + fine.offset, fine.width, fine.height, place)
        guard share > 0.02 else { return sharp }
        let soft = Self.bilinear(texels + coarse.offset, coarse.width, coarse.height, place)
        return sharp + (soft - sharp) * share
    }

    /// Between four texels; the outermost go on beyond the edges.
    @inline(__always)
    private static func bilinear(
        _ texels: UnsafePointer<SIMD4<UInt8>>, _ width: Int, _ height: Int, _ place: SIMD2<Float>
    ) -> SIMD4<Float> {
        // The order of the comparisons makes NaN 0.
        let x = min(Float(width - 1), max(0, place.x * Float(width) - 0.5))
        let y = min(Float(height - 1), max(0, place.y * Float(height) - 0.5))
        let (column, row) = (Int32(x), Int32(y))
        let (fx, fy) = (x - Float(column), y - Float(row))
        let first = texels + Int(row) * width + Int(column)
        let right = Int(column) + 1 < width ? 1 : 0
        let below = Int(row) + 1 < height ? width : 0
        let (a, b) = (SIMD4<Float>(first[0]), SIMD4<Float>(first[right]))
        let (c, d) = (SIMD4<Float>(first[below]), SIMD4<Float>(first[below + right]))
        let upper = a + (b - a) * fx
        let lower = c + (d - c) * fx
        return upper + (lower - upper) * fy
    }
}
