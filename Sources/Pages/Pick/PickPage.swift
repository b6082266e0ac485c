public import Annotate

/// A page on which regions, points, lines, zones and covers of one clip are drawn, on exact frames.
public struct PickPage {
    /// The pictures that go into the page.
    public enum Pictures: Sendable, Hashable {
        /// No pictures where a browser plays the clip; otherwise as `.some`.
        case ifNeeded
        /// Pictures spread evenly, with those where regions begin.
        case some
        /// The pictures of these numbers, from 0.
        case frames([Int])
    }

    /// The most pictures of a page: browsers labour at one with more.
    public static let mostPictures = 1000
    /// How many pictures are spread over a clip.
    public static let spread = 40

    /// The clip, in which each frame can be found.
    public let clip: FrameFinder
    /// Why the browser doesn't play the clip itself; nil where it does.
    public let lack: String?
    private let path: String
    private let generator: String
    private let cancellation: Cancellation?
    private let stages: StageCatalog
    private var seeds: SeedFile
    private var tracks: TrackedRegions?
    private var pictures: [Int] = []
    /// The frame that is shown first.
    private var opening = 0
    /// The name that the page gives the file of what is drawn.
    private var fileName: String

    /// Reads a clip.
    /// - Parameters:
    ///   - path: The clip's: a video, a photo or a sequence of pictures.
    ///   - generator: The program and its version.
    ///   - stages: The program's: what they take beside regions, points, lines and zones is drawn as well.
    ///   - cancellation: Ends the reading, then and later, with `CancelledError`; nil where nothing does.
    /// - Throws: `FileError` for a clip that can't be read.
    public init(
        clip path: String, generator: String, stages: StageCatalog = StageCatalog([]), cancellation: Cancellation? = nil
    ) throws {
        self.path = path
        self.stages = stages
        seeds = SeedFile(of: stages)
        self.generator = generator
        self.cancellation = cancellation
        clip = try FrameFinder(path: path, cancellation: cancellation)
        lack =
            Files.isRegular(path)
            ? BrowserSupport.lack(of: clip.info, frames: clip.times.count) : "it is a sequence of pictures"
        fileName = (MediaInput(path: path).stem ?? "clip") + ".regions.json"
    }

    /// Adds the regions and points of a file, to go on drawing them.
    /// - Throws: `InvalidFileError`, `FileError`.
    public mutating func addRegions(of file: String) throws {
        seeds = try SeedFile(path: file, of: stages)
        fileName = Files.name(of: file)
    }

    /// Adds the places in which a track file has the regions.
    /// - Throws: `TrackFileError`; `FileError`, also where it is of another clip.
    public mutating func addTracks(of file: String, kinds: FindingCatalog) throws {
        tracks = try TrackedRegions(path: file, kinds: kinds, clip: clip, cancellation: cancellation)
    }

    /// Whether a track file has places of something.
    public var hasTracks: Bool { tracks?.isEmpty == false }

    /// Chooses the frame that the page shows first.
    /// - Throws: `FileError` for one that the clip hasn't.
    public mutating func open(at frame: Int) throws {
        guard clip.times.pts.indices.contains(frame) else {
            throw FileError(
                "open", path: path, reason: "it has no frame \(frame); its frames are 0 to \(clip.times.count - 1)")
        }
        opening = frame
    }

    /// Chooses the frame that a player shows at a time, seconds, to be shown first.
    /// - Throws: `FileError` for a time at which none is shown.
    public mutating func open(at seconds: Double) throws {
        guard let frame = clip.times.frame(shownAt: seconds) else {
            throw FileError("open", path: path, reason: "no frame is shown at \(plain(seconds)) s")
        }
        opening = frame
    }

    /// Chooses the pictures that go into the page.
    /// - Returns: How many.
    /// - Throws: `FileError` for a frame that the clip hasn't, or too many.
    public mutating func choose(_ wanted: Pictures) throws -> Int {
        switch wanted {
        case .ifNeeded where lack == nil: pictures = []
        case .ifNeeded, .some:
            let count = clip.times.count
            let spread = (0..<min(count, Self.spread)).map { $0 * count / min(count, Self.spread) }
            pictures = Set(spread + starts.filter { (0..<count).contains($0) }).sorted()
        case .frames(let frames): pictures = Set(frames).sorted()
        }
        guard pictures.count <= Self.mostPictures else {
            throw FileError(
                "make a page of", path: path,
                reason: "\(pictures.count) pictures; expected \(Self.mostPictures) or fewer")
        }
        return pictures.count
    }

