/// CVAT for video (tracks of boxes, outlines, masks and skeletons) and for images (pictures with shapes; those of one group are
/// one thing).
struct CVATReader {
    private let request: ImportRequest
    private var xml = XMLElements()
    private var rows = ImportedRows(clock: .frames)
    /// Names of other clips, of whose pictures it tells too.
    private var names = ImportedNames()
    /// Whether there is a picture of the clip that is meant.
    private var hasOwn = false
    private var frames = CVATFrames()

    /// A track or a picture that is open.
    private struct Holder {
        /// A track's number; nil in a picture.
        var track: Int?
        var label: String?
        /// A picture's frame, as the file counts.
        var frame: Double?
        /// The last shape of a track, from which it goes on to the next key frame.
        var last: ImportedRow?
        /// How many shapes a track has.
        var shapes = 0
    }

    private struct Shape {
        var row: ImportedRow
        var isOutside: Bool
    }

    init(_ request: ImportRequest) throws {
        guard request.by != .time else {
            throw ImportError(request.path, "a CVAT file has frames and no times; expected “by”: “frame”")
        }
        self.request = request
    }

    mutating func read() throws -> ImportedRows {
        if let video = request.video {
            let index = try CVATIndex.of(request.path)
            if !index.pictures.isEmpty {
                // A data set that this program wrote knows whose its pictures are.
                for picture in index.pictures(of: video, in: request.set) {
                    xml = try XMLElements(path: request.path, at: picture.place)
                    try readElements(isInside: true)
                }
                if !hasOwn {
                    for picture in index.pictures {
                        names.add(request.set?[picture.name]?.clip ?? FrameFile.clip(in: picture.name))
                    }
                }
                return try whole()
            }
        }
        xml = try XMLElements(path: request.path)
        try readElements(isInside: false)
        return try whole()
    }

    /// All rows, when all that is meant was read.
    private func whole() throws -> ImportedRows {
        if !hasOwn, !names.all.isEmpty { try names.check(request, "clip", "clips") }
        return rows
    }

    /// Takes what the elements of the file, or of a part of it, say.
    /// - Parameter isInside: Whether they are within “annotations”.
    private mutating func readElements(isInside: Bool) throws {
        var holder: Holder?
        var isOther = false
        var pending: [ImportedRow] = []
        var isInside = isInside
        while let event = try xml.next() {
            if case .begin(let name, _) = event, !isInside {
                guard name == "annotations" else {
                    throw failure("“<\(name.inOneLine)>”; expected CVAT's “<annotations>”")
                }
                isInside = true
            }
            frames.add(event)
            switch event {
            case .begin("track", let attributes):
                let id = attributes["id"].flatMap { Int($0) }
                // Masks of a thing are tracks of one frame, whose group says which thing's.
                let group = attributes["group_id"].flatMap { Int($0) }
                holder = Holder(track: group ?? id, label: attributes["label"])
            case .begin("image", let attributes):
                let name = attributes["name"] ?? ""
                let picture = request.set?[name]
                var isPhoto = false
                if request.video == nil, let clip = picture?.clip { names.add(clip) }
                if let video = request.video {
                    isPhoto = request.mayBeStill && picture == nil && FrameFile.isPhoto(name, of: video)
                    isOther =
                        picture.map { $0.clip != video } ?? !(isPhoto || FrameFile.isPicture(name, of: video))
                    if isOther { names.add(picture?.clip ?? FrameFile.clip(in: name)) } else { hasOwn = true }
                }
                let number =
                    picture.map { $0.frame + request.firstFrame } ?? (isPhoto ? request.firstFrame : nil)
                    ?? FrameFile.number(in: name)
                    ?? attributes["id"].flatMap { Int($0) }
                guard let number else {
                    throw failure("an image without a number; expected one in its name, or an “id”")
                }
                holder = Holder(frame: Double(number))
                if !isOther {
                    rows.list(try request.frame(Double(number), line: xml.line))
                    try size(attributes["width"], attributes["height"])
                }
            case .end("track"):
                if let holder { pending += try untilTheEnd(of: holder) }
                holder = nil
            case .end("image"):
                (holder, isOther) = (nil, false)
                for row in Self.merged(pending) { rows.append(row) }
                pending = []
            case .begin(let name, let attributes) where ["box", "polygon", "mask", "skeleton"].contains(name):
                guard let open = holder else { continue }
                guard let shape = try shape(name, attributes, open), !isOther else { continue }
                if open.track != nil, let last = holder?.last {
                    try rows.draw(max(0, shape.row.key - last.key - 1), for: request, line: xml.line)
                    pending += Self.between(last, shape.row)
                }
                holder?.last = shape.isOutside ? nil : shape.row
                holder?.shapes += 1
                if !shape.isOutside { pending.append(shape.row) }
            case .begin(let name, _) where ["polyline", "points", "cuboid", "ellipse"].contains(name) && holder != nil:
                rows.omissions.insert("shapes of the sort “\(name)”")
            case .text, .end, .begin: break
            }
        }
        // A thing's mask is a track of its own, another than that of its joints.
        for row in Self.merged(pending) { rows.append(row) }
    }

