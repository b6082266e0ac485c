extension CoverSubject {
    /// Whether this is another that was lost before, under a number of its own.
    /// - Parameter seen: This one's sighting in the newest picture.
    func continues(_ other: CoverSubject, at seen: Sighting) -> Bool {
        guard other.isTracked, isTracked, other.kind == kind, other.hand == hand, other.style == style,
            // An exception is one track's alone.
            exceptions == other.exceptions, let found = other.forward.last, found.time == seen.time,
            let (first, last) = story.flatMap({ own in other.story.map { (own.first.time, $0.last.time) } })
        else { return false }
        return last < first && found.box.intersectionOverUnion(seen.box) >= Self.same
    }

    /// Takes what is known of another that was lost before this one was seen first.
    mutating func take(_ other: CoverSubject) {
        guard let begin = sightings.first?.time else { return }
        sightings = other.sightings.filter { $0.time < begin } + sightings
        forward = (other.forward + forward).sorted { $0.time < $1.time }
        backward = (other.backward + backward).sorted { $0.time > $1.time }
        wasHidden = wasHidden || other.wasHidden
        guard let story, var whole = other.story else { return }
        (whole.last, whole.latest, whole.known) = (story.last, story.latest, story.known)
        whole.gaps += story.gaps
        (whole.isOver, whole.reachesEnd, whole.wasSure) = (false, false, whole.wasSure || story.wasSure)
        self.story = whole
    }

    /// Whether it was seen surely where another thing's picture was found.
    func isSeen(where found: Find) -> Bool {
        sightings.contains {
            $0.time == found.time && $0.isSure && $0.box.intersectionOverUnion(found.box) >= Self.others
        }
    }

    /// Overlap from which on a place is another's.
    private static let others = 0.3

    /// Whether it and another of its stage are two things: both were in sight at a time.
    func isBeside(_ other: CoverSubject) -> Bool {
        guard let own = story, let its = other.story, let track, let itsTrack = other.track, track != itsTrack,
            kind == other.kind, stage == other.stage
        else { return false }
        return own.first.time <= its.last.time && its.first.time <= own.last.time
    }
}
