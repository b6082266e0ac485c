internal import CFFmpeg

/// The source's own packets, and a track of subtitles that draws on its pictures what an encoded video has burned in.
///
/// The events are kept in a file until the job ends; then the source is read again, without decoding it, and both go into
/// one Matroska file.
final class CopiedVideo: JobVideo {
    let file: OutputFile
    private let events: OutputFile
    private let writer: ByteWriter
    private let source: CopySource
    private let timeBase: Rational
    private let header: String
    private let input: String
    private var check: CopyCheck
    private var drawing: ScriptDrawing
    /// Time at which the last frame ends, milliseconds.
    private var end: Int64 = 0
    private var copyNotes: [String] = []

    /// - Parameter path: The final name.
    /// - Throws: `FileError` for a source whose packets can't be copied.
    init(path: String, job: Job, reader: SourceReader, camera: CameraIntrinsics, first: VideoFrame) throws {
        guard case .file = reader.demuxer.input else {
            throw FileError("copy", path: job.input, reason: "it is no video file, whose packets could be copied")
        }
        timeBase = reader.info.timeBase
        source = try CopySource(try reader.demuxer.again())
        let size = PictureSize(width: first.width, height: first.height)
        header = try OverlayScript.header(size)
        input = job.input
        check = CopyCheck(
            size: size, isTurned: reader.info.rotation % 180 != 0, isPart: job.range != nil,
            isAltered: job.deinterlacing != .never,
            cancellation: reader.demuxer.cancellation)
        drawing = ScriptDrawing(size: size, camera: camera, unit: 1)
        file = OutputFile(target: path)
        events = OutputFile(target: path + ".events")
        writer = try ByteWriter(events)
    }

    var offset: Int64 { source.offset }

    func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) throws {
        try drawing.add(observations, at: frame.seconds, time: time(frame.pts.ticks), keep)
        try check.add(frame, at: time(frame.pts.ticks), path: file.target)
        end = time(frame.pts.ticks &+ frame.duration)
    }

    /// A stamp as the copied packets have it, milliseconds.
    private func time(_ ticks: Int64) -> Int64 { SourceCopy.milliseconds(ticks, offset: offset, timeBase: timeBase) }

    private func keep(_ event: ScriptEvent) throws {
        try writer.write(Array("\(event.start) \(event.end) \(event.layer) \(event.text)\n".utf8))
    }

    func finish(_ outcome: SourceOutcome) throws {
        try drawing.finish(at: end, keep)
        try writer.finish()
        let lines = try LineReader(path: events.temporary)
        let copy = try SourceCopy(
            file, of: source, subtitles: .init(header: header, title: SourceCopy.overlayTitle))
        var order = 0
        do {
            try copy.run {
                guard let line = try lines.next() else { return nil }
                defer { order += 1 }
                let event = try Self.event(line)
                return .init(
                    start: event.start, end: event.end, text: OverlayScript.packet(event, order: order))
            }
        } catch let error as FileError where error.code == cff_error_invalid_data && error.isAbout(file.target) {
            throw FileError(
                "copy", path: input,
                reason:
                    "its packets don't go into a Matroska file as they are, where it is damaged or several are joined; expected "
                    + "a codec that encodes it")
        }
        copyNotes = copy.notes
        events.discard()
        let isWhole = outcome.isRegular && copy.hidden == 0 && !copy.isRedescribed
        if let problem = try check.problem(file.temporary, of: source.demuxer, offset: offset, outcome, isWhole) {
            throw FileError(
                "copy", path: input,
                reason: "it doesn't come out of a Matroska file as it is (\(problem)); expected a codec that encodes it"
            )
        }
    }

    private static func event(_ line: [UInt8]) throws -> ScriptEvent {
        let parts = line.split(separator: 0x20, maxSplits: 3).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4, let start = Int64(parts[0]), let end = Int64(parts[1]), let layer = Int(parts[2]) else {
            throw FileError("copy", path: "the overlay's events", reason: "their file was changed meanwhile")
        }
        return ScriptEvent(start: start, end: end, layer: layer, text: parts[3])
    }

    var notes: [String] { copyNotes }

    func discard() {
        file.discard()
        events.discard()
    }
}
