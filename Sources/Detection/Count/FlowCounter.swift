/// Follows the anchors of things over the lines and zones of a job and tells what they cross, enter and leave.
///
/// A path is the polyline through the places in which a thing's anchor was seen; places that are only supposed are none of
/// it. It ends where the thing isn't seen for longer than `bridge`, and a new one begins when it is seen again.
struct FlowCounter: Sendable {
    /// A thing in one frame.
    struct Sighting: Sendable {
        enum Place: Sendable {
            case seen(Point)
            /// The last one that was seen: its stage didn't run on the frame.
            case held
            /// Somewhere, or nowhere.
            case unseen
            case ended
        }

        var thing: TrackReference
        var name: String
        var place: Place
    }

    private struct Path {
        var thing: TrackReference
        var name: String
        var last: PathPoint
        var tremble = PathTremble()
        /// Histories, one for each gate.
        var histories: [SideHistory]
        /// The names under which it is in zones, by their gates: it leaves under the name that it came with, so that figures
        /// by label add up.
        var names: [Int: String] = [:]
        /// Whether some frame since the last point hasn't held it.
        var isMissed = false
        var frame: Int
    }

    /// What things pass: a line, lines that are joined, or a zone.
    private struct Gate {
        var boundary: any Boundary
        var isZone: Bool
        /// Its lines, or the zone behind all lines.
        var members: [ChainBoundary.Member]
    }

    private let gates: [Gate]
    private let hold: Double
    private let bridge: Double
    /// Paths in the order in which they began.
    private var paths: [Path] = []
    /// Indices of the paths, by their tracks.
    private var indices: [TrackReference: Int] = [:]

    /// Seconds by which times may be off: they come from ticks as coarse as a microsecond.
    private static let tick = 1e-6

    /// - Parameters:
    ///   - zones: Their corners, pixels.
    ///   - picture: Where anchors are; nil for anywhere.
    ///   - hold: How long a thing has to be on each side, seconds.
    ///   - bridge: How long a gap may be, seconds.
    init(
        lines: [DirectedLine], zones: [[Point]], in picture: PictureSize? = nil, hold: Double, bridge: Double
    ) {
        gates =
            ChainBoundary.chains(of: lines).map { Gate(boundary: $0.boundary, isZone: false, members: $0.members) }
            + zones.enumerated().map { index, zone in
                Gate(
                    boundary: ZoneBoundary(zone, in: picture), isZone: true,
                    members: [ChainBoundary.Member(line: lines.count + index, isTurned: false)])
            }
        (self.hold, self.bridge) = (hold, bridge)
    }

    /// The first frame about which more may be told when more frames have come; nil where all is.
    var openFrame: Int? {
        paths.compactMap { path in
            // Who is in a zone may not be seen any more.
            let isInside = zip(gates, path.histories).contains { $0.isZone && $1.side }
            return (path.histories.compactMap(\.openFrame) + (isInside ? [path.last.frame] : [])).min()
        }.min()
    }

    /// Takes a frame. Call in the frames' order.
    /// - Parameter time: Seconds.
    /// - Returns: What has become certain, in the order of its time.
    mutating func add(_ sightings: [Sighting], frame: Int, time: Double) -> [FlowEvent] {
        var events: [FlowEvent] = []
        var over: Set<TrackReference> = []
        for sighting in sightings {
            let known = indices[sighting.thing]
            if let known { paths[known].frame = frame }
            switch sighting.place {
            case .seen(let point):
                let place = PathPoint(point: point, time: time, frame: frame)
                if let known, !over.contains(sighting.thing), !isBroken(paths[known], at: time) {
                    guard paths[known].last.frame < frame else { continue }
                    paths[known].name = sighting.name
                    events += go(known, to: place)
                } else {
                    if let known { events += end(paths[known], isCutOff: false) }
                    events += begin(sighting, at: place)
                }
            case .held: break
            case .unseen: if let known { paths[known].isMissed = true }
            case .ended: if known != nil { over.insert(sighting.thing) }
            }
        }
        for index in paths.indices {
            if paths[index].frame < frame { paths[index].isMissed = true }
            if over.contains(paths[index].thing) || isBroken(paths[index], at: time) {
                events += end(paths[index], isCutOff: false)
                over.insert(paths[index].thing)
            }
        }
        if !over.isEmpty {
            paths.removeAll { over.contains($0.thing) }
            indices = Dictionary(uniqueKeysWithValues: paths.enumerated().map { ($1.thing, $0) })
        }
        return Self.sorted(events)
    }

