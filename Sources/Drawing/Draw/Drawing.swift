/// Draws a job's frames: a picture is its own from the graph until the encoder takes it.
///
/// Pictures wait until it is known what is covered in them: `CoverQueue`.
package struct Drawing {
    private let input: EncoderInput
    private let annotator: Annotator
    private var queue: CoverQueue
    private let draws: Bool
    private let checks: Bool
    /// Where each picture is covered, and where what stays visible is, in order; none where nobody asks for it.
    package private(set) var places: [CoveredPlaces] = []

    /// The drawing of one job.
    /// - Parameters:
    ///   - styles: All styles that may be drawn in, by the stage's id.
    ///   - hidden: Covers that the manifest gives.
    ///   - pauses: How long stages don't look, seconds, by their ids.
    ///   - first: The first frame.
    package init(
        onto input: EncoderInput, styles: [(stage: String, style: DrawStyle)], hidden: [HandCover] = [],
        pauses: [String: Double] = [:], camera: CameraIntrinsics, first: VideoFrame
    ) {
        self.input = input
        annotator = Annotator(camera: camera)
        queue = CoverQueue(styles: styles, hidden: hidden, pauses: pauses, first: first)
        draws = !styles.isEmpty || !hidden.isEmpty
        checks = styles.contains { $0.style.checksAgain }
    }

    /// What a user should know of it, when all is drawn.
    package var notes: [String] { queue.notes }

    /// What was covered, when all is drawn; nil where nothing is to be covered.
    package var covered: CoverSummary? { queue.summary }

    /// Takes the next frame with its observations.
    package mutating func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) {
        queue.add(frame, observations)
    }

    /// The next picture whose covers are known, drawn, and its frame's number.
    /// - Parameter isEnd: Whether no more frames will be added.
    package mutating func next(isEnd: Bool) throws -> (frame: Int, picture: FrameBuffer)? {
        guard let first = queue.next(isEnd: isEnd) else { return nil }
        if checks { places.append(CoveredPlaces(first)) }
        let picture = try input.picture(of: first.frame)
        guard draws else { return (first.frame.ordinal, picture) }
        try picture.withCanvas { canvas in
            for cover in first.covers { CoverPainter.paint(cover, onto: canvas) }
            try annotator.draw(first.observations, at: first.frame.seconds, onto: canvas)
        }
        try input.emphasize(first.covers.compactMap(\.spot.bounds), in: picture)
        return (first.frame.ordinal, picture)
    }
}

/// Where a picture is covered, and where what stays visible is.
package struct CoveredPlaces: Sendable {
    package var covered: [Box]
    package var left: [Box]

    package init(_ picture: CoverQueue.Picture) {
        (covered, left) = (picture.covers.compactMap(\.spot.bounds), picture.left)
    }
}
