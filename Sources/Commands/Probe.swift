import Annotate
import ArgumentParser

struct Probe: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints what the decoder sees of files: streams, size, rotation, rate, time base, colour, duration.")

    @Argument(help: "Videos or photos.", completion: .file())
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    var access: CommandAccess {
        var access = FileAccess()
        for file in files { access.read(media: file) }
        return .files(access)
    }

    func run() throws {
        var entries: [JSONNode] = []
        var failures: [any Error] = []
        for file in files {
            guard !Files.isDirectory(file) else {
                failures.append(ExitCode.failure)
                Console.error("annotate-batch: \(file) is a folder; expected a video or photo")
                continue
            }
            do {
                let info = try SourceInfo.probe(path: file)
                if json { entries.append(JSONNode(info.json(file: file))) } else { Console.out(info.text(file: file)) }
            } catch {
                failures.append(error)
                Console.error("annotate-batch: \(error)")
            }
        }
        if json { Console.out(prettyJSON(.array(entries))) }
        if !failures.isEmpty { throw ExitCode.of(failures) }
    }
}

extension SourceInfo {
    fileprivate func text(file: String) -> String {
        func number(_ value: Double, _ decimals: Int) -> String {
            var writer = JSONWriter()
            writer.value(value, decimals: decimals)
            return writer.text
        }
        var lines = ["\(file): \(container)"]
        var video = "  video     \(codec), \(pixelFormat), \(width)×\(height) as shown"
        if rotation != 0 { video += ", turned by \(rotation)°" }
        if isMirrored { video += ", mirrored" }
        if let aspect = sampleAspectRatio, aspect.numerator != aspect.denominator {
            video += ", pixels \(aspect.numerator):\(aspect.denominator)"
        }
        if let fieldOrder { video += ", interlaced, \(fieldOrder == .topFirst ? "top" : "bottom") field first" }
        lines.append(video)
        var time = "  time      base \(timeBase.numerator)/\(timeBase.denominator)"
        if let rate = frameRate {
            time += ", \(rate.numerator)/\(rate.denominator) = \(number(rate.value, 3)) frames/s"
        }
        if let startTime { time += ", starts at \(startTime)" }
        if let duration { time += ", \(number(duration, 3)) s" }
        if let expectedFrames { time += ", about \(expectedFrames) frames" }
        lines.append(time)
        let color = [
            ("matrix", colorSpace), ("primaries", colorPrimaries), ("transfer", colorTransfer), ("range", colorRange),
        ].map { "\($0.0) \($0.1 ?? "not said")" }
        lines.append("  colour    " + color.joined(separator: ", "))
        for track in audio {
            lines.append("  audio     \(track.codec), \(track.channels) channels, \(track.sampleRate) Hz")
        }
        return lines.joined(separator: "\n")
    }

    fileprivate func json(file: String) -> JSONValue {
        func ratio(_ ratio: Rational?) -> JSONValue {
            ratio.map { .numbers([Double($0.numerator), Double($0.denominator)]) } ?? .null
        }
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return .members([
            "file": .string(file), "container": .string(container), "codec": .string(codec),
            "pixelFormat": .string(pixelFormat), "width": .integer(width), "height": .integer(height),
            "rotation": .integer(rotation), "mirrored": .bool(isMirrored),
            "sampleAspectRatio": ratio(sampleAspectRatio), "fieldOrder": text(fieldOrder?.rawValue),
            "timeBase": ratio(timeBase), "frameRate": ratio(frameRate),
            "startTime": startTime.map { .number(Double($0)) } ?? .null,
            "duration": duration.map { .number($0) } ?? .null,
            "expectedFrames": expectedFrames.map { .integer($0) } ?? .null, "colorSpace": text(colorSpace),
            "colorPrimaries": text(colorPrimaries), "colorTransfer": text(colorTransfer),
            "colorRange": text(colorRange),
            "audio": .array(
                audio.map {
                    JSONNode(
                        .members([
                            "codec": .string($0.codec), "channels": .integer($0.channels),
                            "sampleRate": .integer($0.sampleRate),
                        ]))
                }),
        ])
    }
}
