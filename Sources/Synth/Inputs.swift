/// The pattern of a marker, without its black border.
package struct MarkerBits: Sendable {
    /// Modules along a side, 1…32.
    package let size: Int
    /// `size` × `size` modules, row by row from the marker's own top left; true is white.
    package let isWhite: [Bool]

    /// The pattern with these modules.
    /// - Throws: `SceneError` where the count of modules is not the square of the size.
    package init(size: Int, isWhite: [Bool]) throws(SceneError) {
        guard (1...32).contains(size), isWhite.count == size * size else {
            throw SceneError("a marker of \(size) × \(size) modules can't have \(isWhite.count)")
        }
        self.size = size
        self.isWhite = isWhite
    }
}

/// A picture, 8 bits a component.
package struct RGBImage: Sendable {
    /// Pixels a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Red, green, blue of each pixel, row by row from the top left.
    package let pixels: [UInt8]

    /// The picture with these bytes.
    /// - Throws: `SceneError` where the count of bytes doesn't fit the size.
    package init(width: Int, height: Int, pixels: [UInt8]) throws(SceneError) {
        guard (1...16384).contains(width), (1...16384).contains(height), pixels.count == width * height * 3 else {
            throw SceneError("a picture of \(width) × \(height) can't have \(pixels.count) bytes")
        }
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

/// The memory that a frame is written into: three 8-bit planes, chroma at half width and height (4:2:0, sited between
/// the pixels). The pointers are only used during the call that they are passed to.
package struct FramePlanes {
    /// The luma plane's first byte.
    package let luma: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next, at least the width.
    package let lumaStride: Int
    /// The Cb plane's first byte.
    package let cb: UnsafeMutablePointer<UInt8>
    /// The Cr plane's first byte.
    package let cr: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next, at least half the width.
    package let chromaStride: Int

    package init(
        luma: UnsafeMutablePointer<UInt8>, lumaStride: Int, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>, chromaStride: Int
    ) {
        self.luma = luma
        self.lumaStride = lumaStride
        self.cb = cb
        self.cr = cr
        self.chromaStride = chromaStride
    }
}
