internal import CVision

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

    /// The word for a dictionary that isn't known.
    static let automatic = "auto"
    /// The options of `markers`: the dictionary and ids, how corners are refined, and sizes, for poses.
    public struct Options: Record {
        var dictionary = "aruco-4x4-50"
        var dictionaryFile: String?
        var ids: [Int] = []
        var minimumSize = 10.0
        var refine: Refinement = .edges
        var errorCorrection = 0.6
        var search: Search = .auto
        var windows: [Int] = []
        var thresholdOffset: Double?
        var inverted = false
        var memory = 1.0
        var size: Double?
        var sizes: [String: Double] = [:]
        var board: BoardDeclaration?

        private static let sizesDoc = "Sides by id, for markers of other sizes: {\"7\": 0.08}."

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "dictionary", \.dictionary, .text(.choice([automatic] + MarkerDictionary.names)), .optional,
                doc:
                    "The set of codes. aruco-original is the 5×5 Hamming code with 1024 ids. auto finds out which one the video's "
                    + "markers are of: nothing is reported before it is sure, and nothing of another one after that; a note of the "
                    + "job says what was chosen and why, each label names it."),
            Field(
                "dictionaryFile", \.dictionaryFile, .text(.path),
                doc: "A custom dictionary in OpenCV's form (nmarkers, markersize, marker_0, …) instead."),
            Field("ids", \.ids, .list(.integer(0...65535)), .optional, doc: "Only these ids; all when empty."),
            Field(
                "minimumSize", \.minimumSize, .number(Bounds(4, 10000)), .optional, unit: "px",
                doc: "Smallest mean side of a marker. A search at half size has a limit of its own of 15."),
            Field(
                "refine", \.refine, .choice(), .optional,
                doc:
                    "Corners: edges fits a line to each side's edge, weighted by gradient, and small markers whole, by their code; "
                    + "contour fits a line to the contour; subpixel is OpenCV's cornerSubPix; none leaves whole pixels."
            ),
            Field(
                "errorCorrection", \.errorCorrection, .number(Bounds(0, 1)), .optional,
                doc: "Share of the dictionary's correction capability in use."),
            Field(
                "search", \.search, .choice(), .optional,
                doc:
                    "Where outlines are looked for: auto takes half size from 700 lines on. Codes and edges are always read at "
                    + "full size."),
            Field(
                "windows", \.windows, .list(.integer(3...255)), .optional,
                doc: "Sides of the adaptive threshold's windows, pixels of the searched plane; 8 at most. "
                    + "Chosen by the picture's size when empty."),
            Field(
                "thresholdOffset", \.thresholdOffset, .number(Bounds(0, 127)), unit: "luma levels",
                doc:
                    "How much darker than its window's mean a pixel must be to count as dark. Default: 4, 7 in the smallest window, "
                    + "which keeps markers apart from what is near, and in all of \"windows\", and 1 in a third one for pale markers, "
                    + "which is left out where an offset is given."),
            Field(
                "inverted", \.inverted, .flag, .optional,
                doc:
                    "Markers that are printed white on black, dark and light being exchanged, and those alone: a stage with it and one "
                    + "without find both."),
            Field(
                "memory", \.memory, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a marker may be out of sight and keep its track."),
            Field(
                "size", \.size, .number(Bounds(0, 100, excludesMinimum: true)), unit: "m",
                doc:
                    "Side of a marker's black square. With it each marker has a pose, for which the job's camera is taken."
            ),
            Field(
                "sizes", \.sizes, .numbers(Bounds(0, 100, excludesMinimum: true), keys: .identifier, doc: sizesDoc),
                .optional, unit: "m", doc: sizesDoc),
            Field(
                "board", \.board, .board,
                doc: "A board of markers, which gives one observation with one pose instead of its markers' own."),
        ]
    }

    public static let contract = StageContract(
        type: "markers", summary: "Finds square fiducial markers (ArUco, AprilTag, custom) with sub-pixel corners.",
        produces: [.regions, .tracks], keepsState: true, emits: [MarkerFinding.self, BoardFinding.self],
        options: Options.self,
        details: [
            Property(
                "dictionary", .map(of: .any, keys: .any, doc: "The dictionary file."),
                doc: "The custom dictionary's hash and size.")
        ], searchesPictures: true)

    /// The dictionary; of several, one is chosen.
    private enum Codes: Sendable {
        case known(MarkerDictionary, name: String)
        case unknown(DictionaryEvidence)
    }

    private let codes: Codes
    private let options: Options
    private let sides: MarkerSides
    private let board: Board?
    public let details: [JSONMember]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        guard options.windows.count <= Int(OCV_MARKER_MAX_WINDOWS) else {
            throw StageOptionError(option: "windows", "\(options.windows.count) windows; expected 8 at most")
        }
        self.options = options
        let (count, name): (Int, String)
        if let file = options.dictionaryFile {
            if context.isGiven(\Options.dictionary) {
                throw StageOptionError(
                    option: "dictionaryFile", "“dictionary” and “dictionaryFile” together; expected one of them")
            }
            let path = try context.existing(file, option: "dictionaryFile", expected: "a dictionary file")
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
        } else if options.dictionary == Self.automatic {
            let evidence = try DictionaryEvidence(options)
            codes = .unknown(evidence)
            (count, name) = (evidence.largestCount, Self.automatic)
            if options.board != nil {
                throw StageOptionError(
                    option: "board", "a board with the dictionary “auto”; expected the name of the board's dictionary")
            }
            details = []
        } else {
            let dictionary = try MarkerDictionary(name: options.dictionary)
            (count, name) = (dictionary.count, options.dictionary)
            codes = .known(dictionary, name: name)
            details = []
        }
        if let wrong = options.ids.filter({ $0 >= count }).min() {
            throw StageOptionError(
                option: "ids", "the id \(wrong), which “\(name)” has not; expected ids from 0 to \(count - 1)")
        }
        sides = try MarkerSides(options, count: count, dictionary: name)
        board = try options.board.map { try Board($0, count: count, dictionary: name) }
        // Made once here so that what the search refuses is known before the first frame.
        if case .known(let dictionary, _) = codes { _ = try MarkerSearch(dictionary, options, board: board) }
    }

    public var hintWhenBlind: String? {
        guard case .known(_, let name) = codes else { return nil }
        return "it looks for markers of “\(name)”; is that the set that they were printed from (“auto” finds out)?"
    }

    public var usesCamera: Bool { !sides.isEmpty || board != nil }

    public func makeStage(_ context: StageContext) throws -> Stage {
        switch codes {
        case .known(let codes, let name):
            let (detector, tracker) = parts(context, codes, name)
            return Stage(detector, tracker)
        case .unknown(let evidence):
            let chosen = ChosenDictionary()
            let searchesHalf = try evidence.searchesHalf(width: context.width, height: context.height)
            let detector = AutoMarkerDetector(evidence: evidence, searchesHalf: searchesHalf, chosen: chosen)
            return Stage(
                detector,
                AutoMarkerTracker(detector, isStill: context.isStill) {
                    parts(context, try MarkerDictionary(name: $0), $0)
                })
        }
    }

    private func parts(
        _ context: StageContext, _ codes: MarkerDictionary, _ name: String
    ) -> (MarkerDetector, MarkerTracker) {
        (
            MarkerDetector(context, codes, options, sides: sides, board: board),
            MarkerTracker(context, name: name, memory: options.memory, sides: sides, board: board)
        )
    }
}
