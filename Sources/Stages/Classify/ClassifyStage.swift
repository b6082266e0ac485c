public import Graph
internal import CVision
internal import Glibc

/// `classify`: an ONNX network over the whole frame, or over each region of its inputs.
public struct ClassifyBlueprint: StageBlueprint {
    static let model = StageOption(
        "model", .text(.path), required: true, doc: "An ONNX file with one picture as input and one score a class.")
    static let labels = StageOption(
        "labels", .text(.path),
        doc: "A text file with a class a line, in the order of the model's output; numbers when left out.")
    static let topK = StageOption(
        "topK", .integer(1...1000), default: 5, doc: "How many classes are given, the best first.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(), doc: "Classes with less are left out; none when it is not given.")
    static let softmax = StageOption(
        "softmax", .flag, default: false,
        doc: "Turns the model's scores into probabilities; for models that don't do it themselves.")
    static let smoothing = StageOption(
        "smoothing", .number(Bounds(0, 60)), default: 0, unit: "s",
        doc: "Averages scores over time with this time constant, per track or over the whole frame; 0 for none.")
    static let input = PreprocessingOptions(
        channelOrders: Preprocessing.ChannelOrder.allCases, largest: 8192, scale: 1.0 / 255)
    static let resize = StageOption<Preprocessing.Resize>(
        "resize", .choice(), default: .stretch,
        doc: "stretch scales the region to the input's size; centerCrop cuts out its middle first; fit adds black bars."
    )
    static let margin = StageOption(
        "margin", .number(Bounds(0, 2)), default: 0, unit: "of the region's size",
        doc: "How much around a region is looked at as well, on every side.")
    static let antialias = StageOption(
        "antialias", .flag, default: false,
        doc: "Averages where the region is over twice the input's size, instead of bilinear samples.")

    public static let contract = StageContract(
        type: "classify", summary: "Names the whole frame, or each region of its inputs, with an ONNX model.",
        consumes: [.frame, .regions], produces: [.labels], keepsState: true, emits: [ClassificationFinding.self],
        options: [
            model.property, labels.property, topK.property, minimumConfidence.property, softmax.property,
            smoothing.property,
        ] + input.properties + [resize.property, margin.property, antialias.property],
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "labels", .map(of: .any, keys: .any, doc: "The labels file."), doc: "The labels file's hash and size."),
        ], handsOn: .toStages)

    private let classifier: Classifier
    private let names: [String]?
    private let settings: ClassifySettings
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let file = options[Self.model] ?? ""
        let path = options.resolve(file)
        guard Files.isRegular(path) else {
            throw StageOptionError(option: "model", "no file “\(file)”; expected an ONNX model")
        }
        var preprocessing = try Self.input.preprocessing(options)
        preprocessing.resize = options[Self.resize]
        preprocessing.antialias = options[Self.antialias]
        do {
            classifier = try Classifier(
                path: path, preprocessing: preprocessing, layoutIsGiven: options.isGiven(Self.input.layout))
        } catch let error as InferenceError {
            throw StageOptionError(option: "model", "“\(file)” can't be used: \(error)")
        }
        names = try Self.readLabels(options, classes: classifier.classes)
        settings = ClassifySettings(
            topK: options[Self.topK], minimumConfidence: options[Self.minimumConfidence],
            softmax: options[Self.softmax], smoothing: options[Self.smoothing], margin: options[Self.margin])
        takesRegions = options.hasInputs
        var details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(path)), "input": .string(classifier.inputDescription),
                        "preprocessing": classifier.preprocessing.json,
                    ])))
        ]
        if let file = options[Self.labels] {
            details.append(
                JSONMember(
                    key: "labels",
                    value: JSONNode(
                        .members([
                            "sha256": .string(try SHA256.hash(file: options.resolve(file))),
                            "classes": .integer(names?.count ?? 0),
                        ]))))
        }
        self.details = details
        files = try ModelFile.data(of: [path])
    }

    private static func readLabels(_ options: StageOptions, classes: Int?) throws -> [String]? {
        guard let file = options[labels] else { return nil }
        let path = options.resolve(file)
        guard Files.isRegular(path) else {
            throw StageOptionError(option: "labels", "no file “\(file)”; expected a text file with a class a line")
        }
        let text = String(decoding: try Files.read(path), as: UTF8.self)
        // “\r\n” is one character, and a newline.
        var names = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while names.last?.isEmpty == true { names.removeLast() }
        if let classes, classes != names.count {
            throw StageOptionError(
                option: "labels", "“\(file)” has \(names.count) classes and the model \(classes); expected as many")
        }
        return names
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        ClassifyStage(
            id: context.id, classifier: classifier, names: names, settings: settings, takesRegions: takesRegions)
    }
}

