/// Turns what each picture shows into events: what stays the same from picture to picture is one.
///
/// A player shows an event with the pictures whose time lies from its start to before its end, and takes a picture's time
/// to about a millisecond: rounded, cut, or through floating point. So an event begins a millisecond before its picture,
/// if the picture before is still earlier. No event is longer than `longest`, so that what is kept doesn't grow, and
/// a player that was sent to some place soon has all that is shown there.
struct ScriptTimeline {
    /// Longest event, milliseconds.
    static let longest: Int64 = 2000

    private struct Shown: Hashable {
        var layer: Int
        var text: String
    }

    /// Milliseconds that the script counts in.
    private let unit: Int64
    /// Events in the order of their starts; the end is below the start for those that are still shown.
    private var waiting: [ScriptEvent] = []
    /// Events that are shown, by their place in `waiting`.
    private var shown: [Shown: Int] = [:]
    /// When the last picture was shown, and when its events begin.
    private var last: (time: Int64, start: Int64)?
    /// How many pictures were shown for no time that the script can tell from the next one's.
    private(set) var lost = 0

    init(unit: Int64) { self.unit = unit }

    /// Takes the next picture's events.
    ///
    /// - Parameters:
    ///   - texts: The events' texts, the lowest first.
    ///   - time: The picture's in the player's clock, whole milliseconds.
    ///   - emit: Gets events that are over, in the order of their starts.
    mutating func add(_ texts: [String], at time: Int64, _ emit: (ScriptEvent) throws -> Void) rethrows {
        var now = start(at: time)
        if let last, now <= last.time {
            // It takes the place of the picture before, which no player would show with its own.
            lost += 1
            now = last.start
        }
        var next: [Shown: Int] = [:]
        for (layer, text) in texts.enumerated() {
            let key = Shown(layer: layer, text: text)
            if let place = shown[key], now - waiting[place].start < Self.longest {
                next[key] = place
                shown[key] = nil
            } else {
                next[key] = waiting.count
                waiting.append(ScriptEvent(start: now, end: -1, layer: layer, text: text))
            }
        }
        for place in shown.values { waiting[place].end = now }
        shown = next
        last = (time, now)
        try flush(emit)
    }

    /// Ends the events that are still shown.
    /// - Parameter end: The end of the last picture, whole milliseconds.
    mutating func finish(at end: Int64, _ emit: (ScriptEvent) throws -> Void) rethrows {
        let end = last.map { max(end, $0.time + 1) } ?? end
        for place in shown.values { waiting[place].end = (end + unit - 1) / unit * unit }
        shown = [:]
        try flush(emit)
    }

    private func start(at time: Int64) -> Int64 {
        let early = max(time - 1, 0) / unit * unit
        guard let last, early <= last.time else { return early }
        return max(time, 0) / unit * unit
    }

    private mutating func flush(_ emit: (ScriptEvent) throws -> Void) rethrows {
        let count = waiting.firstIndex { $0.end < 0 } ?? waiting.count
        guard count > 0 else { return }
        // One of no time was shown with a picture that the next one follows at once.
        for event in waiting[..<count] where event.end > event.start { try emit(event) }
        waiting.removeFirst(count)
        for key in Array(shown.keys) { shown[key]? -= count }
    }
}
