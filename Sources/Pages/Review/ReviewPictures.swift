import Annotate

/// Pictures of a job's moments for a page that is looked at without the videos.
///
/// They are of the annotated video where there is one: what is covered there stays covered in the page.
struct ReviewPictures {
    /// One picture: `data:image/jpeg;base64,…`, and the part of the frame that it shows, pixels.
    struct Picture {
        var address: String
        var view: Box
    }

    private let finder: FrameFinder
    private let writer = PictureWriter(.jpg, isSmall: true)
    private let path: String
    /// Added to an index, gives the number of the video's frame.
    private let offset: Int
    private let size: PictureSize

    /// The largest size of a thumbnail, pixels.
    private static let thumbnail = PictureSize(width: 240, height: 180)
    private static let moment = PictureSize(width: 480, height: 360)
    /// The most pictures of one job.
    static let most = 500

    /// - Parameter first: The number in the source of the job's first frame.
    /// - Throws: `FileError` for a video that can't be read or has other frames.
    init(annotated: String?, source: String?, first: Int, count: Int, size: PictureSize, cancellation: Cancellation)
        throws
    {
        guard let path = annotated ?? source else {
            throw FileError(
                "take pictures from", path: "the videos", reason: "neither the annotated one nor the source is there")
        }
        (self.path, self.size) = (path, size)
        offset = annotated == nil ? first : 0
        finder = try FrameFinder(path: path, cancellation: cancellation)
        // The numbers are a file's, and may be any.
        guard finder.times.count - count >= offset else {
            throw FileError(
                "take pictures from", path: path,
                reason: "it has \(finder.times.count) frames, and the track file tells of \(count) from \(offset) on")
        }
    }

    /// A picture of a whole frame.
    func thumbnail(_ index: Int) throws -> String { try picture(index, of: whole, within: Self.thumbnail).address }

    /// A frame with some of what is around a place; the whole frame where there is none.
    func picture(_ index: Int, around place: Box?) throws -> Picture {
        try picture(index, of: place.map(size.view(around:)) ?? whole, within: Self.moment)
    }

    private var whole: Box { Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height)) }

    private func picture(_ index: Int, of view: Box, within size: PictureSize) throws -> Picture {
        let frame = try finder.frame(index + offset)
        // An annotated video may have a line more than the source, for even sizes.
        let part = try frame.part(view, within: size)
        let bytes = try writer.bytes(of: part, for: path)
        return Picture(address: "data:image/jpeg;base64," + Base64.text(bytes), view: view)
    }
}
