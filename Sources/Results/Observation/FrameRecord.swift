/// What is known of one frame: what sinks are fed with while a job runs, and what a track file's reader gives.
public struct FrameRecord: Sendable, Hashable {
    /// Ordinal of the presented picture from the start of the file, from 0.
    public var frame: Int
    /// The source's own time stamp.
    public var pts: MediaTime
    /// Ticks of the same time base.
    public var duration: Int64
    /// Their tracks' numbers are the file's.
    public var observations: [Observation]

    public init(frame: Int, pts: MediaTime, duration: Int64, observations: [Observation]) {
        self.frame = frame
        self.pts = pts
        self.duration = duration
        self.observations = observations
    }
}
