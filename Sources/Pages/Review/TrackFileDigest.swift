import Annotate

/// A digest of one track file for a review's page: its frames' times, its things, its doubtful moments and, in blocks,
/// what was seen in each frame.
///
/// The file is read once, frame by frame; what is kept of a frame are a few numbers for each thing, and its compressed
/// text.
struct TrackFileDigest {
    /// How many frames a block has, which the page takes apart at once.
    private static let block = 250

    let header: TrackFileHeader
    private(set) var summary = TrackFileSummary()
    private(set) var things: [ReviewThing] = []
    private(set) var moments: DoubtfulMoments
    /// Events at lines and in zones, the first of very many.
    private(set) var events: [CountedEvent] = []
    /// Where what expectations fail by is.
    private(set) var expectedPlaces: ExpectedPlaces
    /// How many frames have something in sight that was measured.
    private(set) var seen = 0
    /// Labels and states of each stage's observations.
    private(set) var labels: [String: Set<String>] = [:]
    private(set) var states: [String: Set<String>] = [:]
    private(set) var duration = 0.0
    private(set) var first = 0
    private(set) var count = 0

    private var pts: [Int64] = []
    private var durations: [Int64] = []
    private var keys: [ReviewThing.Key: Int] = [:]
    /// Blocks, compressed, in base 64.
    private var blocks: [[UInt8]] = []

    /// The most events that are told of one job.
    private static let mostEvents = 2000
    /// The most labels that are told of one stage.
    private static let mostLabels = 200

    /// - Parameters:
    ///   - limit: Confidences below it are doubtful.
    ///   - expected: Moments whose places are wanted.
    /// - Throws: `TrackFileError` for a file that is no whole track file, `FileError`, `CancelledError`.
    init(
        _ path: String, kinds: FindingCatalog, doubtfulBelow limit: Double, expected: [ExpectedMoment] = [],
        cancellation: Cancellation
    ) throws {
        let reader = try TrackFileReader(path: path, kinds: kinds)
        header = reader.header
        moments = DoubtfulMoments(below: limit)
        expectedPlaces = ExpectedPlaces(of: expected)
        let size = PictureSize(width: header.source.width, height: header.source.height)
        let marks = MarkJSON(
            size: size, projection: header.camera.map(CameraProjection.init), skeletons: header.skeletons)
        var block = JSONWriter()
        while let frame = try reader.next() {
            if cancellation.isCancelled { throw CancelledError() }
            let places = frame.observations.map { index(of: $0) }
            add(frame, places)
            block.array { json in
                for (place, observation) in zip(places, frame.observations) {
                    marks.write(observation, thing: place, into: &json)
                }
            }
            guard count % Self.block == 0 else { continue }
            try close(&block, path)
        }
        if count % Self.block != 0 { try close(&block, path) }
        summary = reader.summary ?? TrackFileSummary()
        // From the first frame to the end of the last one.
        if let start = pts.first, let end = pts.last, let length = durations.last {
            duration = MediaTime(ticks: end &+ length &- start, timeBase: header.source.timeBase).seconds
        }
    }

    private mutating func index(of observation: Observation) -> Int {
        let key = ReviewThing.Key(observation)
        if let known = keys[key] { return known }
        keys[key] = things.count
        things.append(ReviewThing(observation))
        return things.count - 1
    }

    private mutating func add(_ frame: FrameRecord, _ places: [Int]) {
        if count == 0 { first = frame.frame }
        pts.append(frame.pts.ticks)
        durations.append(frame.duration)
        var tracked: [(thing: Int, observation: Observation)] = []
        var isSeen = false
        for (place, observation) in zip(places, frame.observations) {
            things[place].add(observation, at: count)
            isSeen = isSeen || observation.isMeasured
            states[observation.stage, default: []].insert(observation.stateName)
            if let label = observation.label, labels[observation.stage]?.count ?? 0 < Self.mostLabels {
                labels[observation.stage, default: []].insert(label)
            }
            if observation.track != nil { tracked.append((place, observation)) }
            if let event = CountedEvent(observation, of: keys, at: count), events.count < Self.mostEvents {
                events.append(event)
            }
        }
        if isSeen { seen += 1 }
        moments.add(tracked, at: frame.pts.seconds)
        expectedPlaces.add(frame)
        count += 1
    }

    private mutating func close(_ block: inout JSONWriter, _ path: String) throws {
        let text = Array("[".utf8) + block.bytes + Array("]".utf8)
        blocks.append(Base64.digits(try Gzip.compressed(text, for: path)))
        block.removeAll()
    }

    /// The job's data as the page reads them: `{"head":…,"blocks":[…]}`, handed out piece by piece.
    func write(for path: String, _ write: ([UInt8]) throws -> Void) throws {
        try write(Array("{\"head\":\"".utf8))
        try write(Base64.digits(try Gzip.compressed(head, for: path)))
        try write(Array("\",\"blocks\":[".utf8))
        for (index, block) in blocks.enumerated() {
            try write(Array((index == 0 ? "\"" : ",\"").utf8) + block + [UInt8(ascii: "\"")])
        }
        try write(Array("]}".utf8))
    }

    private var head: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            let source = header.source
            json.member("timeBase", [source.timeBase.numerator, source.timeBase.denominator])
            json.member("videoOffset", source.videoOffset)
            json.member("startTime", source.startTime)
            json.member("whole", header.range == nil)
            json.member("first", first)
            json.member("count", count)
            json.member("pts", pts.indices.map { $0 == 0 ? pts[0] : pts[$0] &- pts[$0 - 1] })
            if let length = durations.first, durations.allSatisfy({ $0 == length }) {
                json.member("durations", Int(length))
            } else {
                json.member("durations", durations)
            }
            json.member("block", Self.block)
            json.key("stages")
            json.array { json in
                for stage in header.stages {
                    json.object { json in
                        json.member("id", stage.id)
                        json.member("type", stage.type)
                    }
                }
            }
            json.key("things")
            json.array { json in for thing in things { thing.write(into: &json) } }
        }
        return json.bytes
    }

    /// Time of a frame, seconds.
    func time(_ index: Int) -> Double { MediaTime(ticks: pts[index], timeBase: header.source.timeBase).seconds }
}
