internal import CVision
private import Synchronization
public import Graph

/// `text`: lines of text, recognised and tracked.
public struct TextBlueprint: StageBlueprint {
    static let engine = StageOption<TextEngine?>(
        "engine", .choice(),
        doc: "What reads: the networks of PP-OCRv4, lines at any angle, Latin and Chinese characters and digits; or "
            + "Tesseract, lines within 50° of level, in “languages”. When left out, Tesseract where “languages” are given, "
            + "else PP-OCR.")
    static let level = StageOption<RecognitionLevel>(
        "level", .choice(), default: .accurate,
        doc: "How often an unsure line is looked at, and how many lines of a frame are.")
    static let languages = StageOption<[String]?>(
        "languages", .list(.text(.identifier), count: 1...8),
        doc:
            "For Tesseract: its names of the languages, the main one first; each is a package tesseract-ocr-…. When left "
            + "out, “eng”.")
    static let minimumTextHeight = StageOption(
        "minimumTextHeight", .number(Bounds(0.002, 1)), default: 1.0 / 32, unit: "of the picture's height",
        doc:
            "Least height of a line, from the tops of its tallest letters to the bottoms of its lowest; capitals alone have "
            + "0.7 of it. Less finds smaller text and costs more.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0.8,
        doc: "Readings below it are left out, and those of up to three letters below half the way from it to 1.")
    static let parts = StageOption<TextParts>(
        "parts", .choice(), default: .words, doc: "What of a string is reported on its own, with place and confidence.")
    static let timeout = StageOption(
        "timeout", .number(Bounds(0, 60)), default: 2, unit: "s",
        doc: "How long a string may be out of sight and be found again under its track; then the track ends.")

    public static let contract = StageContract(
        type: "text", summary: "Finds and recognises lines of text, in perspective too; a track each.",
        produces: [.regions, .tracks], keepsState: true, emits: [TextFinding.self],
        options: [
            engine.property, level.property, languages.property, minimumTextHeight.property, minimumConfidence.property,
            parts.property,
            timeout.property,
        ],
        details: [
            Property(
                "reader", .map(of: .any, keys: .any, doc: "What read."),
                doc: "What read text: its engine; Tesseract's languages, or the networks' names and hashes.")
        ])

    private let level: RecognitionLevel
    private let minimumTextHeight: Double
    private let parts: TextParts
    private let timeout: Double
    private let minimumConfidence: Double
    private let reader: Reader
    public let details: [JSONMember]

