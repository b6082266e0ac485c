import Annotate

/// Something that happened at a line or in a zone: a moment that whoever checks counts wants to see.
struct CountedEvent {
    /// Index of the frame that tells of it.
    var index: Int
    /// Indices of the thing that did it, or else of what tells of it.
    var things: [Int]
    /// A sentence without its full stop.
    var text: String

    /// The event of an observation; nil for an observation of another kind.
    /// - Parameter things: The indices of all things so far.
    init?(_ observation: Observation, of things: [ReviewThing.Key: Int], at index: Int) {
        guard let event = observation.finding(as: EventFinding.self) else { return nil }
        let thing = observation.about.flatMap { things[.track($0.number)] } ?? things[ReviewThing.Key(observation)]
        self.index = index
        self.things = [thing].compactMap(\.self)
        let track = observation.about.map { " (track \($0.number))" } ?? ""
        let subject = "\(observation.label?.inOneLine ?? "something")\(track)"
        let gate = (event.line ?? event.zone ?? "").inOneLine
        switch event.event {
        case .crossed: text = "\(subject) crosses \(gate), \(event.direction?.rawValue ?? "")"
        case .entered: text = "\(subject) enters \(gate)"
        case .left:
            let dwell = event.dwell.map { " after \(Words.seconds($0))" } ?? ""
            text = event.isLost ? "\(subject) is lost in \(gate)\(dwell)" : "\(subject) leaves \(gate)\(dwell)"
        }
    }

    func write(of digest: TrackFileDigest, into json: inout JSONWriter) {
        json.object { json in
            json.member("index", index)
            json.member("last", index)
            json.member("frame", digest.first &+ index)
            json.member("time", digest.time(index), decimals: 6)
            json.member("what", "event")
            json.member("things", things)
            json.member("text", text)
        }
    }
}
