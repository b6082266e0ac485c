internal import CVision
private import Synchronization

/// `text`: lines of text in the frame, or in regions that other stages find, recognised and tracked.
public struct TextBlueprint: StageBlueprint {
    /// The options of `text`: what reads it, in which languages, and which lines are told.
    public struct Options: Record {
        var engine: TextEngine?
        var level: RecognitionLevel = .accurate
        var languages: [String]?
        var recognitionModel: String?
        var minimumTextHeight: Double?
        var minimumConfidence = 0.8
        var parts: TextParts = .words
        var timeout = 2.0
        var margin = 0.1

        public init() {}

        /// Of `minimumConfidence`, what is enough where lines are hidden.
        private static let hidden = 0.6

        /// Least height of a line, of the picture's. Where lines are hidden, none is too small that can be read: PP-OCR's network
        /// finds what it does whatever is asked, and Tesseract reads nothing below some 12 pixels.
        func leastHeight(hides: Bool) -> Double {
            minimumTextHeight ?? (!hides ? 1.0 / 32 : engine == .tesseract || languages != nil ? 1.0 / 90 : 0)
        }

        /// The confidence from which on a reading counts.
        func leastConfidence(hides: Bool) -> Double { minimumConfidence * (hides ? Self.hidden : 1) }

        public static let fields: [Field<Options>] = [
            Field(
                "engine", \.engine, .choice(),
                doc:
                    "What reads: the networks of PP-OCRv4, lines at any angle, Latin and Chinese characters and digits; or "
                    + "Tesseract, lines within 50° of level, in “languages”. When left out, Tesseract where “languages” are given, "
                    + "else PP-OCR."),
            Field(
                "level", \.level, .choice(), .optional,
                doc: "How often an unsure line is looked at, and how many lines of a frame are."),
            Field(
                "languages", \.languages, .list(.text(.identifier), count: 1...8),
                doc:
                    "For Tesseract: its names of the languages, the main one first; each is a package tesseract-ocr-…. When left "
                    + "out, “eng”."),
            Field(
                "recognitionModel", \.recognitionModel, .text(.path),
                doc:
                    "For PP-OCR: an ONNX file of another one of its recognition networks (v5, v6, a server's, another script's), "
                    + "48 pixels high, whose metadata name its characters under “character”. When left out, the one that comes along."
            ),
            Field(
                "minimumTextHeight", \.minimumTextHeight, .number(Bounds(0.002, 1)),
                unit: "of the picture's height",
                doc:
                    "Least height of a line, from the tops of its tallest letters to the bottoms of its lowest; capitals alone have "
                    + "0.7 of it. Less finds smaller text and costs more. With “inputs”, PP-OCR takes it of the region's height. When "
                    + "left out, 0.03125; where “draw” covers what is found, 0.0111 for Tesseract, and whatever its network finds "
                    + "for PP-OCR."
            ),
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional,
                doc:
                    "Readings below it are left out, and those of up to three letters below half the way from it to 1. Where “draw” "
                    + "covers what is found, six tenths of it are enough, and of a line that the picture's edge cuts the letters in "
                    + "sight; PP-OCR then tells of what is surely a line whatever it reads there, as in another script."
            ),
            Field(
                "parts", \.parts, .choice(), .optional,
                doc: "What of a string is reported on its own, with place and confidence."),
            Field(
                "timeout", \.timeout, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a string may be out of sight and be found again under its track; then the track ends."),
            Field(
                "margin", \.margin, .number(Bounds(0, 2)), .optional, unit: "of the region's size",
                doc: "With “inputs”: how much around a region is looked at as well, on every side."),
        ]
    }

    public static let contract = StageContract(
        type: "text",
        summary:
            "Finds and recognises lines of text, in the frame or in regions of its inputs, in perspective too; a track each.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, emits: [TextFinding.self],
        options: Options.self,
        details: [
            Property(
                "reader", .map(of: .any, keys: .any, doc: "What read."),
                doc: "What read text: its engine; Tesseract's languages, or the networks' names and hashes.")
        ], searchesPictures: true)

