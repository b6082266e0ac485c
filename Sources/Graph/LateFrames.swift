/// Frames that wait until late stages have answered for them.
package struct LateFrames {
    /// Indices of the stages that are late.
    private let late: [Int]
    private var waiting: [GraphExecutor.Finished] = []
    /// The last frame for which each late stage has answered.
    private var said: [Int: Int] = [:]

    package init(late: [Int]) { self.late = late }

    /// Takes the next frame. Results of late stages go to the earlier frames that they are of.
    package mutating func add(_ finished: GraphExecutor.Finished) {
        guard !late.isEmpty else { return waiting.append(finished) }
        var held = finished
        // What the stages derived from the frame needn't wait with it.
        held.frame = VideoFrame(
            ordinal: finished.frame.ordinal, pts: finished.frame.pts, duration: finished.frame.duration,
            picture: finished.frame.picture, original: finished.frame.original)
        for stage in late { held.results[stage] = [] }
        waiting.append(held)
        for stage in late { add(finished.results[stage], of: stage) }
    }

    /// Takes results of a late stage.
    package mutating func add(_ emissions: [Emission], of stage: Int) {
        guard late.contains(stage) else { return }
        for emission in emissions {
            guard let last = waiting.last?.frame.ordinal else { return }
            let frame = emission.frame ?? last
            said[stage] = max(said[stage] ?? frame, frame)
            // The first one that waits, where its own has gone: nothing is lost.
            guard let index = waiting.firstIndex(where: { $0.frame.ordinal >= frame }) else { continue }
            waiting[index].results[stage].append(emission)
        }
    }

    /// The next frame for which all stages have answered.
    /// - Parameter isEnd: Whether no more answers will come: any frame is given then.
    package mutating func next(isEnd: Bool) -> GraphExecutor.Finished? {
        guard let first = waiting.first else { return nil }
        guard isEnd || late.allSatisfy({ said[$0].map { $0 >= first.frame.ordinal } ?? false }) else { return nil }
        return waiting.removeFirst()
    }
}
