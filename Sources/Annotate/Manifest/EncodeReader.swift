/// Reads a job's `encode` and holds it against what this FFmpeg's encoders take.
struct EncodeReader {
    let node: JSONNode
    let path: [PathComponent]
    var log: ProblemLog

    mutating func read() -> EncodeSettings {
        var settings = EncodeSettings()
        readCodec(&settings)
        readPreset(&settings)
        readQuality(&settings)
        readPixelFormat(&settings)
        settings.faststart = node["faststart"]?.bool ?? settings.faststart
        settings.audio = node["audio"]?.string.flatMap(EncodeSettings.Audio.init(rawValue:)) ?? settings.audio
        settings.threads = node["threads"]?.integer ?? settings.threads
        return settings
    }

    private mutating func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private mutating func readCodec(_ settings: inout EncodeSettings) {
        guard let codec = node["codec"]?.string.flatMap(EncodeSettings.Codec.init(rawValue:)) else { return }
        settings.codec = codec
        settings.preset = codec.defaultPreset
        settings.quality = .crf(codec.defaultCRF)
        guard !EncodeSettings.isAvailable(codec) else { return }
        let there = EncodeSettings.Codec.allCases.filter(EncodeSettings.isAvailable).map(\.rawValue)
        complain(
            "codec",
            "this FFmpeg has no encoder “\(codec.encoder ?? "")” for “\(codec.rawValue)”; expected one of "
                + list(there))
    }

    private mutating func readPreset(_ settings: inout EncodeSettings) {
        guard let name = node["preset"]?.string else { return }
        settings.preset = name
        if settings.codec.isLossless {
            complain("preset", "\(settings.codec.rawValue) has no presets; expected none")
        } else if settings.codec != .none, !settings.codec.presets.contains(name) {
            complain(
                "preset",
                "“\(name)” is no preset of \(settings.codec.rawValue); expected one of \(list(settings.codec.presets))"
                    + suggestion(name, settings.codec.presets))
        }
    }

    private mutating func readQuality(_ settings: inout EncodeSettings) {
        let (codec, crf, bitrate) = (settings.codec, node["crf"]?.integer, node["bitrate"]?.integer)
        if codec.isLossless {
            for key in ["crf", "bitrate"] where node[key] != nil {
                complain(key, "\(codec.rawValue) is lossless; expected no \(key)")
            }
            return
        }
        if crf != nil, bitrate != nil {
            complain("bitrate", "a bitrate beside a crf; expected one of them: constant quality or a size")
        }
        if let crf {
            settings.quality = .crf(crf)
            if codec != .none, (0...63).contains(crf), !codec.crfRange.contains(crf) {
                complain("crf", "\(crf) is no crf of \(codec.rawValue); expected \(describe(.integer(codec.crfRange)))")
            }
        } else if let bitrate {
            settings.quality = .bitrate(bitrate)
        }
    }

    private mutating func readPixelFormat(_ settings: inout EncodeSettings) {
        guard let name = node["pixelFormat"]?.string, let format = EncodeSettings.PixelFormat(rawValue: name) else {
            return
        }
        settings.pixelFormat = format
        guard settings.codec != .none, EncodeSettings.isAvailable(settings.codec) else { return }
        let taken = EncodeSettings.pixelFormats(of: settings.codec)
        if !taken.contains(format) {
            complain(
                "pixelFormat",
                "this FFmpeg's \(settings.codec.encoder ?? "encoder") doesn't take “\(name)”; expected one of "
                    + list(taken.map(\.rawValue)))
        }
    }
}
