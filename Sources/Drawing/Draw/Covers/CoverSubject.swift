/// One thing that is covered, a track or a region that goes on from frame to frame: when and where it was seen, and where its
/// picture was found in between.
struct CoverSubject {
    struct Sighting {
        var time: Double
        /// Its picture's ordinal.
        var frame = 0
        var box: Box
        /// What is covered in its own frame instead of the box; nil for the box.
        var mask: RunMask?
        /// False where it is predicted or held.
        var isMeasured: Bool
        /// False where it is measured with little confidence, too.
        var isSure: Bool
        /// The indices of the exceptions by hand that leave it visible at their times.
        var exceptions: Set<Int> = []
        /// Whether one of them does in its picture.
        var isLeft = false
    }

    /// A place at which a thing that its stage didn't see looks as it did when it was seen.
    struct Find {
        var time: Double
        var box: Box
        /// Whether it looks so much the same that nothing else can be meant: water looks like water.
        var isSure = true
    }

    var style: CoverStyle
    var color: RGB?
    /// Seconds.
    var gap: Double
    /// Of a thing without a track, which is known again by its place.
    var isTracked: Bool
    var kind: String
    var stage = ""
    /// The file's number.
    var track: Int?
    /// The index of the cover by hand that follows it; nil where its stage's style covers it.
    var hand: Int?
    var sightings: [Sighting] = []
    /// Whether it was to be hidden in any picture that it was seen in.
    var wasHidden = false
    /// Found from earlier sightings on, and from later ones back.
    var forward: [Find] = []
    var backward: [Find] = []
    /// Of its whole time in sight, what the rest of it has forgotten.
    var story: Story?
    /// Times of the pictures in which its stage looks for it in vain where it is to be.
    var missing: [Double] = []
    var pace: Pace?
    /// What it looked like when it was last seen surely.
    var patch: (time: Double, patch: CoverPatch, box: Box)?
}

extension CoverSubject {
    /// How a thing came and went: from its first sighting to its last, and as far as its picture was found beyond them.
    struct Story {
        struct Moment {
            var frame: Int
            var time: Double
            var box: Box
        }

        var first: Moment
        var last: Moment
        /// Where its picture was found earliest and latest.
        var earliest: Box
        var latest: Box
        /// Whether that was in the first picture of the shot, and in the last one.
        var reachesBegin: Bool
        var reachesEnd = false
        /// Whether the shot is over.
        var isOver = false
        var wasSure: Bool
        /// Times of the shot's first picture in which anything is to be seen, and of the last one that it is known in.
        var sightBegin: Double
        var known: Double
        /// Where it was before each time that it was out of sight for longer than covers reach from both sides, or for longer than
        /// its whole way is covered while it went elsewhere.
        var gaps: [Moment] = []
        /// Where it was before each cut behind which its stage looked for it in vain.
        var cutAway: [Moment] = []
    }

    /// Notes a sighting, which may be the first.
    /// - Parameters:
    ///   - shotBegin: The time of the first picture of the shot that it is in.
    ///   - sightBegin: Of the first one in which anything is to be seen.
    mutating func see(_ sighting: Sighting, shotBegin: Double, sightBegin: Double) {
        notePace(sighting)
        sightings.append(sighting)
        wasHidden = wasHidden || !sighting.isLeft
        guard sighting.isMeasured || story != nil else { return }
        let moment = Story.Moment(frame: sighting.frame, time: sighting.time, box: sighting.box)
        if story == nil {
            story = Story(
                first: moment, last: moment, earliest: sighting.box, latest: sighting.box,
                reachesBegin: sighting.time <= sightBegin + Self.tolerance, wasSure: sighting.isSure,
                sightBegin: sightBegin, known: sighting.time)
        }
        guard sighting.isMeasured, var story else { return }
        // Covers reach as far as its picture was found, for `gap` at least, and back from here for as long. What is out of sight
        // for longer than its whole way is covered, and isn't where it was, was somewhere between the two.
        let reach = max(story.known, story.last.time + gap)
        let isBeyond = sighting.time - reach > gap + Self.tolerance
        let hasGone =
            sighting.time - story.known > gap + Self.tolerance
            && story.latest.intersectionOverUnion(sighting.box) < Self.same
        if isBeyond || hasGone, story.last.time >= shotBegin { story.gaps.append(story.last) }
        story.last = moment
        (story.latest, story.known) = (sighting.box, sighting.time)
        (story.isOver, story.reachesEnd) = (false, false)
        story.wasSure = story.wasSure || sighting.isSure
        self.story = story
    }

    /// Notes that its picture was found before its first sighting, or after its last.
    mutating func find(_ box: Box, at time: Double) {
        guard var story else { return }
        if time < story.first.time {
            story.earliest = box
            story.reachesBegin = story.reachesBegin || time <= story.sightBegin + Self.tolerance
        } else if time > story.known {
            (story.latest, story.known) = (box, time)
        }
        self.story = story
    }

