internal import CFFmpeg

/// Reads the packets of a local media file.
final class Demuxer {
    /// What FFmpeg may take a file for. Playlists and scripts (HLS, concat, DASH, …) are not among them: they name
    /// other files.
    private static let formats =
        "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,gif,apng,ivf,h264,hevc,obu,"
        + "mjpeg,m4v,yuv4mpegpipe,nut,mxf,dv,rm,wtv,image2,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,pgm_pipe,"
        + "ppm_pipe,pam_pipe,pbm_pipe,pgmyuv_pipe,jpegls_pipe,j2k_pipe,dpx_pipe,exr_pipe,qoi_pipe,sgi_pipe,"
        + "sunrast_pipe,gif_pipe,xbm_pipe,xpm_pipe,pcx_pipe,webm_dash_manifest"

    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let cancellation: Cancellation?

    /// Opens a file and reads enough of it to know its streams.
    /// - Throws: `MediaError` when it can't be opened or is no media file.
    init(path: String, cancellation: Cancellation? = nil) throws {
        self.path = path
        self.cancellation = cancellation
        _ = takeFFmpegLog()
        var format = avformat_alloc_context()
        guard format != nil else { throw outOfMemory("open", path) }
        if let cancellation {
            cff_set_interrupt(
                format, { Unmanaged<Cancellation>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
                Unmanaged.passUnretained(cancellation).toOpaque())
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        av_dict_set(&options, "format_whitelist", Self.formats, 0)
        // A failed open frees the context.
        try check(avformat_open_input(&format, "file:" + path, nil, &options), "open", path)
        guard let format else { throw outOfMemory("open", path) }
        context = format
        do {
            try check(avformat_find_stream_info(format, nil), "read the streams of", path)
        } catch {
            var closing: UnsafeMutablePointer<AVFormatContext>? = format
            avformat_close_input(&closing)
            throw error
        }
    }

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closing)
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    }

    /// The stream that FFmpeg holds for the main video; cover pictures of music files don't count.
    func videoStream() throws -> UnsafeMutablePointer<AVStream> {
        let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = context.pointee.streams[Int(index)] else {
            throw MediaError("decode", path: path, reason: "it has no video stream")
        }
        return stream
    }

    var audioStreams: [UnsafeMutablePointer<AVStream>] {
        streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    }

    /// The next packet of any stream, nil at the end of the file.
    func next() throws -> Packet? {
        let packet = try Packet()
        let code = av_read_frame(context, packet.av)
        if code == cff_error_eof {
            // Some demuxers report a failed read as the end of the file.
            if let io = context.pointee.pb, io.pointee.error < 0 { throw mediaError(io.pointee.error, "read", path) }
            return nil
        }
        try check(code, "read", path)
        return packet
    }
}
