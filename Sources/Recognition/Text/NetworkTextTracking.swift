/// Follows lines from frame to frame and looks for new ones now and then; new ones are read, and those again that have
/// become sharper or larger, or were read badly.
///
/// What a track says is what its readings say, weighted by their confidence and by how much there was to see.
struct NetworkTextTracking {
    /// The effort: how much is looked for.
    struct Effort: Sendable {
        /// Shorter side of the picture as it is searched, pixels.
        var shorterSide: Double
        /// The most lines of a frame; and how many of them are read.
        var limit: Int
        var readings: Int

        /// - Parameter isWhole: Nothing may be left for the next picture: there is none, or what is found is hidden.
        init(_ level: RecognitionLevel, isWhole: Bool) {
            shorterSide = level == .accurate ? 736 : 416
            limit = isWhole ? 400 : 100
            readings = isWhole ? 400 : level == .accurate ? 16 : 8
        }
    }

    /// A track's string in one frame.
    struct Text {
        var track: Int
        var state: TrackState
        var polygon: [Point]
        var reading: TextReading
    }

    struct Known: TextOutline {
        /// Region as it was read: from its own top left.
        var line: TextRegion
        /// Region as it was detected, from wherever that began.
        var detected: TextRegion
        var appearance: TextAppearance?
        /// Detail of the best reading so far.
        var detail = 0.0
        var readings = 0
        /// How many looks it was there at; and at which it is read again.
        var looks = 0
        var nextReading = 0
        /// Number of the frame from which on it may be asked again whether it still says the same.
        var nextQuestion = 0
        /// Readings that are due because it seems to say more or less than it did.
        var owed = 0
        /// What came beside it and was no letter of it, as a cursor that blinks.
        var alarms = FalseAlarms()
        /// Whether its letters have gone, rather than something came in front of them.
        var isErased = false
        /// Whether it may be elsewhere, of what is hidden; how much it looks like itself now, and did at the last look
        /// that saw it where it was.
        var isDoubtful = false
        var likeness = 1.0
        var agreed = 1.0
        var votes: [(text: String, weight: Double, best: TextReading)] = []

        var reading: TextReading? { votes.max { $0.weight < $1.weight }?.best }
        var polygon: [Point] {
            get { line.polygon }
            set {
                let way = newValue[0] - line.polygon[0]
                line.polygon = newValue
                detected.polygon = detected.polygon.map { $0 + way }
            }
        }

        mutating func move(_ motion: (Point) -> Point) {
            line.polygon = line.polygon.map(motion)
            detected.polygon = detected.polygon.map(motion)
        }
    }

    /// Least likeness to itself of a line that is still there.
    private static let leastLikeness = 0.45
    /// Lines that say nothing which cost more to follow from one look to the next than to read again.
    private static let few = 4
    /// Gain of detail with which a line is read again.
    private static let gain = 1.2
    /// Gain of width with which a line shows more of itself.
    private static let longer = 1.12
    /// Confidence of a reading that need not be confirmed.
    private static let sure = 0.95

    private let options: TextBlueprint.Options
    let effort: Effort
    /// True where what is found is hidden.
    let hides: Bool
    let networks: TextNetworks
    private let reader: TextLineReader
    var book: TrackBook<Known>
    private var follower = TextFollower()
    var cadence: TextCadence?
    var changed = ChangedParts()
    /// How many frames there have been.
    var frames = 0
    var bare = BareLooks()

    /// - Parameters:
    ///   - isStill: There is one picture.
    ///   - shorterSide: Of the picture as it is searched, pixels; nil for what the options ask for.
    init(
        _ options: TextBlueprint.Options = .init(), networks: TextNetworks, isStill: Bool = false,
        hides: Bool = false, shorterSide: Double? = nil
    ) {
        self.options = options
        self.hides = hides
        self.networks = networks
        var effort = Effort(options.level, isWhole: isStill || hides)
        effort.shorterSide = shorterSide ?? effort.shorterSide
        self.effort = effort
        reader = TextLineReader(networks: networks, isThorough: options.level == .accurate, seeksLetters: hides)
        var policy = TrackPolicy(memory: options.timeout, confirmation: nil)
        policy.smoothing = .halved
        policy.trustedSteps = 1.5
        book = TrackBook(policy)
    }

