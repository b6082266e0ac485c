/// A thing that the manifest says to be there, and that its stage looks for in vain.
extension CoverSubject {
    /// How a thing goes: its speed, and how much that has ever changed.
    struct Pace {
        /// Where it was when its speed was taken last.
        var time: Double
        var center: Point
        /// Pixels a second; nil until it is known.
        var speed: Point?
        /// By how much its speed changed in a second at the most, pixels a second.
        var bend = 0.0
    }

    /// Seconds over which a speed is taken: in less it is noise.
    private static let step = 0.2
    /// Of its size, in the time of its gap: how much farther than its way tells it may be on every side.
    private static let wander = 0.5
    /// Seconds: what has a shorter gap wanders no faster for it.
    private static let leastGap = 0.5
    /// Seconds within which what goes on as it went may be out of the picture before it is missed.
    private static let soon = 0.1

    /// Notes where it is seen for sure.
    mutating func notePace(_ seen: Sighting) {
        guard seen.isSure else { return }
        let center = seen.box.center
        guard var pace, seen.time - pace.time <= Self.step + gap else {
            self.pace = Pace(time: seen.time, center: center, bend: pace?.bend ?? 0)
            return
        }
        let seconds = seen.time - pace.time
        guard seconds >= Self.step else { return }
        let speed = (center - pace.center) * (1 / seconds)
        if let before = pace.speed { pace.bend = max(pace.bend, (speed - before).length / seconds) }
        (pace.time, pace.center, pace.speed) = (seen.time, center, speed)
        self.pace = pace
    }

    /// Notes that its stage looks for it in vain in a picture, and goes on to.
    /// - Parameter size: The picture's: what went out of sight at its edge is there no longer.
    mutating func miss(at time: Double, in size: PictureSize?) {
        guard gap > 0, let story, let last = sightings.last(where: \.isMeasured) else { return }
        // Of another shot nobody knows where in it the thing is, nor whether.
        guard !story.isOver else {
            if story.cutAway.last?.frame != story.last.frame { self.story?.cutAway.append(story.last) }
            return
        }
        if let size {
            let next = (pace?.speed ?? Point(0, 0)) * Self.soon
            let gone = Box(
                x: last.box.x + next.x, y: last.box.y + next.y, width: last.box.width, height: last.box.height)
            if [last.box, gone, story.latest].contains(where: { $0.isNearEdge(of: size) }) { return }
        }
        missing.append(time)
    }

    func isMissing(at time: Double) -> Bool { missing.contains(time) }

    /// Where it may be by now: all along the way that it was on, about it as far as it ever left such a way, and ever more.
    /// Nothing bounds that but the picture.
    func anywhere(since last: Sighting, at time: Double) -> Box {
        let (box, seconds) = (last.box, time - last.time)
        let way = (pace?.speed ?? Point(0, 0)) * seconds
        let there = box.joined(Box(x: box.x + way.x, y: box.y + way.y, width: box.width, height: box.height))
        let mean = box.area.squareRoot()
        let share = Self.wander * seconds / max(gap, Self.leastGap)
        let bent = (pace?.bend ?? 0) * seconds * seconds / 2
        return there.widened(by: Point(max(box.width, mean) * share + bent, max(box.height, mean) * share + bent))
    }
}
