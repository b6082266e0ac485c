/// Reads one entry of a job's `regions`.
struct RegionReader {
    let node: JSONNode
    let path: [PathComponent]
    /// Sizes of the job's inputs, each with the name of one.
    let pictures: [(name: String, size: PictureSize)]
    /// Whether the input can be read once only.
    let isStream: Bool
    let log: ProblemLog

    init(_ reader: GivenReader) {
        (node, path, log) = (reader.node, reader.path, reader.log)
        (pictures, isStream) = (reader.pictures, reader.isStream)
    }

    func read() -> Region? {
        guard hasOnePlace(node, path) else { return nil }
        let declared = RegionDeclaration(node)
        let (start, end) = declared.seed.moments(of: "region", node, path: path, log: log)
        // A region without its id has been complained of.
        guard node["id"]?.string != nil, let outline = outline(declared.place, node, path) else { return nil }
        var region = Region(
            id: declared.id, label: declared.label ?? declared.id, start: start, end: end, outline: outline,
            isNormalized: declared.seed.units == .normalized)
        checkUnits(outline, of: region, node, path)
        checkInside(region.placed, "region", node, path)
        region.keyframes = keyframes(of: region, declared)
        region.fill = declared.fill
        checkFill(of: region)
        return region
    }

    // MARK: Places

    func hasOnePlace(_ node: JSONNode, _ path: [PathComponent], or others: [String] = []) -> Bool {
        let known = ["box", "polygon", "point"] + others
        let given = known.filter { key in node[key].map { $0.bool != false } ?? false }
        if given.count == 1 { return true }
        let found = given.isEmpty ? "no place" : list(given)
        let expected = "\(list(Array(known.dropLast()))) and “\(known[known.count - 1])”"
        log.add("\(found); expected exactly one of \(expected)", at: node, path: path)
        return false
    }

    func checkUnits(_ outline: Region.Outline, of region: Region, _ node: JSONNode, _ path: [PathComponent]) {
        let points =
            switch outline {
            case .polygon(let corners): corners
            case .point(let point): [point]
            }
        if region.isNormalized, points.contains(where: { !(-1...2).contains($0.x) || !(-1...2).contains($0.y) }) {
            log.add(
                "coordinates far over 1 with “units”: “normalized”; expected 0 to 1, or “units”: “pixels”",
                at: node["units"] ?? node, path: path)
        }
    }

    /// Refuses a place outside of the picture.
    /// - Parameter polygon: The place in a picture of some size.
    func checkInside(
        _ seed: (PictureSize) -> Seed, _ noun: String, _ node: JSONNode, _ path: [PathComponent],
        polygon: (Seed) -> [Point]? = { $0.polygon }
    ) {
        for (name, size) in pictures {
            let frame = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
            guard let box = polygon(seed(size)).flatMap(Box.init(around:)) else { continue }
            let visible = box.intersection(frame)
            if let visible, visible.width >= 1, visible.height >= 1 { continue }
            var message =
                "the \(noun) lies outside the picture of \(name); expected it within \(size.width)×\(size.height) pixels"
            if let visible {
                // Hundredths are enough to see why.
                let sides = [visible.width, visible.height].map { plain($0.rounded(toDecimals: 2)) }
                message =
                    "\(sides[0])×\(sides[1]) pixels of the \(noun) are in the picture of \(name); expected 1×1 or more"
                // A slip of shares of the picture.
                if box.right <= 1, box.bottom <= 1 { message += ", or “units”: “normalized”" }
            }
            log.add(message, at: node["box"] ?? node["polygon"] ?? node["point"] ?? node, path: path)
        }
    }

    func outline(_ place: PlaceDeclaration, _ node: JSONNode, _ path: [PathComponent]) -> Region.Outline? {
        if let box = place.box {
            guard box.width > 0, box.height > 0 else {
                log.add(
                    "a box of \(plain(box.width))×\(plain(box.height)); expected [left, top, width, height] with a width and "
                        + "height over 0", at: node["box"] ?? node, path: path + [.key("box")])
                return nil
            }
            return .polygon(box.corners)
        }
        if let corners = place.polygon {
            guard let box = Box(around: corners), box.area > 0 else {
                log.add(
                    "a polygon without area; expected four corners of a quad", at: node["polygon"] ?? node,
                    path: path + [.key("polygon")])
                return nil
            }
            return .polygon(corners)
        }
        return place.point.map(Region.Outline.point)
    }
}
