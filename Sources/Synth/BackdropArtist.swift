import Graph

/// Draws a background.
struct BackdropArtist {
    private let scene: Scene
    private let style: BackgroundStyle
    private let coder: ColorCoder
    private let image: Texture?

    init(_ scene: Scene, coder: ColorCoder, loadImage: (String) throws -> RGBImage) throws {
        self.scene = scene
        self.style = scene.background
        self.coder = coder
        if case .image(let path) = style.kind {
            image = Texture(try loadImage(path), coder: coder)
        } else {
            image = nil
        }
    }

    func draw(into picture: WorkFrame) throws {
        switch style.kind {
        case .structured: drawDesk(into: picture)
        case .plain:
            let color = coder.codes(style.color)
            fill(picture) { _, _ in color }
        case .gradient:
            let (top, bottom) = (coder.codes(style.color), coder.codes(style.accent))
            let height = Float(picture.luma.height)
            fill(picture) { _, y in top + (bottom - top) * ((y + 0.5) / height) }
        case .checker:
            let colors = (coder.codes(style.color), coder.codes(style.accent))
            let side = max(Float(style.scale) * Float(scene.height), 2)
            fill(picture) { x, y in
                (Int((x / side).rounded(.down)) + Int((y / side).rounded(.down))) % 2 == 0 ? colors.0 : colors.1
            }
        case .image:
            guard let image else { return }
            let (width, height) = (Float(picture.luma.width), Float(picture.luma.height))
            // Scaled to cover, the middle kept.
            let texels = min(Float(image.width) / width, Float(image.height) / height)
            let scale = SIMD2(texels / Float(image.width), texels / Float(image.height))
            let detail = image.detail(texelsPerPixel: Double(texels))
            fill(picture) { x, y in
                image.sample(
                    0.5 + (x + 0.5 - width / 2) * scale.x, 0.5 + (y + 0.5 - height / 2) * scale.y, detail: detail)
            }
        }
    }

    /// Sets every pixel; x and y are pixel centres.
    private func fill(_ picture: WorkFrame, _ color: (_ x: Float, _ y: Float) -> Codes) {
        for blockRow in 0..<picture.cb.height {
            let rows = (picture.luma.row(2 * blockRow), picture.luma.row(2 * blockRow + 1))
            let (cbRow, crRow) = (picture.cb.row(blockRow), picture.cr.row(blockRow))
            for block in 0..<picture.cb.width {
                let (x, y) = (2 * block, Float(2 * blockRow))
                let (a, b) = (color(Float(x), y), color(Float(x + 1), y))
                let (c, d) = (color(Float(x), y + 1), color(Float(x + 1), y + 1))
                (rows.0[x], rows.0[x + 1], rows.1[x], rows.1[x + 1]) = (a.x, b.x, c.x, d.x)
                let mean = (a + b + c + d) * 0.25
                (cbRow[block], crRow[block]) = (mean.y, mean.z)
            }
        }
    }

    /// Planks with grain; then stains, rings and scratches at many sizes.
    private func drawDesk(into picture: WorkFrame) {
        let noise = ValueNoise(seed: scene.seed)
        let unit = Float(scene.height)
        let plank = max(Float(style.scale), 0.005)
        let contrast = Float(style.contrast)
        let (light, dark) = (coder.codes(style.color), coder.codes(style.accent))
        fill(picture) { px, py in
            let (x, y) = (px / unit, py / unit)
            let row = (y / plank + 0.37).rounded(.down)
            let own = noise.value(at: Int(row))
            // The grain runs along the plank and wavers; each plank starts somewhere else.
            let (gx, waver) = (x * 1.6 + own * 40, noise.octaves(x * 2 + own * 9, y * 6, count: 2) * 0.05)
            let grain = noise.octaves(gx, (y + waver) * 70, count: 3, gain: 0.6)
            let cloud = noise.octaves(x * 5 + own * 3, y * 5 + own * 5, count: 3)
            let speckle = noise(px * 0.8, py * 0.8)
            var share = 0.3 + (own - 0.5) * 0.35 + (grain - 0.5) * 0.8 + (cloud - 0.5) * 0.5 + (speckle - 0.5) * 0.12
            // The seam below the plank, and the butt joints of its boards.
            let inPlank = (y / plank + 0.37 - row) * plank
            let board = (x + own * 7) / (plank * 5)
            let joint = abs(board - board.rounded()) * plank * 5
            let seam = min(min(inPlank, plank - inPlank), joint)
            share += 1.1 * smoothStep(0.0022, 0.0006, seam)
            return light + (dark - light) * min(max(0.35 + (share - 0.35) * contrast * 1.6, 0), 1.6)
        }
        addMarks(to: picture, unit: unit, contrast: contrast)
    }

    private func addMarks(to picture: WorkFrame, unit: Float, contrast: Float) {
        var random = SplitMix64(seed: scene.seed ^ 0xDE5C)
        let (width, height) = (Float(picture.luma.width), Float(picture.luma.height))
        let area = width * height / (unit * unit)
        // The count falls and the size grows from fleck to stain, as it does on real things.
        for (count, radius, strength): (Float, ClosedRange<Float>, Float) in [
            (260, 0.001...0.004, 0.5), (60, 0.004...0.012, 0.3), (12, 0.02...0.06, 0.12),
        ] {
            for _ in 0..<Int(count * area) {
                let center = SIMD2(random.unit() * width, random.unit() * height)
                let (r, tone) = (random.unit(in: radius) * unit, (random.unit() - 0.62) * 2 * strength * contrast)
                // Every third is a ring, as a cup leaves it.
                let ring = random.unit() < 0.33 ? r * 0.8 : 0
                stamp(picture, around: center, reach: r + 2) { p in
                    let d = ((p - center) * (p - center)).sum().squareRoot()
                    return 1 + tone * smoothStep(r + 1, r - 1, d) * (ring > 0 ? smoothStep(ring - 1, ring + 1, d) : 1)
                }
            }
        }
        for _ in 0..<Int(26 * area) {
            let start = SIMD2(random.unit() * width, random.unit() * height)
            let (turn, length) = (Double(random.unit()), random.unit(in: 0.03...0.18) * unit)
            let along = SIMD2(Float(turnCosine(turn)), Float(turnSine(turn)))
            let (tone, half) = ((random.unit() - 0.4) * 0.5 * contrast, random.unit(in: 0.0004...0.0012) * unit)
            stamp(picture, around: start, reach: length) { p in
                let q = p - start
                let t = min(max((q * along).sum(), 0), length * 0.98)
                let d = ((q - along * t) * (q - along * t)).sum().squareRoot()
                return 1 + tone * smoothStep(half + 0.7, half - 0.7, d)
            }
        }
    }

    /// Multiplies the pixels about a place; the factors stay near 1, so that chroma need not follow pixel by pixel.
    private func stamp(
        _ picture: WorkFrame, around center: SIMD2<Float>, reach: Float, factor: (SIMD2<Float>) -> Float
    ) {
        func span(_ value: Float, _ count: Int) -> Range<Int>? {
            let (low, high) = (max(Int(value - reach), 0), min(Int(value + reach) + 2, count))
            return low < high ? low..<high : nil
        }
        guard let columns = span(center.x, picture.luma.width), let rows = span(center.y, picture.luma.height)
        else { return }
        for y in rows {
            let luma = picture.luma.row(y)
            for x in columns { luma[x] *= factor(SIMD2(Float(x), Float(y))) }
        }
    }
}
