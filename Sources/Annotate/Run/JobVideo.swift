/// The video that shows a job's results. Used from one thread.
protocol JobVideo: AnyObject {
    var file: OutputFile { get }
    /// Ticks that its stamps lie behind the source's.
    var offset: Int64 { get }
    /// Notes for the user on it. Asked for when it has finished.
    var notes: [String] { get }

    /// Takes the next frame, in order, and what is drawn on it.
    func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) throws
    /// Finishes the file, up to its name.
    /// - Parameter outcome: What is known of the source, now that it has been read.
    func finish(_ outcome: SourceOutcome) throws
    /// Removes what was written.
    func discard()
}

/// Pictures that are drawn on and encoded, with the source's sound.
final class EncodedVideo: JobVideo {
    let file: OutputFile
    private let writer: VideoWriter
    private let audio: AudioQueue
    private var drawing: Drawing

    /// - Parameter path: The final name.
    init(
        path: String, job: Job, reader: SourceReader, audio: AudioQueue, camera: CameraIntrinsics, first: VideoFrame
    ) throws {
        self.audio = audio
        file = OutputFile(target: path)
        do {
            writer = try VideoWriter(
                file,
                source: VideoWriter.Source(
                    timeBase: reader.info.timeBase, frameRate: reader.info.frameRate, first: first.picture,
                    original: first.original?.picture, offset: max(0, -first.pts.ticks), demuxer: reader.demuxer),
                settings: job.encode)
            drawing = Drawing(
                onto: writer.input, styles: job.graph.nodes.flatMap(\.styles.values), hidden: job.covers,
                camera: camera, first: first)
        } catch {
            file.discard()
            throw error
        }
    }

    var offset: Int64 { writer.offset }

    func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) throws {
        drawing.add(frame, observations)
        try encode(isEnd: false)
    }

    /// Encodes the pictures that are drawn, each with the audio that goes behind it.
    private func encode(isEnd: Bool) throws {
        while let (frame, picture) = try drawing.next(isEnd: isEnd) {
            try writer.write(picture)
            for packet in audio.take(through: frame) { try writer.writeAudio(packet) }
        }
    }

    func finish(_ outcome: SourceOutcome) throws {
        try encode(isEnd: true)
        for packet in audio.take(through: .max) { try writer.writeAudio(packet) }
        try writer.finish()
    }

    var notes: [String] { writer.notes + drawing.notes }

    func discard() { file.discard() }
}