    /// A video's frames between two key frames, as CVAT draws them: boxes on straight ways, other shapes as they were.
    private static func between(_ from: ImportedRow, _ to: ImportedRow) -> [ImportedRow] {
        guard to.key > from.key + 1 else { return [] }
        return (from.key + 1..<to.key).map { key in
            var row = from
            row.key = key
            row.state = row.id == nil ? nil : .predicted
            let part = Double(key - from.key) / Double(to.key - from.key)
            func mean(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
            if let a = from.box, let b = to.box, from.polygon == nil, from.parts == nil {
                row.box = Box(
                    x: mean(a.x, b.x), y: mean(a.y, b.y), width: mean(a.width, b.width),
                    height: mean(a.height, b.height))
            } else if let a = TurnedBox(from), let b = TurnedBox(to) {
                // Its box goes straight on, and it turns the shorter way.
                let turn = (b.angle - a.angle).remainder(dividingBy: 360)
                let angle = (a.angle + turn * part).remainder(dividingBy: 360)
                let center = Point(mean(a.center.x, b.center.x), mean(a.center.y, b.center.y))
                let turned = TurnedBox(
                    center: center, width: mean(a.width, b.width), height: mean(a.height, b.height), angle: angle)
                (row.polygon, row.box) = (turned.corners, nil)
                var parts = ObjectFinding()
                parts.angle = angle
                row.parts = parts
            } else if let a = from.polygon, let b = to.polygon, a.count == b.count {
                row.polygon = zip(a, b).map { Point(mean($0.x, $1.x), mean($0.y, $1.y)) }
                row.box = nil
            }
            return row
        }
    }

    /// The frames behind a track's last shape, which CVAT draws on to the task's last one unless the thing is outside.
    private mutating func untilTheEnd(of track: Holder) throws -> [ImportedRow] {
        // It follows no masks, and its own files close no shape without a track in the last frame but one.
        guard let from = track.last, from.parts?.mask == nil, let last = frames.last else { return [] }
        let end = Int64(last - request.firstFrame)
        guard end > from.key, track.shapes > 1 || end - from.key > Int64(frames.step) else { return [] }
        try rows.draw(end - from.key, for: request, line: nil)
        return (from.key + 1...end).map { key in
            var row = from
            row.key = key
            row.state = row.id == nil ? nil : .predicted
            return row
        }
    }

    /// Shapes of one thing in one frame as one: its mask, its joints, and its box.
    private static func merged(_ shapes: [ImportedRow]) -> [ImportedRow] {
        var merged: [ImportedRow] = []
        var places: [SIMD2<Int>: Int] = [:]
        for shape in shapes {
            guard let id = shape.id else {
                // A box and the joints in it, as this program writes them of what has no track.
                if let parts = shape.parts, !parts.joints.isEmpty, parts.mask == nil, let before = merged.last,
                    before.id == nil, before.key == shape.key, before.label == shape.label, before.parts == nil,
                    before.polygon == nil, let box = before.box, holds(box, parts.joints)
                {
                    merged[merged.count - 1].parts = parts
                } else {
                    merged.append(shape)
                }
                continue
            }
            let key = SIMD2(Int(shape.key), id)
            guard let place = places[key] else {
                places[key] = merged.count
                merged.append(shape)
                continue
            }
            guard var parts = merged[place].parts ?? (shape.parts == nil ? nil : ObjectFinding()),
                let more = shape.parts
            else {
                merged.append(shape)
                continue
            }
            parts.mask = parts.mask ?? more.mask
            if parts.joints.isEmpty { parts.joints = more.joints }
            merged[place].parts = parts
            if more.mask != nil { merged[place].box = shape.box }
        }
        return merged
    }

    /// Whether all joints that are found lie in a box, a pixel to spare: others are another thing's.
    private static func holds(_ box: Box, _ joints: [Joint]) -> Bool {
        // A box's edges are 0 at the picture's, joints at pixels' centres.
        let (right, bottom) = (box.x + box.width + 1, box.y + box.height + 1)
        return joints.lazy.filter(\.isFound).map(\.point).allSatisfy { point -> Bool in
            let (x, y) = (point.x + 0.5, point.y + 0.5)
            return x >= box.x - 1 && x <= right && y >= box.y - 1 && y <= bottom
        }
    }

    /// A shape, with all that is in its element.
    private mutating func shape(
        _ name: String, _ attributes: [String: String], _ holder: Holder
    ) throws -> Shape? {
        let line = xml.line
        var row = ImportedRow()
        row.line = line
        guard let frame = holder.frame ?? attributes["frame"].flatMap(Double.init) else {
            throw failure("a shape without a “frame”; expected its number")
        }
        row.key = try request.frame(frame, line: line)
        row.label = holder.label ?? attributes["label"]
        let group = attributes["group_id"].flatMap { Int($0) }
        row.id = (holder.track ?? group).flatMap { $0 > 0 || holder.track != nil ? $0 : nil }
        if row.id != nil { row.state = attributes["occluded"] == "1" ? .predicted : .tracked }
        func number(_ key: String) throws -> Double {
            guard let text = attributes[key], let number = MOTReader.number(text.utf8) else {
                throw failure("“<\(name)>” without a number “\(key)”")
            }
            return number
        }
        switch name {
        case "box":
            let edges = try ["xtl", "ytl", "xbr", "ybr"].map(number)
            let place = [edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]]
            if request.isEmpty(place) {
                rows.emptyBoxes += 1
                return nil
            }
            let box = try request.box(place, line: line)
            let turn = attributes["rotation"] == nil ? 0 : try number("rotation")
            if turn != 0 {
                let angle = turn > 180 ? turn - 360 : turn
                let turned = TurnedBox(
                    center: Point(box.center.x - 0.5, box.center.y - 0.5), width: box.width, height: box.height,
                    angle: angle)
                row.polygon = turned.corners
                var parts = ObjectFinding()
                parts.angle = angle
                row.parts = parts
            } else {
                row.box = box
            }
        case "polygon":
            row.polygon = try request.polygon(
                Self.points(attributes["points"] ?? "").map { Point($0.x - 0.5, $0.y - 0.5) }, line: line)
        case "mask":
            let edges = try ["left", "top", "width", "height"].map { Int(inRange: try number($0)) }
            row.box = try request.box(edges.map(Double.init), line: line)
            var parts = ObjectFinding()
            let runs = (attributes["rle"] ?? "").split(separator: ",").compactMap { run in
                Int(run.filter { $0 != " " })
            }
            let box = PixelBox(x: edges[0], y: edges[1], width: edges[2], height: edges[3])
            guard runs.reduce(0, { $0 &+ $1 }) == box.area, box.area < 1 << 28, runs.allSatisfy({ $0 >= 0 }) else {
                throw failure("a mask whose “rle” isn't that of its \(edges[2]) × \(edges[3]) pixels")
            }
            var bitmap: [UInt8] = []
            for (index, run) in runs.enumerated() { bitmap += repeatElement(UInt8(index % 2), count: run) }
            parts.mask = RunMask(box, bitmap: bitmap)
            row.parts = parts
        default:
            return try skeleton(row)
        }
        return Shape(row: row, isOutside: attributes["outside"] == "1")
    }

