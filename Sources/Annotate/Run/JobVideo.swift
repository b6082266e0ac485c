/// The video that shows a job's results. Used from one thread.
protocol JobVideo: AnyObject {
    var file: OutputFile { get }
    /// Ticks that its stamps lie behind the source's.
    var offset: Int64 { get }
    /// Notes for the user on it. Asked for when it has finished.
    var notes: [String] { get }

    /// What it hides, and where it does in each picture. Asked for when it has finished.
    var covered: CoverSummary? { get }
    var places: [CoveredPlaces] { get }

    /// Takes the next frame, in order, and what is drawn on it.
    func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) throws
    /// Finishes the file, up to its name.
    /// - Parameter outcome: What is known of the source, now that it has been read.
    func finish(_ outcome: SourceOutcome) throws
    /// Removes what was written.
    func discard()
}

extension JobVideo {
    /// It hides nothing.
    var covered: CoverSummary? { nil }
    var places: [CoveredPlaces] { [] }
}

extension GraphPlan {
    /// Every style of every stage, by the stage's id.
    var stageStyles: [(stage: String, style: DrawStyle)] {
        nodes.flatMap { node in node.styles.sorted { $0.key < $1.key }.map { (node.id, $0.value) } }
    }
}

/// Pictures that are drawn on and encoded, with the source's sound.
final class EncodedVideo: JobVideo {
    let file: OutputFile
    private let writer: VideoWriter
    private let audio: AudioQueue
    private var drawing: Drawing
    private let covers: [HandCover]
    private let takesSound: Bool
    private let warning: String?

    /// - Parameters:
    ///   - path: The final name.
    ///   - threads: Of the job; encoders that work at once share them.
    init(
        path: String, job: Job, reader: SourceReader, audio: AudioQueue, camera: CameraIntrinsics, first: VideoFrame,
        threads: Int
    ) throws {
        self.audio = audio
        file = OutputFile(target: path)
        var settings = job.encode
        covers = job.covers
        takesSound = job.encode.audio == .copy
        settings.encoders = max(1, min(threads / settings.threads, Self.mostEncoders))
        settings.hidden = covers.compactMap(\.sound)
        settings.hidesPlaces =
            covers.contains { $0.audio == nil } || job.graph.stageStyles.contains { $0.style.cover != nil }
        warning = settings.coverWarning
        do {
            writer = try VideoWriter(
                file,
                source: VideoWriter.Source(
                    timeBase: reader.info.timeBase, frameRate: reader.info.frameRate, first: first.picture,
                    original: first.original?.picture, offset: max(0, -first.pts.ticks), demuxer: reader.demuxer),
                settings: settings)
            drawing = Drawing(
                onto: writer.input, styles: job.graph.stageStyles, hidden: job.covers,
                pauses: job.graph.pauses, camera: camera, first: first)
        } catch {
            file.discard()
            throw error
        }
    }

    /// As many as decoding, stages and drawing keep busy.
    private static let mostEncoders = 8

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

    var notes: [String] { writer.notes + drawing.notes + soundless + (warning.map { [$0] } ?? []) }

    /// What is to be hidden of the sound where there is none. Where the video has none at all, by its settings, nothing is to be
    /// said.
    private var soundless: [String] {
        guard takesSound else { return [] }
        return covers.indices.filter { covers[$0].sound != nil }.enumerated().compactMap { number, index in
            guard !writer.hasHidden(number) else { return nil }
            return "cover \(index) hid nothing: there is no sound \(covers[index].times)"
        }
    }

    var covered: CoverSummary? { drawing.covered }
    var places: [CoveredPlaces] { drawing.places }

    func discard() { file.discard() }
}
