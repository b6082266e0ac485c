/// Counts what a job's stages saw, for a sentence about it: things by their names, however many tracks they had.
struct ThingBook: Sendable {
    private struct Key: Hashable {
        var stage: String
        var kind: String
        /// Name of the thing; nil for all things of the kind together.
        var name: String?
        /// The one thing of that name whose gaps are counted; nil for all that have the name.
        var thing: Thing?
    }

    /// A thing whose gaps are counted, as an expectation counts them.
    private enum Thing: Hashable {
        /// What carries a number of its own, under however many tracks.
        case id(Int)
        /// What comes from a region of the job.
        case region(String)
        case track(Int)
    }

    private var book = SightingBook<Key>()
    /// How many frames show each: where its place is predicted it is in sight, but nobody has seen it.
    private var shown: [Key: Int] = [:]
    private var names: [Key: [String]] = [:]
    /// Things of each kind that have a name, in the order in which they came.
    private var things: [Key: [Key]] = [:]
    /// First name of each track.
    private var nameOf: [Int: String] = [:]
    /// How many tracks each kind has.
    private var tracks: [Key: Int] = [:]
    private var order: [Key] = []
    private var known: Set<Key> = []
    private var frames = 0

    /// The most names of one kind that are kept; past that the kind is told as a whole.
    private static let mostNames = 64

    mutating func add(_ observations: [Observation], at moment: Moment) {
        frames += 1
        var keys: Set<Key> = []
        var seen: Set<Key> = []
        for observation in observations where observation.isInSight && type(of: observation.finding.base).isThing {
            let isSeen = observation.state != .predicted
            let kind = Key(stage: observation.stage, kind: observation.kind)
            if keys.insert(kind).inserted, tracks[kind] == nil {
                tracks[kind] = 0
                order.append(kind)
            }
            if isSeen { seen.insert(kind) }
            guard let track = observation.track?.number, let name = name(of: observation, track, kind) else { continue }
            var key = Key(stage: kind.stage, kind: kind.kind, name: name)
            keys.insert(key)
            if isSeen { seen.insert(key) }
            key.thing =
                observation.finding.base.identity.map { .id($0) } ?? observation.region.map { .region($0) }
                ?? .track(track)
            if !known.contains(key) {
                known.insert(key)
                things[kind, default: []].append(key)
            }
            keys.insert(key)
        }
        book.add(keys, at: moment)
        for key in seen { shown[key, default: 0] += 1 }
    }

    private mutating func name(of observation: Observation, _ track: Int, _ kind: Key) -> String? {
        if let name = nameOf[track] { return name.isEmpty ? nil : name }
        tracks[kind, default: 0] += 1
        let known = names[kind] ?? []
        var name = observation.title?.inOneLine ?? ""
        if !name.isEmpty, !known.contains(name) {
            if known.count < Self.mostNames { names[kind] = known + [name] } else { name = "" }
        }
        nameOf[track] = name
        return name.isEmpty ? nil : name
    }

    /// The sentence: `1 marker (id 0) seen in 41 %, longest gap 6.3 s; 5 rectangles in 98 %`; nil where nothing was
    /// seen.
    var sentence: String? {
        order.isEmpty
            ? nil
            : order.map { kind in
                // Two stages may give one kind.
                let isAlone = !order.contains { $0.kind == kind.kind && $0.stage != kind.stage }
                return (isAlone ? "" : "“\(kind.stage)” ") + sentence(kind)
            }.joined(separator: "; ")
    }

    private func sentence(_ kind: Key) -> String {
        let names = (names[kind] ?? []).sorted { $0.isBefore($1) }
        let count = tracks[kind] ?? 0
        guard !names.isEmpty, names.count < Self.mostNames, names.count <= count else {
            return "\(count > 0 ? Words.plural(count, kind.kind) : kind.kind) in \(share([shown[kind] ?? 0]))"
        }
        let all = names.map { name in
            let key = Key(stage: kind.stage, kind: kind.kind, name: name)
            return shown[key] ?? 0
        }
        // What carries numbers is as many things as there are numbers; else a track is one.
        let things = things[kind] ?? []
        let number = Set(things.map(\.thing)).count
        let told = names.prefix(Self.mostTold).joined(separator: ", ") + (names.count > Self.mostTold ? ", …" : "")
        var text =
            "\(Words.plural(max(number, 1), kind.kind)) (\(told)) seen in \(share(all))"
        if let worst = things.max(by: { book[$0].longestGap < book[$1].longestGap }), book[worst].longestGap > 0 {
            text += ", longest gap \(Words.seconds(book[worst].longestGap))"
            if number > 1 { text += " (\(Self.words(worst)))" }
        }
        return text
    }

    /// A thing in words: its name, and where that isn't its own, its track.
    private static func words(_ key: Key) -> String {
        guard case .track(let number) = key.thing else { return key.name ?? "" }
        return "\(key.name ?? ""), track \(number)"
    }

    private static let mostTold = 6

    /// A share of frames: `41 %`, or `41–100 %` where they differ.
    private func share(_ counts: [Int]) -> String {
        let percents = counts.map { Words.percent($0, of: frames) }
        guard let least = counts.min(), let most = counts.max(), percents.contains(where: { $0 != percents[0] }) else {
            return (percents.first ?? "0") + " %"
        }
        return "\(Words.percent(least, of: frames))–\(Words.percent(most, of: frames)) %"
    }
}

extension String {
    /// Order of names, with numbers in them by their value: “id 4” before “id 23”.
    fileprivate func isBefore(_ other: String) -> Bool {
        let (a, b) = (reversed().prefix { $0.isNumber }, other.reversed().prefix { $0.isNumber })
        guard dropLast(a.count) == other.dropLast(b.count), let first = Int(String(a.reversed())),
            let second = Int(String(b.reversed()))
        else { return self < other }
        return first < second
    }
}
