/// Draws a job's frames: a picture is its own from the graph until the encoder takes it.
///
/// Pictures wait until it is known what is covered in them: `CoverQueue`.
package struct Drawing {
    private let input: EncoderInput
    private let annotator: Annotator
    private var queue: CoverQueue
    private let draws: Bool

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
        annotator = Annotator(camera: camera)
        queue = CoverQueue(styles: styles, hidden: hidden, first: first)
        draws = !styles.isEmpty || !hidden.isEmpty
    }

    /// What a user should know of it, when all is drawn.
    package var notes: [String] { queue.notes }

    /// Takes the next frame with its observations.
    package mutating func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) {
        queue.add(frame, observations)
    }

    /// The next picture whose covers are known, drawn, and its frame's number.
    /// - Parameter isEnd: Whether no more frames will be added.
    package mutating func next(isEnd: Bool) throws -> (frame: Int, picture: FrameBuffer)? {
        guard let first = queue.next(isEnd: isEnd) else { return nil }
        let picture = try input.picture(of: first.frame)
        guard draws else { return (first.frame.ordinal, picture) }
        try picture.withCanvas { canvas in
            for cover in first.covers { CoverPainter.paint(cover, onto: canvas) }
            try annotator.draw(first.observations, at: first.frame.seconds, onto: canvas)
        }
        return (first.frame.ordinal, picture)
    }
}
