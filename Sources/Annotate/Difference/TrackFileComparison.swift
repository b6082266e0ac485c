/// A comparison of two track files.
public struct TrackFileComparison: Sendable {
    /// The verdict on two files.
    public enum Verdict: String, Sendable {
        /// Both say the same.
        case equal
        /// No more differs than the tolerance forgives.
        case within
        /// More differs than is forgiven.
        case differs
    }

    /// Path of the old file.
    public let old: String
    /// Path of the new file.
    public let new: String
    /// Pixels that corners and edges may be apart.
    public let tolerance: Double
    /// What is forgiven, by stage and kind.
    let tolerances: Tolerances
    /// Notes on the files that are no difference in their results, a phrase each.
    public internal(set) var notes: [String] = []
    /// Differences that are no thing's, a phrase each.
    public internal(set) var differences: [String] = []
    /// Ids of the stages of either.
    public internal(set) var stages: Set<String> = []
    /// How many frames both have.
    public internal(set) var frames = 0
    /// The things, by stage and kind, then by the old file's tracks.
    public internal(set) var things: [ThingFigures] = []
    /// The frames in which they differ the most.
    public internal(set) var worst = WorstFrames()

    /// Whether they are equal, differ within the tolerance, or differ.
    public var verdict: Verdict {
        guard differences.isEmpty, intolerable.isEmpty else { return .differs }
        return things.allSatisfy(\.isEqual) ? .equal : .within
    }

    /// Places in `things` of those that differ more than is forgiven.
    var intolerable: Set<Int> {
        var alone: [StageKind: [Int]] = [:]
        var places: Set<Int> = []
        for (index, thing) in things.enumerated() {
            let tolerance = tolerances.of(thing.stage, thing.kind)
            guard !thing.isWithin(tolerance) else { continue }
            places.insert(index)
            if tolerance.ids > 0, thing.isOfOneAlone {
                alone[StageKind(stage: thing.stage, kind: thing.kind), default: []].append(index)
            }
        }
        for (key, indices) in alone where indices.count <= tolerances.of(key.stage, key.kind).ids {
            places.subtract(indices)
        }
        return places
    }

    /// How many tracks there are in either; a pair counts once.
    public var tracks: Int { things.count { $0.old != nil || $0.new != nil } }

    /// Pairs of tracks that have other numbers.
    var renumbered: [(old: Int, new: Int)] {
        things.compactMap { thing in
            guard let old = thing.old, let new = thing.new, old != new else { return nil }
            return (old, new)
        }
    }

    /// The longest way of a corner or an edge, pixels.
    var longestWay: Double { things.map(\.longestWay).max() ?? 0 }

    /// Compares two track files; each is read twice, a frame at a time.
    /// - Parameters:
    ///   - old: The first track file's path.
    ///   - new: The second one's.
    ///   - tolerance: Pixels that corners and edges may be apart.
    ///   - kinds: Kinds of results that the program knows.
    /// - Throws: `TrackFileError` and `FileError` for a file that is no whole track file.
    public init(_ old: String, _ new: String, tolerance: Double, kinds: FindingCatalog) throws {
        try self.init(old, new, Tolerances(pixels: tolerance), kinds: kinds)
    }

    /// Compares two track files; each is read twice, a frame at a time.
    /// - Throws: `TrackFileError` and `FileError` for a file that is no whole track file.
    public init(_ old: String, _ new: String, _ tolerances: Tolerances, kinds: FindingCatalog) throws {
        (self.old, self.new, self.tolerances, tolerance) = (old, new, tolerances, tolerances.pixels)
        let first = try FrameSteps(old: old, new: new, kinds: kinds)
        let (one, other) = (first.old.header, first.new.header)
        stages = Set((one.stages + other.stages).map(\.id))
        addHeaders(one, other)
        var matcher = TrackMatcher()
        while let frame = try first.next() { matcher.add(frame) }
        let (a, b) = (one.source, other.source)
        guard a.width == b.width, a.height == b.height else {
            differences.append(
                "the pictures are \(a.width) × \(a.height) and \(b.width) × \(b.height) pixels: "
                    + "places in them can't be compared")
            return
        }
        try compare(
            FrameSteps(old: old, new: new, kinds: kinds), ObservationPairs(tracks: matcher.pairs),
            PictureSize(width: a.width, height: a.height))
        addSummaries(first.old.summary, first.new.summary)
    }

    private mutating func compare(_ steps: FrameSteps, _ pairs: ObservationPairs, _ size: PictureSize) throws {
        var context = ThingFigures.Context(
            pairs: pairs, size: size, skeletons: steps.old.header.skeletons, tolerances: tolerances)
        var byKey: [ObservationPair.Key: ThingFigures] = [:]
        var onlyOld = 0, onlyNew = 0, otherwise = 0
        let (old, new) = (steps.old.header, steps.new.header)
        let shared = Set(old.stages.map(\.id)).intersection(new.stages.map(\.id))
        let slack = max(old.source.timeBase.value, new.source.timeBase.value) / 2
        while let frame = try steps.next() {
            context.step += 1
            context.moment = frame.moment
            switch (frame.old, frame.new) {
            case (let a?, let b?):
                frames += 1
                let isAtOnce = abs(a.pts.seconds - b.pts.seconds) <= slack
                let isAsLong = a.pts.timeBase != b.pts.timeBase || a.duration == b.duration
                if a.frame != b.frame || !isAtOnce || !isAsLong { otherwise += 1 }
            case (_?, nil): onlyOld += 1
            default: onlyNew += 1
            }
            for pair in pairs.of(frame) where shared.contains(pair.key.stageKind.stage) {
                byKey[pair.key, default: ThingFigures(pair.key)].add(pair, context, &worst)
            }
        }
        things = byKey.sorted { $0.key < $1.key }.map { key, figures in
            var whole = figures
            whole.end(&worst)
            return whole
        }
        if onlyOld > 0 { differences.append("\(Words.plural(onlyOld, "frame")) only in the old one") }
        if onlyNew > 0 { differences.append("\(Words.plural(onlyNew, "frame")) only in the new one") }
        if otherwise > 0 {
            differences.append("\(Words.plural(otherwise, "frame")) with another number, time or duration")
        }
    }
}