    /// Notes that the shot is over.
    /// - Parameter last: The time of its last picture.
    mutating func endShot(_ last: Double) {
        guard let story, !story.isOver else { return }
        self.story?.isOver = true
        self.story?.reachesEnd = story.known >= last - Self.tolerance
    }

    /// By how much a box that is seen is grown, of its size, and one that is found by its picture.
    static let growth = 0.2, foundGrowth = 0.3
    /// By how much a guess grows within the subject's gap, of its size: up to its whole neighbourhood.
    private static let doubt = 1.0
    /// Of its size: a guess goes no farther than this in the direction that the thing had.
    private static let farthest = 2.0
    /// Overlap of two places that tell the same.
    static let same = 0.5
    /// Seconds; times are read from ticks.
    static let tolerance = 1e-6

    /// By how much a place is widened on either side so long before or after it was seen, of its size.
    static func doubtful(_ seconds: Double, of gap: Double) -> Double {
        (growth + doubt * seconds / max(gap, tolerance)) / 2
    }

    /// A place that is covered.
    struct Place: Equatable {
        var box: Box
        /// Of one that the thing is somewhere in, if it is in sight at all, where it is sure to be hidden; nil for one that is
        /// covered as a whole, whatever the picture shows there.
        var kernel: [Box]?
    }

    /// What is covered in the frame of a time, grown.
    /// - Parameter shot: When the shot begins and ends that the frame is of: behind a cut a place says nothing.
    func places(at time: Double, in shot: Range<Double>, _ camera: CameraWay = CameraWay()) -> [Place] {
        var all = places(at: time, shot, camera, \.isMeasured)
        for place in places(at: time, shot, camera, \.isSure) where !all.contains(where: { $0.box == place.box }) {
            all.append(place)
        }
        return all
    }

    /// - Parameter counts: Which sightings tell of other moments than their own.
    private func places(
        at time: Double, _ shot: Range<Double>, _ camera: CameraWay, _ counts: (Sighting) -> Bool
    ) -> [Place] {
        func whole(_ boxes: [Box]) -> [Place] { boxes.map { Place(box: $0) } }
        var now: Box?
        var (before, after): (Int?, Int?)
        for (index, sighting) in sightings.enumerated() {
            if sighting.time == time { now = sighting.box }
            guard counts(sighting), shot.contains(sighting.time) else { continue }
            if sighting.time == time {
                return whole(([sighting.box] + fuller(at: index, shot, counts)).map { $0.grown(Self.growth) })
            }
            if sighting.time < time {
                before = index
            } else {
                after = index
                break
            }
        }
        let limit = gap + Self.tolerance
        let isMissing = isMissing(at: time)
        let own = whole(now.map { [$0.grown(Self.growth)] } ?? [])
        let near = (
            before: before.flatMap { isMissing || time - sightings[$0].time <= limit ? $0 : nil },
            after: after.flatMap { sightings[$0].time - time <= limit ? $0 : nil }
        )
        let found = (
            forward: near.before == nil ? nil : forward.last { $0.time == time },
            backward: near.after == nil ? nil : backward.last { $0.time == time }
        )
        if let there = found.forward?.box, let back = found.backward?.box,
            there.intersectionOverUnion(back) >= Self.same
        {
            return own + whole([there.grown(Self.foundGrowth).joined(back.grown(Self.foundGrowth))])
        }
        if let before, let after, sightings[after].time - sightings[before].time <= limit {
            // From where it was to where it is next seen, whatever the way.
            let (first, last) = (sightings[before], sightings[after])
            let way = first.box.joined(last.box)
            let doubtful = Self.doubtful(min(time - first.time, last.time - time), of: gap)
            let wide = way.widened(by: first.box.joinedSize(last.box) * doubtful)
            let carried = [first, last].compactMap { camera.place(of: $0.box, from: $0.time, at: time) }
            let ends = [before, after].flatMap { [sightings[$0].box] + fuller(at: $0, shot, counts) }
            return own + [Place(box: wide, kernel: ends.map { $0.grown(Self.growth) })]
                + whole(
                    ([found.forward, found.backward].compactMap { $0?.box } + carried).map {
                        $0.grown(Self.foundGrowth)
                    })
        }
        let guesses = [
            near.before.map {
                guess(from: $0, found.forward, toward: -1, at: time, camera, fuller(at: $0, shot, counts))
            },
            near.after.map {
                guess(from: $0, found.backward, toward: 1, at: time, camera, fuller(at: $0, shot, counts))
            },
        ]
        return own + guesses.flatMap { $0 ?? [] }
    }

