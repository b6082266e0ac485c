/// Decides a job's codec: a photo gives a photo where nobody says otherwise, and only a photo does.
struct PictureCodecReader {
    /// The job's JSON.
    let node: JSONNode
    let path: [PathComponent]
    let sizes: InputSizes
    let log: ProblemLog

    /// - Parameter settings: What the job says.
    func codec(of input: String, _ settings: EncodeSettings) -> EncodeSettings.Codec {
        let codec = settings.codec
        guard node["encode"]?["codec"] != nil else { return sizes.still(input)?.codec ?? codec }
        guard codec.picture != nil else { return codec }
        let what: String
        switch MediaInput(path: input) {
        // What comes is known when it does.
        case .standardInput: return codec
        case .sequence: what = "a sequence of pictures"
        case .file:
            guard sizes.size(of: input) != nil, sizes.still(input) == nil else { return codec }
            what = "a video"
        }
        log.add(
            "“\(codec.rawValue)” for “\(Files.name(of: input))”, which is \(what); expected a photo, or another codec",
            at: node["encode"]?["codec"] ?? node, path: path + [.key("encode"), .key("codec")])
        return codec
    }
}
