/// Lays pictures into a canvas, in perspective: sampled between texels and between halvings, along the direction in which
/// a slanted picture is squeezed, with anti-aliased edges.
///
/// The place on the picture is computed every few pixels and interpolated between. Everything is correctly rounded
/// arithmetic or in integers, so that results are the same on every machine. One thread at a time.
final class PicturePainter {
    private var mask = CoverageMask(width: 0, height: 0)
    private var pixels: [PixelLanes] = []

    /// Pixels between two places that are computed exactly; less for a small picture.
    private static let longestSpan = 8

    /// Lays pictures into a canvas.
    /// - Parameters:
    ///   - layers: Mixed by their weights, which add up to 1.
    ///   - opacity: 0…1.
    func paint(_ layers: [PictureLayer], at placement: PicturePlacement, opacity: Double, onto canvas: Canvas) {
        guard !layers.isEmpty, opacity > 0, let box = Box(around: placement.outline) else { return }
        if mask.width != canvas.width || mask.height != canvas.height {
            mask = CoverageMask(width: canvas.width, height: canvas.height)
        }
        mask.addPolygon(placement.outline)
        defer { mask.clear() }
        let columns = mask.columns(from: box.x - 1, to: box.right + 1)
        let rows = mask.rows(from: box.y - 1, to: box.bottom + 1)
        guard !columns.isEmpty else { return }
        let span = min(max(Int(inRange: min(box.width, box.height) / 24), 1), Self.longestSpan)
        if pixels.count < columns.count { pixels = [PixelLanes](repeating: .zero, count: columns.count) }
        var blender = ColorBlender(canvas)
        let strength = UInt64(RGB.code(opacity))
        for y in rows {
            guard let covered = covered(y, columns) else { continue }
            pixels.withUnsafeMutableBufferPointer { buffer in
                let line = UnsafeMutableBufferPointer(rebasing: buffer[0..<covered.count])
                var weight: Float = 0
                for layer in layers where layer.weight > 0 {
                    // Each is mixed with all before it.
                    weight += layer.weight
                    let share = UInt64((layer.weight / weight * 256).rounded())
                    sample(layer.texture, placement, y, covered, span, share: share, into: line)
                }
                let coverage = mask.bytes + y * mask.stride + covered.lowerBound
                for index in 0..<line.count {
                    let factor = strength == 255 ? UInt64(coverage[index]) : UInt64(coverage[index]) &* strength / 255
                    if factor < 255 { line[index] = line[index].scaled(factor) }
                }
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

    /// Mixes a picture's colours into a row.
    ///
    /// - Parameter share: Of this picture, in 256ths.
    private func sample(
        _ texture: PictureTexture, _ placement: PicturePlacement, _ y: Int, _ columns: Range<Int>, _ span: Int,
        share: UInt64, into line: UnsafeMutableBufferPointer<PixelLanes>
    ) {
        let size = SIMD2(Double(texture.width), Double(texture.height))
        texture.texels.withUnsafeBytes { texels in
            guard let base = texels.baseAddress else { return }
            var x = columns.lowerBound
            var place = placement.place(Double(x), Double(y))
            while x < columns.upperBound {
                let end = min(x + span, columns.upperBound)
                let next = placement.place(Double(end), Double(y))
                let step = (next - place) / Double(end - x)
                let below = placement.place(Double(x), Double(y) + 1) - place
                let footprint = Footprint(
                    base, place, step, across: step * size, down: below * size, levels: texture.levels)
                let target = line.baseAddress.map { $0 + (x - columns.lowerBound) }
                if share == 256, let target, footprint.isPlain(end - x) {
                    for index in 0..<end - x { target[index] = footprint.plain(index) }
                } else {
                    for index in 0..<end - x {
                        let color = footprint.sample(index)
                        target?[index] = share == 256 ? color : target?[index].mixed(color, share) ?? color
                    }
                }
                (x, place) = (end, next)
            }
        }
    }
}

/// The part of a picture that the pixels of a short span cover: how finely it is sampled, and along which line.
private struct Footprint {
    private let fine: Grid
    private let coarse: Grid
    /// Share of the coarser level, in 256ths.
    private let share: UInt64
    private let probes: Int

    /// The most samples along the direction in which a picture is squeezed.
    private static let mostProbes = 4.0

    /// - Parameters:
    ///   - place: Of the first pixel, 0…1.
    ///   - step: To the next one.
    ///   - across: Texels of the full picture from one pixel to the next on its right.
    ///   - down: To the next below.
    init(
        _ texels: UnsafeRawPointer, _ place: SIMD2<Double>, _ step: SIMD2<Double>, across: SIMD2<Double>,
        down: SIMD2<Double>, levels: [PictureTexture.Level]
    ) {
        let (a, b) = ((across * across).sum().squareRoot(), (down * down).sum().squareRoot())
        let (major, minor) = (max(a, b), min(a, b))
        guard major.isFinite, major > 1 else {
            fine = Grid(texels, levels[0], place, step, .zero)
            (coarse, share, probes) = (fine, 0, 1)
            return
        }
        let wanted = minor > 0 ? min((major / minor).rounded(.up), Self.mostProbes) : Self.mostProbes
        let probes = major > 1.5 ? wanted : 1
        let scale = max(major / probes, 1)
        // Halvings come in powers of two; between them the share grows with the scale.
        let level = min(Int(scale.exponent), levels.count - 1)
        let size = SIMD2(Double(levels[0].width), Double(levels[0].height))
        let stride = (a >= b ? across : down) / size / probes
        let first = place - stride * ((probes - 1) / 2)
        fine = Grid(texels, levels[level], first, step, stride)
        coarse = Grid(texels, levels[min(level + 1, levels.count - 1)], first, step, stride)
        // A little over the level's own size, four texels are still enough.
        share = UInt64(min(max((scale.significand - 1.2) / 0.8, 0), 1) * 256)
        self.probes = Int(probes)
    }

    /// Whether a span's pixels need one sample of one level each, off the picture's edges.
    func isPlain(_ count: Int) -> Bool { probes == 1 && share < 6 && fine.contains(count) }

    @inline(__always)
    func plain(_ index: Int) -> PixelLanes { fine.inside(index) }

    @inline(__always)
    func sample(_ index: Int) -> PixelLanes {
        if probes == 1 { return trilinear(index, 0) }
        // Of two, three or four: the mean of the first ones is mixed with the next.
        var mean = trilinear(index, 0)
        for probe in 1..<probes {
            mean = mean.mixed(trilinear(index, probe), probe == 1 ? 128 : probe == 2 ? 85 : 64)
        }
        return mean
    }

    @inline(__always)
    private func trilinear(_ index: Int, _ probe: Int) -> PixelLanes {
        let sharp = fine.bilinear(index, probe)
        return share < 6 ? sharp : sharp.mixed(coarse.bilinear(index, probe), share)
    }

    /// The places of a span on one level, in 65536ths of a texel.
    private struct Grid {
        private let texels: UnsafeRawPointer
        private let width: Int
        private let right: Int
        private let bottom: Int
        private let x: Int
        private let y: Int
        private let stepX: Int
        private let stepY: Int
        private let strideX: Int
        private let strideY: Int

        init(
            _ texels: UnsafeRawPointer, _ level: PictureTexture.Level, _ place: SIMD2<Double>, _ step: SIMD2<Double>,
            _ stride: SIMD2<Double>
        ) {
            // What isn't finite becomes 0, what is far outside stays outside.
            func fixed(_ value: Double) -> Int { Int(min(1e12, max(-1e12, value.isNaN ? 0 : value * 65536))) }
            let (w, h) = (Double(level.width), Double(level.height))
            self.texels = texels + level.offset * 4
            width = level.width
            right = (level.width - 1) << 16
            bottom = (level.height - 1) << 16
            x = fixed(place.x * w - 0.5)
            y = fixed(place.y * h - 0.5)
            (stepX, stepY) = (fixed(step.x * w), fixed(step.y * h))
            (strideX, strideY) = (fixed(stride.x * w), fixed(stride.y * h))
        }

        /// Whether a span's places have all four texels about them.
        func contains(_ count: Int) -> Bool {
            let (endX, endY) = (x &+ stepX &* (count - 1), y &+ stepY &* (count - 1))
            return min(x, endX) >= 0 && max(x, endX) < right && min(y, endY) >= 0 && max(y, endY) < bottom
        }

        @inline(__always)
        func inside(_ index: Int) -> PixelLanes {
            let (px, py) = (x &+ stepX &* index, y &+ stepY &* index)
            let first = texels + ((py &>> 16) &* width &+ (px &>> 16)) &* 4
            let fx = UInt64(truncatingIfNeeded: px &>> 8 & 255), fy = UInt64(truncatingIfNeeded: py &>> 8 & 255)
            let (upper, lower) = (
                first.loadUnaligned(as: UInt64.self), (first + width &* 4).loadUnaligned(as: UInt64.self)
            )
            let a = PixelLanes(bytes: UInt32(truncatingIfNeeded: upper)), b = PixelLanes(bytes: UInt32(upper &>> 32))
            let c = PixelLanes(bytes: UInt32(truncatingIfNeeded: lower)), d = PixelLanes(bytes: UInt32(lower &>> 32))
            return a.mixed(b, fx).mixed(c.mixed(d, fx), fy)
        }

        /// The colour between four texels; the outermost go on beyond the edges.
        @inline(__always)
        func bilinear(_ index: Int, _ probe: Int) -> PixelLanes {
            let px = min(max(x &+ stepX &* index &+ strideX &* probe, 0), right)
            let py = min(max(y &+ stepY &* index &+ strideY &* probe, 0), bottom)
            let first = texels + ((py &>> 16) &* width &+ (px &>> 16)) &* 4
            let next = px < right ? 4 : 0
            let below = py < bottom ? width &* 4 : 0
            let fx = UInt64(truncatingIfNeeded: px &>> 8 & 255), fy = UInt64(truncatingIfNeeded: py &>> 8 & 255)
            let a = PixelLanes(bytes: first.load(as: UInt32.self))
            let b = PixelLanes(bytes: first.load(fromByteOffset: next, as: UInt32.self))
            let c = PixelLanes(bytes: first.load(fromByteOffset: below, as: UInt32.self))
            let d = PixelLanes(bytes: first.load(fromByteOffset: below &+ next, as: UInt32.self))
            return a.mixed(b, fx).mixed(c.mixed(d, fx), fy)
        }
    }
}
