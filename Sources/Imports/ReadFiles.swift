/// What was made of the files that were read last, until they change: each job that imports from one asks for it, and so does the
/// plan of each. What is wrong with one is told as often, and looked for once.
final class ReadFiles<Value: Sendable>: Sendable {
    private struct Entry {
        var stamps: [Files.Stamp?]
        var result: Result<Value, any Error>
        /// Of the files, bytes: what is made of them is no larger.
        var bytes: Int { stamps.reduce(0) { $0 + ($1?.size ?? 0) } }
    }

    private struct State {
        var known: [String: Entry] = [:]
        /// Paths, the one asked for last at the end.
        var order: [String] = []

        mutating func touch(_ path: String) {
            order.removeAll { $0 == path }
            order.append(path)
        }
    }

    private let state = Monitor(State())
    /// Files of which something is kept, and their bytes: one is, however large.
    private static var most: (files: Int, bytes: Int) { (32, 256 << 20) }

    /// What is made of a file, once.
    /// - Parameters:
    ///   - others: Files besides that it is made of.
    func value(of path: String, and others: [String] = [], _ make: () throws -> Value) throws -> Value {
        try state.withLock { state in
            let stamps = ([path] + others).map(Files.stamp)
            if let entry = state.known[path], entry.stamps == stamps {
                state.touch(path)
                return try entry.result.get()
            }
            let isSettled = stamps.allSatisfy { $0?.isSettled ?? true }
            let result = Result { try make() }
            state.known[path] = isSettled && Self.isLasting(result) ? Entry(stamps: stamps, result: result) : nil
            state.touch(path)
            while state.order.count > 1,
                state.order.count > Self.most.files
                    || state.known.values.reduce(0, { $0 + $1.bytes }) > Self.most.bytes
            {
                state.known[state.order.removeFirst()] = nil
            }
            return try result.get()
        }
    }

    /// Whether the next one would come to the same: what the system refuses may pass.
    private static func isLasting(_ result: Result<Value, any Error>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return error is ImportError || (error as? FileError).map { $0.code == 0 } ?? false
    }
}
