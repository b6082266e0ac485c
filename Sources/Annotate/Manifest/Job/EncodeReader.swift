/// Reads a job's `encode` and holds it against what this FFmpeg's encoders take.
struct EncodeReader {
    let node: JSONNode
    let path: [PathComponent]
    let log: ProblemLog

    func read() -> EncodeSettings {
        let settings = EncodeSettings(node)
        guard settings.codec != .copy else {
            checkCopy(settings)
            return settings
        }
        checkCodec(settings.codec)
        guard settings.codec.picture == nil else {
            checkPicture(settings)
            return settings
        }
        checkPreset(settings)
        checkQuality(settings)
        checkPixelFormat(settings)
        return settings
    }

    private func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private func checkCodec(_ codec: EncodeSettings.Codec) {
        guard !EncodeSettings.isAvailable(codec) else { return }
        let there = EncodeSettings.Codec.allCases.filter(EncodeSettings.isAvailable).map(\.rawValue)
        complain(
            "codec",
            "this FFmpeg has no encoder “\(codec.encoder ?? "")” for “\(codec.rawValue)”; expected one of "
                + list(there))
    }

    /// Refuses settings of encoding where nothing is encoded.
    private func checkCopy(_ settings: EncodeSettings) {
        for key in ["preset", "crf", "bitrate", "pixelFormat", "faststart", "threads", "segment"] where node[key] != nil
        {
            complain(key, "“\(key)” with “copy”, which encodes nothing; expected “copy” alone")
        }
        if settings.audio == .drop {
            complain("audio", "“drop” with “copy”, which keeps every stream; expected no “audio”")
        }
    }

    /// Refuses settings of quality for a picture, which has the best.
    private func checkPicture(_ settings: EncodeSettings) {
        for key in ["preset", "crf", "bitrate", "pixelFormat", "faststart", "threads", "segment", "audio"]
        where node[key] != nil {
            complain(key, "“\(key)” with “\(settings.codec.rawValue)”, which makes a photo; expected the codec alone")
        }
    }

    private func checkPreset(_ settings: EncodeSettings) {
        guard let name = settings.preset else { return }
        let codec = settings.codec
        if codec.isLossless {
            complain("preset", "\(codec.rawValue) has no presets; expected none")
        } else if codec != .none, !codec.presets.contains(name) {
            complain(
                "preset",
                "“\(name)” is no preset of \(codec.rawValue); expected one of \(list(codec.presets))"
                    + log.suggestion(name, codec.presets))
        }
    }

    private func checkQuality(_ settings: EncodeSettings) {
        let codec = settings.codec
        if codec.isLossless {
            for key in ["crf", "bitrate"] where node[key] != nil {
                complain(key, "\(codec.rawValue) is lossless; expected no \(key)")
            }
            return
        }
        if settings.crf != nil, settings.bitrate != nil {
            complain("bitrate", "a bitrate beside a crf; expected one of them: constant quality or a size")
        }
        if let crf = settings.crf, codec != .none, !codec.crfRange.contains(crf) {
            complain("crf", "\(crf) is no crf of \(codec.rawValue); expected \(describe(.integer(codec.crfRange)))")
        }
    }

    private func checkPixelFormat(_ settings: EncodeSettings) {
        guard settings.codec != .none, EncodeSettings.isAvailable(settings.codec) else { return }
        let taken = EncodeSettings.pixelFormats(of: settings.codec)
        if !taken.contains(settings.pixelFormat) {
            complain(
                "pixelFormat",
                "this FFmpeg's \(settings.codec.encoder ?? "encoder") doesn't take “\(settings.pixelFormat.rawValue)”; "
                    + "expected one of " + list(taken.map(\.rawValue)))
        }
    }
}
