/// Two things of one stage that met while nobody looked: which is which afterwards is the stage's guess.
extension CoverSubject {
    /// Where it is if it and another that came near it have each other's numbers since: on the way from where it was to where the other
    /// is seen next. Only where it isn't seen, nor found from both sides.
    /// - Parameter shot: When the shot begins and ends that the picture is of.
    func exchanged(with other: CoverSubject, at time: Double, in shot: Range<Double>) -> Box? {
        guard isTracked, other.isTracked, other.stage == stage, other.kind == kind, other.track != track,
            !isFoundFromBothSides(at: time),
            let before = sightings.last(where: { $0.isMeasured && $0.time < time && shot.contains($0.time) }),
            let after = sightings.first(where: { $0.isMeasured && $0.time > time && shot.contains($0.time) }),
            after.time - before.time <= gap + Self.tolerance
        else { return nil }
        let way = before.box.joined(after.box)
        let about = way.widened(
            by: Point(max(before.box.width, after.box.width), max(before.box.height, after.box.height)))
        let near = other.sightings.filter {
            $0.isMeasured && shot.contains($0.time) && $0.time >= before.time
                && $0.time <= before.time + gap + Self.tolerance
        }
        guard near.contains(where: { $0.time <= after.time && ($0.box.intersection(about)?.area ?? 0) > 0 }),
            let its = near.first(where: { $0.time >= after.time })
        else { return nil }
        let share = (time - before.time) / (its.time - before.time)
        let (from, to) = (before.box.center, its.box.center)
        let size = Point(max(before.box.width, its.box.width), max(before.box.height, its.box.height))
        let box = Box(
            x: from.x + (to.x - from.x) * share - size.x / 2, y: from.y + (to.y - from.y) * share - size.y / 2,
            width: size.x, height: size.y)
        return box.widened(by: size * Self.doubtful(min(time - before.time, its.time - time), of: gap))
    }

    private func isFoundFromBothSides(at time: Double) -> Bool {
        guard let there = forward.last(where: { $0.time == time }), let back = backward.last(where: { $0.time == time })
        else { return false }
        return there.box.intersectionOverUnion(back.box) >= Self.same
    }
}
