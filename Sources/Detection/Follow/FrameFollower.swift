/// Which detection is which thing, frame by frame.
///
/// Sure detections are paired first, with all tracks; unsure ones then go on with tracks that were seen just now, and begin
/// none (ByteTrack, Zhang et al. 2022). A pair counts by how likely the box is the thing's rather than something new, by its
/// motion, its appearance and its label.
struct FrameFollower {
    /// What one frame says of a track.
    struct Told {
        var number: Int
        var state: TrackState
        /// nil for what is lost or has ended.
        var box: Box?
        /// The detection's place among the frame's; nil where it isn't seen.
        var index: Int?
        var confidence: Double
        var label: String?
        /// False where the frame wasn't looked at, and says nothing of what isn't seen.
        var isLooked = true
    }

    /// A thing's track while frames stream.
    private final class Track {
        var motion: BoxMotion
        /// What is surely one thing, in order of time; the last one goes on, if it is open.
        var tracklets: [Tracklet] = []
        var isOpen = false
        /// How often it is detected in a frame, in the mean of the last ones in which it was alone, and of how many.
        var multiplicity = 1.0
        var looksAlone = 0.0
        /// The one of the same stage that it began on, as long as it hasn't been apart from it.
        var origin: Track?
        /// The stage that saw it first.
        let source: String
        var appearance = AppearanceMean()
        /// Its mean.
        var look: Look?
        var label: String?
        var lastSeen: Double
        var score: Double
        /// That it is no false alarm, nats.
        var assurance: Double
        /// From 1, once it is confirmed.
        var number: Int?
        var state = TrackState.tracked
        /// From 1, whether it is confirmed or not.
        let serial: Int

        init(_ motion: BoxMotion, _ sighting: Sighting, _ seconds: Double, assurance: Double, serial: Int) {
            (self.motion, self.serial, source) = (motion, serial, sighting.source)
            (lastSeen, score, label, self.assurance) = (seconds, sighting.score, sighting.label, assurance)
        }

        /// Takes in how often a frame shows it. What others are near says nothing of that.
        func count(_ group: TwinDetections.Group) {
            guard !group.isCrowded else { return }
            looksAlone = min(looksAlone + 1, Self.looks)
            multiplicity += (Double(group.count) - multiplicity) / looksAlone
        }

        /// The mean is of some so many looks.
        private static let looks = 10.0
    }

    private let model: FollowModel
    /// The least score of what begins a track; what has a fifth of it may go on with one.
    private let minimumScore: Double
    /// Seconds that something unseen is remembered.
    private let memory: Double
    /// True where the tracklets are kept.
    private let keepsTracklets: Bool
    private var tracks: [Track] = []
    private var ended: [Tracklet] = []
    private var frames = 0
    private var start: Double?
    private var now: Double?
    private var lastLook = 0.0
    private var numbers = 0
    /// How many tracks have begun.
    private var begun = 0
    /// Places, among the last frame's detections, of those that are second ones of a thing.
    private(set) var twins: Set<Int> = []

    init(_ model: FollowModel, minimumScore: Double, memory: Double, keepsTracklets: Bool) {
        (self.model, self.minimumScore, self.memory) = (model, minimumScore, memory)
        self.keepsTracklets = keepsTracklets
    }

    /// The least score that counts at all.
    static func weakest(_ minimumScore: Double) -> Double { minimumScore / 5 }

    /// Takes in the next frame.
    /// - Parameters:
    ///   - looked: False for a frame that wasn't looked at, and says nothing of what isn't seen.
    mutating func update(_ sightings: [Sighting], at seconds: Double, looked: Bool = true) -> [Told] {
        if let now { for track in tracks { track.motion.advance(seconds - now, model) } }
        now = seconds
        start = start ?? seconds
        defer { frames += 1 }
        var told = forget(at: seconds)
        twins = []
        guard looked else { return told + tracks.compactMap { unseen($0, at: seconds, looked: false) } }
        let groups = grouped(sightings, &told)
        let sightings = groups.map(\.sighting)
        twins = Set(groups.flatMap(\.others))
        var trackOf = [Track?](repeating: nil, count: sightings.count)
        var ties: [Int: Tie] = [:]
        let sure = sightings.indices.filter { sightings[$0].score >= minimumScore }
        pair(sightings, sure, &trackOf, &ties) { place, track in evidence(sightings[place], track) }
        let weak = sightings.indices.filter { sightings[$0].score < minimumScore }
        pair(sightings, weak, &trackOf, &ties) { place, track in
            let sighting = sightings[place]
            guard track.number != nil, seconds - track.lastSeen <= model.weakMemory,
                sighting.box.intersectionOverUnion(track.motion.box) > model.weakOverlap
            else { return nil }
            return evidence(sighting, track)
        }
        for (place, track) in trackOf.enumerated() {
            guard let track else { continue }
            see(sightings[place], track, ties[place] ?? .sure, at: seconds)
        }
        begin(sightings, &trackOf, at: seconds)
        lastLook = seconds
        for (place, track) in trackOf.enumerated() {
            guard let track else { continue }
            track.count(groups[place])
            if let origin = track.origin, origin.lastSeen == seconds,
                origin.motion.box.intersectionOverUnion(track.motion.box) < model.knownTwinOverlap
            {
                track.origin = nil
            }
            guard let number = track.number else { continue }
            let sighting = sightings[place]
            told.append(
                Told(
                    number: number, state: track.state, box: sighting.box, index: sighting.index,
                    confidence: sighting.score, label: sighting.label))
        }
        return told + tracks.compactMap { unseen($0, at: seconds, looked: true) }
    }

