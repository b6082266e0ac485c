/// Gives the rows of a file for each frame.
struct ImportTracker: Tracker {
    private let id: String
    private let rows: ImportedRows
    /// The file's path as the manifest has it.
    private let file: String
    private let range: FrameRange?
    private let isAbsent: Bool
    private let outside: Int
    private var matched = 0
    private var frames = 0
    private var last: (frame: Int, end: Int64)?
    /// When players show the first frame, seconds.
    private var start = 0.0

    /// - Throws: `ImportError` where the file can't be of the video.
    init(_ request: ImportRequest, written: String, _ context: StageContext) throws {
        (id, file, range, isAbsent) = (context.id, written, context.range, false)
        var request = request
        request.isStill = context.isStill
        var rows = try request.read()
        if context.isStill, let count = rows.pictures, count > 1 {
            throw ImportError(
                written,
                "it is of \(count) pictures, and the input is a photo; expected the file of that alone, or a “video” that says which "
                    + "picture is meant: “{name}”")
        }
        let size = PictureSize(width: context.width, height: context.height)
        rows.place(in: size)
        self.rows = rows
        if let other = rows.size, other != size {
            throw ImportError(
                written,
                "it is of pictures of \(other.width) × \(other.height) pixels, and the video's have \(size.width) × \(size.height); "
                    + "expected the file of this video")
        }
        let (outside, all) = rows.outside(size)
        if all > 0, outside == all {
            throw ImportError(
                written,
                "all its boxes lie outside of the picture of \(size.width) × \(size.height) pixels; expected the file of this video"
            )
        }
        self.outside = outside
    }

    /// What has nothing of a video, since there is no file.
    init(absent file: String, _ context: StageContext) {
        (id, self.file, range, isAbsent) = (context.id, file, context.range, true)
        (rows, outside) = (ImportedRows(clock: .frames), 0)
    }