    /// The frame that is shown first, and those at which what is drawn begins or is drawn anew.
    private var starts: [Int] {
        var frames = [opening]
        for seed in seeds.lists.flatMap(\.elements) {
            for moment in [seed] + (seed["keyframes"]?.elements ?? []) {
                if let frame = moment["frame"]?.integer {
                    frames.append(frame)
                } else if let time = (moment["time"] ?? moment["start"])?.number,
                    let frame = clip.times.frame(atOrAfter: time)
                {
                    frames.append(frame)
                }
            }
        }
        return frames
    }

    /// Writes the page under a name that it gets only when it is whole.
    /// - Throws: `FileError`.
    public func write(to target: String) throws { _ = try page(for: target).write(to: target) }

    /// Hands the page out piece by piece.
    /// - Parameters:
    ///   - folder: The folder that it will lie in: it finds the clip from there.
    ///   - write: Gets each piece, in order.
    public func write(in folder: String, _ write: ([UInt8]) throws -> Void) throws {
        try page(for: folder + "/-").write(write)
    }

    private func page(for target: String) throws -> Page {
        var page = Page("pick/pick.html")
        page.add(json: clipJSON(for: target), id: "clip")
        page.add(json: try Self.packed(timesJSON, target), id: "times")
        page.add(json: prettyJSON(seeds.json), id: "seeds")
        if let tracks {
            page.add(json: try Self.packed(tracks.json, target), id: "tracks")
            page.add(json: try Self.packed(tracks.foundJSON, target), id: "things")
        }
        let writer = PictureWriter(.jpg, isSmall: clip.times.count > 1)
        for number in pictures {
            let bytes = try writer.bytes(of: try clip.frame(number), for: path)
            page.add(json: "\"data:image/jpeg;base64,\(Base64.text(bytes))\"", id: "picture-\(number)")
        }
        return page
    }

    private func clipJSON(for target: String) -> String {
        let info = clip.info
        var members: [(key: String, value: JSONValue)] = [
            ("generator", .string(generator)), ("name", .string(info.name)), ("file", .string(fileName)),
            ("size", .numbers([Double(info.width), Double(info.height)])),
        ]
        if !seeds.ofProgram.isEmpty { members.append(("lists", .array(seeds.ofProgram.map { JSONNode($0) }))) }
        if opening > 0 { members.append(("frame", .integer(opening))) }
        if pictures.isEmpty {
            members.append(("source", .string(PageAddress.of(path, from: Files.parent(of: target)))))
        } else {
            members.append(("pictures", .numbers(pictures.map(Double.init))))
            if let lack { members.append(("lack", .string(lack))) }
        }
        return prettyJSON(.object(members.map { JSONMember(key: $0.key, value: JSONNode($0.value)) }))
    }

    private var timesJSON: String {
        let times = clip.times
        var json = JSONWriter()
        json.object { json in
            json.member("timeBase", [times.timeBase.numerator, times.timeBase.denominator])
            json.member("clockStart", Int(clip.info.clockStart))
            json.member("lastDuration", Int(times.lastDuration))
            // The first, then differences: most are the same.
            json.member("pts", zip(times.pts, [0] + times.pts).map { $0 &- $1 })
        }
        return json.text
    }

    private static func packed(_ json: String, _ target: String) throws -> String {
        "\"\(Base64.text(try Gzip.compressed(Array(json.utf8), for: target)))\""
    }
}

extension SeedFile {
    /// What the page needs to know of lists that it hasn't by itself.
    fileprivate var ofProgram: [JSONValue] {
        lists.compactMap { list in
            guard list.isOfProgram, let tool = list.tool else { return nil }
            return .members([
                "list": .string(list.word), "tool": .string(tool.rawValue),
                "members": .array(list.members.map { JSONNode(.string($0)) }),
            ])
        }
    }

    fileprivate var json: JSONValue {
        .object(
            lists.filter { $0.tool != nil }.map { list in
                JSONMember(key: list.word, value: JSONNode(.array(list.elements)))
            })
    }
}
