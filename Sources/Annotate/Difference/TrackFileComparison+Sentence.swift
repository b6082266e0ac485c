/// What differs, in a few words.
extension TrackFileComparison {
    /// What differs: `1 thing, gone in 12 frames, moved by 3.20 px at most`.
    package var sentence: String {
        let things = intolerable.map { self.things[$0] }
        let (gone, came) = (things.reduce(0) { $0 + $1.went.frames }, things.reduce(0) { $0 + $1.came.frames })
        let (labels, states) = (
            things.reduce(0) { $0 + $1.labels.frames }, things.reduce(0) { $0 + $1.states.frames }
        )
        let way = things.map(\.longestWay).max() ?? 0
        var parts = differences
        if !things.isEmpty { parts.append("\(Words.plural(things.count, "thing"))") }
        if gone > 0 { parts.append("gone in \(Words.plural(gone, "frame"))") }
        if came > 0 { parts.append("come in \(Words.plural(came, "frame"))") }
        if labels > 0 { parts.append("another label in \(Words.plural(labels, "frame"))") }
        if states > 0 { parts.append("another state in \(Words.plural(states, "frame"))") }
        if way > 0 { parts.append("moved by \(Figures.decimals(way, 2)) px at most") }
        let fields = Set(things.flatMap(\.fields.keys)).sorted()
        if !fields.isEmpty { parts.append("another \(fields.prefix(3).joined(separator: ", "))") }
        if gone + came + labels + states == 0, way == 0, fields.isEmpty, !things.isEmpty {
            parts.append("another confidence")
        }
        return parts.joined(separator: ", ").inOneLine
    }
}
