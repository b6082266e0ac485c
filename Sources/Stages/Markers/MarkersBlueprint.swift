internal import CVision
public import Graph

/// `markers`: square fiducial markers, found on the luma plane.
///
/// Adaptive threshold, contours, convex quads, near-duplicates removed, unwarped, Otsu's threshold, code looked up in four
/// orientations with error correction, corners refined for valid markers only (Garrido-Jurado et al., Pattern Recognition
/// 47, 2014; `cv::aruco`).
public struct MarkersBlueprint: StageBlueprint {
    enum Refinement: String, CaseIterable, Sendable {
        case none, subpixel, contour, edges
    }

    enum Search: String, CaseIterable, Sendable {
        case auto, full, half
    }

    static let dictionary = StageOption(
        "dictionary", .text(.choice([automatic] + MarkerDictionary.names)), default: "aruco-4x4-50",
        doc:
            "The set of codes. aruco-original is the 5×5 Hamming code with 1024 ids. auto finds out which one the video's "
            + "markers are of: nothing is reported before it is sure, and nothing of another one after that; a note of the "
            + "job says what was chosen and why, each label names it.")
    /// The word for a dictionary that isn't known.
    static let automatic = "auto"
    static let dictionaryFile = StageOption(
        "dictionaryFile", .text(.path),
        doc: "A custom dictionary in OpenCV's form (nmarkers, markersize, marker_0, …) instead.")
    static let ids = StageOption("ids", .list(.integer(0...65535)), default: [], doc: "Only these ids; all when empty.")
    static let minimumSize = StageOption(
        "minimumSize", .number(Bounds(4, 10000)), default: 10, unit: "px",
        doc: "Smallest mean side of a marker. A search at half size has a limit of its own of 15.")
    static let refine = StageOption<Refinement>(
        "refine", .choice(), default: .edges,
        doc:
            "Corners: edges fits a line to each side's edge, weighted by gradient, and small markers whole, by their code; "
            + "contour fits a line to the contour; subpixel is OpenCV's cornerSubPix; none leaves whole pixels.")
    static let errorCorrection = StageOption(
        "errorCorrection", .number(Bounds(0, 1)), default: 0.6,
        doc: "Share of the dictionary's correction capability in use.")
    static let search = StageOption<Search>(
        "search", .choice(), default: .auto,
        doc:
            "Where outlines are looked for: auto takes half size from 700 lines on. Codes and edges are always read at "
            + "full size.")
    static let windows = StageOption(
        "windows", .list(.integer(3...255)), default: [],
        doc: "Sides of the adaptive threshold's windows, pixels of the searched plane; 8 at most. "
            + "Chosen by the picture's size when empty.")
    static let thresholdOffset = StageOption(
        "thresholdOffset", .number(Bounds(0, 127)), default: 7, unit: "luma levels",
        doc: "How much darker than its window's mean a pixel must be to count as dark.")
    static let memory = StageOption(
        "memory", .number(Bounds(0, 60)), default: 1, unit: "s",
        doc: "How long a marker may be out of sight and keep its track.")

    static let size = StageOption(
        "size", .number(Bounds(0, 100, excludesMinimum: true)), unit: "m",
        doc: "Side of a marker's black square. With it each marker has a pose, for which the job's camera is taken.")
    static let sizes = StageOption.numbersByName(
        "sizes", Bounds(0, 100, excludesMinimum: true), keys: .identifier, unit: "m",
        doc: "Sides by id, for markers of other sizes: {\"7\": 0.08}.")

    public static let contract = StageContract(
        type: "markers", summary: "Finds square fiducial markers (ArUco, AprilTag, custom) with sub-pixel corners.",
        produces: [.regions, .tracks], keepsState: true, emits: [MarkerFinding.self, BoardFinding.self],
        options: [
            dictionary.property, dictionaryFile.property, ids.property, minimumSize.property, refine.property,
            errorCorrection.property, search.property, windows.property, thresholdOffset.property, memory.property,
            size.property, sizes.property, Board.option.property,
        ],
        details: [
            Property(
                "dictionary", .map(of: .any, keys: .any, doc: "The dictionary file."),
                doc: "The custom dictionary's hash and size.")
        ])

    /// The dictionary; of several, one is chosen.
    private enum Codes: Sendable {
        case known(MarkerDictionary, name: String)
        case unknown(DictionaryEvidence)
    }

