/// One thing in one frame, as a file has it.
struct ImportedRow: Sendable {
    /// Time or frame, as `ImportedRows.Clock` counts.
    var key: Int64 = 0
    /// Id of the track, from 0; nil for what has no track.
    var id: Int?
    /// Box, pixels; nil for what is lost or has ended.
    var box: Box?
    /// Corners of the outline, 3 or more; nil for none.
    var polygon: [Point]?
    var label: String?
    var region: String?
    /// The stage that said so and its kind, in this program's own tables; nil elsewhere.
    var stage: String?
    var kind: String?
    var confidence: Double?
    var state: TrackState?
    var isHeld = false
    /// Whether it is many things, of which a result may show any number: COCO's `iscrowd`.
    var isCrowd = false
    /// Area that the file gives it, square pixels; nil where it says none.
    var area: Double?
    /// Mask, joints and angle; nil for a thing without.
    var parts: ObjectFinding?
    /// Line of the file, from 1.
    var line = 0
}

/// The rows of a file, frame by frame, in little memory: texts once, outlines and parts apart.
struct ImportedRows: Sendable {
    /// The clock by which a file tells when something is.
    enum Clock: Sendable, Hashable {
        /// Frames from 0.
        case frames
        /// Time stamps in the source's own ticks; nil where the file doesn't say what a tick is.
        case ticks(Rational?)
        /// Times in nanoseconds.
        case nanoseconds
        /// Frames from 0 that somebody counted by time, so many a second, whatever the video's own are.
        case rate(Double)
    }

    private struct Packed {
        var key: Int64
        /// Id of the track; −1 for none.
        var id: Int
        /// NaN for none.
        var box: SIMD4<Double>
        /// NaN for none.
        var confidence: Double
        /// Index in `outlines`; −1 for none.
        var outline: Int32 = -1
        /// Index in `parts`; −1 for none.
        var parts: Int32 = -1
        /// Index in `texts`; −1 for none.
        var label: Int32 = -1
        var region: Int32 = -1
        var stage: Int32 = -1
        var kind: Int32 = -1
        var line: Int32
        /// Index in `TrackState.allCases`; −1 for none.
        var state: Int8 = -1
        var isHeld: Bool
        var isCrowd = false
        /// NaN for none.
        var area = Double.nan
    }

    var clock: Clock
    private var rows: [Packed] = []
    private var outlines: [[Point]] = []
    private var parts: [ObjectFinding] = []
    private var texts: [String] = []
    private var places: [String: Int32] = [:]

    /// How many rows were drawn between those that the file has, or behind them.
    private var drawn: Int64 = 0

    /// What a few lines of a file may become in memory: 50 things over an hour and a half.
    private static let mostDrawn: Int64 = 1 << 23

    /// The pictures' size, where the file says it.
    var size: PictureSize?
    /// Whether places are parts of the picture's width and height, 0 to 1, corners as edges have them.
    var isInParts = false
    /// How many confidences aren't between 0 and 1 and were left out.
    var oddConfidences = 0
    /// How many boxes have no width or no height and were left out.
    var emptyBoxes = 0
    /// How many things are crowds.
    private(set) var crowds = 0
    /// What else is to be known of how it was read, a sentence's end each.
    var remarks: [String] = []
    /// How many frames the video had on which somebody drew; nil where the file doesn't say it.
    var frameCount: Int?
    /// How long it was, seconds; nil where the file doesn't say it.
    var duration: Double?
    /// Frames a second as they were counted; nil where the file doesn't say it.
    var rate: Double? {
        guard let frameCount, let duration, duration > 0 else { return nil }
        let rate = Double(frameCount) / duration
        return rate < 1e6 ? rate : nil
    }
    /// Ids of tracks.
    private(set) var ids: Set<Int> = []
    /// Results of other kinds than boxes and outlines, which lose what else they say, by the kinds' names.
    var kinds: Set<String> = []
    /// Stages of which the file tells anywhere, in this program's own tables.
    var stages: Set<String> = []
    /// What joints are, where the file says so.
    var skeleton: Skeleton?
    /// Frames of which the file tells, also where nothing is in them; nil for a file that says nothing of it.
    var listed: Set<Int64>?
    /// Ids of images by their frames; empty for a file without any.
    var images: [Int64: Int] = [:]
    /// Names that the file has for things, also those that it doesn't use; nil for a file that has no list of them.
    var classes: [String]?
    /// Numbers of classes that nobody gave names.
    var namelessClasses: Set<Int> = []
    /// Parts of things that were left out, in words.
    var omissions: Set<String> = []

