/// Decides which places of each picture are covered: where a region to cover was seen, and for a while before and after,
/// since a detector that misses a face for a few frames must not show it.
///
/// A region's box is grown by a fifth. A gap of up to `coverGap` seconds between two sightings is bridged by
/// interpolation. At the ends of a longer one, before the first sighting and after the last the nearest box holds for
/// `coverGap`. A box that is only predicted or carried over counts in its own frame alone.
///
/// Where a style asks for masks, one is covered in the frames that it was seen in, grown by a tenth of its box's shorter side
/// on all sides; in any other frame it is the box.
///
/// A weak sighting may lie beside what is to be covered: the places that the sure ones around it tell of are covered too.
///
/// So a picture's covers are known when what was seen up to `lookahead` later is.
struct CoverPlanner {
    /// Growth of a box, as a part of its size.
    private static let growth = 0.2
    /// Confidence below which a sighting is weak.
    private static let sure = 0.6
    /// Seconds by which times may be off, which are read from ticks.
    private static let tolerance = 1e-6

    private struct Sighting {
        var time: Double
        var box: Box
        /// Mask that is covered in the sighting's own frame instead of the box; nil for the box.
        var mask: RunMask?
        /// Whether it was measured: neither predicted nor held.
        var isMeasured: Bool
        var isSure: Bool
    }

    /// One track, or one region that has none.
    private struct Subject {
        var style: CoverStyle
        var gap: Double
        var sightings: [Sighting]
    }

    private var subjects: [Subject] = []
    private var subjectOfTrack: [Int: Int] = [:]

    /// Seconds by which regions must be known ahead; nil where no style covers anything.
    static func lookahead(of styles: some Sequence<DrawStyle>) -> Double? {
        styles.filter { $0.cover != nil }.map(\.coverGap).max()
    }

    /// Notes one frame's observations. Call for every frame, in order.
    /// - Parameter time: the frame's, in seconds.
    mutating func note(_ observations: [DrawnObservation], at time: Double) {
        for item in observations {
            guard let style = item.style, let cover = style.cover, item.observation.isInSight,
                let box = item.observation.bounds, box.isDrawable
            else { continue }
            let track = item.observation.track?.number
            let isMeasured = !item.observation.isHeld && item.observation.state != .predicted
            let sighting = Sighting(
                time: time, box: box, mask: style.coverShape == .mask ? item.observation.mask : nil,
                isMeasured: isMeasured,
                isSure: isMeasured && item.observation.confidence ?? 1 >= Self.sure)
            if let track, let index = subjectOfTrack[track] {
                subjects[index].sightings.append(sighting)
            } else {
                if let track { subjectOfTrack[track] = subjects.count }
                subjects.append(Subject(style: cover, gap: style.coverGap, sightings: [sighting]))
            }
        }
    }

    /// Covers of the frame at this time, in order of first sight.
    func covers(at time: Double) -> [Cover] {
        subjects.flatMap { subject in
            var boxes = Self.boxes(of: subject, at: time, \.isMeasured)
            for box in Self.boxes(of: subject, at: time, \.isSure) where !boxes.contains(box) { boxes.append(box) }
            let now = subject.sightings.last { $0.time == time }
            return boxes.map { box in
                // A mask tells of its own frame alone; elsewhere the box is sure to hold it.
                guard let mask = now?.mask, now?.box == box else {
                    return Cover(box: Self.grown(box), style: subject.style)
                }
                return Cover(spot: .mask(mask, margin: Self.margin(of: box)), style: subject.style)
            }
        }
    }

    /// Boxes at a time, interpolated between sightings.
    /// - Parameter counts: Which sightings tell of other moments than their own.
    private static func boxes(
        of subject: Subject, at time: Double, _ counts: (Sighting) -> Bool
    ) -> [Box] {
        var now: Box?
        var before: Sighting?
        var after: Sighting?
        for sighting in subject.sightings {
            if sighting.time == time { now = sighting.box }
            guard counts(sighting) else { continue }
            if sighting.time == time { return [sighting.box] }
            if sighting.time < time {
                before = sighting
            } else {
                after = sighting
                break
            }
        }
        let limit = subject.gap + tolerance
        if let before, let after, after.time - before.time <= limit {
            let share = (time - before.time) / (after.time - before.time)
            return [interpolated(before.box, after.box, share)]
        }
        // The sure side: whatever may be the place.
        var boxes = [now].compactMap(\.self)
        if let before, now == nil, time - before.time <= limit { boxes.append(before.box) }
        if let after, after.time - time <= limit { boxes.append(after.box) }
        return boxes
    }

    private static func interpolated(_ a: Box, _ b: Box, _ share: Double) -> Box {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return Box(x: mix(a.x, b.x), y: mix(a.y, b.y), width: mix(a.width, b.width), height: mix(a.height, b.height))
    }

    /// Growth of a mask on all sides, whole pixels.
    private static func margin(of box: Box) -> Int {
        Int(inRange: (growth / 2 * min(box.width, box.height)).rounded(.up))
    }

    private static func grown(_ box: Box) -> Box {
        let (dx, dy) = (box.width * growth / 2, box.height * growth / 2)
        return Box(x: box.x - dx, y: box.y - dy, width: box.width + 2 * dx, height: box.height + 2 * dy)
    }

    /// Forgets sightings that no frame from this time on needs.
    mutating func forget(before time: Double) {
        var kept: [Subject] = []
        var places: [Int: Int] = [:]
        for (index, subject) in subjects.enumerated() {
            guard let last = subject.sightings.last, last.time >= time - subject.gap - Self.tolerance else { continue }
            var subject = subject
            // The last sure and the last measured one of the past, and all that come after the earlier of them.
            let latest = [\Sighting.isMeasured, \Sighting.isSure].compactMap { counts in
                subject.sightings.lastIndex { $0[keyPath: counts] && $0.time < time }
            }
            // A sure one that is too long ago for any gap says nothing more.
            let far = subject.sightings.firstIndex { $0.time >= time - subject.gap - Self.tolerance } ?? 0
            if let first = latest.min(), let newest = latest.max() {
                subject.sightings.removeFirst(min(max(first, far), newest))
            }
            places[index] = kept.count
            kept.append(subject)
        }
        subjects = kept
        subjectOfTrack = subjectOfTrack.compactMapValues { places[$0] }
    }
}
