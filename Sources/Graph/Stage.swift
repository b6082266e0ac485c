/// The input of a stage for one frame.
public struct StageInput: Sendable {
    /// The frame.
    public let frame: VideoFrame
    /// Results of the stages named in `inputs`, in their order; empty for one that reads the frame alone.
    public let results: [[Emission]]

    /// A frame with the results of the stages that are the stage's inputs, a list for each, in their order.
    public init(frame: VideoFrame, results: [[Emission]] = []) {
        self.frame = frame
        self.results = results
    }

    /// Observations of the stages named in `inputs`, one stage after another.
    public var observations: [Observation] { results.joined().map(\.observation) }
}

/// A detector: the part of a stage's work that depends on the frame and the inputs alone. It is done for several frames
/// at once, in any order, and keeps nothing.
public protocol Detector: Sendable {
    /// A finding in one frame, for the stage's tracker.
    associatedtype Detection: Sendable

    /// Looks at one frame; called on several threads at once.
    func detect(_ input: StageInput) throws -> Detection
}

/// A detector whose detections can be stored: what is read back from one that was written is the same to the last bit, so
/// that frames may be looked at elsewhere, or earlier, and be tracked here.
public protocol StorableDetector: Detector where Detection: Storable {}

/// A tracker: the part of a stage's work that goes frame by frame, in order, and may keep what it knows: association,
/// smoothing, tracking. It belongs to one stage's lane, which calls it from one thread at a time.
public protocol Tracker {
    /// A finding of the stage's detector; nothing where there is none.
    associatedtype Detection: Sendable = Void
    /// A result: an observation, or an emission where something goes with it.
    associatedtype Output: Emitted = Observation

    /// Looks at parts of the video in an order of its own, before the first frame, for a stage for which what comes
    /// later counts.
    mutating func prepare(_ footage: Footage) throws

    /// The results for the next frame.
    mutating func update(_ detection: Detection, _ input: StageInput) throws -> [Output]

    /// The results for a frame on which a rate-limited stage doesn't run: its last ones, marked `held`, unless it has
    /// something better to say.
    mutating func carry(_ last: [Output], _ input: StageInput) throws -> [Output]

    /// Numbers that its tracks have already, from elsewhere, from 1: they keep them, and nobody else gets them.
    var trackNumbers: Set<Int> { get }

    /// Whether the stage has to see all frames, with the results of its inputs, before it says anything: all frames run
    /// twice then, and what it says the first time is dropped.
    var looksAhead: Bool { get }

    /// Ends the first run over all frames, instead of `finish`, where it looks ahead.
    /// - Returns: The stage that runs in its place from then on, with the same inputs; nil for one that didn't look
    ///   ahead.
    mutating func settle() throws -> Stage?

    /// Whether it says what is in a frame only when it has seen some of those behind it: each of its emissions names
    /// its frame, there is one at least for every frame, and they come in the frames' order.
    var isLate: Bool { get }

    /// Results that a late one has still to give, after the last frame and before `finish`.
    mutating func rest() throws -> [Output]

    /// Ends the work, after the last frame.
    /// - Throws: Where what the stage was given doesn't fit the video as a whole: the job fails.
    mutating func finish() throws

    /// Notes for the user when the job has gone well. Asked for after the last frame.
    var notes: [String] { get }
}

extension Tracker {
    /// By default there are no notes.
    public var notes: [String] { [] }
    /// By default no track has a number already.
    public var trackNumbers: Set<Int> { [] }
    /// By default nothing is looked at beforehand.
    public mutating func prepare(_ footage: Footage) throws {}
    /// By default the stage doesn't look ahead.
    public var looksAhead: Bool { false }
    /// By default no other stage takes over.
    public mutating func settle() throws -> Stage? { nil }
    /// By default there is nothing left to do.
    public mutating func finish() throws {}
    /// By default the stage says at once what is in a frame.
    public var isLate: Bool { false }
    /// By default no results are left.
    public mutating func rest() throws -> [Output] { [] }

    /// The last results, held; without those of tracks that have ended: a track ends once.
    public mutating func carry(_ last: [Output], _ input: StageInput) throws -> [Output] {
        last.filter { $0.emission.observation.state != .ended }.map(\.held)
    }
}

/// One stage at work on one video: its detector and its tracker, or the one of them that it needs.
public struct Stage: Sendable {
    package let lane: any StageLane

    /// A stage in a lane that is there.
    package init(lane: any StageLane) { self.lane = lane }

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

/// The error of a stage that failed on a frame.
public struct StageError: Error, CustomStringConvertible {
    /// Id of the stage.
    public var stage: String
    /// Number of the frame, from 0 at the source's first; nil where no frame is to blame.
    public var frame: Int?
    /// The error itself.
    public var underlying: any Error

    /// The error of a stage by its id.
    public init(stage: String, frame: Int? = nil, underlying: any Error) {
        self.stage = stage
        self.frame = frame
        self.underlying = underlying
    }

    public var description: String {
        "stage “\(stage)” failed\(frame.map { " at frame \($0)" } ?? ""): \(underlying)"
    }
}