    init(clock: Clock) { self.clock = clock }

    var count: Int { rows.count }

    /// Notes that the file tells of a frame.
    mutating func list(_ key: Int64) {
        if listed == nil { listed = [] }
        listed?.insert(key)
    }

    /// Of how many frames it tells; nil where it goes by times. For rows that are in order.
    var pictures: Int? {
        guard case .frames = clock else { return nil }
        var (all, last) = (listed?.count ?? 0, Int64.min)
        for row in rows where row.key != last {
            last = row.key
            if listed?.contains(row.key) != true { all += 1 }
        }
        return all
    }

    var firstKey: Int64? { rows.first?.key }
    var lastKey: Int64? { rows.last?.key }

    /// Counts frames that a reader is about to draw a thing in, which the file itself doesn't tell of.
    /// - Throws: `ImportError` where they become too many.
    mutating func draw(_ frames: Int64, for request: ImportRequest, line: Int?) throws {
        guard frames <= Self.mostDrawn - drawn else {
            throw request.failure(
                line,
                "over \(Self.mostDrawn) frames of things between those that it has; expected frames that a video has")
        }
        drawn += frames
    }

    mutating func append(_ row: ImportedRow) {
        if let id = row.id { ids.insert(id) }
        if row.isCrowd { crowds += 1 }
        var packed = Packed(
            key: row.key, id: row.id ?? -1,
            box: row.box.map { [$0.x, $0.y, $0.width, $0.height] } ?? SIMD4(repeating: .nan),
            confidence: row.confidence ?? .nan, line: Int32(clamping: row.line), isHeld: row.isHeld)
        if let polygon = row.polygon {
            packed.outline = Int32(outlines.count)
            outlines.append(polygon)
        }
        if let own = row.parts {
            packed.parts = Int32(parts.count)
            parts.append(own)
        }
        (packed.isCrowd, packed.area) = (row.isCrowd, row.area ?? .nan)
        packed.label = place(of: row.label)
        packed.region = place(of: row.region)
        (packed.stage, packed.kind) = (place(of: row.stage), place(of: row.kind))
        if let state = row.state { packed.state = Int8(TrackState.allCases.firstIndex(of: state) ?? -1) }
        rows.append(packed)
    }

    /// Gives places in parts of the picture their pixels, and outlines that are too long for a result a mask.
    mutating func place(in size: PictureSize) {
        scale(to: size)
        for index in rows.indices where rows[index].outline >= 0 { fill(index, in: size) }
    }

    /// The corners that a result's outline has at most.
    private static let mostCorners = 64

    /// The pixels of an outline, in the place of its corners.
    private mutating func fill(_ index: Int, in size: PictureSize) {
        let corners = outlines[Int(rows[index].outline)]
        guard corners.count > Self.mostCorners else { return }
        outlines[Int(rows[index].outline)] = []
        rows[index].outline = -1
        // A mask's corners lie on the pixels' edges, ours in their middle.
        let mask = RunMask(outlines: [corners.map { Point($0.x + 0.5, $0.y + 0.5) }], in: size)
        let bounds = mask?.bounds?.box ?? Mark.outline(corners).bounds
        if mask == nil { omissions.insert("outlines longer than any") }
        if rows[index].box.x.isNaN, let bounds {
            rows[index].box = [bounds.x, bounds.y, bounds.width, bounds.height]
        }
        guard let mask, mask.area > 0, let box = unpack(rows[index]).box else { return }
        if rows[index].parts < 0 {
            rows[index].parts = Int32(parts.count)
            parts.append(ObjectFinding())
        }
        parts[Int(rows[index].parts)].mask = mask.of(box.pixels)
    }

    private mutating func scale(to size: PictureSize) {
        guard isInParts else { return }
        isInParts = false
        let (width, height) = (Double(size.width), Double(size.height))
        func pixel(_ point: Point) -> Point { Point(point.x * width - 0.5, point.y * height - 0.5) }
        for index in rows.indices { rows[index].box *= [width, height, width, height] }
        outlines = outlines.map { $0.map(pixel) }
        for index in parts.indices {
            parts[index].joints = parts[index].joints.map { joint in
                var joint = joint
                joint.point = joint.isFound ? pixel(joint.point) : Point(0, 0)
                return joint
            }
        }
    }

    private mutating func place(of text: String?) -> Int32 {
        guard let text else { return -1 }
        if let place = places[text] { return place }
        let place = Int32(texts.count)
        texts.append(text)
        places[text] = place
        return place
    }

