import Graph

/// Draws the patterns of `TextureStyle` into textures.
struct TextureBaker {
    let coder: ColorCoder
    let seed: UInt64
    let loadImage: (String) throws -> RGBImage

    /// - Parameters:
    ///   - size: the width and height in metres that the texture is stretched over.
    ///   - pixels: how many pixels its larger side has in the picture where it is nearest.
    ///   - rim: the outline along which the texture darkens a little, as a thing with an edge does; none for a print.
    func texture(
        _ style: TextureStyle, size: SIMD2<Double>, pixels: Double, rim: Silhouette? = nil
    ) throws -> Texture {
        if case .image(let path) = style.pattern { return Texture(try loadImage(path), coder: coder) }
        // Measured in the larger side, so that patterns keep their proportions on an oblong.
        let extent = SIMD2<Float>(size / size.max())
        let (side, scale) = (Self.side(pixels: pixels), max(Float(style.scale), 0.01))
        let (color, accent) = (SIMD3<Float>(style.color), SIMD3<Float>(style.accent))
        let noise = ValueNoise(seed: seed)
        let shape = innerShape(style.pattern, extent: extent)
        let larger = Float(size.max())
        return Texture(width: side, height: side) { column, row in
            let place = (SIMD2(Float(column), Float(row)) + 0.5) / Float(side) - 0.5
            let p = place * extent
            var share = Self.accentShare(style.pattern, p, scale, noise)
            if let shape { share = smoothStep(0.004, -0.004, shape.distance(p)) }
            var rgb = color + (accent - color) * share
            // A little grain and light from the upper left, so that no area is dead flat.
            let grain: Float = 0.06 * noise(p.x * 90, p.y * 90)
            rgb *= 0.97 + grain - 0.12 * (place.x + place.y)
            if let rim { rgb *= 0.72 + 0.28 * smoothStep(0, 0.05, -rim.distance(p * larger) / larger) }
            return coder.codes(rgb.clamped(lowerBound: .zero, upperBound: .one))
        }
    }

    /// Texels along a side: a power of two with about one and a half to a pixel.
    private static func side(pixels: Double) -> Int {
        var side = 32
        while side < 1024, Double(side) < 1.5 * pixels { side *= 2 }
        return side
    }

    private func innerShape(_ pattern: TextureStyle.Pattern, extent: SIMD2<Float>) -> Silhouette? {
        guard case .shape(let kind) = pattern else { return nil }
        return Silhouette(kind, size: 0.62 * Double(extent.min()))
    }

    /// How much of the accent colour is at a place, 0…1.
    private static func accentShare(
        _ pattern: TextureStyle.Pattern, _ p: SIMD2<Float>, _ scale: Float, _ noise: ValueNoise
    ) -> Float {
        /// The distance to the nearest multiple of the period, signed so that every other stripe is positive.
        func stripe(_ value: Float, _ width: Float) -> Float {
            let phase = value / (2 * width)
            return abs(phase - (phase + 0.5).rounded(.down)) * 2 * width - width / 2
        }
        let soft: Float = 0.003
        switch pattern {
        case .plain, .shape, .image: return 0
        case .stripes: return smoothStep(-soft, soft, stripe(p.x * 0.8 + p.y * 0.6, scale))
        case .checks:
            let x = smoothStep(-soft, soft, stripe(p.x, scale)), y = smoothStep(-soft, soft, stripe(p.y, scale))
            return x + y - 2 * x * y
        case .dots:
            let cell = p / scale
            let d = cell - cell.rounded(.toNearestOrAwayFromZero)
            return smoothStep(soft, -soft, ((d * d).sum().squareRoot() - 0.3) * scale)
        case .noise:
            let cloud = noise.octaves(p.x / scale, p.y / scale, count: 5, gain: 0.55)
            return smoothStep(0.32, 0.68, cloud)
        }
    }
}
