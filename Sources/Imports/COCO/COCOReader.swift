/// COCO, with `videos` and `tracks` or without: annotations of images, which are a video's frames.
struct COCOReader {
    private struct Image {
        var key: Int64
        var line: Int
    }

    private let request: ImportRequest
    private let index: COCOIndex
    /// The images that are meant, by their ids.
    private var images: [Int: Image] = [:]
    /// The same, as numbers in the index.
    private var taken: [Int] = []
    private var rows: ImportedRows
    /// Whether an image says its frame.
    private var hasFrames = false

    init(_ request: ImportRequest) throws {
        self.request = request
        rows = ImportedRows(clock: request.by == .time ? .nanoseconds : .frames)
        index = try COCOIndex.of(request.path)
        if let fault = index.fault { throw fault }
        let video = try Self.chooseVideo(index, request)
        var numbers = PictureNumbers(request)
        taken = candidates(video).filter { place in
            let image = index.images[place]
            if let video { return image.video == video && request.picture.map { $0 == image.name } ?? true }
            return request.picture.map { $0 == image.name } ?? true && numbers.takes(image.name)
        }
        if video == nil {
            // Whose none is names those that there are.
            if taken.isEmpty, request.picture == nil { for image in index.images { _ = numbers.takes(image.name) } }
            try numbers.check()
        }
        // Without frame numbers the images follow one another.
        var count = 0
        try JSONElementReader.read(taken.map { index.images[$0].place }, of: "images", in: request.path) { element in
            try add(element, index.images[taken[count]].id, number: count)
            count += 1
        }
        if !hasFrames { rows.remarks += numbers.remarks }
        if request.by != .time, !hasFrames { try numberPictures(numbers) }
        guard !index.images.isEmpty else {
            throw request.failure(nil, "it has no “images”; expected COCO’s images, annotations and categories")
        }
    }

    /// Images among which those that are meant are, as numbers in the index.
    private func candidates(_ video: Int?) -> [Int] {
        if let picture = request.picture { return index.images(called: picture) }
        if video == nil, let name = request.video { return index.images(called: name) }
        return Array(index.images.indices)
    }

    /// The video's id in the file; nil where it knows no videos.
    private static func chooseVideo(_ index: COCOIndex, _ request: ImportRequest) throws -> Int? {
        var names = ImportedNames()
        for video in index.videos { names.add(video.name) }
        // Without any, pictures are a clip's by their names.
        guard !index.videos.isEmpty else { return nil }
        try names.check(request, "video", "videos")
        return request.video.map { wanted in index.videos.first { $0.name == wanted } }.map { $0?.id }
            ?? index.videos.first?.id
    }

    private mutating func add(_ element: JSONElementReader.Element, _ id: Int, number: Int) throws {
        let node = element.node
        let line = element.line
        guard node["id"]?.integer == id else { throw request.changed(line) }
        images[id] = Image(key: try key(of: node, number: number, line: line), line: line)
        if node["frame_index"] != nil { hasFrames = true }
        guard let width = node["width"]?.integer, let height = node["height"]?.integer, width > 0,
            height > 0
        else { return }
        let size = try ImportRequest.Place(request.path, line).size(width, height)
        if let other = rows.size, other != size {
            throw request.failure(
                line,
                "an image of \(width) × \(height) pixels, and those before have \(other.width) × \(other.height); expected "
                    + "those of one clip, or a “video” that says which is meant: “{name}” of photos")
        }
        rows.size = size
    }

    /// Gives images that say no frame those of their names' numbers, where these say more than the images' order.
    private mutating func numberPictures(_ numbers: PictureNumbers) throws {
        guard let found = numbers.numbers else { return }
        for (id, image) in images {
            images[id]?.key = try request.frame(Double(found[Int(image.key)]), line: image.line)
        }
    }

    /// - Parameter number: The image's among the images, for a file that says nothing else.
    private func key(of node: JSONNode, number: Int, line: Int) throws -> Int64 {
        guard request.by == .time else {
            guard let frame = node["frame_index"]?.number else { return Int64(number) }
            return try request.frame(frame, line: line)
        }
        guard let time = node["time"]?.number else {
            throw request.failure(line, "an image without a “time”; expected seconds, or “by”: “frame”")
        }
        return try request.nanoseconds(time, line: line)
    }

    func read() throws -> ImportedRows {
        var rows = rows
        rows.listed = Set(images.values.map(\.key))
        rows.images = Dictionary(images.map { ($1.key, $0) }, uniquingKeysWith: min)
        rows.classes = index.categories.sorted { $0.key < $1.key }.compactMap(\.value.name)
        try JSONElementReader.read(index.annotations(of: taken), of: "annotations", in: request.path) { element in
            guard let place = element.node["image_id"]?.integer.flatMap({ images[$0] }) else {
                throw request.changed(element.line)
            }
            let attributes = element.node["attributes"]
            if !request.stages.isEmpty, !request.stages.contains(attributes?["stage"]?.string ?? "") { return }
            if let row = try row(element, place.key, attributes, &rows) { rows.append(row) }
        }
        return rows
    }

    /// - Returns: nil for a box without an area.
    private func row(
        _ element: JSONElementReader.Element, _ key: Int64, _ attributes: JSONNode?, _ rows: inout ImportedRows
    ) throws -> ImportedRow? {
        let node = element.node
        let line = element.line
        var row = ImportedRow()
        (row.key, row.line) = (key, line)
        if let id = node["track_id"]?.number { row.id = try request.id(id, line: line) }
        let shape = try COCOShape(
            node, skeleton: node["category_id"]?.integer.flatMap { index.categories[$0]?.skeleton }, in: rows.size,
            request,
            line: line)
        guard try shape.put(into: &row, &rows, request) else { return nil }
        guard row.box != nil || row.polygon != nil else {
            throw request.failure(
                line, "an annotation without a “bbox” of four numbers; expected left, top, width and height")
        }
        let kind = attributes?["kind"]?.string
        if let kind { rows.kinds.insert(kind) }
        // Our own ones say what is a label; what has none is called by its kind.
        let category = node["category_id"]?.integer
        if kind != nil {
            row.label = attributes?["label"]?.string
        } else if let category {
            guard let name = index.categories[category]?.name else {
                throw request.failure(line, "the category_id \(category), which no category has")
            }
            row.label = name
        }
        row.region = attributes?["region"]?.string
        row.isCrowd = node["iscrowd"]?.integer == 1
        row.area = area(node)
        row.isHeld = attributes?["held"]?.bool ?? false
        if kind != nil {
            row.state = attributes?["state"]?.string.flatMap(TrackState.init)
        } else if row.id != nil {
            row.state = .tracked
        }
        if let score = node["score"]?.number {
            if (0...1).contains(score) { row.confidence = score } else { rows.oddConfidences += 1 }
        }
        return row
    }

    /// The area that an annotation says; nil for none that can be.
    private func area(_ node: JSONNode) -> Double? {
        guard let area = node["area"]?.number, area > 0, area.isFinite else { return nil }
        return area
    }
}