    private let options: Options
    private let reader: Reader
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    private enum Reader {
        case networks(TextNetworks)
        case tesseract(ResourcePool<TextRecognizer>)
    }

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        self.options = options
        takesRegions = context.hasInputs
        let engine = options.engine ?? (options.languages != nil ? .tesseract : .ppocr)
        let what: JSONMember
        switch engine {
        case .ppocr:
            if options.languages != nil {
                throw StageOptionError(
                    option: "languages",
                    "“languages” are Tesseract's, and “engine” is “ppocr”; leave one of them out")
            }
            do {
                if let own = options.recognitionModel {
                    reader = .networks(
                        try context.model(
                            own, option: "recognitionModel", expected: "an ONNX file of a recognition network"
                        ) {
                            try TextNetworks(recognition: $0)
                        })
                } else {
                    reader = .networks(try TextNetworks())
                }
                what = JSONMember(
                    key: "networks",
                    value: try TextNetworks.details(recognition: options.recognitionModel.map(context.resolve)))
            } catch let error as InferenceError {
                throw StageOptionError(error.description)
            }
        case .tesseract:
            if options.recognitionModel != nil {
                throw StageOptionError(
                    option: "recognitionModel",
                    "“recognitionModel” is PP-OCR's, and Tesseract reads here; leave out one of “recognitionModel” and "
                        + "“languages” or “engine”")
            }
            let languages = options.languages ?? ["eng"]
            reader = .tesseract(try Self.recognizers(languages))
            what = JSONMember(key: "languages", value: JSONNode(.array(languages.map { JSONNode(.string($0)) })))
        }
        // Once it has been opened, as the option's own.
        files = try ModelFile.data(of: [options.recognitionModel].compactMap { $0.map(context.resolve) })
        details = [
            JSONMember(
                key: "reader",
                value: JSONNode(.object([JSONMember(key: "engine", value: JSONNode(.string(engine.rawValue))), what])))
        ]
    }

    /// Recognisers that were asked for last, by their languages: graphs with the same have one.
    private static let recognizers = Mutex<[(languages: [String], pool: ResourcePool<TextRecognizer>)]>([])
    private static let mostRecognizers = 4

    private static func recognizers(_ languages: [String]) throws -> ResourcePool<TextRecognizer> {
        if let known = recognizers.withLock({ $0.first { $0.languages == languages } }) { return known.pool }
        let pool = try newRecognizers(languages)
        recognizers.withLock { $0 = Array($0.suffix(mostRecognizers - 1)) + [(languages, pool)] }
        return pool
    }

    private static func newRecognizers(_ languages: [String]) throws -> ResourcePool<TextRecognizer> {
        let recognizers = ResourcePool { try TextRecognizer(languages: languages) }
        // What is no name of a language is complained of as that.
        guard languages.allSatisfy(TextRule.identifier.accepts) else { return recognizers }
        for language in languages where !TextLanguages.isInstalled(language) {
            throw StageOptionError(
                option: "languages",
                "Tesseract has no model of “\(language)”; expected the package tesseract-ocr-"
                    + "\(language.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()) to be installed, or another language"
            )
        }
        do {
            // Made once here so that what can't be loaded is known before the first frame; the first job takes it.
            try recognizers.withResource { _ in }
        } catch let error as VisionError {
            throw StageOptionError(option: "languages", "\(error.reason) for \(languages.joined(separator: ", "))")
        }
        return recognizers
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage {
        let regions = takesRegions ? SearchedRegions(margin: options.margin) : nil
        switch reader {
        case .networks(let networks):
            return Stage(
                tracker: NetworkTextTracker(
                    id: context.id, parts: options.parts, regions: regions,
                    tracking: NetworkTextTracking(
                        options, networks: networks, isStill: context.isStill, hides: context.hides)))
        case .tesseract(let recognizers):
            let isAccurate = options.level == .accurate
            // What is hidden can't wait until there is time to read it.
            let isWhole = context.isStill || context.hides
            let limit = isWhole ? (isAccurate ? 96 : 32) : (isAccurate ? 48 : 24)
            let readings = isWhole ? limit : isAccurate ? 4 : 2
            return Stage(
                TextLineFinder(minimumHeight: options.leastHeight(hides: context.hides), limit: limit),
                TextTracker(
                    id: context.id, parts: options.parts, recognizers: recognizers, effort: isAccurate ? 5 : 1,
                    regions: regions,
                    tracking: TextTracking(
                        options, patience: isWhole ? 1 : 2, readings: readings,
                        hides: context.hides)))
        }
    }
}

/// The engine that reads text.
enum TextEngine: String, CaseIterable, Sendable {
    case ppocr, tesseract
}

/// The parts of a string that are reported on their own.
enum TextParts: String, CaseIterable, Sendable {
    case none, words, characters
}
