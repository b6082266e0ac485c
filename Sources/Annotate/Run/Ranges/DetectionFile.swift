/// Writes what stages detect in the frames of a part of a video: for each frame a line that tells the frame from any other, and
/// behind it a line for each stage that ran on it.
struct DetectionFileWriter {
    private let writer: ByteWriter

    init(_ file: OutputFile) throws { writer = try ByteWriter(file) }

    /// - Parameter found: By the stages' ids, as `StageLane.storedDetection` gives it.
    func write(_ frame: VideoFrame, _ found: [(stage: String, detection: [UInt8])]) throws {
        var json = JSONWriter()
        try StoredFrame(frame, stages: found.map(\.stage)).write(into: &json)
        json.endLine()
        try writer.write(json.bytes)
        for (_, detection) in found { try writer.write(detection + [0x0A]) }
    }

    func finish() throws { try writer.finish() }
}

/// A frame that stages have looked at.
private struct StoredFrame: Record, Hashable {
    var frame = -1
    var pts = 0
    var duration = 0
    var width = 0
    var height = 0
    /// Tells its pixels from others.
    var contents = 0
    /// Ids of the stages of which a detection comes next.
    var stages: [String] = []

    static let fields: [Field<StoredFrame>] = [
        Field("frame", \.frame, .integer(), doc: "Its ordinal."),
        Field("pts", \.pts, .integer(), doc: "Its time, ticks."),
        Field("duration", \.duration, .integer(), doc: "Ticks."),
        Field("width", \.width, .integer(), unit: "px", doc: "As shown."),
        Field("height", \.height, .integer(), unit: "px", doc: "As shown."),
        Field("contents", \.contents, .integer(), doc: "A hash of its pixels."),
        Field("stages", \.stages, .list(.text()), doc: "Those of which a detection comes next."),
    ]

    init() {}

    init(_ frame: VideoFrame, stages: [String]) throws {
        (self.frame, pts, duration) = (frame.ordinal, Int(frame.pts.ticks), Int(frame.duration))
        (width, height) = (frame.width, frame.height)
        contents = Int(bitPattern: UInt(try frame.contents()))
        self.stages = stages
    }
}

/// Hands what was detected in the parts of a video to the stages of a job that runs on all of it, frame by frame.
///
/// Only what was seen in the very same picture is taken: where the whole video's picture is another one, after damage say, the
/// stage looks at it itself. So results don't depend on what is stored, nor on whether it is whole.
final class DetectionFeed {
    /// Those that haven't been opened yet, the next one last.
    private var files: [PartFile]
    private var lines: LineReader?
    /// The next frame of those that are stored.
    private var next: StoredFrame?
    private let lanes: [String: KnowingLane]
    private let isOver: () -> Bool

    /// - Parameters:
    ///   - files: In the order of their parts.
    ///   - stages: Of the plan; those that aren't in a `KnowingLane` get nothing.
    ///   - isOver: Whether nobody needs to wait for a part any more.
    init(_ files: [PartFile], of plan: GraphPlan, stages: [Stage?], isOver: @escaping () -> Bool) {
        self.files = files.reversed()
        self.isOver = isOver
        lanes = Dictionary(
            zip(plan.nodes, stages).compactMap { node, stage in (stage?.lane as? KnowingLane).map { (node.id, $0) } },
            uniquingKeysWith: { $1 })
    }

    /// Tells the stages what is known of a frame that comes next; waits where its part is still being looked at.
    func hand(over frame: VideoFrame) throws {
        guard !lanes.isEmpty else { return }
        while let file = files.last, file.first <= frame.ordinal {
            files.removeLast()
            (lines, next) = (nil, nil)
            // A later part's frames come with that one.
            if let other = files.last, other.first <= frame.ordinal { continue }
            lines = open(file)
        }
        while let stored = next ?? read(), stored.frame <= frame.ordinal {
            next = nil
            let detections = stored.stages.map { ($0, line()) }
            guard stored.frame == frame.ordinal else { continue }
            guard try stored == StoredFrame(frame, stages: stored.stages) else { return }
            for (stage, text) in detections {
                guard let lane = lanes[stage], let text, let node = try? JSONParser.parse(text) else { continue }
                lane.note(node, of: frame.ordinal)
            }
            return
        }
    }

    /// A part's file as soon as it is there; nil for none.
    private func open(_ file: PartFile) -> LineReader? {
        while file.isAwaited, !isOver() { sleep(seconds: Self.pause) }
        return try? LineReader(path: file.path)
    }

    /// The line of the next frame; what can't be read ends the file.
    private func read() -> StoredFrame? {
        guard let text = line(), let node = try? JSONParser.parse(text) else { return nil }
        next = StoredFrame(node)
        return next
    }

    /// Seconds between looks for a file.
    private static let pause = 0.01

    private func line() -> [UInt8]? { (try? lines?.next()) ?? nil }
}
