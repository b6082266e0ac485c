/// A manifest to start from: one graph, and a job for each of some clips.
public struct FirstManifest {
    /// The manifest as JSON.
    public let json: JSONValue
    /// Sentences that say what is still to be filled in.
    public private(set) var gaps: [String] = []
    /// Sentences about files that are left out, since no decoder can open them.
    public let leftOut: [String]

    /// Stage types that go before others which work best, or only, on their results.
    private static let before = ["images": "rectangles", "alter": "images"]

    private struct Clip {
        /// The path as the manifest has it.
        var input: String
        /// The job's id; nil for one that is named after its file.
        var id: String?
        /// Size of the pictures; nil for many files, and for standard input.
        var size: PictureSize?
        /// Name of the file without its extension, where the manifest's own path can't be looked for from here.
        var stem: String?
        /// Sentences about files that a glob matches and nobody can read.
        var remarks: [String] = []
        /// Files that a glob matches and no decoder can open, as the manifest has them, each with a sentence about it.
        var useless: [(path: String, sentence: String)] = []
    }

    /// Makes a manifest.
    /// - Parameters:
    ///   - stage: A type of the catalogue.
    ///   - clips: Paths from the working folder; globs too.
    ///   - folder: Where the manifest will be.
    ///   - catalog: The program's stage types.
    /// - Throws: `FileError` for what is no clip.
    public init(stage: String, clips: [String], folder: String, catalog: StageCatalog) throws {
        var gaps: [String] = []
        let types = Self.chain(to: stage, catalog)
        let stages = types.enumerated().map { index, type -> JSONNode in
            var members = [
                JSONMember(key: "id", value: JSONNode(.string(type))),
                JSONMember(key: "type", value: JSONNode(.string(type))),
            ]
            if index > 0 {
                members.append(
                    JSONMember(key: "inputs", value: JSONNode(.array([JSONNode(.string(types[index - 1]))]))))
            }
            for option in catalog.blueprint(for: type)?.contract.options ?? [] where option.isRequired {
                members.append(JSONMember(key: option.name, value: JSONNode(Self.example(of: option))))
                // One of some words is as good as another.
                if case .string(.choice) = option.shape { continue }
                gaps.append(
                    "stage “\(type)” needs what “\(option.name)” names; put its path there: "
                        + option.doc.prefix(1).lowercased() + option.doc.dropFirst())
            }
            return JSONNode(.object(members))
        }
        var (found, unusable) = ([Clip](), [FileError]())
        for clip in clips {
            do {
                found.append(try Self.clip(clip, folder: folder))
            } catch let error as FileError {
                unusable.append(error)
            }
        }
        // Of many that a shell found the others are as good.
        if found.isEmpty, let first = unusable.first { throw first }
        if found.isEmpty {
            found = [Clip(input: "videos/*.mp4")]
            gaps.append("no clip was given; put the path of yours in the place of “videos/*.mp4”")
        }
        gaps += found.flatMap(\.remarks)
        leftOut = unusable.map { "\($0)" } + found.flatMap { $0.useless.map(\.sentence) }
        Self.giveNames(&found)
        let contracts = types.compactMap { catalog.blueprint(for: $0)?.contract }
        let given = GivenKinds(catalog).all.filter { kind in contracts.contains { $0.takes(kind) } }
        let jobs = found.map { clip -> JSONNode in
            var members: [JSONMember] = []
            if let id = clip.id { members.append(JSONMember(key: "id", value: JSONNode(.string(id)))) }
            members.append(JSONMember(key: "input", value: JSONNode(.string(clip.input))))
            if !clip.useless.isEmpty {
                let paths = clip.useless.map { JSONNode(.string($0.path)) }
                members.append(JSONMember(key: "exclude", value: JSONNode(.array(paths))))
            }
            for kind in given {
                let example = JSONNode(kind.example(in: clip.size).value)
                members.append(JSONMember(key: kind.word, value: JSONNode(.array([example]))))
            }
            return JSONNode(.object(members))
        }
        gaps += given.map { $0.example(in: nil).gap }
        json = .members([
            "version": .integer(1), "output": .members(["directory": .string("out")]),
            "defaults": .members(["graph": .string("main")]),
            "graphs": .members(["main": .members(["stages": .array(stages)])]), "jobs": .array(jobs),
        ])
        self.gaps = gaps
    }

    /// The stage's type, and before it those that it works on.
    private static func chain(to type: String, _ catalog: StageCatalog) -> [String] {
        var chain = [type]
        while let first = chain.first {
            var before = before[first]
            // One that doesn't read the frame takes the first that does and gives what it wants.
            if before == nil, let contract = catalog.blueprint(for: first)?.contract,
                !contract.consumes.contains(.frame)
            {
                before =
                    catalog.contracts.first {
                        $0.consumes.contains(.frame) && $0.produces.contains(where: contract.consumes.contains)
                    }?.type
            }
            guard let before, !chain.contains(before) else { break }
            chain.insert(before, at: 0)
        }
        return chain
    }

