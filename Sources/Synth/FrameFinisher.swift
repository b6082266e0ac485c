import Graph
import Glibc

/// Makes codes of a drawn frame: blur, light, noise and rounding in one pass over its rows.
final class FrameFinisher {
    private let scene: Scene
    private let coder: ColorCoder
    /// The Gaussian's taps from its middle on, at full and at half size.
    private let lumaKernel: [Float]
    private let chromaKernel: [Float]
    /// Standard normal numbers. Each row of a frame reads from a place of its own, so that no pattern shows.
    private let normals: Plane?
    /// The horizontal part of the light at full and at half size.
    private let lumaLight: RowLight?
    private let chromaLight: RowLight?
    /// One row between the two passes of the blur, with room for the kernel at both ends.
    private let line: Plane
    private static let reach = 64

    init(_ scene: Scene, coder: ColorCoder) {
        self.scene = scene
        self.coder = coder
        lumaKernel = Self.kernel(sigma: scene.blur.gaussian)
        chromaKernel = Self.kernel(sigma: scene.blur.gaussian / 2)
        line = Plane(width: scene.width + 2 * Self.reach, height: 2)
        lumaLight = RowLight(scene.lighting, width: scene.width)
        chromaLight = RowLight(scene.lighting, width: scene.width / 2)
        let isNoisy = scene.noise.luma > 0 || scene.noise.chroma > 0
        normals = isNoisy ? Self.normals(count: Self.normalCount + scene.width, seed: scene.seed) : nil
    }

    private static func normals(count: Int, seed: UInt64) -> Plane {
        var random = SplitMix64(seed: seed ^ 0x4015E)
        let result = Plane(width: (count + 1) / 2 * 2, height: 1)
        for k in stride(from: 0, to: result.width, by: 2) {
            (result.samples[k], result.samples[k + 1]) = random.normals()
        }
        return result
    }

    /// A power of two, large against a row.
    private static let normalCount = 1 << 18

