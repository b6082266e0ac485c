/// A span between two places of a region, looked at from both.
struct FilledSpan: Sendable {
    /// The object in each frame on which the stage runs, by the frames' numbers.
    var objects: [Int: TrackedObject] = [:]
}

/// Follows the regions that ask for it from each of their places to the next one, and back.
struct TrackFiller {
    /// The most frames between two places: five minutes at 30 a second.
    static let mostFrames = 9000

    let stage: String
    let seeds: [Seed]
    let threads: Int
    let makeTracker: @Sendable () throws -> any ObjectTracker

    /// One way from a place to the next.
    private final class Way {
        let first: Int
        let id: String
        var last = 0
        var target = Box(x: 0, y: 0, width: 0, height: 0)
        var tracker: (any ObjectTracker)?
        var forward: [(ordinal: Int, object: TrackedObject)] = []
        var backward: [Int: TrackedObject] = [:]
        var count = 0

        init(_ id: String, from first: Int, _ tracker: any ObjectTracker) {
            (self.id, self.first, self.tracker) = (id, first, tracker)
        }

        /// Whether a tracker looks at a frame: the stage may not run on it.
        func looks(at ordinal: Int) -> Bool {
            var (low, high) = (0, forward.count)
            while low < high {
                let middle = (low + high) / 2
                if forward[middle].ordinal < ordinal { low = middle + 1 } else { high = middle }
            }
            return low < forward.count && forward[low].ordinal == ordinal
        }
    }

    /// - Returns: For each region its spans, by the first place's frame.
    func fill(_ footage: Footage) throws -> [[Int: FilledSpan]] {
        var ways = seeds.map { _ in [Way]() }
        try lookForward(footage, &ways)
        try lookBack(footage, ways.flatMap(\.self))
        return ways.map { ways in
            Dictionary(ways.map { ($0.first, meet($0)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func lookForward(_ footage: Footage, _ ways: inout [[Way]]) throws {
        var scripts = seeds.map(RegionScript.init)
        var open = seeds.map { _ in Way?.none }
        try footage.forwards { frame, runs in
            var followed: [Way] = []
            for index in seeds.indices {
                if let turn = scripts[index].turn(at: frame) {
                    if let way = open[index], let box = turn.box {
                        (way.last, way.target, way.tracker) = (frame.ordinal, box, nil)
                        ways[index].append(way)
                    }
                    open[index] = nil
                    guard let box = turn.box, scripts[index].leadsToPlace else { continue }
                    open[index] = Way(seeds[index].id, from: frame.ordinal, try start(frame, box))
                } else if let way = open[index] {
                    way.count += 1
                    guard way.count <= Self.mostFrames else {
                        throw TooLong(stage: stage, way: way.id, first: way.first)
                    }
                    if runs { followed.append(way) }
                }
            }
            for (way, object) in zip(followed, try look(followed, frame)) {
                way.forward.append((frame.ordinal, object))
            }
            return scripts.contains { $0.places > 0 }
        }
    }

    private func lookBack(_ footage: Footage, _ ways: [Way]) throws {
        var waiting = ways.filter { $0.last - $0.first > 1 }.sorted { $0.last < $1.last }
        var active: [Way] = []
        try footage.backwards(over: waiting.map { $0.first + 1...$0.last }) { frame in
            for way in active where way.first >= frame.ordinal { way.tracker = nil }
            active.removeAll { $0.first >= frame.ordinal }
            let followed = active.filter { $0.looks(at: frame.ordinal) }
            for (way, object) in zip(followed, try look(followed, frame)) { way.backward[frame.ordinal] = object }
            while let way = waiting.last, way.last >= frame.ordinal {
                way.tracker = try start(frame, way.target)
                active.append(waiting.removeLast())
            }
        }
        for way in active { way.tracker = nil }
    }

    private func start(_ frame: VideoFrame, _ box: Box) throws -> any ObjectTracker {
        do {
            let tracker = try makeTracker()
            try tracker.seed(frame, box: box)
            return tracker
        } catch {
            throw FillError(stage: stage, frame: frame.ordinal, reason: "\(error)")
        }
    }

    /// Objects know nothing of each other: they are looked for at once.
    private func look(_ ways: [Way], _ frame: VideoFrame) throws -> [TrackedObject] {
        let trackers = ways.compactMap(\.tracker)
        do {
            return try parallelMap(trackers.count, threads: threads) { try trackers[$0].update(frame) }
        } catch {
            throw FillError(stage: stage, frame: frame.ordinal, reason: "\(error)")
        }
    }

    private func meet(_ way: Way) -> FilledSpan {
        let length = Double(way.last - way.first)
        let sightings = way.forward.compactMap { ordinal, object in
            way.backward[ordinal].map {
                ForwardBackward.Sighting(share: Double(ordinal - way.first) / length, forward: object, backward: $0)
            }
        }
        return FilledSpan(
            objects: Dictionary(
                zip(way.forward.map(\.ordinal), ForwardBackward.meet(sightings)),
                uniquingKeysWith: { first, _ in first }))
    }
}

/// The error of a tracker that failed before the stage ran.
private struct FillError: Error, CustomStringConvertible {
    var stage: String
    var frame: Int
    var reason: String

    var description: String { "stage “\(stage)” failed at frame \(frame): \(reason)" }
}

/// The error of a span that is too long to be filled.
private struct TooLong: Error, CustomStringConvertible {
    var stage: String
    var way: String
    var first: Int

    var description: String {
        "stage “\(stage)”: region “\(way)” has over \(TrackFiller.mostFrames) frames between its place at frame \(first) and "
            + "the next one, and “fill”: “both” takes no more; expected a keyframe between them"
    }
}
