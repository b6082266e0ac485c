/// Pictures that wait to be drawn until it is known what is covered in them, which may be seen only later.
///
/// The wait is as long as the styles' longest `coverGap`, in the video's own time, and none where nothing is covered. It
/// depends on the frames alone, so that every run covers the same.
struct CoverQueue {
    struct Picture {
        var frame: VideoFrame
        var observations: [NumberedObservation]
        /// What travels with it.
        var audio: [Packet]
    }

    /// What waiting pictures may take, bytes.
    private static let memoryLimit = 1 << 30

    /// Seconds.
    private let lookahead: Double
    private let covers: Bool
    /// Pictures.
    private let limit: Int
    private var planner = CoverPlanner()
    private var pictures: [Picture] = []
    private var newest = -Double.infinity
    /// True where pictures were drawn early, since they would have taken too much memory.
    private(set) var isCutShort = false

    /// - Parameter first: the size of all.
    init(styles: [DrawStyle], first: VideoFrame) {
        let lookahead = CoverPlanner.lookahead(of: styles)
        self.lookahead = lookahead ?? 0
        covers = lookahead != nil
        // Chroma takes as much as luma at the most, usually half of it; an original of more bits lies beside the stages'
        // copy.
        let bytes = first.width * first.height * (first.original == nil ? 2 : 6)
        limit = max(8, Self.memoryLimit / max(bytes, 1))
    }

    mutating func add(_ picture: Picture) {
        var picture = picture
        newest = picture.frame.seconds
        if covers {
            planner.note(picture.observations, at: newest)
            // What the stages derived from the frame needn't wait with it.
            let frame = picture.frame
            picture.frame = VideoFrame(
                ordinal: frame.ordinal, pts: frame.pts, duration: frame.duration, picture: frame.picture,
                original: frame.original)
        }
        pictures.append(picture)
    }

    /// Keeps audio packets behind the pictures that wait; false where none does.
    mutating func attach(_ audio: [Packet]) -> Bool {
        guard !pictures.isEmpty else { return false }
        pictures[pictures.count - 1].audio += audio
        return true
    }

    /// The next picture of which all is known, with what is covered in it.
    /// - Parameter isEnd: no more pictures will be added.
    mutating func next(isEnd: Bool) -> (picture: Picture, covers: [Cover])? {
        guard let first = pictures.first else { return nil }
        let time = first.frame.seconds
        if !isEnd, newest <= time + lookahead, lookahead > 0 {
            guard pictures.count > limit else { return nil }
            isCutShort = true
        }
        pictures.removeFirst()
        guard covers else { return (first, []) }
        planner.forget(before: time)
        return (first, planner.covers(at: time))
    }
}
