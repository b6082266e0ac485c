package import CFFmpeg

/// Reads the packets of a local media file.
package final class Demuxer {
    /// The formats that FFmpeg may take a file for. Playlists and scripts (HLS, concat, DASH, …) are not among them:
    /// they name other files.
    private static let formats =
        "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,gif,apng,ivf,h264,hevc,obu,"
        + "mjpeg,mjpeg_2000,m4v,h263,vc1,yuv4mpegpipe,nut,mxf,gxf,dv,rm,wtv,image2,png_pipe,jpeg_pipe,webp_pipe,"
        + "bmp_pipe,tiff_pipe,pgm_pipe,ppm_pipe,pam_pipe,pbm_pipe,pgmyuv_pipe,jpegls_pipe,j2k_pipe,dpx_pipe,exr_pipe,"
        + "qoi_pipe,sgi_pipe,sunrast_pipe,gif_pipe,xbm_pipe,xpm_pipe,pcx_pipe,jpegxl_pipe,xwd_pipe,pfm_pipe,phm_pipe,"
        + "fits,roq"

    package let input: MediaInput
    /// The file's path, for messages.
    let path: String
    package let context: UnsafeMutablePointer<AVFormatContext>
    private let frameRate: Rational?
    package let limits: MediaLimits
    package let cancellation: Cancellation?
    /// Standard input as this demuxer reads it.
    private let pipe: StandardInput?
    /// Whether a packet has come.
    private var hasBegun = false

    /// Opens a file and reads enough of it to know its streams.
    /// - Throws: `FileError` when it can't be opened, is no media file or is over the limits.
    package init(
        path: String, frameRate: Rational? = nil, limits: MediaLimits = MediaLimits(),
        cancellation: Cancellation? = nil
    ) throws {
        initializeMedia()
        self.path = path
        (self.frameRate, self.limits, self.cancellation) = (frameRate, limits, cancellation)
        input = MediaInput(path: path)
        if case .file(let file) = input, Files.exists(file), !Files.isRegular(file), !Files.isDirectory(file) {
            throw FileError("open", path: path, reason: "it is a pipe or a device; expected a file")
        }
        if case .file(let file) = input, Files.isRegular(file), Files.status(file)?.size == 0 {
            throw FileError("open", path: path, reason: "it is empty; expected a video or photo")
        }
        pipe = input == .standardInput ? StandardInput() : nil
        cff_forget_log()
        var format = avformat_alloc_context()
        guard format != nil else { throw outOfMemory("open", path) }
        if let cancellation {
            cff_set_interrupt(
                format, { Unmanaged<Cancellation>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
                Unmanaged.passUnretained(cancellation).toOpaque())
        }
        var options = Self.options(input, frameRate: frameRate, limits: limits)
        defer { av_dict_free(&options) }
        var demuxer: UnsafePointer<AVInputFormat>?
        if case .sequence = input { demuxer = av_find_input_format("image2") }
        // A failed open frees the context.
        try Self.checkStreams(
            avformat_open_input(&format, Self.address(input, pipe), demuxer, &options), "open", path, limits,
            unopened: input)
        guard let format else { throw outOfMemory("open", path) }
        context = format
        // From here on `deinit` closes the file, also where this throws.
        try checkPictures()
        if frameRate != nil, av_dict_get(options, "framerate", nil, 0) != nil {
            throw FileError(
                "open", path: path,
                reason: "a frameRate is for image sequences and raw streams; this file has times of its own")
        }
        try readStreams(limits)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
    }

    /// Another reader of the same file, at its start.
    package func again() throws -> Demuxer {
        try Demuxer(path: path, frameRate: frameRate, limits: limits, cancellation: cancellation)
    }

    private static func address(_ input: MediaInput, _ pipe: StandardInput?) -> String {
        switch input {
        case .file(let path): "file:" + path
        case .sequence(let sequence): "file:" + sequence.escapedPattern
        case .standardInput: "pipe:\(pipe?.descriptor ?? 0)"
        }
    }

    private static func options(_ input: MediaInput, frameRate: Rational?, limits: MediaLimits) -> OpaquePointer? {
        var options: OpaquePointer?
        av_dict_set(&options, "protocol_whitelist", input == .standardInput ? "pipe" : "file", 0)
        av_dict_set(&options, "format_whitelist", formats, 0)
        av_dict_set(&options, "max_streams", String(limits.streams), 0)
        if case .sequence(let sequence) = input {
            av_dict_set(&options, "pattern_type", "sequence", 0)
            av_dict_set(&options, "start_number", String(sequence.numbers.first ?? 0), 0)
        } else {
            // A “%” in a photo's name is only that.
            av_dict_set(&options, "pattern_type", "none", 0)
        }
        if let frameRate { av_dict_set(&options, "framerate", "\(frameRate.numerator)/\(frameRate.denominator)", 0) }
        return options
    }

    /// Numbered files are told by their names' endings, past the list of formats: drawings and the like aren't pictures.
    private func checkPictures() throws {
        guard case .sequence = input else { return }
        for stream in streams where !Self.pictures.contains(stream.pointee.codecpar.pointee.codec_id) {
            throw FileError(
                "open", path: path,
                reason: "it is of a format that isn't read; expected pictures such as PNG, JPEG, TIFF or WebP")
        }
    }

    private static let pictures = [
        AV_CODEC_ID_PNG, AV_CODEC_ID_MJPEG, AV_CODEC_ID_LJPEG, AV_CODEC_ID_WEBP, AV_CODEC_ID_BMP, AV_CODEC_ID_TIFF,
        AV_CODEC_ID_PGM, AV_CODEC_ID_PPM, AV_CODEC_ID_PAM, AV_CODEC_ID_PBM, AV_CODEC_ID_PGMYUV, AV_CODEC_ID_JPEGLS,
        AV_CODEC_ID_JPEG2000, AV_CODEC_ID_DPX, AV_CODEC_ID_EXR, AV_CODEC_ID_QOI, AV_CODEC_ID_SGI, AV_CODEC_ID_SUNRAST,
        AV_CODEC_ID_GIF, AV_CODEC_ID_XBM, AV_CODEC_ID_XPM, AV_CODEC_ID_PCX, AV_CODEC_ID_JPEGXL, AV_CODEC_ID_XWD,
        AV_CODEC_ID_PFM, AV_CODEC_ID_PHM, AV_CODEC_ID_FITS, AV_CODEC_ID_TARGA,
    ]

    /// Decodes as much as it takes to know each stream's size and format, within the limits.
    private func readStreams(_ limits: MediaLimits) throws {
        try checkStreams(limits)
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        for index in options.indices { av_dict_set(&options[index], "max_pixels", String(limits.codedPixels), 0) }
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        try Self.checkStreams(avformat_find_stream_info(context, &options), "read the streams of", path, limits)
        try checkStreams(limits)
    }

    /// FFmpeg tells of too many streams as a lack of memory.
    /// - Parameter unopened: The source, where it was to be opened.
    private static func checkStreams(
        _ code: Int32, _ operation: String, _ path: String, _ limits: MediaLimits, unopened: MediaInput? = nil
    ) throws {
        guard code < 0 else { return }
        var error = fileError(code, operation, path)
        if error.reason.contains("whitelist") {
            error.reason =
                "it is of a format that isn't read: a playlist or script that names other files, or a rare one"
        } else if code == cff_error_invalid_data, let unopened {
            error = UnknownContents.error(error, of: unopened)
        }
        if code == cff_error_no_memory {
            error.reason = "it has more streams than the limit of \(limits.streams), or there is no memory left"
        }
        throw error
    }

    private func checkStreams(_ limits: MediaLimits) throws {
        guard context.pointee.nb_streams <= limits.streams else {
            throw FileError(
                "open", path: path,
                reason: "it has \(context.pointee.nb_streams) streams, over the limit of \(limits.streams)")
        }
        for stream in streams {
            let (width, height) = (
                Int(stream.pointee.codecpar.pointee.width), Int(stream.pointee.codecpar.pointee.height)
            )
            try checkSize(width, height, limits, path)
        }
    }

    package var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    }

    /// The stream that FFmpeg holds for the main video; cover pictures of music files don't count.
    func videoStream() throws -> UnsafeMutablePointer<AVStream> {
        let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = context.pointee.streams[Int(index)] else {
            throw FileError("decode", path: path, reason: "it has no video stream")
        }
        return stream
    }

    var audioStreams: [UnsafeMutablePointer<AVStream>] {
        streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    }

    /// Calls after which a demuxer that has nothing yet won't come to anything.
    private static let mostCalls = 1000

    /// The next packet of any stream, nil at the end of the file.
    package func next() throws -> Packet? {
        let packet = try Packet()
        cff_forget_log()
        var code = av_read_frame(context, packet.av)
        // Some demuxers, where they come to something else than they looked for, ask for another call.
        for _ in 0..<Self.mostCalls where code == cff_error_again { code = av_read_frame(context, packet.av) }
        if code == cff_error_eof {
            // Some demuxers report a failed read as the end of the file.
            if let io = context.pointee.pb, io.pointee.error < 0 { throw fileError(io.pointee.error, "read", path) }
            return nil
        }
        if code == cff_error_invalid_data, !hasBegun, input == .standardInput {
            throw UnknownContents.unstreamable(fileError(code, "read", path))
        }
        try check(code, "read", path)
        hasBegun = true
        return packet
    }
}

/// Refuses pictures that are too large to be handled in memory.
func checkSize(_ width: Int, _ height: Int, _ limits: MediaLimits, _ path: String) throws {
    guard width > 0, height > 0 else { return }
    guard width <= limits.pixels / height else {
        throw FileError(
            "decode", path: path,
            reason:
                "its picture of \(width)×\(height) pixels is over the limit of \(limits.pixels), which --max-pixels sets"
        )
    }
}
