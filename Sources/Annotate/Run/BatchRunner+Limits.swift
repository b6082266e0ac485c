/// What a job came near to.
extension BatchRunner {
    /// The share of a limit from which on it was near.
    static let near = 0.8

    /// Notes on limits that a job came near to: a little more, and it would have failed.
    func near(_ result: JobResult) -> [String] {
        var notes: [String] = []
        if let most = options.limits.frames, Double(result.frames) > Self.near * Double(most) {
            notes.append("it has \(result.frames) of the \(most) frames that --max-frames allows")
        }
        if let most = options.limits.duration, result.duration > Self.near * most {
            notes.append("it has \(Words.seconds(result.duration)) of the \(plain(most)) s that --max-duration allows")
        }
        if let most = options.memory, Double(result.memory) > Self.near * Double(most) {
            notes.append(
                "it took \(result.memory >> 20) of the \(most >> 20) MiB of memory that --max-memory allows")
        }
        return notes
    }
}
