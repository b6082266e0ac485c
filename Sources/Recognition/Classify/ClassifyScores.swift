internal import Glibc

/// The scores of one region, or of the frame.
struct RegionScores: Record, Storable, Hashable {
    var about: TrackReference?
    /// Corners of a region that has no track to point at; nil for any other.
    var polygon: [Point]?
    /// Corners of the region, track or not; nil for the frame.
    var region: [Point]?
    var scores: [Double] = []

    static let fields: [Field<Self>] = [
        Field("of", \.about, .trackReference, doc: "The region's track."),
        Field("polygon", \.polygon, .list(.exactPoint), unit: "px", doc: "Of a region without one."),
        Field("region", \.region, .list(.exactPoint), unit: "px", doc: "The region's corners."),
        Field("scores", \.scores, .list(.number()), doc: "Of each class."),
    ]
}

/// Runs the network over a frame, or over each region that others found in it.
struct ScoreDetector: StorableDetector {
    let classifier: Classifier
    let options: ClassifyBlueprint.Options
    let takesRegions: Bool

    func detect(_ input: StageInput) throws -> [RegionScores] {
        guard takesRegions else {
            return [RegionScores(scores: try scores(input.frame, region: nil))]
        }
        return try input.observations.compactMap { observation in
            guard let region = Self.region(of: observation, in: input.frame) else { return nil }
            return RegionScores(
                about: observation.track, polygon: observation.track == nil ? observation.polygon ?? region : nil,
                region: region, scores: try scores(input.frame, region: widened(region)))
        }
    }

    /// Corners to cut out; nil for what has no place in the picture. A quad's are its own, in perspective; a box's run
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
        guard options.margin > 0 else { return region }
        let center = region.reduce(Point(0, 0), +) * (1 / Double(region.count))
        return region.map { center + ($0 - center) * (1 + 2 * options.margin) }
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
        // A class that can't be has a score of minus infinity before a softmax.
        let areNumbers = raw.allSatisfy { $0.isFinite || options.softmax && $0 == -.infinity }
        guard areNumbers, raw.isEmpty || raw.contains(where: \.isFinite) else {
            throw InferenceError(
                "its scores have one beyond all numbers; expected numbers: half precision may overflow, and so may a wrong “scale”, "
                    + "“mean” or “std” of the input")
        }
        guard options.softmax, let peak = raw.max() else { return raw }
        let powers = raw.map { exp($0 - peak) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}

/// Smooths scores over time and names the best.
struct ScoreTracker: Tracker {
    private struct Average {
        var scores: [Double]
        var seconds: Double
    }

    let id: String
    let names: [String]?
    let options: ClassifyBlueprint.Options
    private var averages: [TrackReference?: Average] = [:]
    /// The first score that is no confidence, its frame, and how many frames had one.
    private var raw: (score: Double, frame: Int, frames: Int)?

    init(id: String, names: [String]?, options: ClassifyBlueprint.Options) {
        (self.id, self.names, self.options) = (id, names, options)
    }

    mutating func update(_ detected: [RegionScores], _ input: StageInput) throws -> [Emission] {
        if let odd = detected.lazy.flatMap(\.scores).first(where: { !(Self.confidences ~= $0) }) {
            let first = raw ?? (odd, input.frame.ordinal, 0)
            raw = (first.score, first.frame, first.frames + 1)
        }
        return detected.compactMap { scored in
            let labels = best(smooth(scored, at: input.frame.seconds))
            guard !labels.isEmpty else { return nil }
            return Emission(
                Observation(
                    ClassificationFinding(labels: labels), stage: id, about: scored.about, polygon: scored.polygon),
                scored.region.map(ClassifiedRegion.init))
        }
    }

    /// What a confidence is, roundings included.
    private static let confidences = -0.01...1.01

    /// A model that ends with its logits needs a softmax, which nothing else says.
    var notes: [String] {
        guard let raw else { return [] }
        let places =
            raw.frames == 1 ? "in frame \(raw.frame)" : "in \(raw.frames) frames, first in \(raw.frame)"
        return [
            "“\(id)” was given scores that are no confidences, \(raw.score.text(3)) first: \(places); they are told as they are: "
                + "“softmax”: true makes confidences of them, if the model ends without"
        ]
    }

    /// An exponential moving average with the time constant asked for.
    private mutating func smooth(_ finding: RegionScores, at seconds: Double) -> [Double] {
        // A region without a track is nobody's history.
        guard options.smoothing > 0, finding.about != nil || finding.polygon == nil else { return finding.scores }
        var scores = finding.scores
        if let last = averages[finding.about], last.scores.count == scores.count {
            let weight = exp(-max(0, seconds - last.seconds) / options.smoothing)
            for index in scores.indices { scores[index] = weight * last.scores[index] + (1 - weight) * scores[index] }
        }
        averages[finding.about] = Average(scores: scores, seconds: seconds)
        return scores
    }

    private func best(_ scores: [Double]) -> [ScoredLabel] {
        // Ties go to the lower class, so that the order is the same every time.
        let order = scores.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
        return order.prefix(options.topK).filter { scores[$0] >= options.minimumConfidence ?? -.infinity }.map {
            index in
            ScoredLabel(
                label: names.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? "\(index)",
                confidence: scores[index])
        }
    }
}
