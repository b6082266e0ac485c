/// From which confidence on things are told.
struct LeastConfidence: Sendable, Hashable {
    var all = 0.25
    /// By the class's name, where it isn't that of all.
    var byName: [String: Double] = [:]
}

extension Format where Value == LeastConfidence {
    /// A number, or an object with one for each of some classes.
    static var leastConfidence: Format {
        let bounds = Bounds(0, 1)
        return Format(
            .anyOf(
                [.number(bounds), .map(of: .number(bounds), keys: .any, doc: "By class; 0.25 for the others.")],
                doc: "a number from 0 to 1, or an object with one for each of some classes"),
            write: { least, json in
                guard !least.byName.isEmpty else { return json.value(least.all) }
                json.object { json in
                    for (name, value) in least.byName.sorted(by: { $0.key < $1.key }) {
                        json.key(name)
                        json.value(value)
                    }
                }
            },
            read: { node in
                if let number = node.number { return LeastConfidence(all: number) }
                return node.members.map { members in
                    let pairs = members.compactMap { member in member.value.number.map { (member.key, $0) } }
                    return LeastConfidence(byName: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
                }
            })
    }
}
