/// Finds things that are to be covered in pictures in which their stage didn't see them, by what they look like: from where
/// they were seen on, and, since pictures wait, back from where they are seen again or for the first time.
enum CoverFollower {
    /// From which likeness on a place shows the same.
    private static let alike = 0.8
    /// From which on nothing else can be meant.
    private static let same = 0.88
    /// How far a thing is looked for, of its size, and at the least, pixels.
    private static let reach = 1.0, leastReach = 24.0
    /// Pictures in a row that may be passed over without a find.
    private static let patience = 2

    /// Follows all subjects through the newest picture and, where one is seen anew, through those that wait.
    /// - Parameters:
    ///   - waiting: The pictures of the shot that aren't covered yet, oldest first; the last one is the newest.
    ///   - isCut: True where that is the first of its shot.
    static func follow(_ planner: inout CoverPlanner, through waiting: [VideoFrame], isCut: Bool) {
        guard let newest = waiting.last else { return }
        let time = newest.seconds
        let (others, camera) = (planner.subjects, planner.camera)
        planner.forEachSubject { subject in
            if isCut { subject.patch = nil }
            let own = subject
            let isOthers = { (found: CoverSubject.Find) in
                others.contains { $0.isSeen(where: found) && $0.isBeside(own) }
            }
            guard let seen = subject.sightings.last else { return }
            // Of what is never seen surely a weak sighting has to do.
            if seen.time == time, seen.isSure || seen.isMeasured && !subject.sightings.contains(where: \.isSure) {
                let patch = newest.withLuma { CoverPatch($0, seen.box) }
                subject.patch = patch.map { (time, $0, seen.box) }
                if let patch { goBack(&subject, patch, from: seen, through: waiting.dropLast(), camera, isOthers) }
            } else {
                goOn(&subject, through: newest, camera, isOthers)
            }
        }
        planner.join(at: time)
    }

    /// From the last sure sighting on.
    private static func goOn(
        _ subject: inout CoverSubject, through frame: VideoFrame, _ camera: CameraWay,
        _ isOthers: (CoverSubject.Find) -> Bool
    ) {
        let time = frame.seconds
        guard let known = subject.patch, time - known.time <= subject.gap + CoverSubject.tolerance else { return }
        let last = subject.forward.last.flatMap { $0.time > known.time ? $0 : nil }
        let from = last?.box ?? known.box
        // Where it was going, too.
        let before = subject.forward.dropLast().last.flatMap { $0.time > known.time ? $0.box : nil } ?? known.box
        var starts = [from]
        if last != nil { starts.append(from.moved(by: from.center - before.center)) }
        if let own = subject.sightings.last, own.time == time { starts.append(own.box) }
        if let carried = camera.place(of: from, from: last?.time ?? known.time, at: time) {
            starts.append(from.moved(by: carried.center - from.center))
        }
        if let found = find(known.patch, frame, starts), !isOthers(found) {
            subject.forward.append(found)
            // What may be something else tells nothing of how far it was in sight.
            if found.isSure { subject.find(found.box, at: time) }
        }
    }

    /// From a sighting back to the one before it.
    private static func goBack(
        _ subject: inout CoverSubject, _ patch: CoverPatch, from seen: CoverSubject.Sighting,
        through earlier: ArraySlice<VideoFrame>, _ camera: CameraWay, _ isOthers: (CoverSubject.Find) -> Bool
    ) {
        let previous = subject.sightings.dropLast().last { seen.isSure ? $0.isSure : $0.isMeasured }?.time ?? -.infinity
        var (box, motion) = (seen.box, Point(0, 0))
        var (missed, later) = (0, seen.time)
        for frame in earlier.reversed() {
            let time = frame.seconds
            defer { later = time }
            guard time > previous, seen.time - time <= subject.gap + CoverSubject.tolerance, missed <= patience else {
                break
            }
            let carried = camera.place(of: box, from: later, at: time).map { $0.center - box.center }
            let starts = [box, box.moved(by: motion)] + (carried.map { [box.moved(by: $0)] } ?? [])
            guard let found = find(patch, frame, starts), !isOthers(found) else {
                missed += 1
                box = box.moved(by: carried ?? motion)
                continue
            }
            motion = (found.box.center - box.center) * (1 / Double(missed + 1))
            missed = 0
            box = found.box
            subject.backward.append(found)
            // What may be something else tells nothing of how far it was in sight.
            if found.isSure { subject.find(found.box, at: time) }
        }
    }

    /// The most alike place around some; nil where none is alike enough.
    private static func find(_ patch: CoverPatch, _ frame: VideoFrame, _ starts: [Box]) -> CoverSubject.Find? {
        frame.withLuma { luma in
            var best: (box: Box, likeness: Double)?
            for (index, start) in starts.enumerated() where !starts[..<index].contains(start) {
                let reach = (
                    x: max(start.width * Self.reach, leastReach), y: max(start.height * Self.reach, leastReach)
                )
                guard let found = patch.find(in: luma, around: start, reach: reach) else { continue }
                if found.likeness > best?.likeness ?? alike { best = found }
            }
            return best.map {
                CoverSubject.Find(time: frame.seconds, box: $0.box, isSure: $0.likeness >= same)
            }
        }
    }
}
