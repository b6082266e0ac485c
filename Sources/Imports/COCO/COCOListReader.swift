/// COCO's results: a list of boxes, masks or key points with `image_id`, `category_id` and `score`. It knows nothing of pictures:
/// ids of images are numbers of frames, or else `ListedImages` tells of which they are; those of categories are those of classes
/// from 1, or of its categories.
struct COCOListReader {
    private let request: ImportRequest
    private let names: ClassNames

    /// Whether a file is such a list.
    /// - Throws: `FileError`.
    static func isList(_ path: String) throws -> Bool {
        guard Files.isRegular(path) else { return false }
        let start = try Files.read(path, from: 0, count: 4096)
        return start.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "[")
    }

    /// Whether a list's first result names a picture.
    static func namesPictures(_ path: String) throws -> Bool {
        let reader = try JSONElementReader(path: path, keys: [JSONElementReader.list])
        return try reader.next()?.node["image_id"]?.string != nil
    }

    init(_ request: ImportRequest) throws {
        guard request.by != .time else {
            throw ImportError(request.path, "a list of results has ids of images and no times; expected “by”: “frame”")
        }
        self.request = request
        names = try ClassNames(request, first: 1)
    }

    func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: .frames)
        var images = try ListedImages(request)
        var found: [(place: JSONElementReader.Place, key: Int64, id: JSONNode?)] = []
        func find(_ list: [COCOListIndex.Image]) throws {
            for image in list {
                guard let first = image.places.first, let key = try images.frame(of: image.id, line: Int(first.line))
                else { continue }
                found += image.places.map { ($0, key, image.id) }
            }
        }
        let index = try COCOListIndex.of(request.path)
        // With another file for the images, every id has to be one of its.
        let own = request.images == nil ? request.video.map { index.images(of: $0, in: request.set) } : nil
        try find(own ?? index.images)
        // Whose none is names those that there are.
        if own != nil, !images.hasOwn { try find(index.images) }
        try images.check()
        found.sort { $0.place.offset < $1.place.offset }
        var expected = found.makeIterator()
        try JSONElementReader.read(found.map(\.place), of: JSONElementReader.list, in: request.path) { element in
            let (node, line) = (element.node, element.line)
            guard let expected = expected.next() else { return }
            let id = node["image_id"]
            guard id?.number == expected.id?.number, id?.string == expected.id?.string else {
                throw request.changed(line)
            }
            var row = ImportedRow()
            row.line = line
            row.key = expected.key
            if let id = node["track_id"]?.number { row.id = try request.id(id, line: line) }
            if row.id != nil { row.state = .tracked }
            if let category = node["category_id"]?.number {
                let own = names.isEmpty ? Int(exactly: category).flatMap { images.categories[$0] } : nil
                row.label = try own ?? names.name(category, ImportRequest.Place(request.path, line))
            }
            if let score = node["score"]?.number {
                if (0...1).contains(score) { row.confidence = score } else { rows.oddConfidences += 1 }
            }
            let shape = try COCOShape(node, skeleton: nil, in: nil, request, line: line)
            guard try shape.put(into: &row, &rows, request) else { return }
            guard row.box != nil else {
                throw request.failure(line, "a result without a “bbox”, a mask or key points that were found")
            }
            rows.append(row)
        }
        return rows
    }
}

/// Where an annotation of COCO's is: its box, outline, mask and joints.
struct COCOShape {
    private var box: Box?
    /// Whether its box has no width or no height.
    private var isEmpty = false
    private var polygon: [Point]?
    private var mask: RunMask?
    private var joints: [Joint] = []
    private var angle: Double?
    private var skeleton: Skeleton?
    /// The picture's size, where its mask says it.
    private var size: PictureSize?
    /// What of it was left out, in words.
    private var leftOut: String?

    /// - Parameters:
    ///   - skeleton: Its category's; nil for one without names.
    ///   - size: Of the pictures, where the file says it.
    init(
        _ node: JSONNode, skeleton: Skeleton?, in size: PictureSize?, _ request: ImportRequest, line: Int
    ) throws {
        if let numbers = node["bbox"]?.elements?.compactMap(\.number), numbers.count == 4 {
            isEmpty = request.isEmpty(numbers)
            if !isEmpty { box = try request.box(numbers, line: line) }
        }
        let segmentation = node["segmentation"]
        if segmentation?.members != nil {
            mask = Self.mask(segmentation)
            self.size = mask.map { PictureSize(width: $0.box.width, height: $0.box.height) }
            if mask == nil { leftOut = "masks whose counts aren't those of their size" }
            box = box ?? mask?.bounds?.box
        } else {
            polygon = try Self.outline(segmentation, request, line: line)
            if polygon == nil, segmentation?.elements?.isEmpty == false {
                // Of several parts, or of more corners than an outline has here: its pixels.
                mask = Self.mask(outlines: segmentation, in: size)
                if mask == nil { leftOut = "outlines without corners or longer than any" }
                box = box ?? mask?.bounds?.box
            }
        }
        if let mask, let box {
            // Only the pixels around it: pictures are large.
            self.mask = mask.of(box.pixels)
        }
        angle = node["attributes"]?["angle"]?.number
        if polygon?.count != 4 { angle = nil }
        joints = Self.joints(node)
        if !joints.isEmpty {
            let own = skeleton ?? Skeleton(names: joints.indices.map { "joint_\($0 + 1)" })
            if own.names.count == joints.count { self.skeleton = own } else { joints = [] }
            let found = joints.filter(\.isFound).map(\.point)
            if box == nil, !found.isEmpty { box = Mark.outline(found).bounds }
        }
    }

