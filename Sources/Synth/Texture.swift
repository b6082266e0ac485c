import Glibc

/// A picture on a plane with its halvings, so that it can be sampled at any scale without aliasing. Immutable.
final class Texture {
    private struct Level {
        let width: Int
        let height: Int
        let offset: Int
        /// The whole picture in texels of this level: of an odd size the last texel lies half outside of it.
        let extent: SIMD2<Float>
    }

    private let levels: [Level]
    private let texels: UnsafeMutablePointer<Codes>
    var width: Int { levels[0].width }
    var height: Int { levels[0].height }

    /// - Parameter texel: the colour at column x and row y.
    init(width: Int, height: Int, texel: (_ x: Int, _ y: Int) -> Codes) {
        let full = SIMD2(Float(width), Float(height))
        var (levels, offset) = ([Level(width: width, height: height, offset: 0, extent: full)], width * height)
        while let last = levels.last, last.width > 1 || last.height > 1 {
            levels.append(
                Level(
                    width: (last.width + 1) / 2, height: (last.height + 1) / 2, offset: offset,
                    extent: last.extent / 2))
            offset += levels[levels.count - 1].width * levels[levels.count - 1].height
        }
        self.levels = levels
        texels = .allocate(capacity: offset)
        for y in 0..<height {
            for x in 0..<width { (texels + y * width + x).initialize(to: texel(x, y)) }
        }
        for (full, half) in zip(levels, levels.dropFirst()) {
            for y in 0..<half.height {
                let (y0, y1) = (2 * y, min(2 * y + 1, full.height - 1))
                for x in 0..<half.width {
                    let (x0, x1) = (2 * x, min(2 * x + 1, full.width - 1))
                    let source = texels + full.offset
                    let sum =
                        source[y0 * full.width + x0] + source[y0 * full.width + x1]
                        + source[y1 * full.width + x0] + source[y1 * full.width + x1]
                    (texels + half.offset + y * half.width + x).initialize(to: sum * 0.25)
                }
            }
        }
    }

    convenience init(_ image: RGBImage, coder: ColorCoder) {
        self.init(width: image.width, height: image.height) { x, y in
            let i = (y * image.width + x) * 3
            let rgb = SIMD3(Float(image.pixels[i]), Float(image.pixels[i + 1]), Float(image.pixels[i + 2]))
            return coder.codes(rgb / 255)
        }
    }

    deinit {
        texels.deallocate()
    }

    /// The level of detail for a number of texels (of the full picture) to a pixel of the frame.
    func detail(texelsPerPixel: Double) -> Float {
        Float(min(max(log2(max(texelsPerPixel, 1e-6)), 0), Double(levels.count - 1)))
    }

    /// The colour at a place of 0…1 across and down, held at the edges; between texels and levels it is interpolated.
    @inline(__always)
    func sample(_ s: Float, _ t: Float, detail: Float) -> Codes {
        let level = Int(detail), share = detail - Float(level)
        let fine = bilinear(s, t, levels[level])
        guard share > 0.01, level + 1 < levels.count else { return fine }
        return fine + (bilinear(s, t, levels[level + 1]) - fine) * share
    }

    @inline(__always)
    private func bilinear(_ s: Float, _ t: Float, _ level: Level) -> Codes {
        let x = min(max(s * level.extent.x - 0.5, 0), Float(level.width - 1))
        let y = min(max(t * level.extent.y - 0.5, 0), Float(level.height - 1))
        let x0 = Int(x), y0 = Int(y)
        let x1 = min(x0 + 1, level.width - 1), y1 = min(y0 + 1, level.height - 1)
        let fx = x - Float(x0), fy = y - Float(y0)
        let source = texels + level.offset
        let (r0, r1) = (source + y0 * level.width, source + y1 * level.width)
        let top = r0[x0] + (r0[x1] - r0[x0]) * fx
        let bottom = r1[x0] + (r1[x1] - r1[x0]) * fx
        return top + (bottom - top) * fy
    }
}