    /// A skeleton's points, up to its end.
    private mutating func skeleton(_ row: ImportedRow) throws -> Shape? {
        var row = row
        var names: [String] = []
        var joints: [Joint] = []
        var isOutside = true
        while let event = try xml.next() {
            if case .end("skeleton") = event { break }
            guard case .begin("points", let element) = event else { continue }
            guard let place = Self.points(element["points"] ?? "").first else {
                throw failure("a skeleton's point without a place")
            }
            let isFound = element["outside"] != "1"
            if isFound { isOutside = false }
            names.append(element["label"] ?? "joint_\(names.count + 1)")
            joints.append(
                Joint(
                    Point(place.x - 0.5, place.y - 0.5), confidence: isFound ? 1 : 0,
                    visibility: isFound && element["occluded"] != "1" ? 1 : 0))
        }
        let found = joints.filter(\.isFound).map(\.point)
        // A skeleton of which nothing is seen ends its track's shapes.
        guard !found.isEmpty else { return Shape(row: row, isOutside: true) }
        let own = Skeleton(names: names)
        rows.skeleton = rows.skeleton ?? own
        guard rows.skeleton?.names == names else {
            rows.omissions.insert("joints of another skeleton than the first one")
            return nil
        }
        row.box = Mark.outline(found).bounds
        var parts = ObjectFinding()
        parts.joints = joints
        row.parts = parts
        return Shape(row: row, isOutside: isOutside)
    }

    private static func points(_ text: String) -> [Point] {
        text.split(separator: ";").compactMap { pair in
            let numbers = pair.split(separator: ",").compactMap { MOTReader.number($0.utf8) }
            return numbers.count == 2 ? Point(numbers[0], numbers[1]) : nil
        }
    }

    private mutating func size(_ width: String?, _ height: String?) throws {
        guard let width = width.flatMap({ Int($0) }), let height = height.flatMap({ Int($0) }), width > 0,
            height > 0
        else { return }
        let size = try ImportRequest.Place(request.path, xml.line).size(width, height)
        if let other = rows.size, other != size {
            throw failure(
                "an image of \(width) × \(height) pixels, and those before have \(other.width) × \(other.height); expected those "
                    + "of one clip: “video” says what their names begin with")
        }
        rows.size = size
    }

    private func failure(_ message: String) -> ImportError { request.failure(xml.line, message) }
}

extension TurnedBox {
    /// The turned box that a row is, or its upright one; nil for other shapes.
    fileprivate init?(_ row: ImportedRow) {
        if let corners = row.polygon, let angle = row.parts?.angle {
            self.init(corners: corners, angle: angle)
        } else if let box = row.box, row.polygon == nil, row.parts == nil {
            let middle = Point(box.center.x - 0.5, box.center.y - 0.5)
            self.init(center: middle, width: box.width, height: box.height, angle: 0)
        } else {
            return nil
        }
    }
}
