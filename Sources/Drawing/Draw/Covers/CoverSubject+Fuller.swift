extension CoverSubject {
    /// By how much a sighting is larger than the one beside it where that was of a part alone, of its area: a line of text that
    /// comes in at the picture's edge, or that is read by half.
    private static let fuller = 1.25
    /// How many times as long as high a line is, at the least; by how much more one is longer that shows more letters; and what
    /// makes no difference, of its area.
    private static let (line, longer, alike) = (2.0, 1.12, 1.1)

    /// Where more of a thing is than a sighting shows: what is seen of it before or after, within the gap, moved along with it.
    /// - Parameters:
    ///   - index: The sighting's.
    ///   - counts: Which sightings tell of others.
    func fuller(at index: Int, _ shot: Range<Double>, _ counts: (Sighting) -> Bool) -> [Box] {
        let own = sightings[index]
        let near = sightings.filter {
            counts($0) && shot.contains($0.time) && abs($0.time - own.time) <= gap + Self.tolerance
        }
        return [near.filter { $0.time >= own.time }, near.filter { $0.time <= own.time }.reversed()].compactMap { way in
            guard
                let jump = way.indices.dropFirst().first(where: {
                    way[$0].box.area > Self.fuller * way[$0 - 1].box.area
                        && !Self.isSmeared(way[$0...], from: way[$0 - 1].box)
                })
            else { return nil }
            let (part, whole) = (way[jump - 1], way[jump])
            // As far as the part went, and one step on at its own speed: the middles of part and whole are two places.
            var motion = part.box.center - own.box.center
            if let other = motionBeside(part, in: near) { motion = motion + other * (whole.time - part.time) }
            return Box(
                x: whole.box.x - motion.x, y: whole.box.y - motion.y, width: whole.box.width, height: whole.box.height)
        }
    }

    /// Whether a line that grew shows no more than it did, but was smeared across: it isn't longer, and soon as high as before.
    /// - Parameter way: What is seen of it from there on, away from the moment in question.
    private static func isSmeared(_ way: ArraySlice<Sighting>, from part: Box) -> Bool {
        func length(_ box: Box) -> Double { part.width > part.height ? box.width : box.height }
        guard let grown = way.first?.box, length(part) * length(part) >= line * part.area else { return false }
        return length(grown) <= longer * length(part) && way.contains { $0.box.area <= alike * part.area }
    }

    /// Pixels a second of a sighting, by one beside it of the same size.
    private func motionBeside(_ part: Sighting, in near: [Sighting]) -> Point? {
        guard let place = near.firstIndex(where: { $0.time == part.time }) else { return nil }
        let beside = [place - 1, place + 1].filter(near.indices.contains).map { near[$0] }.first { other in
            let (small, large) = (min(other.box.area, part.box.area), max(other.box.area, part.box.area))
            return large <= Self.fuller * small
        }
        guard let beside, beside.time != part.time else { return nil }
        return (part.box.center - beside.box.center) * (1 / (part.time - beside.time))
    }
}
