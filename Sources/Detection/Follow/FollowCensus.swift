/// What a stage that follows was given, to tell why it follows nothing.
struct FollowCensus {
    /// The least score of what begins a track.
    let minimumScore: Double
    private var best: Double?
    /// Frames with something as sure as that.
    private var frames = 0
    private var isTold = false

    init(minimumScore: Double) { self.minimumScore = minimumScore }

    /// Takes a frame that was looked at, and what was told of it at once.
    mutating func add(_ sightings: [Sighting], _ told: [FrameFollower.Told]) {
        if !told.isEmpty { isTold = true }
        guard let most = sightings.map(\.score).max() else { return }
        best = max(best ?? 0, most)
        if most >= minimumScore { frames += 1 }
    }

    /// Why nothing was told; nil where something was, or nothing was found that could be followed.
    func note(of id: String) -> String? { isTold ? nil : reason(of: id) }

    /// The same of two passes: what the first one said counts for nothing.
    func note(of id: String, told: [[FrameFollower.Told]]) -> String? {
        told.allSatisfy(\.isEmpty) ? reason(of: id) : nil
    }

    private func reason(of id: String) -> String? {
        guard let best else { return nil }
        let least = plain(minimumScore)
        guard frames > 0 else {
            let surest = plain((best * 1000).rounded(.down) / 1000)
            return
                "“\(id)” follows nothing: what begins a track has a confidence of \(least) at least (“minimumConfidence”), and the "
                + "surest of what was found has \(surest)"
        }
        return
            "“\(id)” follows nothing: what was found with a confidence of \(least) or more (“minimumConfidence”), in \(frames) "
            + "frame\(frames == 1 ? "" : "s"), was too shortly in sight, or too unsure, to be more than a false alarm; expected things "
            + "that are seen for longer or are surer, or a higher “rate” of the stages before it"
    }
}
