internal import CFFmpeg

/// A picture file's one picture.
private enum PictureFile {
    /// The largest picture that is read, pixels.
    static let mostPixels = 1 << 26

    /// Decodes a picture file, upright, in a packed format.
    static func read(_ path: String, as format: AVPixelFormat) throws -> FrameBuffer {
        // A device or pipe may never end.
        guard Files.isRegular(path) else {
            throw FileError("read", path: path, reason: "it is no plain file")
        }
        var options = SourceOptions()
        options.limits.pixels = mostPixels
        guard let frame = try SourceReader(path: path, options: options).next() else {
            throw FileError("decode", path: path, reason: "it holds no picture")
        }
        let source = frame.original ?? VideoFrame.Original(picture: frame.picture, orientation: .upright)
        let buffer = try source.converted(to: format, with: Scaler())
        guard buffer.width > 0, buffer.height > 0, buffer.av.pointee.data.0 != nil else {
            throw FileError("decode", path: path, reason: "it holds no picture")
        }
        return buffer
    }
}

extension ReferencePicture {
    /// Reads a picture file, upright, without its transparency.
    ///
    /// - Throws: `FileError`.
    public convenience init(file path: String) throws {
        let buffer = try PictureFile.read(path, as: AV_PIX_FMT_BGR24)
        let (row, stride) = (buffer.width * 3, Int(buffer.av.pointee.linesize.0))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(row * buffer.height)
        withExtendedLifetime(buffer) {
            guard let plane = buffer.av.pointee.data.0 else { return }
            for y in 0..<buffer.height { bytes += UnsafeBufferPointer(start: plane + y * stride, count: row) }
        }
        self.init(width: buffer.width, height: buffer.height, bgr: bytes)
    }
}

extension PictureTexture {
    /// Reads a picture file, upright, with its transparency.
    ///
    /// - Throws: `FileError`.
    public convenience init(file path: String) throws {
        let buffer = try PictureFile.read(path, as: AV_PIX_FMT_RGBA)
        let (width, height) = (buffer.width, buffer.height)
        guard let plane = buffer.av.pointee.data.0 else {
            throw FileError("decode", path: path, reason: "it holds no picture")
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
