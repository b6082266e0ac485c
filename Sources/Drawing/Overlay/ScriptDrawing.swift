/// Draws a video's frames as the events of a script.
package struct ScriptDrawing {
    private let annotator: Annotator
    private let painter: ScriptPainter
    private var timeline: ScriptTimeline

    /// A drawing of a video.
    /// - Parameters:
    ///   - size: The picture's as shown.
    ///   - unit: Milliseconds that the script counts in.
    package init(size: PictureSize, camera: CameraIntrinsics?, unit: Int64) {
        annotator = Annotator(camera: camera)
        painter = ScriptPainter(size: size)
        timeline = ScriptTimeline(unit: unit)
    }

    /// How many pictures have their overlay for no time that the script can tell from the next one's.
    var lost: Int { timeline.lost }

    /// Takes the next frame.
    /// - Parameters:
    ///   - seconds: The frame's time, as the annotator counts it.
    ///   - time: The same in the player's clock, whole milliseconds.
    ///   - emit: Gets events that are over, in the order of their starts.
    package mutating func add(
        _ observations: [DrawnObservation], at seconds: Double, time: Int64, _ emit: (ScriptEvent) throws -> Void
    ) throws {
        try annotator.draw(observations, at: seconds, on: painter)
        try timeline.add(try painter.take(), at: time, emit)
    }

    /// Ends what is still shown.
    /// - Parameter end: The end of the last frame, whole milliseconds of the player's clock.
    package mutating func finish(at end: Int64, _ emit: (ScriptEvent) throws -> Void) throws {
        try timeline.finish(at: end, emit)
    }
}

extension MediaTime {
    /// Time since one of the same base, whole milliseconds, cut.
    func milliseconds(since start: Int64) -> Int64 {
        let (ticks, scale) = (Int(clamping: ticks &- start), timeBase.numerator.multipliedReportingOverflow(by: 1000))
        let (product, overflows) = ticks.multipliedReportingOverflow(by: scale.partialValue)
        // No video is that long, at that time base.
        guard !overflows, !scale.overflow, timeBase.denominator > 0 else {
            return Int64(min(max((seconds * 1000).rounded(.down), -1e15), 1e15))
        }
        let quotient = product / timeBase.denominator
        let whole = Int64(product < 0 && quotient * timeBase.denominator != product ? quotient - 1 : quotient)
        return min(max(whole, -1_000_000_000_000_000), 1_000_000_000_000_000)
    }
}
