/// Reads one entry of a job's `regions`.
struct RegionReader {
    let node: JSONNode
    let path: [PathComponent]
    var log: ProblemLog

    mutating func read() -> Region? {
        let given = ["box", "polygon", "point"].filter { node[$0] != nil }
        guard given.count == 1 else {
            let found = given.isEmpty ? "no place" : list(given)
            log.add("\(found); expected exactly one of “box”, “polygon” and “point”", at: node, path: path)
            return nil
        }
        let declared = RegionDeclaration(node)
        let (start, end) = declared.seed.moments(of: "region", node, path: path, log: &log)
        // A region without its id has been complained of.
        guard node["id"]?.string != nil, let outline = outline(declared) else { return nil }
        let isNormalized = declared.seed.units == .normalized
        checkUnits(outline, isNormalized)
        return Region(
            id: declared.id, label: declared.label ?? declared.id, start: start, end: end, outline: outline,
            isNormalized: isNormalized)
    }

    private mutating func checkUnits(_ outline: Region.Outline, _ isNormalized: Bool) {
        let points =
            switch outline {
            case .polygon(let corners): corners
            case .point(let point): [point]
            }
        if isNormalized, points.contains(where: { !(-1...2).contains($0.x) || !(-1...2).contains($0.y) }) {
            log.add(
                "coordinates far over 1 with “units”: “normalized”; expected 0 to 1, or “units”: “pixels”",
                at: node["units"] ?? node, path: path)
        }
    }

    private mutating func outline(_ declared: RegionDeclaration) -> Region.Outline? {
        if let box = declared.box {
            guard box.width > 0, box.height > 0 else {
                log.add(
                    "a box of \(plain(box.width))×\(plain(box.height)); expected [left, top, width, height] with a width and "
                        + "height over 0", at: node["box"] ?? node, path: path + [.key("box")])
                return nil
            }
            return .polygon(box.corners)
        }
        if let corners = declared.polygon {
            guard let box = Box(around: corners), box.area > 0 else {
                log.add(
                    "a polygon without area; expected four corners of a quad", at: node["polygon"] ?? node,
                    path: path + [.key("polygon")])
                return nil
            }
            return .polygon(corners)
        }
        return declared.point.map(Region.Outline.point)
    }
}
