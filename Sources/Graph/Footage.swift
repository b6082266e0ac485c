/// A job's frames before they stream, for a stage that has to know what comes later: once forwards, then backwards.
///
/// Frames backwards are decoded in chunks, the last one first, so that memory holds one chunk however long the way is. They
/// are the very pictures that went forwards: where decoding from a chunk's beginning gives others, since the decoder keeps
/// something of what came before, as it does of some damaged files, it begins with the file. Used from one thread.
public final class Footage {
    /// A chunk's first frame.
    private struct ChunkStart {
        var ordinal: Int
        var pts: MediaTime
    }

    private let path: String
    private let options: SourceOptions
    private let rate: Double?
    private let runsOnShots: Bool
    private let cancellation: Cancellation?
    private let looked: (@Sendable (Int) -> Void)?
    private let mostBytes: Int
    private var starts: [ChunkStart] = []
    /// Hashes that tell each frame's pixels, from that of the first start on.
    private var contents: [UInt64] = []

    private static let leastBytes = 1 << 16

    /// The footage of one job.
    /// - Parameters:
    ///   - rate: Runs a second of the stage; nil for every frame.
    ///   - runsOnShots: Whether it runs on the first picture of every shot as well.
    ///   - mostBytes: The most memory that the pictures of a chunk take; at least two are in it.
    ///   - looked: Told of each frame on the way forwards: how many there have been.
    package init(
        path: String, options: SourceOptions, rate: Double? = nil, runsOnShots: Bool = false,
        cancellation: Cancellation? = nil, mostBytes: Int = 192 << 20, looked: (@Sendable (Int) -> Void)? = nil
    ) {
        (self.path, self.options, self.rate, self.runsOnShots) = (path, options, rate, runsOnShots)
        (self.cancellation, self.looked, self.mostBytes) = (cancellation, looked, mostBytes)
    }

    /// Goes through the job's frames in order.
    /// - Parameter body: Told of each frame and whether the stage runs on it; returns false where it has seen enough.
    public func forwards(_ body: (VideoFrame, _ runs: Bool) throws -> Bool) throws {
        let source = try SourceReader(path: path, options: options, cancellation: cancellation)
        var limiter = rate.map(RateLimiter.init(rate:))
        var look: ShotLook?
        var (bytes, count) = (0, 0)
        (starts, contents) = ([], [])
        while let frame = try next(source) {
            // A small picture takes memory beside its pixels, too.
            let size = max(frame.byteCount, Self.leastBytes)
            if starts.isEmpty || count >= 2 && bytes + size > mostBytes {
                starts.append(ChunkStart(ordinal: frame.ordinal, pts: frame.pts))
                (bytes, count) = (0, 0)
            }
            (bytes, count) = (bytes + size, count + 1)
            contents.append(try frame.contents())
            looked?(contents.count)
            var runs = limiter?.runs(at: frame.seconds) ?? true
            if runsOnShots, rate != nil {
                let now = ShotLook(frame)
                if now.isOther(than: look) { runs = true }
                if !now.isPlain { look = now }
            }
            guard try body(frame, runs) else { return }
        }
    }

    /// Goes through frames that `forwards` went through, from the last one to the first.
    /// - Parameters:
    ///   - spans: Ordinals of such frames; what lies outside of all of them is left out.
    ///   - body: Gets each frame; what it throws ends the way.
    public func backwards(over spans: [ClosedRange<Int>], _ body: (VideoFrame) throws -> Void) throws {
        var spans = Self.joined(spans)
        for (index, start) in starts.enumerated().reversed() {
            let behind = index + 1 < starts.count ? starts[index + 1].ordinal : Int.max
            while let span = spans.last, span.lowerBound >= behind { spans.removeLast() }
            let wanted = spans.reversed().prefix { $0.upperBound >= start.ordinal }.reversed()
            guard let last = wanted.last?.upperBound else { continue }
            var frames = try chunk(start, through: min(last, behind - 1), Array(wanted))
            // Each goes when it has been looked at, with whatever was made of it.
            while let frame = frames.popLast() { try body(frame) }
        }
    }

    /// Spans of the same frames, in order and each once.
    private static func joined(_ spans: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        var joined: [ClosedRange<Int>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, span.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                joined.append(span)
            }
        }
        return joined
    }

    private func chunk(_ start: ChunkStart, through last: Int, _ spans: [ClosedRange<Int>]) throws -> [VideoFrame] {
        var later = options
        later.range = FrameRange(start: start.pts.seconds, end: options.range?.end)
        do {
            if let frames = try chunk(later, start, last, spans) { return frames }
        } catch is FileError {
            // A file that can't be entered in its middle is read from its start, which has the last word.
        }
        guard let frames = try chunk(options, start, last, spans) else {
            throw FileError("decode", path: path, reason: "its pictures are others when it is read once more")
        }
        return frames
    }

    /// Decodes a chunk.
    /// - Returns: nil where the chunk's first frame isn't the one that it was, a picture is another, or the last one isn't there.
    private func chunk(
        _ options: SourceOptions, _ start: ChunkStart, _ last: Int, _ spans: [ClosedRange<Int>]
    ) throws -> [VideoFrame]? {
        let source = try SourceReader(path: path, options: options, cancellation: cancellation)
        var frames: [VideoFrame] = []
        var isFound = false
        var spans = spans[...]
        while let frame = try next(source) {
            if frame.ordinal < start.ordinal { continue }
            if !isFound {
                guard frame.ordinal == start.ordinal, frame.pts == start.pts else { return nil }
                isFound = true
            }
            while let span = spans.first, span.upperBound < frame.ordinal { spans.removeFirst() }
            if spans.first?.contains(frame.ordinal) ?? false {
                let place = frame.ordinal - starts[0].ordinal
                guard contents.indices.contains(place), try frame.contents() == contents[place] else { return nil }
                frames.append(frame)
            }
            if frame.ordinal >= last { return frames }
        }
        return nil
    }

    private func next(_ source: SourceReader) throws -> VideoFrame? {
        if cancellation?.isCancelled ?? false { throw CancelledError() }
        return try source.next()
    }
}