    /// Puts what is detected twice together, and ends tracks that only began since it wasn't known yet to be one thing.
    private mutating func grouped(_ sightings: [Sighting], _ told: inout [Told]) -> [TwinDetections.Group] {
        let counted = tracks.filter { $0.number != nil && $0.looksAlone > 0 }
        let usual = counted.reduce(0) { $0 + $1.multiplicity } / Double(max(1, counted.count))
        let isTwice = usual >= TwinDetections.twice
        let known = tracks.filter { $0.number != nil && !(isTwice && $0.origin != nil) }
        let groups = TwinDetections(
            model: model, known: known.map { .init(box: $0.motion.box, multiplicity: $0.multiplicity) }
        ).groups(sightings)
        guard isTwice else { return groups }
        let several = groups.filter { $0.count > 1 }.map(\.sighting.box)
        tracks.removeAll { track in
            guard track.origin != nil,
                several.contains(where: { $0.intersectionOverUnion(track.motion.box) > model.knownTwinOverlap })
            else { return false }
            if let number = track.number { told.append(Told(number: number, state: .ended, confidence: 0)) }
            return true
        }
        return groups
    }

    /// All tracklets, in order of their beginnings. Call after the last frame.
    mutating func finish() -> [Tracklet] {
        for track in tracks { ended += track.tracklets }
        tracks = []
        return ended.sorted { ($0.first.frame, $0.first.index ?? 0) < ($1.first.frame, $1.first.index ?? 0) }
    }

    // MARK: Tracks

    /// Ends what hasn't been seen for too long.
    private mutating func forget(at seconds: Double) -> [Told] {
        var told: [Told] = []
        tracks.removeAll { track in
            // A beginning that nothing confirmed is soon no more than a false alarm.
            let patience = track.number == nil ? min(memory, model.weakMemory) : memory
            // Where looks are far apart, one miss is none.
            guard seconds - track.lastSeen > patience, lastLook > track.lastSeen else { return false }
            if keepsTracklets { ended += track.tracklets }
            if let number = track.number { told.append(Told(number: number, state: .ended, confidence: 0)) }
            return true
        }
        return told
    }

    private func pair(
        _ sightings: [Sighting], _ places: [Int], _ trackOf: inout [Track?], _ ties: inout [Int: Tie],
        _ evidence: (Int, Track) -> Double?
    ) {
        let free = tracks.indices.filter { index in !trackOf.contains { $0 === tracks[index] } }
        guard !places.isEmpty, !free.isEmpty else { return }
        let pairing = Pairing(
            places.map { place in
                free.compactMap { index in evidence(place, tracks[index]).map { (index, $0) } }
            })
        for row in places.indices {
            guard let column = pairing.columns[row] else { continue }
            trackOf[places[row]] = tracks[column]
            guard keepsTracklets else { continue }
            // What nothing has confirmed yet is nobody that another one could be.
            let margin = pairing.margin(of: row) { tracks[$0].number != nil }
            if margin < model.margin {
                ties[places[row]] = .unsure
            } else if pairing.weight(row, column) ?? 0 < model.certain {
                ties[places[row]] = .loose
            }
        }
    }

    /// What speaks for a detection being a track's thing, nats; nil where nothing can.
    private func evidence(_ sighting: Sighting, _ track: Track) -> Double? {
        var evidence = track.motion.evidence(for: sighting.box, model)
        let missed = lastLook - track.lastSeen
        if missed > 0 { evidence -= model.regain + missed / model.absence }
        if sighting.label != track.label { evidence -= model.relabel }
        guard evidence > -Self.hopeless else { return nil }
        if let own = sighting.appearance, let known = track.look { evidence += model.looks.evidence(own.look, known) }
        return evidence
    }

