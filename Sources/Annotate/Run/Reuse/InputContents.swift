internal import Synchronization

/// Hashes an input beside the job that reads it, which finds what was read in the machine's memory, or the other way round.
final class InputContents {
    private final class State: Sendable {
        let hash = Mutex<String?>(nil)
        let isUnwanted = Atomic<Bool>(false)
    }

    private let state = State()
    private let thread: Worker?

    init(_ input: String) throws {
        let source = MediaInput(path: input)
        guard source != .standardInput else {
            thread = nil
            return
        }
        let state = state
        thread = try Worker(role: "the decoder") {
            // What can't be read any more has no hash, and the job is run again the next time.
            let hash = try? ContentHash.of(source.files) { state.isUnwanted.load(ordering: .relaxed) }
            state.hash.withLock { $0 = hash }
        }
    }

    /// The hash, which is waited for; nil for a stream.
    var hash: String? {
        thread?.join()
        return state.hash.withLock { $0 }
    }

    /// Stops, where nobody wants to know any more.
    func end() {
        state.isUnwanted.store(true, ordering: .relaxed)
        thread?.join()
    }
}
