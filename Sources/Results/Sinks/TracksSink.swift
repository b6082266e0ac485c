internal import Glibc

/// The track file, `<id>.tracks.jsonl`: a header, a line a frame, a summary.
///
/// The header carries the number of frames, which only decoding tells, so the frames' lines go to a file of their own
/// first and are copied behind the header at the end.
package final class TracksSink: Sink {
    package static let format = SinkFormat(
        name: "tracks", title: "A track file", suffix: ".tracks.jsonl",
        doc: "The track file: one JSON object a line, a line a frame.",
        takesParts: false)

    private let output: OutputFile
    private let body: OutputFile
    private let writer: ByteWriter
    private var header: TrackFileHeader
    private var json = JSONWriter()

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        body = OutputFile(target: file.target + ".body")
        writer = try ByteWriter(body)
        header = context.header
    }

    package func write(_ frame: FrameRecord) throws {
        json.removeAll()
        frame.write(into: &json)
        json.endLine()
        try writer.write(json.bytes)
    }

    /// Assembles the file.
    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try writer.finish()
        header.source.fieldOrder = outcome.fieldOrder
        header.source.isDeinterlaced = outcome.isDeinterlaced
        // Under a range the file's own count is not known: only the range is decoded to its end.
        header.source.frames = header.range == nil ? summary.frames : nil
        let whole = try ByteWriter(output)
        try whole.write(line { header.write(into: &$0) })
        try Files.forEachPiece(of: body.temporary, whole.write)
        try whole.write(
            line { json in
                json.object {
                    $0.key("summary")
                    summary.write(into: &$0)
                }
            })
        try whole.finish()
        body.discard()
    }

    private func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        json.endLine()
        return json.bytes
    }
}

extension FrameRecord {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.key("frame")
            json.value(frame)
            json.key("pts")
            json.value(pts.ticks)
            json.key("duration")
            json.value(duration)
            json.key("time")
            json.value(pts.seconds, decimals: 6)
            json.key("observations")
            json.array { json in for observation in observations { observation.write(into: &json) } }
        }
    }
}