    /// More than appearance can make up for.
    private static let hopeless = 4.0

    /// How sure it is that a detection is a track's.
    private enum Tie {
        case sure
        /// Nothing else is near, but it might be something new.
        case loose
        /// It might be another one's.
        case unsure
    }

    private mutating func see(_ sighting: Sighting, _ track: Track, _ tie: Tie, at seconds: Double) {
        track.assurance += model.assurance(score: sighting.score, after: seconds - track.lastSeen)
        track.motion.correct(sighting.box, model)
        track.state = track.state == .lost ? .recovered : .tracked
        track.lastSeen = seconds
        (track.score, track.label) = (sighting.score, sighting.label)
        keep(sighting, track, tie, at: seconds)
        confirm(track)
    }

    private func keep(_ sighting: Sighting, _ track: Track, _ tie: Tie, at seconds: Double) {
        if let appearance = sighting.appearance {
            track.appearance.add(appearance)
            track.look = track.appearance.look
        }
        guard keepsTracklets else { return }
        // Who it is is decided by what comes later: between two others it is found again. Where looks are far apart, nothing would.
        if tie != .sure { track.isOpen = false }
        guard tie != .unsure || seconds - lastLook > model.weakMemory else { return }
        let step = TrackStep(
            frame: frames, seconds: seconds, box: sighting.box, score: sighting.score, index: sighting.index)
        if track.isOpen {
            track.tracklets[track.tracklets.count - 1].append(step)
        } else {
            track.tracklets.append(Tracklet(step, label: sighting.label, source: track.serial))
            track.isOpen = tie != .unsure
        }
        let elapsed = seconds - (start ?? seconds)
        track.tracklets[track.tracklets.count - 1].add(
            sighting.appearance, second: elapsed < Self.learning ? Int(elapsed) : nil)
    }

    /// Seconds from which the looks of things in this video are learned.
    private static let learning = 300.0

    private mutating func confirm(_ track: Track) {
        guard track.number == nil, track.assurance >= model.confirmation else { return }
        numbers += 1
        track.number = numbers
    }

    /// Detections that are no known thing's begin tracks, but not on the living.
    private mutating func begin(_ sightings: [Sighting], _ trackOf: inout [Track?], at seconds: Double) {
        let living = tracks.filter { seconds - $0.lastSeen <= model.birthMemory }
        func isTaken(_ sighting: Sighting) -> Bool {
            living.contains { track in
                let overlap = track.motion.box.intersectionOverUnion(sighting.box)
                guard overlap > (track.number == nil ? model.twinOverlap : model.birthOverlap) else { return false }
                // Where one isn't seen any more, what looks otherwise is another: it came out of where that one went in.
                return track.lastSeen == seconds || !isAnother(sighting, track)
            }
        }
        for place in sightings.indices
        where trackOf[place] == nil && sightings[place].score >= minimumScore && !isTaken(sightings[place]) {
            let sighting = sightings[place]
            let track = Track(
                BoxMotion(sighting.box, model), sighting, seconds,
                assurance: model.assurance(score: sighting.score, after: nil), serial: begun + 1)
            begun += 1
            track.origin = tracks.first {
                $0.source == sighting.source
                    && $0.motion.box.intersectionOverUnion(sighting.box) > model.knownTwinOverlap
            }
            keep(sighting, track, .sure, at: seconds)
            confirm(track)
            tracks.append(track)
            trackOf[place] = track
        }
    }

    /// Whether a detection looks unlike a track by more than a thing does in another light.
    private func isAnother(_ sighting: Sighting, _ track: Track) -> Bool {
        guard let look = track.look, let own = sighting.appearance?.look else { return false }
        return model.looks.evidence(look, own) < -model.otherness
    }

    /// What is said of a track that the frame doesn't show.
    private func unseen(_ track: Track, at seconds: Double, looked: Bool) -> Told? {
        guard let number = track.number, track.lastSeen < seconds else { return nil }
        let isMissed = looked || lastLook > track.lastSeen
        if track.state == .lost || isMissed && seconds - track.lastSeen > model.patience {
            track.state = .lost
            return Told(number: number, state: .lost, confidence: 0, label: track.label, isLooked: looked)
        }
        return Told(
            number: number, state: .predicted, box: track.motion.box, confidence: track.score, label: track.label,
            isLooked: looked)
    }
}