    /// Farther than anything is from a picture, pixels or its widths, and the most that a thing is turned, degrees.
    private static let farthest = 1e7

    /// Refuses places that no picture has, whatever the format: nothing could be drawn there or hidden.
    /// - Throws: `ImportError` for the first of them.
    func checkPlaces(_ path: String) throws {
        func isPlace(_ x: Double, _ y: Double) -> Bool { abs(x) <= Self.farthest && abs(y) <= Self.farthest }
        for row in rows {
            let box = row.box
            let hasBox = box.x.isNaN || isPlace(box.x, box.y) && isPlace(box.z, box.w)
            let corners = row.outline < 0 ? [] : outlines[Int(row.outline)]
            let own = row.parts < 0 ? nil : parts[Int(row.parts)]
            guard hasBox, corners.allSatisfy({ isPlace($0.x, $0.y) }), isPlace(own?.angle ?? 0, 0),
                own?.joints.allSatisfy({ isPlace($0.point.x, $0.point.y) }) ?? true
            else {
                throw ImportError(
                    path, line: Int(row.line),
                    "a place or an angle beyond all pictures; expected numbers up to ten million")
            }
        }
    }

    /// Puts the rows in the order of their frames, within one in the file's.
    /// - Throws: `ImportError` for a track that is twice in a frame.
    mutating func sort(_ path: String) throws {
        if !zip(rows, rows.dropFirst()).allSatisfy({ $0.key <= $1.key }) {
            rows.sort { ($0.key, $0.line) < ($1.key, $1.line) }
        }
        var here: [Int: Int32] = [:]
        var last: Int64?
        for row in rows {
            if row.key != last { here.removeAll(keepingCapacity: true) }
            last = row.key
            guard row.id >= 0 else { continue }
            if let other = here.updateValue(row.line, forKey: row.id) {
                throw ImportError(
                    path, line: Int(row.line),
                    "the id \(row.id) is there twice in one frame, first in line \(other); expected each once")
            }
        }
    }

    /// The rows of these keys.
    func rows(in keys: ClosedRange<Int64>) -> [ImportedRow] {
        let first = rows.prefixCount { $0.key < keys.lowerBound }
        return rows[first...].prefix { $0.key <= keys.upperBound }.map(unpack)
    }

    /// How many lie after a key.
    func count(after key: Int64) -> Int { rows.count - rows.prefixCount { $0.key <= key } }

    /// Boxes of which no pixel is in a picture, and boxes at all.
    func outside(_ size: PictureSize) -> (outside: Int, all: Int) {
        var outside = 0, all = 0
        for row in rows where !row.box.x.isNaN {
            all += 1
            let isInside =
                row.box.x < Double(size.width) && row.box.y < Double(size.height) && row.box.x + row.box.z > 0
                && row.box.y + row.box.w > 0
            if !isInside { outside += 1 }
        }
        return (outside, all)
    }

    private func unpack(_ packed: Packed) -> ImportedRow {
        var row = ImportedRow()
        row.key = packed.key
        row.id = packed.id < 0 ? nil : packed.id
        let box = packed.box
        row.box = box.x.isNaN ? nil : Box(x: box.x, y: box.y, width: box.z, height: box.w)
        row.confidence = packed.confidence.isNaN ? nil : packed.confidence
        row.polygon = packed.outline < 0 ? nil : outlines[Int(packed.outline)]
        row.parts = packed.parts < 0 ? nil : parts[Int(packed.parts)]
        row.label = packed.label < 0 ? nil : texts[Int(packed.label)]
        row.region = packed.region < 0 ? nil : texts[Int(packed.region)]
        row.stage = packed.stage < 0 ? nil : texts[Int(packed.stage)]
        row.kind = packed.kind < 0 ? nil : texts[Int(packed.kind)]
        row.state = packed.state < 0 ? nil : TrackState.allCases[Int(packed.state)]
        row.isHeld = packed.isHeld
        (row.isCrowd, row.area) = (packed.isCrowd, packed.area.isNaN ? nil : packed.area)
        row.line = Int(packed.line)
        return row
    }
}

/// The error of a file that is imported.
struct ImportError: Error, CustomStringConvertible {
    var path: String
    /// Line, from 1; nil for the file as a whole.
    var line: Int?
    var message: String
    /// Whether it is that there is nothing of the video that is meant.
    var isAbsence = false

    init(_ path: String, line: Int? = nil, _ message: String) {
        (self.path, self.line, self.message) = (path, line, message)
    }

    var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}
