/// Fetches what jobs read, one job ahead of those that run.
final class FetchQueue: Sendable {
    private struct State {
        /// Jobs that are still to be fetched for, in the order in which they will be taken.
        var left: [Int]
        var results: [Int: Result<FetchedJob, any Error>] = [:]
        /// Jobs that somebody waits for.
        var wanted: Set<Int> = []
        var isClosed = false

        /// The job to fetch for now; nil where one may wait for who takes what is there.
        mutating func next() -> Int? {
            if let index = left.firstIndex(where: wanted.contains) { return left.remove(at: index) }
            return results.isEmpty && wanted.isEmpty && !left.isEmpty ? left.removeFirst() : nil
        }

        /// Takes out the files that nobody waits for: they are to be fetched once more.
        mutating func takeOutUnwanted() -> [FetchedJob] {
            var files: [Int: FetchedJob] = [:]
            for (place, result) in results where !wanted.contains(place) {
                // What failed, or is what it was, takes no room.
                if case .success(let job) = result, job.file != nil { files[place] = job }
            }
            let places = files.keys.sorted()
            for place in places { results[place] = nil }
            left.insert(contentsOf: places, at: 0)
            return places.compactMap { files[$0] }
        }
    }

    private let state: Monitor<State>
    private let thread = Monitor<Worker?>(nil)

    /// Begins to fetch.
    /// - Parameters:
    ///   - places: The jobs, in the order in which they will be taken.
    ///   - fetch: Fetches what one of them reads. It calls what it is given where it has too little room: that lets go
    ///     of what was fetched ahead.
    init(
        _ places: [Int], fetch: @escaping @Sendable (_ place: Int, _ makeRoom: () -> Void) throws -> FetchedJob
    ) throws {
        let state = Monitor(State(left: places))
        self.state = state
        guard !places.isEmpty else { return }
        let worker = try Worker {
            // One that failed may be asked for again: only who closes it ends it.
            while true {
                let turn = state.wait { state -> Int?? in
                    if state.isClosed { return .some(nil) }
                    guard let place = state.next() else { return nil }
                    return .some(place)
                }
                guard let place = turn else { return }
                let result = Result { try fetch(place) { Self.letGo(of: state) } }
                state.withLock { if !$0.isClosed { $0.results[place] = result } }
            }
        }
        thread.withLock { $0 = worker }
    }

    /// Lets go of what was fetched ahead. Where a file is tried again, who waits for it may be the only one who would
    /// ever read what lies here: neither would get on.
    private static func letGo(of state: Monitor<State>) {
        let unwanted = state.withLock { $0.takeOutUnwanted() }
        // They go here, where nobody waits for the lock meanwhile.
        withExtendedLifetime(unwanted) {}
    }

    /// Lets go of what nobody took.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.results = [:]
        }
        thread.withLock { $0 }?.join()
    }

    /// What was fetched for a job, which is waited for.
    /// - Parameter isAgain: Whether it was taken before, and is to be fetched once more.
    /// - Throws: What the fetching did; `CancelledError` where nothing more is fetched.
    func take(_ place: Int, isAgain: Bool = false) throws -> FetchedJob {
        state.withLock { state in
            if isAgain { state.left.append(place) }
            state.wanted.insert(place)
        }
        let result = state.wait { state -> Result<FetchedJob, any Error>? in
            if let result = state.results.removeValue(forKey: place) {
                state.wanted.remove(place)
                return result
            }
            return state.isClosed ? Result<FetchedJob, any Error>.failure(CancelledError()) : nil
        }
        return try result.get()
    }
}
