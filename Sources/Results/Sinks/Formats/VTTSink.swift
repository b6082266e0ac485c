/// WebVTT metadata: a cue a frame with observations, its text one line of JSON, for a page's `<track kind="metadata">`.
///
/// A cue lasts to the next frame's beginning, in milliseconds; `pts` in it is exact. Times are those of the annotated video:
/// of a source that starts before zero they lie behind its own by `videoOffset`.
package final class VTTSink: Sink {
    package static let format = SinkFormat(
        name: "vtt", title: "WebVTT", suffix: ".vtt",
        doc: "WebVTT metadata: a cue a frame, one line of JSON, for a web page's text track.")

    private let writer: ByteWriter
    private let source: TrackFileHeader.Source
    private var omissions = 0
    /// A frame whose end is the next one's beginning.
    private var last: FrameRecord?

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        writer = try ByteWriter(file)
        source = context.header.source
        try writer.write(Array("WEBVTT\n".utf8))
    }

    package func write(_ frame: FrameRecord) throws {
        try writeLast(until: frame.pts.ticks)
        last = frame
    }

    private func writeLast(until end: Int64) throws {
        guard let frame = last, !frame.observations.isEmpty else { return }
        let start = milliseconds(frame.pts.ticks)
        if start < 0 { omissions += 1 }
        let first = max(0, start)
        // A cue without length is none.
        let times = "\(Self.time(first)) --> \(Self.time(max(first + 1, milliseconds(end))))"
        try writer.write(Array("\n\(frame.frame)\n\(times)\n".utf8) + text(of: frame) + [0x0A])
    }

    /// One line without what ends a cue, or is a tag or an entity in other kinds of cues.
    private func text(of frame: FrameRecord) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("frame")
            json.value(frame.frame)
            json.key("pts")
            json.value(frame.pts.ticks)
            json.key("duration")
            json.value(frame.duration)
            json.key("time")
            json.value(frame.pts.seconds, decimals: 6)
            json.key("size")
            json.array {
                $0.value(source.width)
                $0.value(source.height)
            }
            json.key("observations")
            json.array { json in for observation in frame.observations { observation.write(into: &json) } }
        }
        var bytes: [UInt8] = []
        for byte in json.bytes {
            switch byte {
            case UInt8(ascii: "<"): bytes += "\\u003c".utf8
            case UInt8(ascii: ">"): bytes += "\\u003e".utf8
            case UInt8(ascii: "&"): bytes += "\\u0026".utf8
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private func milliseconds(_ ticks: Int64) -> Int {
        let time = MediaTime(ticks: ticks &+ Int64(source.videoOffset), timeBase: source.timeBase)
        return Int(exactly: (time.seconds * 1000).rounded()) ?? 0
    }

    /// `hh:mm:ss.ttt`.
    private static func time(_ milliseconds: Int) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }
        return parts.joined(separator: ":") + "." + digits(rest, 3)
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        if let last { try writeLast(until: last.pts.ticks &+ last.duration) }
        try writer.finish()
    }

    package var notes: [String] {
        omissions == 0
            ? [] : ["WebVTT has no times before zero; written as at zero: \(Words.plural(omissions, "frame"))"]
    }
}