    /// Ends the frames: what is on one side stays there, and nobody has left a zone.
    mutating func finish() -> [FlowEvent] {
        defer { (paths, indices) = ([], [:]) }
        return Self.sorted(paths.flatMap { end($0, isCutOff: true) })
    }

    private static func sorted(_ events: [FlowEvent]) -> [FlowEvent] {
        events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Whether a frame without the thing lies in a gap; frames that are far from one another are no gap.
    private func isBroken(_ path: Path, at time: Double) -> Bool {
        path.isMissed && time - path.last.time > bridge + Self.tick
    }

    private mutating func begin(_ sighting: Sighting, at place: PathPoint) -> [FlowEvent] {
        let histories = gates.map { SideHistory($0.boundary, isZone: $0.isZone, hold: hold, at: place) }
        var path = Path(
            thing: sighting.thing, name: sighting.name, last: place, histories: histories, frame: place.frame)
        path.tremble.add(place.point, at: place.time)
        let inside = gates.indices.filter { gates[$0].isZone && histories[$0].side }
        for gate in inside { path.names[gate] = path.name }
        if let known = indices[sighting.thing] {
            paths[known] = path
        } else {
            indices[sighting.thing] = paths.count
            paths.append(path)
        }
        return inside.map { event(.began, path, gate: gates[$0].members[0].line, place) }
    }

    private mutating func go(_ index: Int, to place: PathPoint) -> [FlowEvent] {
        paths[index].tremble.add(place.point, at: place.time)
        var events: [FlowEvent] = []
        for gate in paths[index].histories.indices {
            let (last, tremble) = (paths[index].last, paths[index].tremble)
            let found = paths[index].histories[gate].go(from: last, to: place, tremble: tremble)
            events += found.flatMap { told($0, &paths[index], gate) }
        }
        paths[index].last = place
        paths[index].isMissed = false
        return events
    }

    /// - Parameter isCutOff: The frames end, not the path.
    private func end(_ path: Path, isCutOff: Bool) -> [FlowEvent] {
        var path = path
        return gates.indices.flatMap { gate -> [FlowEvent] in
            var history = path.histories[gate]
            let events = history.end(tremble: path.tremble).flatMap { told($0, &path, gate) }
            guard gates[gate].isZone, history.side, !isCutOff else { return events }
            let dwell = path.last.time - history.since
            return events + [left(dwell: dwell, isLost: true, &path, gate, path.last)]
        }
    }

    private func told(_ event: SideHistory.Event, _ path: inout Path, _ gate: Int) -> [FlowEvent] {
        switch event {
        case .changed(let side, let change, let since):
            let member = gates[gate].members[change.member]
            guard gates[gate].isZone else {
                return [
                    self.event(
                        .crossed(isForward: side != member.isTurned), path, gate: member.line, change.place)
                ]
            }
            guard side else {
                return [left(dwell: change.time - since, isLost: false, &path, gate, change.place)]
            }
            return [entered(&path, gate, change.place)]
        case .passed(let into, let out):
            return [
                entered(&path, gate, into.place),
                left(dwell: out.time - into.time, isLost: false, &path, gate, out.place),
            ]
        }
    }

    private func entered(_ path: inout Path, _ gate: Int, _ place: PathPoint) -> FlowEvent {
        path.names[gate] = path.name
        return event(.entered, path, gate: gates[gate].members[0].line, place)
    }

    private func left(
        dwell: Double, isLost: Bool, _ path: inout Path, _ gate: Int, _ place: PathPoint
    ) -> FlowEvent {
        var event = event(
            .left(dwell: dwell, isLost: isLost), path, gate: gates[gate].members[0].line, place)
        event.name = path.names.removeValue(forKey: gate) ?? path.name
        return event
    }

    private func event(_ kind: FlowEvent.Kind, _ path: Path, gate: Int, _ place: PathPoint) -> FlowEvent {
        FlowEvent(
            kind: kind, thing: path.thing, name: path.name, gate: gate, time: place.time, frame: place.frame,
            point: place.point)
    }
}

extension SideHistory.Change {
    fileprivate var place: PathPoint { PathPoint(point: point, time: time, frame: frame) }
}
