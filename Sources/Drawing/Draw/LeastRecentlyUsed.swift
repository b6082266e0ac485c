/// A dictionary with a largest size, which drops the value that was used longest ago.
struct LeastRecentlyUsed<Key: Hashable, Value> {
    let capacity: Int
    private var entries: [Key: Entry] = [:]
    /// Counts accesses; the smallest `lastUse` is the oldest.
    private var clock = 0

    private struct Entry {
        var value: Value
        var lastUse: Int
    }

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var count: Int { entries.count }

    subscript(key: Key) -> Value? {
        mutating get {
            guard let index = entries.index(forKey: key) else { return nil }
            clock += 1
            entries.values[index].lastUse = clock
            return entries.values[index].value
        }
        set {
            clock += 1
            entries[key] = newValue.map { Entry(value: $0, lastUse: clock) }
            if entries.count > capacity { removeOldHalf() }
        }
    }

    // Half at a time: the search for the oldest is then paid once for many insertions.
    private mutating func removeOldHalf() {
        let uses = entries.values.map(\.lastUse).sorted()
        let threshold = uses[uses.count / 2]
        entries = entries.filter { $0.value.lastUse >= threshold }
    }
}
