/// Tasks of pictures: boxes, outlines, brushes, and the key points that belong to them.
extension LabelStudioReader {
    mutating func add(_ regions: [JSONNode], frame: Int64) throws {
        let joints = LabelStudioJoints(regions, names: rows.skeleton?.names ?? [])
        if joints.areAlone { rows.omissions.insert("key points that belong to no region") }
        for region in regions {
            guard let value = region["value"], let type = region["type"]?.string, type != "keypointlabels" else {
                continue
            }
            var row = ImportedRow()
            (row.key, row.line) = (frame, line(of: region))
            row.label = value[type]?.elements?.first?.string
            if let score = region["score"]?.number {
                if (0...1).contains(score) { row.confidence = score } else { rows.oddConfidences += 1 }
            }
            switch type {
            case "rectanglelabels":
                guard let placement = try placement(value) else { continue }
                place(placement, &row, aspect: Self.aspect(region) ?? 1)
            case "polygonlabels":
                let corners = (value["points"]?.elements ?? []).compactMap { $0.elements?.compactMap(\.number) }
                    .filter { $0.count == 2 }
                guard (3...ImportRequest.mostCorners).contains(corners.count) else {
                    throw failure(region, "an outline of \(corners.count) corners; expected 3 or more")
                }
                row.polygon = corners.map { Point($0[0] / 100, $0[1] / 100) }
            case "brushlabels":
                guard try place(brush: value, of: region, &row) else { continue }
            default:
                rows.omissions.insert("“\(type)”")
                continue
            }
            if let own = joints.of(region) {
                var parts = row.parts ?? ObjectFinding()
                parts.joints = own
                row.parts = parts
            }
            rows.append(row)
        }
    }

    /// A brush's pixels, which are a picture's own.
    /// - Returns: false where there are none.
    private mutating func place(brush value: JSONNode, of region: JSONNode, _ row: inout ImportedRow) throws -> Bool {
        guard let width = region["original_width"]?.integer, let height = region["original_height"]?.integer,
            (1..<1 << 14).contains(width), (1..<1 << 14).contains(height)
        else { throw failure(region, "a brush without “original_width” and “original_height”") }
        let size = PictureSize(width: width, height: height)
        if let other = rows.size, other != size {
            throw failure(
                region,
                "a brush on \(width) × \(height) pixels, and those before on \(other.width) × \(other.height); expected those "
                    + "of one video")
        }
        let bytes = (value["rle"]?.elements ?? []).compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
        guard value["format"]?.string == "rle", bytes.count == value["rle"]?.elements?.count,
            let mask = BrushReader.mask(bytes, size)
        else { throw failure(region, "a brush whose “rle” isn't of \(width) × \(height) pixels") }
        guard let bounds = mask.bounds else {
            rows.omissions.insert("brushes without a pixel")
            return false
        }
        rows.size = size
        var parts = ObjectFinding()
        parts.mask = mask.of(bounds)
        row.parts = parts
        row.box = Box(
            x: Double(bounds.x) / Double(width), y: Double(bounds.y) / Double(height),
            width: Double(bounds.width) / Double(width), height: Double(bounds.height) / Double(height))
        return true
    }
}

/// Key points of a picture's regions.
struct LabelStudioJoints {
    private let names: [String]
    /// By the id of the region that they belong to, with their names.
    private var byRegion: [String: [(name: String, point: Point)]] = [:]
    /// Whether there are some that belong to no region.
    private(set) var areAlone = false

    init(_ regions: [JSONNode], names: [String]) {
        self.names = names
        let ids = Set(regions.filter { $0["type"]?.string != "keypointlabels" }.compactMap { $0["id"]?.string })
        for region in regions {
            guard let (name, point) = Self.keyPoint(region) else { continue }
            guard let parent = region["parentID"]?.string, ids.contains(parent) else {
                areAlone = true
                continue
            }
            byRegion[parent, default: []].append((name, point))
        }
    }

    /// A region's key points, one for each of the names; nil where it has none.
    func of(_ region: JSONNode) -> [Joint]? {
        guard let own = region["id"]?.string.flatMap({ byRegion[$0] }) else { return nil }
        return names.map { name in
            own.first { $0.name == name }.map { Joint($0.point) } ?? Joint(Point(0, 0), confidence: 0)
        }
    }

    /// The name and place of a key point, parts of the picture; nil for another region.
    private static func keyPoint(_ region: JSONNode) -> (String, Point)? {
        guard region["type"]?.string == "keypointlabels", let value = region["value"],
            let name = value["keypointlabels"]?.elements?.first?.string, let x = value["x"]?.number,
            let y = value["y"]?.number
        else { return nil }
        return (name, Point(x / 100, y / 100))
    }

    /// The names of all key points that belong to a region, in the order in which regions have them: what is new comes behind
    /// what it follows. nil for none.
    static func skeleton(_ pictures: [[JSONNode]]) -> Skeleton? {
        var names: [String] = []
        for regions in pictures {
            var last: [String: Int] = [:]
            for region in regions {
                guard let (name, _) = keyPoint(region), let parent = region["parentID"]?.string else { continue }
                if let index = names.firstIndex(of: name) {
                    last[parent] = index
                } else {
                    let index = last[parent].map { $0 + 1 } ?? names.count
                    names.insert(name, at: index)
                    last[parent] = index
                }
            }
        }
        let skeleton = Skeleton(names: names)
        return names.isEmpty || skeleton.fault != nil ? nil : skeleton
    }
}
