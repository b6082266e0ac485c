extension CoverSubject {
    /// The exceptions by hand that are about it.
    var exceptions: Set<Int> { sightings.reduce(into: []) { $0.formUnion($1.exceptions) } }

    /// Whether an exception by hand leaves it visible in the frame of a time: one that holds then and is about what was seen
    /// of it, there or, where it isn't seen, next before and next after.
    /// - Parameter idle: The exceptions that hold at other times alone.
    func isLeft(at time: Double, _ idle: Set<Int>) -> Bool {
        var near: [Sighting] = []
        if let now = sightings.last(where: { $0.time == time }) {
            near = [now]
        } else {
            near = [sightings.last { $0.time < time }, sightings.first { $0.time > time }].compactMap(\.self)
        }
        return !near.isEmpty && near.allSatisfy { !$0.exceptions.isSubset(of: idle) }
    }
}