    /// Half of a normalised Gaussian: the middle tap, then those to one side. One tap of 1 for no blur.
    private static func kernel(sigma: Double) -> [Float] {
        guard sigma > 0.05 else { return [1] }
        let radius = min(Int((3.6 * sigma).rounded(.up)), reach)
        let taps = (0...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = 2 * taps.reduce(0, +) - taps[0]
        return taps.map { Float($0 / sum) }
    }

    func finish(_ frame: WorkFrame, index: Int, into planes: FramePlanes) {
        let (light, noise) = (Float(scene.lighting.gain(at: scene.time(ofFrame: index))), scene.noise)
        finish(
            frame.luma, kernel: lumaKernel, light: light, lumaLight, sigma: Float(noise.luma),
            place: UInt64(truncatingIfNeeded: index) << 24, offset: coder.lumaOffset, into: planes.luma,
            stride: planes.lumaStride)
        for (number, source, target) in [(1, frame.cb, planes.cb), (2, frame.cr, planes.cr)] {
            finish(
                source, kernel: chromaKernel, light: light, chromaLight, sigma: Float(noise.chroma),
                place: UInt64(truncatingIfNeeded: index) << 24 | UInt64(number) << 20, offset: 128, into: target,
                stride: planes.chromaStride)
        }
    }

    /// - Parameters:
    ///   - light: the factor of the whole frame.
    ///   - rowLight: the factors within it; nil for even light.
    ///   - sigma: standard deviation of the noise, codes.
    ///   - place: what sets this plane's noise apart from that of others; the row is added.
    ///   - offset: the code of 0.
    private func finish(
        _ source: Plane, kernel: [Float], light: Float, _ rowLight: RowLight?, sigma: Float, place: UInt64,
        offset: Float, into target: UnsafeMutablePointer<UInt8>, stride: Int
    ) {
        let width = source.width
        let (vertical, horizontal) = (line.row(0) + Self.reach, line.row(1) + Self.reach)
        for y in 0..<source.height {
            blurColumns(source, y, kernel, into: vertical)
            let row = kernel.count > 1 ? horizontal : vertical
            if kernel.count > 1 { blurRow(vertical, width: width, kernel, into: horizontal) }
            if let rowLight {
                rowLight.apply(to: row, at: (2 * Float(y) + 1) / Float(source.height) - 1, light: light)
            } else if light != 1 {
                for x in 0..<width { row[x] *= light }
            }
            if sigma > 0, let normals {
                let start = Int(mixed((place | UInt64(y)) ^ mixed(scene.seed)) & UInt64(Self.normalCount - 1))
                let from = normals.samples + start
                for x in 0..<width { row[x] += from[x] * sigma }
            }
            quantize(row, width: width, offset: offset, into: target + y * stride)
        }
    }

    /// Rounds to codes. Adding 2²³ leaves the rounded value in the low bits of the number, many at a time.
    @inline(__always)
    private func quantize(
        _ row: UnsafeMutablePointer<Float>, width: Int, offset: Float, into output: UnsafeMutablePointer<UInt8>
    ) {
        let (low, high) = (coder.codeRange.lowerBound, coder.codeRange.upperBound)
        for x in 0..<width {
            var value = row[x] + offset
            value = value < low ? low : value
            value = value > high ? high : value
            output[x] = UInt8(truncatingIfNeeded: (value + 0x1p23).bitPattern)
        }
    }

    @inline(__always)
    private func blurColumns(
        _ source: Plane, _ y: Int, _ kernel: [Float], into output: UnsafeMutablePointer<Float>
    ) {
        let (middle, tap, width) = (source.row(y), kernel[0], source.width)
        for x in 0..<width { output[x] = middle[x] * tap }
        for k in 1..<max(kernel.count, 1) {
            let tap = kernel[k]
            let (above, below) = (source.row(max(y - k, 0)), source.row(min(y + k, source.height - 1)))
            for x in 0..<width { output[x] += (above[x] + below[x]) * tap }
        }
    }

    @inline(__always)
    private func blurRow(
        _ input: UnsafeMutablePointer<Float>, width: Int, _ kernel: [Float], into output: UnsafeMutablePointer<Float>
    ) {
        for k in 1..<kernel.count { (input[-k], input[width - 1 + k]) = (input[0], input[width - 1]) }
        let tap = kernel[0]
        for x in 0..<width { output[x] = input[x] * tap }
        for k in 1..<kernel.count {
            let (tap, left, right) = (kernel[k], input - k, input + k)
            for x in 0..<width { output[x] += (left[x] + right[x]) * tap }
        }
    }
}

/// Vignette and gradient: what depends on the column is computed once.
private final class RowLight {
    private let lighting: Lighting
    private let width: Int
    /// Row 0: the factor of the gradient; row 1: the same times the vignette's part.
    private let columns: Plane

    /// Nil for even light.
    init?(_ lighting: Lighting, width: Int) {
        guard lighting.vignette > 0 || lighting.gradient != .zero else { return nil }
        self.lighting = lighting
        self.width = width
        columns = Plane(width: width, height: 2)
        for x in 0..<width {
            let place = (2 * Double(x) + 1) / Double(width) - 1
            let across = max(1 + lighting.gradient.x * place, 0)
            columns.row(0)[x] = Float(across)
            columns.row(1)[x] = Float(across * lighting.vignette / 2 * place * place)
        }
    }

    /// - Parameter place: the row's vertical place, −1…1 from edge to edge.
    func apply(to row: UnsafeMutablePointer<Float>, at place: Float, light: Float) {
        let down = max(1 + Float(lighting.gradient.y) * place, 0) * light
        let (flat, fall) = (down * (1 - Float(lighting.vignette) / 2 * place * place), -down)
        let (across, corner) = (columns.row(0), columns.row(1))
        for x in 0..<width { row[x] *= across[x] * flat + corner[x] * fall }
    }
}
