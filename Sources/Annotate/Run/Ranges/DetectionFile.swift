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
    /// Files that haven't been opened yet, the next one last.
    private var files: [String]
    private var lines: LineReader?
    /// The next frame of those that are stored.
    private var next: StoredFrame?
    private let lanes: [String: KnowingLane]

    /// - Parameters:
    ///   - files: In the order of their parts.
    ///   - stages: Of the plan; those that aren't in a `KnowingLane` get nothing.
    init(_ files: [String], of plan: GraphPlan, stages: [Stage?]) {
        self.files = files.reversed()
        lanes = Dictionary(
            zip(plan.nodes, stages).compactMap { node, stage in (stage?.lane as? KnowingLane).map { (node.id, $0) } },
            uniquingKeysWith: { $1 })
    }

    /// Tells the stages what is known of a frame that comes next.
    func hand(over frame: VideoFrame) throws {
        guard !lanes.isEmpty else { return }
        while let stored = next ?? read(), stored.frame <= frame.ordinal {
            next = nil
            let detections = stored.stages.map { ($0, line()) }
            guard stored.frame == frame.ordinal, try stored == StoredFrame(frame, stages: stored.stages) else {
                continue
            }
            for (stage, text) in detections {
                guard let text, let node = try? JSONParser.parse(text) else { continue }
                lanes[stage]?.note(node, of: frame.ordinal)
            }
        }
    }

    /// The line of the next frame, in whichever file; what can't be read ends a file.
    private func read() -> StoredFrame? {
        while true {
            if let text = line(), let node = try? JSONParser.parse(text) {
                next = StoredFrame(node)
                return next
            }
            guard let file = files.popLast() else { return nil }
            lines = try? LineReader(path: file)
        }
    }

    private func line() -> [UInt8]? { (try? lines?.next()) ?? nil }
}
