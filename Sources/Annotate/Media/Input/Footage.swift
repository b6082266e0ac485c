/// A job's frames before they stream, for a stage that has to know what comes later: once forwards, then backwards.
///
/// Frames backwards are decoded in chunks, the last one first, so that memory holds one chunk however long the way is. Used
/// from one thread.
public final class Footage {
    /// The first frame of a chunk.
    private struct Mark {
        var ordinal: Int
        var pts: MediaTime
    }

    private let path: String
    private let options: SourceOptions
    private let rate: Double?
    private let cancellation: Cancellation?
    private let mostBytes: Int
    private var marks: [Mark] = []

    /// - Parameters:
    ///   - rate: Of the stage, runs a second; nil for every frame.
    ///   - mostBytes: Of the pictures of a chunk; at least two are in it.
    init(
        path: String, options: SourceOptions, rate: Double? = nil, cancellation: Cancellation? = nil,
        mostBytes: Int = 192 << 20
    ) {
        (self.path, self.options, self.rate) = (path, options, rate)
        (self.cancellation, self.mostBytes) = (cancellation, mostBytes)
    }

    /// Goes through the job's frames in order.
    /// - Parameter body: Told of each frame and whether the stage runs on it; returns false where it has seen enough.
    public func forwards(_ body: (VideoFrame, _ runs: Bool) throws -> Bool) throws {
        let source = try SourceReader(path: path, options: options, cancellation: cancellation)
        var limiter = rate.map(RateLimiter.init(rate:))
        var (bytes, count) = (0, 0)
        marks = []
        while let frame = try next(source) {
            if marks.isEmpty || count >= 2 && bytes + frame.byteCount > mostBytes {
                marks.append(Mark(ordinal: frame.ordinal, pts: frame.pts))
                (bytes, count) = (0, 0)
            }
            (bytes, count) = (bytes + frame.byteCount, count + 1)
            guard try body(frame, limiter?.runs(at: frame.seconds) ?? true) else { return }
        }
    }

    /// Goes through frames that `forwards` went through, from the last one to the first.
    /// - Parameter spans: Ordinals; frames outside of all of them are left out.
    public func backwards(over spans: [ClosedRange<Int>], _ body: (VideoFrame) throws -> Void) throws {
        for (index, mark) in marks.enumerated().reversed() {
            let behind = index + 1 < marks.count ? marks[index + 1].ordinal : Int.max
            let wanted = spans.filter { $0.lowerBound < behind && $0.upperBound >= mark.ordinal }
            guard let last = wanted.map(\.upperBound).max() else { continue }
            var frames = try chunk(mark, through: min(last, behind - 1)) { ordinal in
                wanted.contains { $0.contains(ordinal) }
            }
            // Each goes when it has been looked at, with whatever was made of it.
            while let frame = frames.popLast() { try body(frame) }
        }
    }

    private func chunk(_ mark: Mark, through last: Int, where isWanted: (Int) -> Bool) throws -> [VideoFrame] {
        var later = options
        later.range = FrameRange(start: mark.pts.seconds, end: options.range?.end)
        // A file that can't be entered in its middle is read from its start.
        return try chunk(later, mark, last, isWanted) ?? chunk(options, mark, last, isWanted)
            ?? {
                throw FileError("decode", path: path, reason: "its pictures are others when it is read once more")
            }()
    }

    /// - Returns: nil where the chunk's first frame isn't the one that it was.
    private func chunk(
        _ options: SourceOptions, _ mark: Mark, _ last: Int, _ isWanted: (Int) -> Bool
    ) throws -> [VideoFrame]? {
        let source = try SourceReader(path: path, options: options, cancellation: cancellation)
        var frames: [VideoFrame] = []
        var isFound = false
        while let frame = try next(source) {
            if frame.ordinal < mark.ordinal { continue }
            if !isFound {
                guard frame.ordinal == mark.ordinal, frame.pts == mark.pts else { return nil }
                isFound = true
            }
            if isWanted(frame.ordinal) { frames.append(frame) }
            if frame.ordinal >= last { break }
        }
        return isFound ? frames : nil
    }

    private func next(_ source: SourceReader) throws -> VideoFrame? {
        if cancellation?.isCancelled ?? false { throw CancelledError() }
        return try source.next()
    }
}
