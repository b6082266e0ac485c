/// Frames that wait until late stages have answered for them.
package struct LateFrames {
    /// Indices of the stages that are late.
    private let late: [Int]
    private var waiting: [GraphExecutor.Finished] = []
    /// The last frame for which each late stage has answered.
    private var said: [Int: Int] = [:]
    /// Those of other packages, whose answers have to be for every frame, in order.
    private let checked: Set<Int>

    package init(late: [Int], checked: Set<Int> = []) { (self.late, self.checked) = (late, checked) }

    /// The error of a late stage that answers for another frame than the next.
    package struct OutOfOrder: Error, CustomStringConvertible {
        package var stage: Int
        package var description: String
    }

    /// Takes the next frame. Results of late stages go to the earlier frames that they are of.
    /// - Throws: `OutOfOrder`.
    package mutating func add(_ finished: GraphExecutor.Finished) throws {
        guard !late.isEmpty else { return waiting.append(finished) }
        var held = finished
        // What the stages derived from the frame needn't wait with it.
        held.frame = VideoFrame(
            ordinal: finished.frame.ordinal, pts: finished.frame.pts, duration: finished.frame.duration,
            picture: finished.frame.picture, original: finished.frame.original)
        for stage in late { held.results[stage] = [] }
        waiting.append(held)
        for stage in late { try add(finished.results[stage], of: stage) }
    }

    /// Takes results of a late stage.
    /// - Throws: `OutOfOrder`.
    package mutating func add(_ emissions: [Emission], of stage: Int) throws {
        guard late.contains(stage) else { return }
        for emission in emissions {
            guard let last = waiting.last?.frame.ordinal else { return }
            let frame = emission.frame ?? last
            if checked.contains(stage) { try check(frame, of: stage) }
            said[stage] = max(said[stage] ?? frame, frame)
            // The first one that waits, where its own has gone: nothing is lost.
            guard let index = waiting.firstIndex(where: { $0.frame.ordinal >= frame }) else { continue }
            waiting[index].results[stage].append(emission)
        }
    }

    private func check(_ frame: Int, of stage: Int) throws {
        let last = said[stage]
        let next = waiting.first { $0.frame.ordinal > last ?? .min }?.frame.ordinal
        guard frame != next, frame != last else { return }
        throw OutOfOrder(
            stage: stage,
            description: "it answers for frame \(frame), late; expected "
                + (next.map { "frame \($0): one answer at least for each, in their order" } ?? "no more answers"))
    }

    /// The next frame for which all stages have answered.
    /// - Parameter isEnd: Whether no more answers will come: any frame is given then.
    package mutating func next(isEnd: Bool) -> GraphExecutor.Finished? {
        guard let first = waiting.first else { return nil }
        guard isEnd || late.allSatisfy({ said[$0].map { $0 >= first.frame.ordinal } ?? false }) else { return nil }
        return waiting.removeFirst()
    }
}
