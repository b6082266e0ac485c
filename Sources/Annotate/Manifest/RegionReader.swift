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
        var moments = MomentReader(node: node, path: path, noun: "region", log: log)
        let (start, end) = moments.read()
        log = moments.log
        let isNormalized = node["units"]?.string == "normalized"
        guard let id = node["id"]?.string, let outline = outline() else { return nil }
        checkUnits(outline, isNormalized)
        return Region(
            id: id, label: node["label"]?.string ?? id, start: start, end: end, outline: outline,
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

    private mutating func outline() -> Region.Outline? {
        if let numbers = node["box"]?.elements?.compactMap(\.number), numbers.count == 4 {
            guard numbers[2] > 0, numbers[3] > 0 else {
                log.add(
                    "a box of \(plain(numbers[2]))×\(plain(numbers[3])); expected [left, top, width, height] with a width and "
                        + "height over 0", at: node["box"] ?? node, path: path + [.key("box")])
                return nil
            }
            return .polygon(Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]).corners)
        }
        if let corners = node["polygon"]?.elements?.compactMap({ $0.elements?.compactMap(\.number) }),
            corners.count == 4, corners.allSatisfy({ $0.count == 2 })
        {
            let points = corners.map { Point($0[0], $0[1]) }
            guard let box = Box(around: points), box.area > 0 else {
                log.add(
                    "a polygon without area; expected four corners of a quad", at: node["polygon"] ?? node,
                    path: path + [.key("polygon")])
                return nil
            }
            return .polygon(points)
        }
        if let numbers = node["point"]?.elements?.compactMap(\.number), numbers.count == 2 {
            return .point(Point(numbers[0], numbers[1]))
        }
        return nil
    }
}
