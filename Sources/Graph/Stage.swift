/// What a stage is given for one frame.
public struct StageInput: Sendable {
    public let frame: VideoFrame
    /// The results of the stages named in `inputs`, in their order; empty for one that reads the frame alone.
    public let results: [[Emission]]

    public init(frame: VideoFrame, results: [[Emission]] = []) {
        self.frame = frame
        self.results = results
    }

    /// What the stages named in `inputs` saw, one after another.
    public var observations: [Observation] { results.joined().map(\.observation) }
}

/// The part of a frame's work that depends on the frame and the inputs alone: it is done for several frames at once, in any
/// order, and keeps nothing.
public protocol Detector: Sendable {
    /// What it hands the stage's tracker.
    associatedtype Detection: Sendable

    func detect(_ input: StageInput) throws -> Detection
}

/// A detector whose detections can be stored: what is read back from one that was written is the same to the last bit, so
/// that frames may be looked at elsewhere, or earlier, and be tracked here.
public protocol StorableDetector: Detector where Detection: Record {}

/// The part of a frame's work that goes frame by frame, in order, and may keep what it knows: association, smoothing,
/// tracking. It belongs to one stage's lane, which calls it from one thread at a time.
public protocol Tracker {
    /// What it is handed by the stage's detector; nothing where there is none.
    associatedtype Detection: Sendable = Void
    /// Observations, or emissions where the stage hands on something beside them.
    associatedtype Output: Emitted = Observation

    /// Called before the first frame: looks at parts of the video in an order of its own, where what comes later counts.
    mutating func prepare(_ footage: Footage) throws

    mutating func update(_ detection: Detection, _ input: StageInput) throws -> [Output]

    /// The result for a frame on which a rate-limited stage doesn't run: its last result, marked `held`, unless it has
    /// something better to say.
    mutating func carry(_ last: [Output], _ input: StageInput) throws -> [Output]

    /// Numbers from 1 that its tracks have already, from elsewhere: they keep them, and nobody else gets them.
    var trackNumbers: Set<Int> { get }

    /// Whether the stage has to see all frames, with what its inputs say of them, before it says anything: they run twice then,
    /// and the first time nobody hears what it says.
    var looksAhead: Bool { get }

    /// Called instead of `finish` when all frames have run the first time, where it looks ahead.
    /// - Returns: The stage that runs in its place from then on, with the same inputs; nil for one that didn't look ahead.
    mutating func settle() throws -> Stage?

    /// True where it says what is in a frame when it has seen some of those behind it: each of its emissions names its frame,
    /// there is one at least for every frame, and they come in the frames' order.
    var isLate: Bool { get }

    /// Called after the last frame, before `finish`: what a late one has still to say.
    mutating func rest() throws -> [Output]

    /// Called after the last frame.
    /// - Throws: where what the stage was given doesn't fit the video as a whole: the job fails.
    mutating func finish() throws

    /// What a user should know when the job has gone well. Asked for after the last frame.
    var notes: [String] { get }
}

extension Tracker {
    public var notes: [String] { [] }
    public var trackNumbers: Set<Int> { [] }
    public mutating func prepare(_ footage: Footage) throws {}
    public var looksAhead: Bool { false }
    public mutating func settle() throws -> Stage? { nil }
    public mutating func finish() throws {}
    public var isLate: Bool { false }
    public mutating func rest() throws -> [Output] { [] }

    /// A track ends once.
    public mutating func carry(_ last: [Output], _ input: StageInput) throws -> [Output] {
        last.filter { $0.emission.observation.state != .ended }.map(\.held)
    }
}

/// One stage at work on one video: its detector and its tracker, or the only one of them that it needs.
public struct Stage: Sendable {
    package let lane: any StageLane

    /// A stage whose detections go through a tracker.
    public init<D: Detector, T: Tracker>(_ detector: D, _ tracker: sending T) where D.Detection == T.Detection {
        lane = Lane(detector, tracker)
    }

    /// A stage whose work is all done in order.
    public init<T: Tracker>(tracker: sending T) where T.Detection == Void {
        self.init(NoDetector(), tracker)
    }

    /// A stage whose detections are its results.
    public init<D: Detector, Output: Emitted>(detector: D) where D.Detection == [Output] {
        self.init(detector, NoTracker<Output>())
    }
}

private struct NoDetector: Detector {
    func detect(_ input: StageInput) {}
}

private struct NoTracker<Output: Emitted>: Tracker {
    func update(_ results: [Output], _ input: StageInput) -> [Output] { results }
}

/// A stage failed on a frame.
public struct StageError: Error, CustomStringConvertible {
    public var stage: String
    public var frame: Int
    public var underlying: any Error

    package init(stage: String, frame: Int, underlying: any Error) {
        self.stage = stage
        self.frame = frame
        self.underlying = underlying
    }

    public var description: String { "stage “\(stage)” failed at frame \(frame): \(underlying)" }
}
