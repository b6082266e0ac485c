/// The error of a track file that doesn't fit its format.
public struct TrackFileError: Error, Sendable, CustomStringConvertible {
    /// The file's path.
    public var path: String
    /// Number of the line, from 1; nil for the file as a whole.
    public var line: Int?
    /// The message: what was found and what was expected.
    public var message: String

    package init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    public var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}

/// Reads a track file line by line into the types that it was written from, without holding more than one line.
public final class TrackFileReader {
    /// The first line.
    public let header: TrackFileHeader
    /// The last line; nil until it has been read.
    public private(set) var summary: TrackFileSummary?
    /// The time that the last frame's line says, seconds; its pts decides.
    package private(set) var time = 0.0

    /// Whether a summary has come, also one that doesn't fit.
    private var hasSummary = false
    private let path: String
    private let wantsEach: Bool
    private let lines: LineReader
    private let shape: TrackFileShape
    /// Kinds that each stage may emit.
    private let kinds: [String: [any Finding.Type]]
    /// Skeletons of the joints that each stage gives.
    private let skeletons: [String: Skeleton]
    /// The stages that keep the tracks seen so far.
    private var keepers: [Int: String] = [:]
    /// The number of the next frame; nil where it may be any: behind a line that couldn't be read, and under a range at first.
    private var following: Int?
    /// Numbers whose keeper the last frame changed, each with the keeper before.
    private var replaced: [(track: Int, stage: String?)] = []

    /// Reads the header.
    /// - Throws: `TrackFileError` for a file without a header that fits, `FileError` for one that can't be read.
    public convenience init(path: String, kinds catalog: FindingCatalog) throws {
        try self.init(path: path, kinds: catalog, wantsEach: false)
    }

    /// Reads the header.
    /// - Parameter wantsEach: A frame that isn't the one behind the last is an error.
    package init(path: String, kinds catalog: FindingCatalog, wantsEach: Bool) throws {
        (self.path, self.wantsEach) = (path, wantsEach)
        lines = try LineReader(path: path)
        shape = TrackFileShape(catalog)
        guard let text = try lines.next() else {
            throw TrackFileError(
                path: path, line: nil, message: "it is empty; expected a track file with its header line")
        }
        let node: JSONNode
        do {
            node = try Self.node(text, shape.header, path: path, lines)
        } catch let error as TrackFileError {
            throw Self.otherFile(path) ?? error
        }
        header = TrackFileHeader(node)
        var kinds: [String: [any Finding.Type]] = [:]
        for (index, stage) in header.stages.enumerated() {
            guard let emitted = catalog.kinds(of: stage.type) else {
                throw TrackFileError(
                    path: path, line: 1,
                    message: "/stages/\(index)/type: this program has no stage type “\(stage.type)”")
            }
            kinds[stage.id] = emitted
            if let fault = stage.skeleton?.fault {
                throw TrackFileError(path: path, line: 1, message: "/stages/\(index)/skeleton: \(fault)")
            }
        }
        self.kinds = kinds
        skeletons = header.skeletons
        following = header.range == nil ? 0 : nil
        let (width, height) = (header.source.width, header.source.height)
        guard width * height <= TrackFileHeader.mostPixels else {
            throw TrackFileError(
                path: path, line: 1,
                message:
                    "/source: \(width)×\(height) pixels; expected at most \(TrackFileHeader.mostPixels), as decoders have"
            )
        }
    }

    /// The next frame; nil after the summary.
    ///
    /// After an error, the next call goes on with the line after it.
    /// - Throws: `TrackFileError` for a line that doesn't fit the schema or the header, and for a file that ends without its
    ///   summary.
    public func next() throws -> FrameRecord? {
        guard let text = try lines.next() else {
            guard hasSummary else { throw Self.brokenOff(path) }
            return nil
        }
        guard !hasSummary else { throw failure("a line after the summary; expected the end of the file") }
        let expected = following
        following = nil
        if let record = streamed(text) { return try placed(record, expected) }
        let node = try Self.parsed(text, path: path, lines)
        if let whole = node["summary"] {
            hasSummary = true
            try Self.check(node, shape.summary, path: path, lines)
            let read = TrackFileSummary(whole)
            summary = read
            for (index, track) in read.tracks.enumerated() {
                _ = try kind(track.kind, of: track.stage, at: "/summary/tracks/\(index)")
            }
            return try next()
        }
        try Self.check(node, shape.frame, path: path, lines)
        return try placed(record(node), expected)
    }

    /// A frame if it is the one that is expected.
    private func placed(_ record: FrameRecord, _ expected: Int?) throws -> FrameRecord {
        following = record.frame + 1
        if wantsEach, let expected, record.frame != expected {
            throw failure("/frame: \(record.frame); expected \(expected): a line for each picture, one after the other")
        }
        return record
    }

    /// What the source turned out to be when it had been read.
    package var outcome: SourceOutcome {
        SourceOutcome(
            concealed: summary?.concealed ?? 0, skipped: summary?.skipped ?? 0, isCutOff: summary?.isCutOff ?? false,
            fieldOrder: header.source.fieldOrder, isDeinterlaced: header.source.isDeinterlaced)
    }

    // MARK: A frame

