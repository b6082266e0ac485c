/// Label Studio's tasks, with annotations or predictions: a video's boxes by track, or pictures with boxes, outlines and key
/// points. Places are percent of the picture, a video's frames count from 1.
struct LabelStudioReader {
    private let request: ImportRequest
    var rows = ImportedRows(clock: .frames)
    private var tracks = 0
    /// What is said of pictures, and their frames.
    private var pictures: [(regions: [JSONNode], frame: Int64, linesBefore: Int)] = []
    /// Names of other clips, of whose pictures it tells too.
    private var names = ImportedNames()
    /// Whether there is a picture of the clip that is meant.
    private var hasOwn = false
    /// Lines of the file before the task that is read: a node's position counts from its task's beginning.
    private var linesBefore = 0

    init(_ request: ImportRequest) throws {
        self.request = request
        rows.isInParts = true
    }

    mutating func read() throws -> ImportedRows {
        if try COCOListReader.isList(request.path) {
            let list = try LabelStudioTasks.of(request.path)
            guard !list.tasks.isEmpty else { throw noTasks }
            let own = own(list)
            try JSONElementReader.read(own.map(\.place), of: JSONElementReader.list, in: request.path) { element in
                linesBefore = element.line - 1
                try add(task: element.node)
            }
            if !hasOwn, request.video != nil {
                for image in list.tasks.compactMap(\.image) {
                    names.add(request.set?[Self.name(of: image)]?.clip ?? FrameFile.clip(in: Self.name(of: image)))
                }
            }
        } else {
            let root: JSONNode
            do {
                root = try JSONParser.parse(try Files.read(request.path))
            } catch let error as FileError {
                throw error
            } catch {
                throw request.failure(nil, "\(error)")
            }
            guard root["data"]?.members != nil else { throw noTasks }
            try add(task: root)
        }
        if !hasOwn, !names.all.isEmpty { try names.check(request, "clip", "clips") }
        rows.skeleton = LabelStudioJoints.skeleton(pictures.map(\.regions))
        if !pictures.isEmpty { rows.listed = Set(pictures.map(\.frame)) }
        for picture in pictures {
            linesBefore = picture.linesBefore
            try add(picture.regions, frame: picture.frame)
        }
        if request.by == .time { rows.clock = .rate(try rate) }
        return rows
    }

    /// Frames a second as Label Studio counted them: it goes by time, at the rate that its project says (24 unless told).
    private var rate: Double {
        get throws {
            guard let rate = rows.rate else {
                throw request.failure(
                    nil,
                    "no region of a video with “framesCount” and “duration”, by which frames have times; expected “by”: “frame”"
                )
            }
            return rate
        }
    }

    private var noTasks: ImportError {
        request.failure(nil, "it has no task with “data”; expected Label Studio's tasks")
    }

    /// The tasks among which those of the clip that is meant are.
    private func own(_ list: LabelStudioTasks) -> [LabelStudioTasks.Task] {
        guard let video = request.video else { return list.tasks }
        // A data set that this program wrote knows whose its pictures are.
        return list.tasks(of: video, in: request.set)
    }

    private mutating func add(task: JSONNode) throws {
        guard task["data"]?.members != nil else { return }
        let image = task["data"]?["image"]?.string
        var isPhoto = false
        if request.video == nil, let clip = image.flatMap({ request.set?[Self.name(of: $0)]?.clip }) {
            names.add(clip)
        }
        if let image, let video = request.video {
            let name = Self.name(of: image)
            let picture = request.set?[name]
            isPhoto = request.mayBeStill && picture == nil && FrameFile.isPhoto(name, of: video)
            guard picture.map({ $0.clip == video }) ?? (isPhoto || FrameFile.isPicture(name, of: video)) else {
                names.add(picture?.clip ?? FrameFile.clip(in: name))
                return
            }
            hasOwn = true
        }
        // What people said counts before what a model did.
        let said =
            [task["annotations"], task["predictions"]].compactMap { list in
                // What somebody skipped isn't said.
                list?.elements?.filter { $0["was_cancelled"]?.bool != true }
            }.first { !$0.isEmpty } ?? []
        guard let results = said.first?["result"]?.elements else { return }
        if let image, let picture = request.set?[Self.name(of: image)] {
            pictures.append((results, Int64(picture.frame), linesBefore))
        } else if isPhoto {
            pictures.append((results, 0, linesBefore))
        } else if let image {
            guard let number = FrameFile.number(in: Self.name(of: image)) else {
                throw failure(task, "an “image” \(image.inOneLine) without a frame's number in its name")
            }
            pictures.append((results, try request.frame(Double(number), line: line(of: task)), linesBefore))
        } else {
            for region in results where region["type"]?.string == "videorectangle" { try add(video: region) }
        }
    }

    /// A picture's name, without what Label Studio puts before it: eight hexadecimal digits where it was uploaded, the way to a
    /// local file otherwise.
    static func name(of image: String) -> String {
        let name = Files.name(of: image)
        let own = name.hasPrefix("?d=") ? name.dropFirst(3) : name[...]
        let start = own.prefix(8)
        let isUpload =
            image.contains("/upload/") && start.count == 8 && start.allSatisfy { $0.isASCII && $0.isHexDigit }
            && own.dropFirst(8).first == "-"
        return String(isUpload ? own.dropFirst(9) : own)
    }

    /// The error of a part of the file.
    func failure(_ node: JSONNode, _ message: String) -> ImportError {
        request.failure(line(of: node), message)
    }

