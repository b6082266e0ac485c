/// A picture to be laid into others, with its halvings, so that it can be sampled at any scale without aliasing.
/// Immutable.
///
/// Two textures are equal where they are the same object.
public final class PictureTexture: Sendable, Hashable {
    /// One of the texture's sizes.
    package struct Level {
        package var width: Int
        package var height: Int
        /// Place of the level's first texel in `texels`.
        package var offset: Int
    }

    /// Texels along the longer side of the largest level that is kept.
    public static let largestSide = 2048

    package let levels: [Level]
    /// Red, green, blue (each times alpha) and alpha, 0…255.
    package let texels: [SIMD4<UInt8>]

    /// Texels a row of the largest level.
    public var width: Int { levels[0].width }
    /// Rows of the largest level.
    public var height: Int { levels[0].height }
    /// Memory that the texels take, bytes.
    public var byteCount: Int { texels.count * 4 }

    /// A texture of pixels with transparency.
    /// - Parameters:
    ///   - width: Texels, at least 1.
    ///   - pixels: Red, green, blue and alpha of each, row by row from the top left; alpha not yet multiplied in.
    package init(width: Int, height: Int, pixels: [SIMD4<UInt8>]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height, "a texture has texels")
        var plane = pixels.map { texel -> SIMD4<UInt8> in
            guard texel.w < 255 else { return texel }
            let alpha = SIMD4<UInt16>(UInt16(texel.w), UInt16(texel.w), UInt16(texel.w), 255)
            return SIMD4(truncatingIfNeeded: (SIMD4<UInt16>(truncatingIfNeeded: texel) &* alpha &+ 127) / 255)
        }
        var (w, h) = (width, height)
        while max(w, h) > Self.largestSide { (plane, w, h) = Self.halved(plane, w, h) }
        var (levels, texels) = ([Level(width: w, height: h, offset: 0)], plane)
        texels.reserveCapacity(w * h * 3 / 2)
        while w > 1 || h > 1 {
            (plane, w, h) = Self.halved(plane, w, h)
            levels.append(Level(width: w, height: h, offset: texels.count))
            texels += plane
        }
        self.levels = levels
        self.texels = texels
    }

    /// A texture of opaque pixels.
    /// - Parameters:
    ///   - width: Texels a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - bgr: Blue, green and red of each pixel, 0…255, without gaps between rows.
    public convenience init(width: Int, height: Int, bgr: [UInt8]) {
        precondition(bgr.count == width * height * 3, "three bytes a pixel")
        let pixels = bgr.withUnsafeBufferPointer { bytes in
            [SIMD4<UInt8>](unsafeUninitializedCapacity: width * height) { buffer, count in
                for index in 0..<width * height {
                    buffer[index] = SIMD4(bytes[3 * index + 2], bytes[3 * index + 1], bytes[3 * index], 255)
                }
                count = width * height
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }

    public static func == (a: PictureTexture, b: PictureTexture) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    // MARK: Halving

    /// Half the size, rounded up, by averages over the area that a texel stands for: an odd side's texels count in parts.
    private static func halved(
        _ source: [SIMD4<UInt8>], _ width: Int, _ height: Int
    ) -> (texels: [SIMD4<UInt8>], width: Int, height: Int) {
        let (w, h) = ((width + 1) / 2, (height + 1) / 2)
        let (columns, rows) = (shares(width, w), shares(height, h))
        let texels = source.withUnsafeBufferPointer { source in
            [SIMD4<UInt8>](unsafeUninitializedCapacity: w * h) { target, count in
                for y in 0..<h {
                    let row = rows[y]
                    for x in 0..<w {
                        let column = columns[x]
                        var sum = SIMD4<UInt32>.zero
                        for i in 0..<3 where row.weights[i] > 0 {
                            let line = (row.first + i) * width + column.first
                            for j in 0..<3 where column.weights[j] > 0 {
                                sum &+=
                                    SIMD4<UInt32>(truncatingIfNeeded: source[line + j])
                                    &* (row.weights[i] &* column.weights[j])
                            }
                        }
                        target[y * w + x] = SIMD4(truncatingIfNeeded: (sum &+ 32768) &>> 16)
                    }
                }
                count = w * h
            }
        }
        return (texels, w, h)
    }

    /// Which up to three texels one of half the size stands for, and with which weights, in 256ths.
    private static func shares(_ count: Int, _ half: Int) -> [(first: Int, weights: SIMD3<UInt32>)] {
        (0..<half).map { index in
            // In units of 1 ÷ half, a source texel is `half` long and a target one `count`.
            let (start, end) = (index * count, (index + 1) * count)
            let first = start / half
            var weights = SIMD3<UInt32>.zero
            for i in 0..<3 where first + i < count {
                let overlap = min(end, (first + i + 1) * half) - max(start, (first + i) * half)
                if overlap > 0 { weights[i] = UInt32((overlap * 256 + count / 2) / count) }
            }
            // Rounding must not make the picture darker.
            weights[0] = 256 - weights[1] - weights[2]
            return (first, weights)
        }
    }
}