    /// Numbers that its tracks keep in the track file.
    var trackNumbers: Set<Int> { rows.ids.filter { $0 > 0 } }

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        let found = take(input.frame)
        return found.map { row in
            let track = row.id.map { TrackReference(stage: id, number: $0) }
            let bounds = row.box ?? row.polygon.flatMap { Mark.outline($0).bounds }
            let object = row.parts ?? ObjectFinding()
            return Observation(
                track == nil ? DetectionFinding(partsOf: object) : object as any Finding, stage: id, track: track,
                region: row.region, label: row.label, confidence: row.confidence, state: row.state, box: bounds,
                polygon: row.polygon, isHeld: row.isHeld)
        }
    }

    /// The rows of a frame that a rate leaves out: they are of the video all the same.
    mutating func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        _ = take(input.frame)
        return last.filter { $0.state != .ended }.map(\.held)
    }

    private mutating func take(_ frame: VideoFrame) -> [ImportedRow] {
        if frame.ordinal == 0 { start = frame.pts.seconds }
        let keys = keys(of: frame)
        last = (frame.ordinal, keys.upperBound)
        frames += 1
        let found = rows.rows(in: keys)
        matched += found.count
        return found
    }

    /// Keys of rows that are of a frame: its number, its stamp, or half of its time before and after it.
    private func keys(of frame: VideoFrame) -> ClosedRange<Int64> {
        switch rows.clock {
        case .frames: return Int64(frame.ordinal)...Int64(frame.ordinal)
        case .ticks(let base) where base == nil || base == frame.pts.timeBase: return frame.pts.ticks...frame.pts.ticks
        case .ticks(let base):
            // The same time in the file's ticks: what lies within half a frame of it.
            let tick = base?.value ?? 1
            let seconds = frame.pts.seconds
            let half = halfOf(frame)
            return Self.keys((seconds - half) / tick, (seconds + half) / tick, after: last?.end)
        case .nanoseconds:
            let half = halfOf(frame)
            return Self.keys((frame.pts.seconds - half) * 1e9, (frame.pts.seconds + half) * 1e9, after: last?.end)
        case .rate(let rate):
            // The nearest: one may be that of several frames, or of none.
            let key = Int64(Int(inRange: ((frame.pts.seconds - start) * rate).rounded()))
            return key...key
        }
    }

    /// Half of a frame's time, seconds.
    private func halfOf(_ frame: VideoFrame) -> Double {
        let duration = MediaTime(ticks: max(1, frame.duration), timeBase: frame.pts.timeBase).seconds
        return duration / 2
    }

    /// Keys between two times, without those of the frame before.
    private static func keys(_ from: Double, _ to: Double, after last: Int64?) -> ClosedRange<Int64> {
        let end = Int64(Int(inRange: to.rounded(.down)))
        let start = max(Int64(Int(inRange: from.rounded(.up))), last.map { $0 == .max ? $0 : $0 + 1 } ?? .min)
        return min(start, end)...end
    }

    // MARK: At the end

    /// - Throws: `ImportError` where nothing of the file is of the video.
    func finish() throws {
        guard range == nil, rows.count > 0, matched == 0 else { return }
        throw ImportError(
            file,
            "none of its \(rows.count == 1 ? "1 row is" : "\(rows.count) rows is") of one of the video's \(frames) frames; expected "
                + "the file of this video")
    }

    var notes: [String] {
        if isAbsent { return ["there is nothing of it in “\(file)”, which may be absent"] }
        var notes: [String] = []
        func add(_ count: Int, _ one: String, _ many: String) {
            if count > 0 { notes.append("“\(file)”: " + (count == 1 ? "1 \(one)" : "\(count) \(many)")) }
        }
        if rows.count == 0 { notes.append("“\(file)” holds no boxes") }
        add(
            rows.oddConfidences, "confidence isn't between 0 and 1 and was left out",
            "confidences aren't between 0 and 1 and were left out")
        add(rows.emptyBoxes, "box without an area was left out", "boxes without an area were left out")
        add(outside, "box lies outside of the picture", "boxes lie outside of the picture")
        if range == nil {
            let behind = last.map { rows.count(after: $0.end) } ?? 0
            let end = last.map { " (\($0.frame))" } ?? ""
            add(
                behind, "row is of a frame behind the video's last one\(end)",
                "rows are of frames behind the video's last one\(end)")
            if case .rate = rows.clock { return notes + remarks }
            if let count = rows.frameCount, count != frames {
                let rate = rows.rate.map { "at some \($0.text(2)) a second" } ?? "at another rate"
                notes.append(
                    "“\(file)”: it was drawn on \(count == 1 ? "1 frame" : "\(count) frames"), and the video has \(frames); "
                        + "where they were counted \(rate), its boxes are at other times"
                        + (rows.rate == nil ? "" : ": “by”: “time” goes by that rate"))
            }
            let others = rows.count - matched - behind
            add(others, "row is at a time of no frame", "rows are at times of no frame")
        }
        return notes + remarks
    }

    /// What is to be known of how the file was read.
    private var remarks: [String] {
        var notes: [String] = []
        if rows.ids.contains(0) { notes.append("“\(file)”: tracks count from 1, and the id 0 got another number") }
        if rows.crowds > 0 {
            notes.append(
                "“\(file)”: \(rows.crowds == 1 ? "1 of its things is a crowd" : "\(rows.crowds) of its things are crowds") (“iscrowd”), "
                    + "each taken for one thing")
        }
        if rows.namelessClasses.count > 1 {
            notes.append(
                "“\(file)”: its \(rows.namelessClasses.count) classes have no names and were left out; “classes” or “labels” "
                    + "names them")
        }
        if !rows.omissions.isEmpty {
            notes.append("“\(file)”: its \(rows.omissions.sorted().joined(separator: ", ")) were left out")
        }
        notes += rows.remarks.map { "“\(file)”: \($0)" }
        let kinds = rows.kinds.subtracting([ObjectFinding.kind, DetectionFinding.kind]).sorted()
        if !kinds.isEmpty {
            notes.append(
                "“\(file)”: what its \(Self.told(kinds)) say beyond box, outline, label and state was left out")
        }
        return notes
    }

    private static func told(_ kinds: [String]) -> String {
        kinds.map { $0.hasSuffix("s") ? $0 : $0 + "s" }.joined(separator: ", ")
    }
}
