internal import Synchronization

/// A lane around another one, which it changes in a few ways.
package protocol WrappingLane: StageLane {
    /// The lane that does the work.
    var inner: any StageLane { get }
}

extension WrappingLane {
    package func prepare(_ footage: @Sendable () -> Footage) throws { try inner.prepare(footage) }
    package func detect(_ frame: Int, _ input: StageInput) throws { try inner.detect(frame, input) }
    package func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission] {
        try inner.update(frame, input, runs: runs)
    }
    package var looksAhead: Bool { inner.looksAhead }
    package func settle() throws -> Stage? { try inner.settle() }
    package func rest() throws -> [Emission] { try inner.rest() }
    package func finish() throws { try inner.finish() }
    package var isLate: Bool { inner.isLate }
    package var trackNumbers: Set<Int> { inner.trackNumbers }
    package var notes: [String] { inner.notes }
    package var storesDetections: Bool { inner.storesDetections }
    package func storedDetection(_ frame: Int) -> [UInt8]? { inner.storedDetection(frame) }
    package func dropDetection(_ frame: Int) { inner.dropDetection(frame) }
    package func takeDetection(_ frame: Int, _ stored: JSONNode) -> Bool { inner.takeDetection(frame, stored) }
}

/// A stage of which the detector alone runs, to have its detections stored.
package final class DetectingLane: WrappingLane {
    package let inner: any StageLane
    /// Whether others take its results: of a stage that keeps nothing from frame to frame.
    private let givesResults: Bool
    /// What is ready to be taken, by the frames' places in the stream.
    private let ready = Mutex<[Int: [UInt8]]>([:])

    /// - Parameter givesResults: Whether others take its results; it must keep nothing from frame to frame then.
    package init(_ stage: Stage, givesResults: Bool) {
        (inner, self.givesResults) = (stage.lane, givesResults)
    }

    /// Nobody waits for what its tracker would say: that is said in the whole video alone.
    package var isLate: Bool { givesResults && inner.isLate }

    package func detect(_ frame: Int, _ input: StageInput) throws {
        try inner.detect(frame, input)
        guard let stored = inner.storedDetection(frame) else { return }
        ready.withLock { $0[frame] = stored }
    }

    package func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission] {
        if givesResults { return try inner.update(frame, input, runs: runs) }
        inner.dropDetection(frame)
        return []
    }

    /// The detection of a frame that is done, as it is stored.
    /// - Parameter frame: The frame's place in the stream.
    /// - Returns: nil where the stage didn't run on it.
    package func take(_ frame: Int) -> [UInt8]? { ready.withLock { $0.removeValue(forKey: frame) } }
}

/// A stage of which some frames' detections are known: its detector runs on the others.
package final class KnowingLane: WrappingLane {
    package let inner: any StageLane
    /// By the frames' ordinals.
    private let known = Mutex<[Int: JSONNode]>([:])
    private let taken = Atomic<Int>(0)
    private let found = Atomic<Int>(0)

    /// How many frames' detections were known, and how many weren't.
    package var counts: (taken: Int, found: Int) {
        (taken.load(ordering: .relaxed), found.load(ordering: .relaxed))
    }

    /// A stage whose detections can be stored.
    package init(_ stage: Stage) { inner = stage.lane }

    /// Notes the detection of a frame that comes next.
    /// - Parameter ordinal: The frame's.
    package func note(_ stored: JSONNode, of ordinal: Int) { known.withLock { $0[ordinal] = stored } }

    package func detect(_ frame: Int, _ input: StageInput) throws {
        let stored = known.withLock { $0.removeValue(forKey: input.frame.ordinal) }
        if let stored, inner.takeDetection(frame, stored) {
            taken.add(1, ordering: .relaxed)
        } else {
            try inner.detect(frame, input)
            found.add(1, ordering: .relaxed)
        }
    }

    package func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission] {
        _ = known.withLock { $0.removeValue(forKey: input.frame.ordinal) }
        return try inner.update(frame, input, runs: runs)
    }
}