    /// The line of the file in which a part of a task begins, from 1.
    func line(of node: JSONNode) -> Int { linesBefore + node.position.line }

    /// A member's number; 0 where there is none.
    static func number(_ node: JSONNode, _ key: String) -> Double {
        guard let value = node[key], let number = value.number else { return 0 }
        return number
    }

    /// Width of a region's picture by its height; nil where nothing says it.
    static func aspect(_ region: JSONNode) -> Double? {
        let width = number(region, "original_width"), height = number(region, "original_height")
        let pixels = 1.0...1e6
        return pixels.contains(width) && pixels.contains(height) ? width / height : nil
    }

    /// A box as Label Studio has it: parts of the picture, turned about its top left corner.
    struct Placement {
        /// Left, top, width and height.
        var parts: SIMD4<Double>
        /// Degrees clockwise.
        var angle: Double

        /// One on the way to another, which Label Studio draws straight from number to number.
        func mean(_ other: Placement, _ part: Double) -> Placement {
            Placement(parts: parts + (other.parts - parts) * part, angle: angle + (other.angle - angle) * part)
        }
    }

    /// Where a region's value, or an entry of its sequence, is; nil for a box without an area.
    mutating func placement(_ value: JSONNode) throws -> Placement? {
        let numbers = ["x", "y", "width", "height"].compactMap { value[$0]?.number }
        guard numbers.count == 4, numbers[2] >= 0, numbers[3] >= 0, numbers.allSatisfy({ abs($0) < 1600 }) else {
            throw failure(value, "a box without x, y, width and height over 0, percent")
        }
        // A click that was no drag.
        guard numbers[2] > 0, numbers[3] > 0 else {
            rows.emptyBoxes += 1
            return nil
        }
        return Placement(
            parts: SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]) / 100, angle: Self.number(value, "rotation"))
    }

    /// Gives a row its place.
    /// - Parameter aspect: The picture's width by its height.
    func place(_ placement: Placement, _ row: inout ImportedRow, aspect: Double) {
        let (parts, angle) = (placement.parts, placement.angle)
        guard angle != 0 else {
            row.box = Box(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
            return
        }
        // Corners by pictures of this shape: x in parts of the width, y of the height.
        let upright = TurnedBox(
            center: Point(0, 0), width: parts[2] * aspect, height: parts[3], angle: angle)
        let corners = upright.corners.map { $0 - upright.corners[0] }
        row.polygon = corners.map { Point(parts[0] + $0.x / aspect, parts[1] + $0.y) }
        var turned = ObjectFinding()
        turned.angle = angle.remainder(dividingBy: 360)
        row.parts = turned
    }

    private mutating func add(video region: JSONNode) throws {
        guard let value = region["value"], let sequence = value["sequence"]?.elements else {
            throw failure(region, "a region without a “sequence”")
        }
        let (kind, number) = Self.id(region["id"]?.string ?? "")
        tracks += 1
        let id: Int? = kind == "box" ? nil : kind == "track" ? number : tracks
        let aspect = Self.aspect(region)
        if let count = value["framesCount"]?.integer, count > 0, rows.frameCount == nil {
            (rows.frameCount, rows.duration) = (count, value["duration"]?.number)
        }
        var last: (row: ImportedRow, placement: Placement, isOn: Bool)?
        for entry in sequence {
            guard let frame = entry["frame"]?.number else { throw failure(entry, "a box without a “frame”") }
            var row = ImportedRow()
            row.line = line(of: entry)
            row.key = try request.frame(frame, line: row.line)
            (row.id, row.label) = (id, value["labels"]?.elements?.first?.string)
            if id != nil { row.state = .tracked }
            if aspect == nil, Self.number(entry, "rotation") != 0 {
                rows.omissions.insert("turned boxes of regions without “original_width” and “original_height”")
                last = nil
                continue
            }
            guard let placement = try placement(entry) else {
                last = nil
                continue
            }
            if let last, last.isOn {
                try fill(from: last.row, last.placement, to: row.key, placement, aspect: aspect ?? 1)
            }
            let bare = row
            place(placement, &row, aspect: aspect ?? 1)
            rows.append(row)
            last = (bare, placement, Self.isOn(entry))
        }
        // What is on behind its last box stays there until the video's end.
        if let last, last.isOn, let count = value["framesCount"]?.integer {
            try fill(
                from: last.row, last.placement, to: Int64(min(count, ImportRequest.mostFrames)), last.placement,
                aspect: aspect ?? 1)
        }
    }

    /// Whether Label Studio draws on behind a box.
    private static func isOn(_ entry: JSONNode) -> Bool {
        guard let value = entry["enabled"], let flag = value.bool else { return true }
        return flag
    }

    /// The frames between two, or before the video's end, over which Label Studio draws on.
    /// - Parameter from: A row without a place.
    private mutating func fill(
        from: ImportedRow, _ first: Placement, to end: Int64, _ second: Placement, aspect: Double
    ) throws {
        guard end > from.key + 1 else { return }
        try rows.draw(end - from.key - 1, for: request, line: nil)
        for key in from.key + 1..<end {
            var row = from
            row.key = key
            place(first.mean(second, Double(key - from.key) / Double(end - from.key)), &row, aspect: aspect)
            if row.id != nil { row.state = .predicted }
            rows.append(row)
        }
    }

    /// The word and the number of an id such as `track-3`.
    private static func id(_ text: String) -> (String, Int?) {
        let parts = text.split(separator: "-")
        return parts.count == 2 ? (String(parts[0]), Int(parts[1])) : ("", nil)
    }
}