    /// - Parameters:
    ///   - parts: of the frame, in which lines are looked for; nil for all of it.
    ///   - hasNew: true where one of these wasn't there before.
    /// - Returns: by track.
    mutating func update(_ frame: VideoFrame, in parts: [FramePart]? = nil, hasNew: Bool = false) throws -> [Text] {
        frames += 1
        let seen = book.tracks.filter { $0.isSeen && $0.number != nil }.count
        book.advance(to: frame.seconds)
        let (followed, hasChanged) = try unchanged(try follow(into: frame), in: frame)
        let pixels = (parts?.map { ($0.width, $0.height) } ?? [(frame.width, frame.height)]).reduce(0) {
            let size = TextNetworks.size(of: $1.0, $1.1, shorterSide: effort.shorterSide, all: hides)
            return $0 + size.width * size.height
        }
        let read = followed.filter { book.tracks[$0.index].number != nil }.count
        if cadence == nil { cadence = TextCadence(pixels: pixels, hides: hides) }
        if parts != nil { cadence?.searches(pixels) }
        let hasDoubt = hides && followed.contains { $0.known.isDoubtful && book.tracks[$0.index].number != nil }
        let hunt = hides ? hunt(at: frame.seconds) : nil
        let isDue = cadence?.isDue(
            in: frame, hasLost: read < seen, hasChanged: hasChanged, hasNew: hasNew, hasDoubt: hasDoubt,
            hunt: hunt)
        if isDue ?? true, try mayShowText(frame, parts, isRoutine: cadence?.isRoutine ?? false) {
            if parts == nil, let changed = changedParts(of: frame, followed) {
                try look(in: frame, try regions(in: frame, changed: changed), followed, within: changed)
            } else {
                let found = try regions(in: frame, parts)
                bare.saw(found.isEmpty && book.tracks.isEmpty)
                try look(in: frame, found, followed)
            }
        } else {
            for (index, known) in followed { book.see(known, as: index) }
        }
        book.settle()
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            guard let number = track.number, let reading = track.thing.reading else { return nil }
            return Text(track: number, state: track.state, polygon: book.expected(index).polygon, reading: reading)
        }.sorted { $0.track < $1.track }
    }

    /// The lines of the frame before that are still there, where they are now, by their tracks' indices in order.
    private mutating func follow(into frame: VideoFrame) throws -> [(index: Int, known: Known)] {
        var indices = book.tracks.indices.filter { [.tracked, .recovered].contains(book.tracks[$0].state) }
        // What says nothing is followed to be known at the next look; a few are sooner read again.
        if indices.count <= Self.few, !indices.contains(where: { book.tracks[$0].number != nil }) { indices = [] }
        let motions = try follower.motions(of: indices.map { book[$0].line.polygon }, into: frame)
        var followed: [(Int, Known)] = []
        for (index, motion) in zip(indices, motions) {
            guard let motion else { continue }
            var known = book[index]
            known.move { motion($0) }
            guard Homography.isConvex(known.line.polygon), Homography.isConvex(known.detected.polygon),
                Self.isInside(known.line.center, frame),
                let likeness = try known.appearance?.likeness(to: known.line, in: frame),
                likeness >= Self.leastLikeness
            else { continue }
            known.likeness = likeness
            known.isDoubtful = hides && Self.isDoubtful(known, likeness: likeness)
            followed.append((index, known))
        }
        return followed
    }

    private static func isInside(_ place: Point, _ frame: VideoFrame) -> Bool {
        place.x >= 0 && place.y >= 0 && place.x < Double(frame.width) && place.y < Double(frame.height)
    }

    // MARK: A look

    /// What lines in a frame, or in parts of it, are seen: one that several parts show, once; none that a part cuts, but where
    /// lines are hidden.
    private func regions(in frame: VideoFrame, _ parts: [FramePart]?) throws -> [TextRegion] {
        func found(in part: FramePart?) throws -> [TextRegion] {
            let least = leastHeight(in: part?.height ?? frame.height)
            return try networks.regions(
                in: frame, part: part, shorterSide: effort.shorterSide, all: hides, limit: effort.limit
            ).filter {
                $0.height >= least && (hides || !(part?.cuts($0, in: frame) ?? false))
            }
        }
        guard let parts else { return try found(in: nil) }
        var regions: [TextRegion] = []
        // A part may cut a line that the next one shows whole.
        for part in parts { regions.add(try found(in: part), limit: effort.limit) }
        return regions
    }

    /// The least height of a line, pixels.
    /// - Parameter height: Of what is searched, pixels.
    func leastHeight(in height: Int) -> Double {
        // Capitals alone have 0.7 of a line's height.
        0.7 * options.leastHeight(hides: hides) * Double(height)
    }

    /// - Parameter parts: That were searched; nil for all that there is to search.
    private mutating func look(
        in frame: VideoFrame, _ regions: [TextRegion], _ followed: [(index: Int, known: Known)],
        within parts: [FramePart]? = nil
    ) throws {
        let followed = hides ? agreed(followed, with: regions, within: parts) : followed
        let trackOf = Self.pairs(regions, followed.map(\.known))
        var taken = Set<Int>()
        var unread: [(region: Int, index: Int)] = []
        for (place, match) in trackOf.enumerated() {
            guard let match else { continue }
            taken.insert(match)
            var (index, known) = followed[match]
            let isLonger = Self.aligned(regions[place], to: known.detected).width > known.detected.width * Self.longer
            if isLonger { known.owed = max(known.owed, 1) }
            correct(&known, by: regions[place])
            known.looks += 1
            known.appearance = try TextAppearance(of: known.line, in: frame) ?? known.appearance
            (known.isDoubtful, known.agreed) = (false, 1)
            index = book.see(known, as: index)
            if isWorthReading(known) { unread.append((place, index)) }
        }
        // What has a track and was followed is there, though the network missed it this time.
        for (match, (index, var known)) in followed.enumerated()
        where !taken.contains(match) && book.tracks[index].number != nil {
            known.owed = max(0, known.owed - 1)
            book.see(known, as: index)
        }
        for (place, region) in regions.enumerated() where trackOf[place] == nil && !isPartOfKnown(region) {
            let known = Known(
                line: region, detected: region, appearance: try TextAppearance(of: region, in: frame), looks: 1)
            unread.append((place, book.see(known)))
        }
        // New ones first, then those that promise most.
        unread.sort { (book[$0.index].readings, $0.region) < (book[$1.index].readings, $1.region) }
        for (place, index) in unread.prefix(effort.readings) {
            var others = regions
            others.remove(at: place)
            try read(regions[place], besides: others, as: index, in: frame)
        }
    }

    /// For each region, the index of the line followed that it is; nil for none.
    private static func pairs(_ regions: [TextRegion], _ lines: [Known]) -> [Int?] {
        var pairs: [(cost: Double, region: Int, line: Int)] = []
        for (place, region) in regions.enumerated() {
            for (index, known) in lines.enumerated() {
                let line = known.detected
                guard line.contains(region.center) || region.contains(line.center) else { continue }
                let turned = aligned(region, to: line)
                let tall = turned.height / max(line.height, 1e-6), wide = turned.width / max(line.width, 1e-6)
                guard (0.5...2).contains(tall), (0.4...2.5).contains(wide) else { continue }
                let distance = region.center.distance(to: line.center) / max(line.height, 1)
                pairs.append((distance + abs(1 - wide) + abs(1 - tall), place, index))
            }
        }
        pairs.sort { ($0.cost, $0.region, $0.line) < ($1.cost, $1.region, $1.line) }
        var result = [Int?](repeating: nil, count: regions.count)
        var taken = Set<Int>()
        for pair in pairs where result[pair.region] == nil && !taken.contains(pair.line) {
            result[pair.region] = pair.line
            taken.insert(pair.line)
        }
        return result
    }

    /// A region with its corners in the order that a line's are in.
    private static func aligned(_ region: TextRegion, to line: TextRegion) -> TextRegion {
        func way(_ turns: Int) -> Double {
            (0..<4).reduce(0) {
                $0 + (region.polygon[($1 + turns) % 4] - region.center).distance(to: line.polygon[$1] - line.center)
            }
        }
        let turns = (0..<4).min { way($0) < way($1) } ?? 0
        return TextRegion(polygon: Array(region.polygon[turns...] + region.polygon[..<turns]), score: region.score)
    }

    /// Takes the drift out of a line that was followed: half the way to where it was detected, which trembles.
    private func correct(_ known: inout Known, by region: TextRegion) {
        let region = Self.aligned(region, to: known.detected)
        guard let map = Homography(known.detected.polygon, to: region.polygon) else { return }
        // What wasn't followed well is where it was detected.
        let isDoubtful = known.isDoubtful
        let corrected = known.line.polygon.map { isDoubtful ? map($0) : ($0 + map($0)) * 0.5 }
        let wide = region.width / max(known.detected.width, 1e-6)
        if known.isDoubtful, wide > 1.07 { (known.line, known.detected) = (region, region) }
        // A line that shows more or less of itself than before is in no other place for that.
        guard (0.93...1.07).contains(wide), corrected.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
            Homography.isConvex(corrected)
        else { return }
        known.line.polygon = corrected
        known.detected.polygon = zip(known.detected.polygon, region.polygon).map { isDoubtful ? $1 : ($0 + $1) * 0.5 }
    }

    /// Whether a region is a piece of a line that is there.
    private func isPartOfKnown(_ region: TextRegion) -> Bool {
        book.tracks.contains { track in
            let whole = track.thing.line
            return track.number != nil && track.isSeen && whole.contains(region.center)
                && region.width < whole.width * 1.05 && (0.4...1.6).contains(region.height / whole.height)
        }
    }

    // MARK: Reading

    private func isWorthReading(_ known: Known) -> Bool {
        if known.owed > 0 { return true }
        if let detail = known.appearance?.detail, detail > known.detail * Self.gain { return true }
        guard known.looks >= known.nextReading else { return false }
        return known.reading.map { $0.confidence < Self.sure } ?? true
    }

    private mutating func read(_ region: TextRegion, besides others: [TextRegion], as index: Int, in frame: VideoFrame)
        throws
    {
        let read = try reader.read(region, besides: others, in: frame)
        var known = book[index]
        known.readings += 1
        known.nextReading = known.looks + (1 << min(known.readings, 6))
        let detail = known.appearance?.detail ?? 0
        known.detail = max(known.detail, detail)
        defer { book[index] = known }
        guard let read, isSure(read, at: region), !Self.isPiece(read.reading.text, of: known, in: region),
            !read.region.isPatch(
                saying: read.reading.text, read.reading.confidence,
                in: PictureSize(width: frame.width, height: frame.height))
        else {
            known.owed = max(0, known.owed - 1)
            return
        }
        let reading = read.reading
        Self.settle(&known, by: reading)
        let isBest = reading.confidence >= 0.98 * (known.votes.map { $0.best.confidence }.max() ?? 0)
        if isBest {
            known.line = read.region
            known.detected = region
            known.appearance = try TextAppearance(of: read.region, in: frame) ?? known.appearance
        }
        let found = known.votes.firstIndex { $0.text == reading.text } ?? known.votes.count
        if found == known.votes.count { known.votes.append((reading.text, 0, reading)) }
        let sureness = reading.confidence * reading.confidence
        known.votes[found].weight += sureness * sureness * max(detail, 1)
        if reading.confidence > known.votes[found].best.confidence { known.votes[found].best = reading }
        guard book.tracks[index].number == nil else { return }
        if let part = part(of: reading, in: read.region) {
            book.replace(part, by: index)
            return
        }
        guard !isPartOfTold(reading, in: read.region) else { return }
        // The same string where it was lost, or beside where it was missed just now: the same thing.
        let same =
            book.tracks.firstIndex { other in
                other.number != nil && !other.isSeen && other.thing.reading?.text == reading.text
                    && (other.state == .lost
                        || other.thing.center.distance(to: read.region.center) < 4 * read.region.height)
            } ?? (hides ? gone(reading, in: read.region, at: frame.seconds) : nil)
        if let same {
            known.votes = book[same].votes.isEmpty ? known.votes : book[same].votes
            book.replace(same, by: index)
        } else if !isRestOfHidden(index, reading) {
            book.confirm(index)
        }
    }

    /// Whether a reading is sure enough. What hides a line needn't know all that it says: one that the picture's border cuts
    /// counts by the letters that are there, one of two letters by one of them.
    private func isSure(_ line: TextLineReader.Line, at region: TextRegion) -> Bool {
        let (reading, least) = (line.reading, options.leastConfidence(hides: hides))
        guard hides else { return reading.isPlausible && reading.isSure(reading.confidence, least) }
        return region.isSurelyALine
            || (reading.isPlausible || reading.isLetterOrDigit) && reading.isSure(line.confidenceOfSeen, least)
    }

    /// Whether a reading is what is still to be seen of a string that is partly covered: it stays that string.
    private func isRestOfHidden(_ index: Int, _ reading: TextReading) -> Bool {
        book.tracks.contains { other in
            guard other.number != nil, !other.isSeen, !other.thing.isErased, let whole = other.thing.reading?.text
            else { return false }
            return whole.count > reading.text.count && whole.contains(reading.text)
                && other.thing.line.contains(book[index].center)
        }
    }
}