    /// Gives a row what it says.
    /// - Returns: Whether it is a thing at all, and no box without an area.
    /// - Throws: `ImportError` for a mask of pictures of another size.
    func put(into row: inout ImportedRow, _ rows: inout ImportedRows, _ request: ImportRequest) throws -> Bool {
        if isEmpty, box == nil, polygon == nil {
            rows.emptyBoxes += 1
            return false
        }
        (row.box, row.polygon) = (box, polygon)
        if let size {
            if let other = rows.size, other != size {
                throw request.failure(
                    row.line,
                    "a mask of \(size.width) × \(size.height) pixels; expected \(other.width) × \(other.height), as before"
                )
            }
            rows.size = size
        }
        if let leftOut { rows.omissions.insert(leftOut) }
        var parts = ObjectFinding()
        (parts.mask, parts.angle) = (mask, angle)
        if let skeleton {
            rows.skeleton = rows.skeleton ?? skeleton
            if rows.skeleton == skeleton {
                parts.joints = joints
            } else {
                rows.omissions.insert("joints of another skeleton than the first one")
            }
        }
        if parts.mask != nil || !parts.joints.isEmpty || parts.angle != nil { row.parts = parts }
        // A turned box, and what has a mask, says with its outline or mask where it is.
        if angle != nil { row.box = nil }
        return true
    }

    private static func mask(_ node: JSONNode?) -> RunMask? {
        guard let size = node?["size"]?.elements?.compactMap(\.integer), size.count == 2,
            size.allSatisfy({ (1..<1 << 16).contains($0) })
        else { return nil }
        let box = PixelBox(x: 0, y: 0, width: size[1], height: size[0])
        if let text = node?["counts"]?.string { return RunMask(box: box, counts: text) }
        return (node?["counts"]?.elements?.compactMap(\.integer)).flatMap { RunMask(box: box, runs: $0) }
    }

    /// The pixels inside of several outlines, as pycocotools has them; nil where one has no corners, or lies too far away.
    private static func mask(outlines: JSONNode?, in size: PictureSize?) -> RunMask? {
        var parts: [[Point]] = []
        for outline in outlines?.elements ?? [] {
            let numbers = outline.elements?.compactMap(\.number) ?? []
            guard numbers.count >= 6, numbers.count % 2 == 0, numbers.count == outline.elements?.count,
                numbers.allSatisfy({ abs($0) < Double(1 << 16) })
            else { return nil }
            parts.append(stride(from: 0, to: numbers.count, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) })
        }
        let corners = parts.flatMap(\.self)
        guard !corners.isEmpty else { return nil }
        func extent(_ values: [Double]) -> Int { max(1, Int((values.max() ?? 0).rounded(.up)) + 1) }
        return RunMask(
            outlines: parts,
            in: size ?? PictureSize(width: extent(corners.map(\.x)), height: extent(corners.map(\.y))))
    }

    /// Corners of an annotation's only outline.
    private static func outline(_ node: JSONNode?, _ request: ImportRequest, line: Int) throws -> [Point]? {
        guard let outlines = node?.elements, outlines.count == 1,
            let numbers = outlines[0].elements?.compactMap(\.number), numbers.count % 2 == 0,
            (6...128).contains(numbers.count)
        else { return nil }
        // COCO's corners lie on the pixels' edges, ours in their middle.
        return try request.polygon(
            stride(from: 0, to: numbers.count, by: 2).map { Point(numbers[$0] - 0.5, numbers[$0 + 1] - 0.5) },
            line: line)
    }

    private static func joints(_ node: JSONNode) -> [Joint] {
        // What this program wrote has confidences as well.
        let told = (node["attributes"]?["joints"]?.elements ?? []).compactMap { $0.elements?.compactMap(\.number) }
        if !told.isEmpty, told.allSatisfy({ $0.count == 4 }) {
            return told.map { Joint(Point($0[0], $0[1]), confidence: $0[2], visibility: $0[3]) }
        }
        let numbers = (node["keypoints"]?.elements ?? []).compactMap(\.number)
        guard numbers.count % 3 == 0 else { return [] }
        return stride(from: 0, to: numbers.count, by: 3).map { index -> Joint in
            let flag: Double = numbers[index + 2]
            let (confidence, visibility): (Double, Double) = (flag > 0 ? 1 : 0, flag > 1 ? 1 : 0)
            return Joint(
                Point(numbers[index], numbers[index + 1]), confidence: confidence, visibility: visibility)
        }
    }
}
