/// The results of one frame: what sinks are fed with while a job runs, and what a track file's reader gives.
public struct FrameRecord: Sendable, Hashable {
    /// Number of the presented picture from the start of the file, from 0.
    public var frame: Int
    /// Presentation time: the source's own stamp.
    public var pts: MediaTime
    /// Duration, ticks of the time base of `pts`.
    public var duration: Int64
    /// Observations of the stages; tracks have the numbers of the file.
    public var observations: [Observation]

    /// The results of a frame by its number, from 0, and its own time; nothing is checked.
    public init(frame: Int, pts: MediaTime, duration: Int64, observations: [Observation]) {
        self.frame = frame
        self.pts = pts
        self.duration = duration
        self.observations = observations
    }
}
