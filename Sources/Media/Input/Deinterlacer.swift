internal import CFFmpeg

/// Makes whole pictures of interlaced ones with FFmpeg's bwdif, one for one; pictures that aren't flagged as interlaced
/// pass as they are.
///
/// The filter looks one picture ahead, so a picture comes out after the next one has gone in.
final class Deinterlacer {
    private let path: String
    private let timeBase: AVRational
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var first: (width: Int, height: Int, format: AVPixelFormat)?

    init(path: String, timeBase: AVRational) {
        self.path = path
        self.timeBase = timeBase
    }

    deinit { avfilter_graph_free(&graph) }

    /// Hands in the next picture; nil after the last one.
    func push(_ picture: FrameBuffer?) throws {
        guard let picture else {
            if source != nil { try check(av_buffersrc_add_frame_flags(source, nil, 0), "deinterlace", path) }
            return
        }
        if source == nil { try open(for: picture) }
        guard let first, picture.width == first.width, picture.height == first.height, picture.format == first.format
        else {
            throw FileError("deinterlace", path: path, reason: "the pictures' size or format changes on the way")
        }
        // The filter may keep or change what it is given.
        let reference = try FrameBuffer(referencing: picture)
        reference.av.pointee.pts = picture.av.pointee.best_effort_timestamp
        try check(av_buffersrc_add_frame_flags(source, reference.av, 0), "deinterlace", path)
    }

    /// The next whole picture; nil when there is none yet or, after the last one, no more.
    func pull() throws -> FrameBuffer? {
        guard sink != nil else { return nil }
        let picture = try FrameBuffer()
        let code = av_buffersink_get_frame(sink, picture.av)
        if code == cff_error_again || code == cff_error_eof { return nil }
        try check(code, "deinterlace", path)
        return picture
    }

    /// The graph is made for the first picture's size and format; the reader refuses sizes that change.
    private func open(for picture: FrameBuffer) throws {
        first = (picture.width, picture.height, picture.format)
        graph = avfilter_graph_alloc()
        guard let graph else { throw outOfMemory("deinterlace", path) }
        graph.pointee.nb_threads = 1
        let aspect = picture.av.pointee.sample_aspect_ratio
        let arguments =
            "video_size=\(picture.width)x\(picture.height):pix_fmt=\(picture.format.rawValue)"
            + ":time_base=\(timeBase.num)/\(timeBase.den):pixel_aspect=\(max(aspect.num, 0))/\(max(aspect.den, 1))"
        try check(
            avfilter_graph_create_filter(&source, avfilter_get_by_name("buffer"), "in", arguments, nil, graph),
            "deinterlace", path)
        try check(
            avfilter_graph_create_filter(&sink, avfilter_get_by_name("buffersink"), "out", nil, nil, graph),
            "deinterlace", path)
        var filter: UnsafeMutablePointer<AVFilterContext>?
        try check(
            avfilter_graph_create_filter(
                &filter, avfilter_get_by_name("bwdif"), "bwdif", "mode=send_frame:deint=interlaced", nil, graph),
            "deinterlace", path)
        try check(avfilter_link(source, 0, filter, 0), "deinterlace", path)
        try check(avfilter_link(filter, 0, sink, 0), "deinterlace", path)
        try check(avfilter_graph_config(graph, nil), "deinterlace", path)
    }
}
