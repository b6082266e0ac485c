/// A manifest that hides things in a folder of photos and clips, so that they can be handed out.
public struct ReleaseManifest {
    /// The manifest.
    public let json: JSONValue
    /// Sentences that say what is to be done with it.
    public let hints: [String]

    /// What a folder's files are taken for, by their names' ends.
    private static let photos = ["jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "avif", "heic"]
    private static let clips = ["mp4", "mov", "m4v", "mkv", "webm", "avi", "mts", "m2ts", "mpg", "mpeg", "3gp"]
    /// What is hidden is read less surely than what is reported.
    private static let unsure: [String: JSONValue] = ["text": .number(0.5)]

    /// Stage types of which one can be hidden by its name alone: it goes by the picture, and needs nothing else.
    public static func types(of catalog: StageCatalog) -> [String] {
        catalog.contracts.filter { contract in
            contract.consumes.contains(.frame) && contract.produces.contains(.regions) && contract.takes.isEmpty
                && !contract.keepsNumbers && !contract.options.contains(where: \.isRequired)
        }.map(\.type)
    }

    /// Makes a manifest.
    /// - Parameters:
    ///   - types: Some of `types(of:)`, each once.
    ///   - media: The folder with photos and clips.
    ///   - folder: Where the manifest will be.
    /// - Throws: `FileError` for a folder that can't be read or has none.
    public init(hiding types: [String], in media: String, folder: String) throws {
        let names = try Files.list(media).filter { !$0.hasPrefix(".") && Files.isRegular(media + "/" + $0) }.sorted()
        var kinds: [(end: String, stems: Set<String>)] = []
        for name in names {
            let stem = Files.stem(of: name)
            let end = String(name.dropFirst(stem.count + 1))
            guard Self.photos.contains(end.lowercased()) || Self.clips.contains(end.lowercased()) else { continue }
            if let index = kinds.firstIndex(where: { $0.end == end }) {
                kinds[index].stems.insert(stem)
            } else {
                kinds.append((end, [stem]))
            }
        }
        guard !kinds.isEmpty else {
            throw FileError(
                "use", path: media,
                reason: "there is no photo and no clip in it; expected a folder with some, not deeper")
        }
        let place = Files.relative(media, to: folder)
        var taken: Set<String> = []
        let jobs = kinds.map { end, stems -> JSONNode in
            var members = [
                JSONMember(key: "input", value: JSONNode(.string("\(place.isEmpty ? "" : place + "/")*.\(end)")))
            ]
            // A photo and a clip of one name would be one job.
            if !taken.isDisjoint(with: stems) {
                members.insert(JSONMember(key: "id", value: JSONNode(.string("{name}-\(end)"))), at: 0)
            }
            taken.formUnion(stems)
            return JSONNode(.object(members))
        }
        let stages = types.map { type -> JSONNode in
            var members: [(String, JSONValue)] = [("id", .string(type)), ("type", .string(type))]
            if let confidence = Self.unsure[type] { members.append(("minimumConfidence", confidence)) }
            members.append(("draw", .members(["cover": .bool(true)])))
            return JSONNode(.object(members.map { JSONMember(key: $0.0, value: JSONNode($0.1)) }))
        }
        let expected = JSONNode(.members(["cover": .members(["doubtful": .members(["max": .integer(0)])])]))
        json = .members([
            "version": .integer(1),
            "output": .members(["directory": .string("released"), "tracks": .string("released.tracks")]),
            "defaults": .members(["graph": .string("release"), "expect": .array([expected])]),
            "graphs": .members(["release": .members(["stages": .array(stages)])]), "jobs": .array(jobs),
        ])
        hints = [
            "what is found is hidden; look at it before you hand anything out: annotate-batch review released --release",
            "released holds what can be handed out, but for report.json; released.tracks stays with you",
        ]
    }
}
