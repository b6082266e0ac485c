/// A manifest that hides things in photos and clips of a folder and of those below, so that they can be handed out.
public struct ReleaseManifest {
    /// The manifest as JSON.
    public let json: JSONValue
    /// Sentences that say what is to be done with it.
    public let hints: [String]
    /// Sentences about photos and clips that are left out, since no job can have them.
    public let leftOut: [String]

    /// Where results go, beside the manifest.
    private static let (directory, tracks) = ("released", "released.tracks")
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
        let found = try ReleaseFolder(
            media, ends: MediaEndings.photos + MediaEndings.clips,
            results: [Self.directory, Self.tracks].map { "\(folder)/\($0)" })
        guard !found.entries.isEmpty else {
            throw FileError(
                "use", path: media,
                reason: "there is no photo and no clip in it or below; expected a folder with some"
                    + ((found.leftOut + found.hints).isEmpty
                        ? "" : " (\((found.leftOut + found.hints).joined(separator: "; ")))"))
        }
        let place = Files.relative(media, to: folder)
        leftOut = found.leftOut
        let jobs = found.entries.map { entry -> JSONNode in
            func path(_ name: String) -> String { (place.isEmpty ? "" : place + "/") + entry.place(of: name) }
            var members = [JSONMember(key: "input", value: JSONNode(.string(path("*.\(entry.end)"))))]
            if !entry.excluded.isEmpty {
                let paths = entry.excluded.map { JSONNode(.string(path($0))) }
                members.append(JSONMember(key: "exclude", value: JSONNode(.array(paths))))
            }
            if entry.id != "{name}" { members.insert(JSONMember(key: "id", value: JSONNode(.string(entry.id))), at: 0) }
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
            "output": .members(["directory": .string(Self.directory), "tracks": .string(Self.tracks)]),
            "defaults": .members(["graph": .string("release"), "expect": .array([expected])]),
            "graphs": .members(["release": .members(["stages": .array(stages)])]), "jobs": .array(jobs),
        ])
        hints =
            found.hints + [
                "what is found is hidden; look at it before you hand anything out: annotate-batch review released --release",
                "\(Self.directory) holds what can be handed out, but for report.json; \(Self.tracks) stays with you",
            ]
    }
}