struct ClassifySettings: Sendable {
    var topK: Int
    var minimumConfidence: Double?
    var softmax: Bool
    /// Seconds.
    var smoothing: Double
    /// Share of a region's size.
    var margin: Double
}

/// Infers in any order, then smooths in order.
///
/// `@unchecked Sendable`: `averages` is touched by `update` alone, which is never run twice at once.
private final class ClassifyStage: Stage, @unchecked Sendable {
    /// The scores of one region, or of the frame.
    struct Scores: Sendable {
        var about: TrackReference?
        /// Where it is, for a region that has no track to point at.
        var polygon: [Point]?
        /// Its corners, track or not; nil for the frame.
        var region: [Point]?
        var scores: [Double]
    }

    private struct Average {
        var scores: [Double]
        var seconds: Double
    }

    private let id: String
    private let classifier: Classifier
    private let names: [String]?
    private let settings: ClassifySettings
    private let takesRegions: Bool
    private var averages: [TrackReference?: Average] = [:]

    init(id: String, classifier: Classifier, names: [String]?, settings: ClassifySettings, takesRegions: Bool) {
        self.id = id
        self.classifier = classifier
        self.names = names
        self.settings = settings
        self.takesRegions = takesRegions
    }

    func detect(_ input: StageInput) throws -> [Scores] {
        guard takesRegions else {
            return [Scores(scores: try scores(input.frame, region: nil))]
        }
        return try input.observations.compactMap { observation in
            guard let region = Self.region(of: observation, in: input.frame) else { return nil }
            return Scores(
                about: observation.track, polygon: observation.track == nil ? observation.polygon ?? region : nil,
                region: region, scores: try scores(input.frame, region: widened(region)))
        }
    }

    /// The corners to cut out; nil for what has no place in the picture. A quad's are its own, in perspective; a box's run
    /// around its pixels.
    private static func region(of observation: Observation, in frame: VideoFrame) -> [Point]? {
        guard observation.isInSight else { return nil }
        let picture = Box(x: -0.5, y: -0.5, width: Double(frame.width), height: Double(frame.height))
        if let polygon = observation.polygon, polygon.count == 4 {
            guard let box = Box(around: polygon), box.intersection(picture) != nil, isConvex(polygon) else {
                return nil
            }
            return polygon
        }
        guard let box = observation.box else { return nil }
        let outline = Box(x: box.x - 0.5, y: box.y - 0.5, width: box.width, height: box.height)
        return outline.intersection(picture)?.corners
    }

    /// The region grown about its middle by the margin.
    private func widened(_ region: [Point]) -> [Point] {
        guard settings.margin > 0 else { return region }
        let center = region.reduce(Point(0, 0), +) * (1 / Double(region.count))
        return region.map { center + ($0 - center) * (1 + 2 * settings.margin) }
    }

    private static func isConvex(_ polygon: [Point]) -> Bool {
        let turns = polygon.indices.map { index in
            let (a, b, c) = (polygon[index], polygon[(index + 1) % 4], polygon[(index + 2) % 4])
            return (b - a).cross(c - b)
        }
        return turns.allSatisfy { $0 > 1e-3 } || turns.allSatisfy { $0 < -1e-3 }
    }

    private func scores(_ frame: VideoFrame, region: [Point]?) throws -> [Double] {
        let raw = try classifier.scores(frame, region: region).map(Double.init)
        guard settings.softmax, let peak = raw.max() else { return raw }
        let powers = raw.map { exp($0 - peak) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    func update(_ detected: [Scores], _ input: StageInput) throws -> [Emission] {
        detected.compactMap { scored in
            let labels = best(smooth(scored, at: input.frame.seconds))
            guard !labels.isEmpty else { return nil }
            return Emission(
                Observation(
                    ClassificationFinding(labels: labels), stage: id, about: scored.about, polygon: scored.polygon),
                scored.region.map(ClassifiedRegion.init))
        }
    }

    /// An exponential moving average with the time constant asked for.
    private func smooth(_ finding: Scores, at seconds: Double) -> [Double] {
        // A region without a track is nobody's history.
        guard settings.smoothing > 0, finding.about != nil || finding.polygon == nil else { return finding.scores }
        var scores = finding.scores
        if let last = averages[finding.about], last.scores.count == scores.count {
            let weight = exp(-max(0, seconds - last.seconds) / settings.smoothing)
            for index in scores.indices { scores[index] = weight * last.scores[index] + (1 - weight) * scores[index] }
        }
        averages[finding.about] = Average(scores: scores, seconds: seconds)
        return scores
    }

    private func best(_ scores: [Double]) -> [ScoredLabel] {
        // Ties go to the lower class, so that the order is the same every time.
        let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
        return order.prefix(settings.topK).filter { scores[$0] >= settings.minimumConfidence ?? -.infinity }.map {
            index in
            ScoredLabel(
                label: names.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? "\(index)",
                confidence: scores[index])
        }
    }
}