    /// An example value of an option.
    private static func example(of option: Property) -> JSONValue {
        switch option.shape {
        case .string(.path), .string(.pathTemplate): .string(option.name == "model" ? "model.onnx" : option.name)
        case .string(.choice(let words, _)): .string(words.first ?? "")
        case .string: .string(option.name)
        case .integer(let range): .integer(range?.lowerBound ?? 1)
        case .number(let bounds): .number((bounds.minimum ?? 0) + (bounds.excludesMinimum ? 1 : 0))
        case .boolean: .bool(true)
        case .array: .array([])
        default: .object([])
        }
    }

    private static func clip(_ path: String, folder: String) throws -> Clip {
        if MediaInput.isStandardInput(path) { return Clip(input: "-", id: "input") }
        // A link keeps its own name: only the folders are resolved.
        let place = Files.relative(Files.parent(of: path), to: folder)
        let input = (place.isEmpty ? "" : place + "/") + Files.name(of: path)
        if Files.isDirectory(path) {
            throw FileError(
                "use", path: path, reason: "it is a folder; expected clips, or a glob in quotes such as '\(path)/*.mp4'"
            )
        }
        let isSequence =
            if case .sequence(let pictures) = MediaInput(path: path) { !pictures.numbers.isEmpty } else { false }
        if !Files.exists(path), !isSequence {
            let found = path.contains(where: { "*?[".contains($0) }) ? Files.matches(of: path) : nil
            let (all, nameless) = (found?.paths ?? [], found?.nameless ?? [])
            let odd = all.filter { Files.isRegular($0) && InputReader.hasControls($0, of: path) }
            let matches = all.filter { Files.isRegular($0) && !InputReader.hasControls($0, of: path) }
            if !matches.isEmpty {
                var clip = Clip(input: input)
                // Files that differ by their endings or folders alone would be one job.
                if Set(matches.map(Files.stem)).count < matches.count { clip.id = "{name}-{n}" }
                clip.remarks = matches.compactMap { file in
                    Files.whyUnreadable(file).map { InputReader.unreadable(file, input, $0) }
                }
                clip.remarks += all.compactMap { InputReader.dangling($0, shownAs: $0, input) }
                clip.remarks += nameless.map { InputReader.nameless($0, input, "isn't UTF-8") }
                clip.remarks += odd.map { InputReader.nameless($0, input, "has control characters") }
                clip.useless = try useless(of: matches, input, folder: folder)
                guard clip.useless.count < matches.count else {
                    throw FileError(
                        "use", path: path,
                        reason: "no decoder can open any of the files that it matches: \(clip.useless[0].sentence)")
                }
                return clip
            }
            let log = ProblemLog(file: "")
            throw FileError("use", path: path, reason: "there is no such file\(log.suggestion(near: path))")
        }
        let info = try SourceInfo.probe(path: path)
        return Clip(
            input: input, size: PictureSize(width: info.width, height: info.height),
            stem: MediaInput(path: path).stem)
    }

    /// Those of some readable files that no decoder can open.
    private static func useless(
        of files: [String], _ glob: String, folder: String
    ) throws -> [(path: String, sentence: String)] {
        let readable = files.filter { Files.whyUnreadable($0) == nil }
        return try parallelMap(readable.count, threads: Machine.cores) { index -> (path: String, sentence: String)? in
            let file = readable[index]
            func useless(_ reason: String) -> (path: String, sentence: String) {
                let place = Files.relative(Files.parent(of: file), to: folder)
                return (
                    (place.isEmpty ? "" : place + "/") + Files.name(of: file),
                    "\(reason); “\(glob)” matches it, and it is left out"
                )
            }
            guard TextRule.fileName.accepts(Files.stem(of: file)) else {
                return useless("no job can be called after “\(Files.name(of: file).inOneLine)”; rename it")
            }
            do {
                _ = try SourceInfo.probe(path: file)
                return nil
            } catch {
                return useless("\(error)")
            }
        }.compactMap(\.self)
    }

    /// Gives an id to what its file doesn't name, or names like another.
    private static func giveNames(_ clips: inout [Clip]) {
        var taken = Set(clips.compactMap(\.id))
        for index in clips.indices where clips[index].id == nil && clips[index].size != nil {
            let stem = clips[index].stem ?? "clip"
            var id = TextRule.fileName.accepts(stem) ? stem : "clip"
            var number = 1
            while !taken.insert(id).inserted {
                number += 1
                id = "\(TextRule.fileName.accepts(stem) ? stem : "clip")-\(number)"
            }
            // Braces would stand for something.
            if id != stem { clips[index].id = NameTemplate(id).varies ? "clip-\(index + 1)" : id }
        }
    }
}