    private enum Reader {
        case networks(TextNetworks)
        case tesseract(ResourcePool<TextRecognizer>)
    }

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        level = options[Self.level]
        minimumTextHeight = options[Self.minimumTextHeight]
        parts = options[Self.parts]
        timeout = options[Self.timeout]
        minimumConfidence = options[Self.minimumConfidence]
        let languages = options[Self.languages]
        let engine = options[Self.engine] ?? (languages != nil ? .tesseract : .ppocr)
        let what: JSONMember
        switch engine {
        case .ppocr:
            if languages != nil {
                throw StageOptionError(
                    option: "languages",
                    "“languages” are Tesseract's, and “engine” is “ppocr”; leave one of them out")
            }
            do {
                reader = .networks(try TextNetworks())
                what = JSONMember(key: "networks", value: try TextNetworks.details())
            } catch let error as InferenceError {
                throw StageOptionError(error.description)
            }
        case .tesseract:
            let languages = languages ?? ["eng"]
            reader = .tesseract(try Self.recognizers(languages))
            what = JSONMember(key: "languages", value: JSONNode(.array(languages.map { JSONNode(.string($0)) })))
        }
        details = [
            JSONMember(
                key: "reader",
                value: JSONNode(.object([JSONMember(key: "engine", value: JSONNode(.string(engine.rawValue))), what])))
        ]
    }

    /// Those that were asked for last, by their languages: graphs with the same have one.
    private static let recognizers = Mutex<[(languages: [String], pool: ResourcePool<TextRecognizer>)]>([])
    private static let mostRecognizers = 4

    private static func recognizers(_ languages: [String]) throws -> ResourcePool<TextRecognizer> {
        if let known = recognizers.withLock({ $0.first { $0.languages == languages } }) { return known.pool }
        let pool = try newRecognizers(languages)
        recognizers.withLock { $0 = Array($0.suffix(mostRecognizers - 1)) + [(languages, pool)] }
        return pool
    }

    private static func newRecognizers(_ languages: [String]) throws -> ResourcePool<TextRecognizer> {
        for language in languages where !TextLanguages.isInstalled(language) {
            throw StageOptionError(
                option: "languages",
                "Tesseract has no model of “\(language)”; expected the package tesseract-ocr-"
                    + "\(language.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()) to be installed, or another language"
            )
        }
        let recognizers = ResourcePool { try TextRecognizer(languages: languages) }
        do {
            // Made once here so that what can't be loaded is known before the first frame; the first job takes it.
            try recognizers.withResource { _ in }
        } catch let error as VisionError {
            throw StageOptionError(option: "languages", "\(error.reason) for \(languages.joined(separator: ", "))")
        }
        return recognizers
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        switch reader {
        case .networks(let networks):
            let isAccurate = level == .accurate
            let settings = NetworkTextTracking.Settings(
                minimumConfidence: minimumConfidence, timeout: timeout, minimumHeight: minimumTextHeight,
                shorterSide: isAccurate ? 736 : 416, limit: context.isStill ? 400 : 100,
                readings: context.isStill ? 400 : isAccurate ? 16 : 8)
            return NetworkTextStage(
                id: context.id, networks: networks, isThorough: isAccurate, parts: parts, settings: settings)
        case .tesseract(let recognizers):
            return tesseractStage(recognizers, context)
        }
    }

    private func tesseractStage(_ recognizers: ResourcePool<TextRecognizer>, _ context: StageContext) -> any Stage {
        var settings = TextTracking.Settings(minimumConfidence: minimumConfidence, timeout: timeout)
        let limit: Int
        if context.isStill {
            settings.patience = 1
            limit = level == .accurate ? 96 : 32
            settings.readings = limit
        } else {
            limit = level == .accurate ? 48 : 24
            settings.readings = level == .accurate ? 4 : 2
        }
        return TextStage(
            id: context.id, finder: TextLineFinder(minimumHeight: minimumTextHeight, limit: limit),
            recognizers: recognizers, effort: level == .accurate ? 5 : 1, parts: parts, settings: settings)
    }
}

/// Who reads.
enum TextEngine: String, CaseIterable, Sendable {
    case ppocr, tesseract
}

/// What of a string is reported on its own.
enum TextParts: String, CaseIterable, Sendable {
    case none, words, characters
}

/// Finds lines in any order, then tracks and reads them in order.
///
/// `@unchecked Sendable`: `tracking` is touched by `update` alone, which is never run twice at once.
private final class TextStage: Stage, @unchecked Sendable {
    private let id: String
    private let finder: TextLineFinder
    private let recognizers: ResourcePool<TextRecognizer>
    private let effort: Int
    private let parts: TextParts
    private var tracking: TextTracking

    init(
        id: String, finder: TextLineFinder, recognizers: ResourcePool<TextRecognizer>, effort: Int, parts: TextParts,
        settings: TextTracking.Settings
    ) {
        self.id = id
        self.finder = finder
        self.recognizers = recognizers
        self.effort = effort
        self.parts = parts
        tracking = TextTracking(settings: settings)
    }

    func detect(_ input: StageInput) throws -> [FoundTextLine] { try finder.lines(in: input.frame) }

    func update(_ found: [FoundTextLine], _ input: StageInput) throws -> [Observation] {
        try tracking.update(found, at: input.frame.seconds) { line in
            try recognizers.withResource { try $0.read(line, in: input.frame, effort: effort) }
        }.map { text in
            TextFinding.observation(
                of: text.reading, at: text.polygon, stage: id, track: text.track, state: text.state, parts: parts)
        }
    }
}
