import Annotate
import ArgumentParser
internal import Synchronization

/// The workers that every run wants: its manifest's reader, and its first job's.
extension Run {
    private static let areStarted = Atomic<Bool>(false)
    /// What a run asks for that starts none, or help.
    private static let others = ["-h", "--help", "--dry-run", "--isolation", "--version"]

    /// Starts them, once. Call it while this process has one thread.
    /// - Parameter isDry: No job will run.
    static func startAhead(isDry: Bool) {
        guard !areStarted.exchange(true, ordering: .relaxed) else { return }
        WorkerPool.startAhead(readers: 1, jobs: isDry || Machine.cores == 1 ? 0 : 1)
    }

    /// Starts them where the program's words surely ask for a run: to parse them takes as long as a worker's libraries.
    static func startAhead(for words: [String]) {
        let isRun = words.first == _commandName ? words.count > 1 : words.first?.hasSuffix(".json") == true
        guard isRun, !words.contains(where: { word in others.contains { word == $0 || word.hasPrefix($0 + "=") } })
        else {
            return
        }
        startAhead(isDry: false)
    }
}
