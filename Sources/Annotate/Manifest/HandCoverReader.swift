/// Reads a job's `cover`: places that are hidden for a time.
struct HandCoverReader {
    /// The job's JSON.
    let node: JSONNode
    let path: [PathComponent]
    let inputs: [String]
    let sizes: InputSizes
    let log: ProblemLog

    func read() -> [HandCover] {
        guard let elements = node["cover"]?.elements, !elements.isEmpty else { return [] }
        let pictures = sizes.sizes(of: inputs)
        var covers: [HandCover] = []
        for (index, element) in elements.enumerated() where element.members != nil {
            let place = path + [.key("cover"), .index(index)]
            guard let cover = cover(element, place) else { continue }
            covers.append(cover)
            for picture in pictures { checkInside(cover, element, place, picture.name, picture.size) }
        }
        return covers
    }

    private func cover(_ node: JSONNode, _ place: [PathComponent]) -> HandCover? {
        func complain(_ key: String?, _ message: String) {
            log.add(message, at: key.flatMap { node[$0] } ?? node, path: place + (key.map { [.key($0)] } ?? []))
        }
        let given = ["box", "polygon"].filter { node[$0] != nil }
        guard given.count == 1 else {
            complain(nil, "\(given.isEmpty ? "no place" : list(given)); expected exactly one of “box” and “polygon”")
            return nil
        }
        let cover = HandCover(node)
        if let end = cover.end, end <= cover.start {
            complain(
                "end",
                "the cover ends at \(plain(end)) s and starts at \(plain(cover.start)) s; expected an end after the start"
            )
        }
        if let box = cover.box, !(box.width > 0 && box.height > 0) {
            complain(
                "box",
                "a box of \(plain(box.width))×\(plain(box.height)); expected [left, top, width, height] with a width and "
                    + "height over 0")
            return nil
        }
        if let polygon = cover.polygon, Box(around: polygon).map({ $0.area > 0 }) != true {
            complain("polygon", "a polygon without area; expected three corners or more around the place")
            return nil
        }
        let corners = cover.polygon ?? cover.box?.corners ?? []
        if cover.units == .normalized,
            corners.contains(where: { !(-1...2).contains($0.x) || !(-1...2).contains($0.y) })
        {
            complain(
                "units", "coordinates far over 1 with “units”: “normalized”; expected 0 to 1, or “units”: “pixels”")
        }
        // What is of another form has been complained of.
        return corners.isEmpty ? nil : cover
    }

    private func checkInside(
        _ cover: HandCover, _ node: JSONNode, _ place: [PathComponent], _ name: String, _ size: PictureSize
    ) {
        let frame = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let box = cover.inPixels(of: size).spot?.bounds, box.intersection(frame) == nil else { return }
        log.add(
            "the cover lies outside the picture of \(name); expected it within \(size.width)×\(size.height) pixels",
            at: node["box"] ?? node["polygon"] ?? node, path: place)
    }
}