    /// A frame's line, without holding more of it than an observation: there may be a million of them.
    /// - Returns: nil for what isn't a frame as it should be, which is then read as a whole and has its complaint.
    private func streamed(_ text: [UInt8]) -> FrameRecord? {
        replaced = []
        var observations: [Observation] = []
        // Growing takes as much again, which a million of them shouldn't.
        if text.count > Self.longLine { observations.reserveCapacity(Self.count(Self.start, in: text)) }
        var isGood = true
        // The same for all of them.
        var validator = ShapeValidator(file: path)
        let node = try? JSONParser.parse(text, elementsOf: "observations") { node in
            guard isGood else { return }
            validator.validate(node, against: shape.observation)
            guard validator.log.isEmpty, let observation = try? observation(node, at: "") else {
                isGood = false
                return
            }
            observations.append(observation)
        }
        if isGood, let node, node["summary"] == nil {
            validator.validate(node, against: .object(shape.frame))
            if validator.log.isEmpty, let record = try? record(node, observations) { return record }
        }
        for (number, stage) in replaced.reversed() { keepers[number] = stage }
        return nil
    }

    /// Bytes of a line whose observations are counted before they are read, and what each of them begins with as they are written.
    private static let (longLine, start) = (1 << 20, Array(#"{"stage":"#.utf8))

    /// How often some bytes stand in others.
    private static func count(_ part: [UInt8], in text: [UInt8]) -> Int {
        var (count, place) = (0, 0)
        while let found = text[place...].firstIndex(of: part[0]) {
            place = found + 1
            if text[found...].starts(with: part) { count += 1 }
        }
        return count
    }

    private func record(_ node: JSONNode) throws -> FrameRecord {
        try record(
            node,
            try (node["observations"]?.elements ?? []).enumerated().map { index, node in
                try observation(node, at: "/observations/\(index)")
            })
    }

    private func record(_ node: JSONNode, _ observations: [Observation]) throws -> FrameRecord {
        guard let frame = node["frame"]?.integer, let pts = node["pts"]?.integer,
            let duration = node["duration"]?.integer
        else { throw failure("/: no whole number of 64 bits; expected “frame”, “pts” and “duration” to be such ones") }
        time = node["time"]?.number ?? 0
        return FrameRecord(
            frame: frame, pts: MediaTime(ticks: Int64(pts), timeBase: header.source.timeBase),
            duration: Int64(duration),
            observations: observations)
    }

    private func observation(_ node: JSONNode, at place: String) throws -> Observation {
        let (stage, word) = (node["stage"]?.string ?? "", node["kind"]?.string ?? "")
        let kind = try kind(word, of: stage, at: place)
        var observation: Observation
        do {
            observation = try Observation(node, kind: kind, skeletons[stage])
        } catch {
            throw failure("\(place)\(error.pointer): \(error.reason)")
        }
        if let track = observation.track, keepers[track.number] != track.stage {
            replaced.append((track.number, keepers[track.number]))
            keepers[track.number] = track.stage
        }
        if let about = observation.about {
            guard let keeper = keepers[about.number] else {
                throw failure("\(place)/of: \(about.number), a track that nothing has had so far")
            }
            observation.about?.stage = keeper
        }
        return observation
    }

    /// The kind that a stage of the header gives under a word.
    private func kind(_ word: String, of stage: String, at place: String) throws -> any Finding.Type {
        guard let emitted = kinds[stage] else {
            throw failure(
                "\(place)/stage: “\(stage)”, which the header has not; expected \(oneOf(header.stages.map(\.id)))")
        }
        guard let kind = emitted.first(where: { $0.kind == word }) else {
            throw failure(
                "\(place)/kind: “\(word)”, which stage “\(stage)” doesn't give; expected \(oneOf(emitted.map { $0.kind }))"
            )
        }
        return kind
    }

    private func oneOf(_ words: [String]) -> String { words.isEmpty ? "none" : "one of \(list(words))" }

    // MARK: A line

    private static func node(
        _ text: [UInt8], _ shape: ObjectShape, path: String, _ lines: LineReader
    ) throws -> JSONNode {
        let node = try parsed(text, path: path, lines)
        try check(node, shape, path: path, lines)
        return node
    }

    private static func parsed(_ text: [UInt8], path: String, _ lines: LineReader) throws -> JSONNode {
        do {
            return try JSONParser.parse(text)
        } catch {
            // The last line of a run that was killed stops anywhere.
            if lines.isAtEnd { throw brokenOff(path) }
            throw TrackFileError(
                path: path, line: lines.number, message: "column \(error.position.column): \(error.message)")
        }
    }

    private static func check(_ node: JSONNode, _ shape: ObjectShape, path: String, _ lines: LineReader) throws {
        var validator = ShapeValidator(file: path)
        validator.validate(node, against: .object(shape))
        guard let problem = validator.log.sorted.first else { return }
        let pointer = jsonPointer(problem.path)
        throw TrackFileError(
            path: path, line: lines.number, message: "\(pointer.isEmpty ? "/" : pointer): \(problem.message)")
    }

    /// The error of a file that is another one altogether; nil for what may be a track file that is damaged.
    private static func otherFile(_ path: String) -> TrackFileError? {
        guard let kind = FileKind(path: path), ![.trackFile, .json].contains(kind) else { return nil }
        return TrackFileError(
            path: path,
            message:
                "it is \(kind.words), no track file; expected a track file that run wrote, *\(TracksSink.format.suffix)"
        )
    }

    private static func brokenOff(_ path: String) -> TrackFileError {
        TrackFileError(
            path: path, line: nil, message: "it ends without its summary line: the run that wrote it was broken off")
    }

    private func failure(_ message: String) -> TrackFileError {
        TrackFileError(path: path, line: lines.number, message: message)
    }
}