    private let codes: Codes
    private let settings: ocv_marker_options
    private let accepted: Set<Int>
    private let memorySeconds: Double
    private let sides: MarkerSides
    private let board: Board?
    public let details: [JSONMember]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let settings = try Self.settings(options)
        let (count, name): (Int, String)
        if let file = options[Self.dictionaryFile] {
            if options.isGiven(Self.dictionary) {
                throw StageOptionError(
                    option: "dictionaryFile", "“dictionary” and “dictionaryFile” together; expected one of them")
            }
            let path = options.resolve(file)
            guard Files.isRegular(path) else {
                throw StageOptionError(option: "dictionaryFile", "no file “\(file)”; expected a dictionary file")
            }
            let dictionary: MarkerDictionary
            do {
                dictionary = try MarkerDictionary(path: path)
            } catch let error as VisionError {
                throw StageOptionError(
                    option: "dictionaryFile",
                    "“\(file)” is no marker dictionary: \(error.reason); expected OpenCV's form "
                        + "with nmarkers, markersize and marker_0, marker_1, …")
            }
            (count, name) = (dictionary.count, Files.stem(of: file))
            codes = .known(dictionary, name: name)
            details = [
                JSONMember(
                    key: "dictionary",
                    value: JSONNode(
                        .members([
                            "name": .string(Files.name(of: file)), "sha256": .string(try SHA256.hash(file: path)),
                            "markers": .integer(dictionary.count),
                        ])))
            ]
        } else if options[Self.dictionary] == Self.automatic {
            let evidence = try DictionaryEvidence(settings)
            codes = .unknown(evidence)
            (count, name) = (evidence.largestCount, Self.automatic)
            if options.isGiven(Board.option) {
                throw StageOptionError(
                    option: "board", "a board with the dictionary “auto”; expected the name of the board's dictionary")
            }
            details = []
        } else {
            let dictionary = try MarkerDictionary(name: options[Self.dictionary])
            (count, name) = (dictionary.count, options[Self.dictionary])
            codes = .known(dictionary, name: name)
            details = []
        }
        accepted = Set(options[Self.ids])
        if let wrong = accepted.filter({ $0 >= count }).min() {
            throw StageOptionError(
                option: "ids", "the id \(wrong), which “\(name)” has not; expected ids from 0 to \(count - 1)")
        }
        memorySeconds = options[Self.memory]
        sides = try MarkerSides(options, count: count, dictionary: name)
        board = try Board(options, count: count, dictionary: name)
        self.settings = settings
        // Made once here so that what the detector refuses is known before the first frame.
        if case .known(let dictionary, _) = codes { _ = try MarkerDetector(dictionary, settings, board: board) }
    }

    public var hintWhenBlind: String? {
        guard case .known(_, let name) = codes else { return nil }
        return "it looks for markers of “\(name)”; is that the set that they were printed from (“auto” finds out)?"
    }

    private static func settings(_ options: StageOptions) throws -> ocv_marker_options {
        var settings = ocv_marker_default_options()
        settings.refine =
            switch options[refine] {
            case .none: Int32(OCV_MARKER_REFINE_NONE)
            case .subpixel: Int32(OCV_MARKER_REFINE_SUBPIXEL)
            case .contour: Int32(OCV_MARKER_REFINE_CONTOUR)
            case .edges: Int32(OCV_MARKER_REFINE_EDGES)
            }
        settings.search =
            switch options[search] {
            case .auto: Int32(OCV_MARKER_SEARCH_AUTO)
            case .full: Int32(OCV_MARKER_SEARCH_FULL)
            case .half: Int32(OCV_MARKER_SEARCH_HALF)
            }
        settings.errorCorrection = options[errorCorrection]
        settings.minimumSize = options[minimumSize]
        settings.thresholdOffset = options[thresholdOffset]
        let sides = options[windows]
        guard sides.count <= Int(OCV_MARKER_MAX_WINDOWS) else {
            throw StageOptionError(option: "windows", "\(sides.count) windows; expected 8 at most")
        }
        settings.windowCount = Int32(sides.count)
        withUnsafeMutableBytes(of: &settings.windows) { bytes in
            let windows = bytes.bindMemory(to: Int32.self)
            for (index, side) in sides.enumerated() { windows[index] = Int32(side) }
        }
        return settings
    }

    public var usesCamera: Bool { !sides.isEmpty || board != nil }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        @Sendable func stage(_ codes: MarkerDictionary, _ name: String) -> MarkersStage {
            MarkersStage(
                context: context, codes: codes, name: name, settings: settings, accepted: accepted,
                memory: memorySeconds, sides: sides, board: board)
        }
        switch codes {
        case .known(let codes, let name): return stage(codes, name)
        case .unknown(let evidence):
            return AutoMarkersStage(
                evidence, isStill: context.isStill,
                searchesHalf: try evidence.searchesHalf(width: context.width, height: context.height)
            ) { stage(try MarkerDictionary(name: $0), $0) }
        }
    }
}