    /// Where a thing may be before or after it was seen: where its picture is surely found; else there and anywhere about the
    /// way that it was on, the farther the longer ago.
    /// - Parameter more: Where more of it is than the sighting shows.
    private func guess(
        from index: Int, _ found: Find?, toward side: Int, at time: Double, _ camera: CameraWay, _ more: [Box]
    ) -> [Place] {
        var sighting = sightings[index]
        let distance = abs(time - sighting.time)
        let share = distance / max(gap, Self.tolerance)
        let whole = more.reduce(sighting.box) { $0.joined($1) }
        let kernel = [whole.grown(Self.growth)]
        var there: [Place] = []
        if let find = found?.box {
            let way = find.center - sighting.box.center
            let box = Box(x: whole.x + way.x, y: whole.y + way.y, width: whole.width, height: whole.height)
            there.append(Place(box: box.grown(Self.foundGrowth + Self.doubt * share / 4)))
        }
        sighting.box = whole
        if found?.isSure == true { return there }
        let carried = camera.place(of: whole, from: sighting.time, at: time)
        if let carried { there.append(Place(box: carried.grown(Self.foundGrowth + Self.doubt * share))) }
        if isMissing(at: time) { return there + [Place(box: anywhere(since: sighting, at: time), kernel: kernel)] }
        // What the camera goes along with is where it was; but it would be seen there when all is sharp again.
        if carried != nil, !camera.isGoing(at: time) { return there + [Place(box: kernel[0])] }
        var way = sighting.box
        // What is narrow goes as far as what is as large and wide.
        let (width, height, mean) = (way.width, way.height, way.area.squareRoot())
        if let motion = motion(at: index, toward: side) {
            let most = (x: max(width, mean) * Self.farthest, y: max(height, mean) * Self.farthest)
            way.x += min(max(motion.x * distance, -most.x), most.x)
            way.y += min(max(motion.y * distance, -most.y), most.y)
        }
        let about = sighting.box.joined(way)
        let doubt = Point(max(width, mean), max(height, mean)) * (Self.doubt * share / 2)
        return there
            + [Place(box: about.widened(by: Point(width, height) * (Self.growth / 2) + doubt), kernel: kernel)]
    }

    /// Pixels a second away from a sighting, as far as another measured one beside it tells.
    /// - Parameter side: -1 for where it was before, 1 for after.
    private func motion(at index: Int, toward side: Int) -> Point? {
        let others = side < 0 ? Array(sightings[..<index].reversed()) : Array(sightings[(index + 1)...])
        guard let other = others.first(where: \.isMeasured) else { return nil }
        let seconds = abs(sightings[index].time - other.time)
        guard seconds > Self.tolerance, seconds <= gap + Self.tolerance else { return nil }
        return (sightings[index].box.center - other.box.center) * (1 / seconds)
    }

    /// By how much a mask is grown on all sides, whole pixels.
    static func margin(of box: Box) -> Int {
        Int(inRange: (growth / 2 * min(box.width, box.height)).rounded(.up))
    }

    /// The time of the oldest sighting that is known.
    var oldest: Double { sightings.first?.time ?? .infinity }

    /// Forgets what no frame from this time on needs.
    /// - Returns: false where nothing is left.
    mutating func forget(before time: Double) -> Bool {
        let limit = time - gap - Self.tolerance
        missing.removeAll { $0 < time }
        guard let last = sightings.last, last.time >= limit || !missing.isEmpty else { return false }
        forward.removeAll { $0.time < time }
        backward.removeAll { $0.time < time }
        // The last sure and the last measured one of the past with the one before each, for its motion, and all that come
        // after the earliest of them.
        let latest = [\Sighting.isMeasured, \Sighting.isSure].compactMap { counts in
            sightings.lastIndex { $0[keyPath: counts] && $0.time < time }
        }
        guard let first = latest.min() else { return true }
        let previous = sightings[..<first].lastIndex(where: \.isMeasured) ?? first
        // What is too long ago for any gap says nothing more.
        let far = sightings.firstIndex { $0.time >= limit } ?? 0
        let needed = sightings[first].time >= limit ? min(previous, far) : max(previous, far)
        sightings.removeFirst(min(needed, latest.max() ?? needed))
        return true
    }
}

extension Box {
    /// The box with a share of its size more, about its middle.
    func grown(_ share: Double) -> Box { widened(by: Point(width, height) * (share / 2)) }

    /// Larger by so much on either side, pixels.
    func widened(by margin: Point) -> Box {
        Box(x: x - margin.x, y: y - margin.y, width: width + 2 * margin.x, height: height + 2 * margin.y)
    }

    /// The larger width and height of two.
    fileprivate func joinedSize(_ other: Box) -> Point { Point(max(width, other.width), max(height, other.height)) }
}
