internal import CFFmpeg

extension PictureTexture {
    /// The largest picture that is read, pixels.
    private static let mostPixels = 1 << 26

    /// Reads a picture file, upright, with its transparency.
    ///
    /// - Throws: `MediaError`.
    public convenience init(file path: String) throws {
        // A device or pipe may never end.
        guard Files.isRegular(path) else {
            throw MediaError("read", path: path, reason: "it is no plain file")
        }
        var options = SourceOptions()
        options.limits.pixels = Self.mostPixels
        guard let frame = try SourceReader(path: path, options: options).next() else {
            throw MediaError("decode", path: path, reason: "it holds no picture")
        }
        let source = frame.original ?? VideoFrame.Original(picture: frame.picture, orientation: .upright)
        let buffer = try source.converted(to: AV_PIX_FMT_RGBA, with: Scaler())
        let (width, height) = (buffer.width, buffer.height)
        guard width > 0, height > 0, let plane = buffer.av.pointee.data.0 else {
            throw MediaError("decode", path: path, reason: "it holds no picture")
        }
        let stride = Int(buffer.av.pointee.linesize.0)
        let pixels = withExtendedLifetime(buffer) {
            [SIMD4<UInt8>](unsafeUninitializedCapacity: width * height) { target, count in
                for y in 0..<height {
                    let row = UnsafeRawPointer(plane + y * stride)
                    for x in 0..<width {
                        target[y * width + x] = row.loadUnaligned(fromByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                    }
                }
                count = width * height
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
