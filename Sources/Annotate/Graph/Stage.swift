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

/// One stage at work on one video.
///
/// A frame's work has two parts. `detect` depends on the frame and the inputs alone; it runs for several frames at once,
/// in any order, so it must not touch the stage's state. `update` runs frame by frame in order and may keep state:
/// association, smoothing, tracking. A stage that needs only one of them leaves the other out.
public protocol Stage: AnyObject, Sendable {
    associatedtype Detection: Sendable = Void
    /// Observations, or emissions where the stage hands on something beside them.
    associatedtype Output: Emitted = Observation

    /// Called before the first frame: looks at parts of the video in an order of its own, where what comes later counts.
    func prepare(_ footage: Footage) throws

    func detect(_ input: StageInput) throws -> Detection
    func update(_ detection: Detection, _ input: StageInput) throws -> [Output]

    /// The result for a frame on which a rate-limited stage doesn't run: its last result, marked `held`, unless it has
    /// something better to say.
    func carry(_ last: [Output], _ input: StageInput) throws -> [Output]

    /// Numbers from 1 that its tracks have already, from elsewhere: they keep them, and nobody else gets them.
    var trackNumbers: Set<Int> { get }

    /// True where it says what is in a frame when it has seen some of those behind it: each of its emissions names its frame,
    /// there is one at least for every frame, and they come in the frames' order.
    var isLate: Bool { get }

    /// Called after the last frame, before `finish`: what a late stage has still to say.
    func rest() throws -> [Output]

    /// Called after the last frame, when nothing else runs.
    /// - Throws: where what the stage was given doesn't fit the video as a whole: the job fails.
    func finish() throws

    /// What a user should know when the job has gone well. Asked for after the last frame, when nothing else runs.
    var notes: [String] { get }
}

extension Stage {
    public var notes: [String] { [] }
    public var trackNumbers: Set<Int> { [] }
    public func prepare(_ footage: Footage) throws {}
    public func finish() throws {}
    public var isLate: Bool { false }
    public func rest() throws -> [Output] { [] }

    /// A track ends once.
    public func carry(_ last: [Output], _ input: StageInput) throws -> [Output] {
        last.filter { $0.emission.observation.state != .ended }.map(\.held)
    }
}

extension Stage where Detection == Void {
    public func detect(_ input: StageInput) throws {}
}

extension Stage where Detection == [Output] {
    public func update(_ detection: [Output], _ input: StageInput) throws -> [Output] { detection }
}

/// A stage failed on a frame.
public struct StageError: Error, CustomStringConvertible {
    public var stage: String
    public var frame: Int
    public var underlying: any Error

    public var description: String { "stage “\(stage)” failed at frame \(frame): \(underlying)" }
}
