internal import Graph

/// What was made of the files that were read last, until they change: each job that imports from one asks for it, and so does the
/// plan of each.
final class ReadFiles<Value: Sendable>: Sendable {
    private let known = Monitor<[String: (stamps: [Files.Stamp?], value: Value)]>([:])

    /// What is made of a file, once.
    /// - Parameters:
    ///   - others: Files besides that it is made of.
    func value(of path: String, and others: [String] = [], _ make: () throws -> Value) throws -> Value {
        try known.withLock { known in
            let stamps = ([path] + others).map(Files.stamp)
            if let entry = known[path], entry.stamps == stamps { return entry.value }
            let isSettled = stamps.allSatisfy { $0?.isSettled ?? true }
            let value = try make()
            // Who imports from many files does so from one after the other.
            if known.count >= 4 { known = [:] }
            known[path] = isSettled ? (stamps, value) : nil
            return value
        }
    }
}
