internal import CFFmpeg

/// Writes pictures made by a program into an MP4, with its name only when it is whole.
public final class ClipWriter {
    private let output: OutputFile
    private let writer: VideoWriter
    private let template: FrameBuffer
    /// Seconds a tick.
    public let timeBase: Rational
    /// Duration of a picture, ticks.
    public let frameDuration: Int64
    private var frames: Int64 = 0

    /// Begins a clip.
    /// - Parameters:
    ///   - path: the final name.
    ///   - width: pixels, even; `height` as well.
    ///   - height: pixels, even.
    ///   - frameRate: frames a second.
    ///   - colorSpace: of the pictures' Y′CbCr codes.
    ///   - settings: how the pictures are encoded.
    public init(
        path: String, width: Int, height: Int, frameRate: Rational, colorSpace: ColorSpace, settings: EncodeSettings
    ) throws {
        // Fine enough for any later cut, and a whole number of ticks a picture.
        timeBase = Rational(1, frameRate.numerator * 512)
        frameDuration = Int64(frameRate.denominator * 512)
        let template = try FrameBuffer(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        template.av.pointee.color_range = colorSpace.fullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        switch colorSpace.matrix {
        case .bt601:
            template.av.pointee.colorspace = AVCOL_SPC_SMPTE170M
            template.av.pointee.color_primaries = AVCOL_PRI_SMPTE170M
            template.av.pointee.color_trc = AVCOL_TRC_SMPTE170M
        case .bt709:
            template.av.pointee.colorspace = AVCOL_SPC_BT709
            template.av.pointee.color_primaries = AVCOL_PRI_BT709
            template.av.pointee.color_trc = AVCOL_TRC_BT709
        case .bt2020:
            template.av.pointee.colorspace = AVCOL_SPC_BT2020_NCL
            template.av.pointee.color_primaries = AVCOL_PRI_BT2020
            template.av.pointee.color_trc = AVCOL_TRC_BT2020_10
        }
        self.template = template
        output = OutputFile(target: path)
        writer = try VideoWriter(
            output,
            source: VideoWriter.Source(timeBase: timeBase, frameRate: frameRate, first: template), settings: settings)
    }

    /// Encodes the next picture.
    /// - Parameter fill: writes every pixel of the planes.
    public func write(_ fill: (Canvas) throws -> Void) throws {
        let frame = try FrameBuffer(width: template.width, height: template.height, format: template.format)
        try check(av_frame_copy_props(frame.av, template.av), "prepare", "a frame")
        try frame.withCanvas(fill)
        frame.av.pointee.pts = frames * frameDuration
        cff_set_frame_duration(frame.av, frameDuration)
        try writer.write(frame)
        frames += 1
    }

    /// Ends the file and gives it its name.
    /// - Throws: `FileError`.
    public func finish() throws {
        try writer.finish()
        try output.commit()
    }

    deinit { output.discard() }
}

/// A picture file's pixels.
public struct ImageFile: Sendable {
    /// Width, pixels a row.
    public var width: Int
    /// Height, rows.
    public var height: Int
    /// Red, green and blue of each pixel, row by row from the top left.
    public var pixels: [UInt8]

    /// Reads a photo, upright.
    /// - Throws: `FileError`.
    public init(path: String) throws {
        let reader = try SourceReader(path: path)
        guard let frame = try reader.next() else {
            throw FileError("decode", path: path, reason: "it holds no picture")
        }
        let image = try frame.bgr()
        (width, height) = (image.width, image.height)
        pixels = image.withPixels { plane in
            var pixels: [UInt8] = []
            pixels.reserveCapacity(plane.width * plane.height * 3)
            for y in 0..<plane.height {
                let row = plane.base + y * plane.stride
                for x in 0..<plane.width { pixels += [row[3 * x + 2], row[3 * x + 1], row[3 * x]] }
            }
            return pixels
        }
    }
}
