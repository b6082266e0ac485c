/// Draws a job's frames: a picture is its own from the graph until the encoder takes it.
///
/// Pictures wait until it is known what is covered in them, which may be seen only later. The wait is as long as the
/// styles' longest `coverGap`, in the video's own time, and none where nothing is covered. It depends on the frames alone,
/// so that every run covers the same.
package struct Drawing {
    private struct Waiting {
        var frame: VideoFrame
        var observations: [DrawnObservation]
    }

    /// The most memory that waiting pictures take, bytes.
    private static let memoryLimit = 1 << 30

    private let input: EncoderInput
    private let annotator: Annotator
    /// How far ahead of a picture observations must be known, seconds.
    private let lookahead: Double
    private let covers: Bool
    /// Covers that the manifest gives, and which of them were in some picture.
    private let hidden: [HandCover]
    private var hasHidden: [Bool]
    private let draws: Bool
    /// The most pictures that wait.
    private let limit: Int
    private var planner = CoverPlanner()
    private var waiting: [Waiting] = []
    private var newest = -Double.infinity
    /// Whether pictures were drawn early, since they would have taken too much memory.
    private(set) var isCutShort = false

    /// The drawing of one job.
    /// - Parameters:
    ///   - styles: All styles that may be drawn in.
    ///   - hidden: Covers that the manifest gives.
    ///   - first: A frame of the size of all.
    package init(
        onto input: EncoderInput, styles: [DrawStyle], hidden: [HandCover] = [], camera: CameraIntrinsics,
        first: VideoFrame
    ) {
        self.input = input
        let size = PictureSize(width: first.width, height: first.height)
        self.hidden = hidden.map { $0.inPixels(of: size) }
        hasHidden = hidden.map { _ in false }
        annotator = Annotator(camera: camera)
        let lookahead = CoverPlanner.lookahead(of: styles)
        self.lookahead = lookahead ?? 0
        covers = lookahead != nil
        draws = !styles.isEmpty || !hidden.isEmpty
        // Chroma takes as much as luma at the most, usually half of it; an original of more bits lies beside the stages'
        // copy.
        let bytes = first.width * first.height * (first.original == nil ? 2 : 6)
        limit = max(8, Self.memoryLimit / max(bytes, 1))
    }

    /// Notes for the user, when all is drawn.
    package var notes: [String] {
        let idle = hasHidden.indices.filter { !hasHidden[$0] }.map { index in
            let (start, end) = (hidden[index].start, hidden[index].end.map { " to \(plain($0)) s" } ?? " on")
            return "cover \(index) hid nothing: no picture is seen from \(plain(start)) s\(end)"
        }
        return (isCutShort ? [Self.cutShort] : []) + idle
    }

    private static let cutShort =
        "regions were covered for less than “coverGap” before they were first seen: the pictures that wait would take too "
        + "much memory"

    /// Takes the next frame with its observations.
    package mutating func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) {
        newest = frame.seconds
        var held = frame
        if covers {
            planner.note(observations, at: newest)
            // What the stages derived from the frame needn't wait with it.
            held = VideoFrame(
                ordinal: frame.ordinal, pts: frame.pts, duration: frame.duration, picture: frame.picture,
                original: frame.original)
        }
        waiting.append(Waiting(frame: held, observations: observations))
    }

    /// The next picture whose covers are known, drawn, and its frame's number.
    /// - Parameter isEnd: Whether no more frames will be added.
    package mutating func next(isEnd: Bool) throws -> (frame: Int, picture: FrameBuffer)? {
        guard let first = waiting.first else { return nil }
        let time = first.frame.seconds
        if !isEnd, newest <= time + lookahead, lookahead > 0 {
            guard waiting.count > limit else { return nil }
            isCutShort = true
        }
        // A picture is seen until the next one is.
        if !isEnd, !hidden.isEmpty, waiting.count < 2 { return nil }
        waiting.removeFirst()
        let end = waiting.first?.frame.seconds ?? first.frame.end
        if covers { planner.forget(before: time) }
        let picture = try input.picture(of: first.frame)
        guard draws else { return (first.frame.ordinal, picture) }
        let holding = hidden.indices.filter { hidden[$0].holds(from: time, until: end) }
        for index in holding { hasHidden[index] = true }
        let byHand = holding.compactMap { index in
            hidden[index].spot.map { Cover(spot: $0, style: hidden[index].style) }
        }
        let all = byHand + (covers ? planner.covers(at: time) : [])
        try picture.withCanvas { canvas in
            for cover in all { CoverPainter.paint(cover, onto: canvas) }
            try annotator.draw(first.observations, at: time, onto: canvas)
        }
        return (first.frame.ordinal, picture)
    }
}
