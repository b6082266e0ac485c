/// Reads a job's `cover`: places and things that are hidden for a time.
struct HandCoverReader {
    /// The job's JSON.
    let node: JSONNode
    let path: [PathComponent]
    let inputs: [String]
    let sizes: InputSizes
    /// The job's graph; nil where it has problems of its own.
    let plan: GraphPlan?
    /// Ids of the job's regions and points.
    let regions: [String]
    let zones: [Zone]
    /// Ids of the job's points, which have no extent.
    let points: [String]
    /// The part of the video that the job works on; nil for all of it.
    let range: FrameRange?
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

    /// Whether corners have no more than a pixel between them, which hides nothing: shares of the picture, as a rule.
    private static func isSpeck(_ corners: [Point]) -> Bool {
        Box(around: corners).map { $0.width <= 1 && $0.height <= 1 } ?? false
    }

    private static let speck =
        "a cover no larger than a pixel; expected pixels, or “units”: “normalized” for shares of the picture"
    private static let oneLine = "a polygon without area; expected three corners or more around the place"

    private func cover(_ node: JSONNode, _ place: [PathComponent]) -> HandCover? {
        func complain(_ key: String?, _ message: String) {
            log.add(message, at: key.flatMap { node[$0] } ?? node, path: place + (key.map { [.key($0)] } ?? []))
        }
        guard node["audio"] != nil || isOneThing(node, complain) else { return nil }
        var cover = HandCover(node)
        // What has no place holds all the same.
        for key in node["audio"] == nil ? [] : node.members?.map(\.key) ?? []
        where !["audio", "start", "end"].contains(key) {
            complain(key, "“\(key)” with “audio”; expected “start” and “end” alone, since sound has no place")
        }
        let start = cover.start ?? 0
        if let end = cover.end, end <= start {
            complain(
                "end",
                "the cover ends at \(plain(end)) s and starts at \(plain(start)) s; expected an end after the start"
            )
        }
        if cover.audio != nil { return cover }
        if let box = cover.box, !(box.width > 0 && box.height > 0) {
            complain(
                "box",
                "a box of \(plain(box.width))×\(plain(box.height)); expected [left, top, width, height] with a width and "
                    + "height over 0")
            return nil
        }
        if cover.follows, cover.units == .pixels, let box = cover.box, Self.isSpeck(box.corners) {
            complain("box", Self.speck)
            return nil
        }
        if let id = cover.zone {
            guard let zone = zones.first(where: { $0.id == id }) else {
                complain("zone", unknown("zone", id, zones.map(\.id)))
                return nil
            }
            cover.take(zone)
        }
        if cover.follows {
            let isKnown = checkFollowed(cover, node, complain)
            return isKnown ? cover : nil
        }
        if cover.isException {
            complain("except", "“except” of a place; expected it of a “track” or a “region”, which a stage sees")
        }
        if let polygon = cover.polygon, polygon.isOneLine {
            complain("polygon", Self.oneLine)
            return nil
        }
        if cover.color != nil, cover.style != .fill {
            complain("color", "a color with “style”: “\(cover.style.rawValue)”; expected “fill”, which has one")
        }
        cover.keyframes = keyframes(of: cover, node, place + [.key("keyframes")])
        let corners =
            (cover.polygon ?? cover.box?.corners ?? [])
            + cover.keyframes.flatMap {
                $0.polygon ?? $0.box?.corners ?? []
            }
        if cover.units == .normalized,
            corners.contains(where: { !(-1...2).contains($0.x) || !(-1...2).contains($0.y) })
        {
            complain(
                "units", "coordinates far over 1 with “units”: “normalized”; expected 0 to 1, or “units”: “pixels”")
        }
        if cover.units == .pixels, Self.isSpeck(corners) { complain(nil, Self.speck) }
        // What is of another form has been complained of.
        return corners.isEmpty ? nil : cover
    }

    /// Whether exactly one place is given, or a thing to follow, with a box or without.
    private func isOneThing(_ node: JSONNode, _ complain: (String?, String) -> Void) -> Bool {
        let places = ["box", "polygon", "zone"].filter { node[$0] != nil }
        let things = ["track", "region"].filter { node[$0] != nil }
        if places.count + things.count == 1 || places == ["box"] && things.count == 1 { return true }
        let given = places + things
        complain(
            nil,
            given.isEmpty
                ? "no place; expected exactly one of “box”, “polygon”, “zone”, “track” and “region”, or “audio”"
                : "\(list(given)); expected exactly one of “box”, “polygon”, “zone”, “track” and “region”, or a “box” that "
                    + "follows a “track” or a “region”")
        return false
    }

    /// Whether there may be such a thing; else that has been complained of.
    private func checkFollowed(
        _ cover: HandCover, _ node: JSONNode, _ complain: (String?, String) -> Void
    ) -> Bool {
        var isWell = true
        func refuse(_ key: String, _ message: String) {
            complain(key, message)
            isWell = false
        }
        if let region = cover.region, !regions.contains(region) {
            refuse("region", unknown("region", region, regions))
        }
        if cover.track != nil, let plan, !plan.nodes.contains(where: { $0.contract.produces.contains(.tracks) }) {
            refuse("track", "a track, and no stage of the graph keeps tracks; expected a “box” or a “polygon”")
        }
        if node["keyframes"] != nil {
            refuse(
                "keyframes",
                "keyframes of what follows \(cover.followed); expected none, as it is where that is seen, or no "
                    + "“\(cover.track == nil ? "region" : "track")”")
        }
        if let region = cover.region, points.contains(region) {
            refuse(
                "region",
                "the job's point “\(region.inOneLine)”, which has no extent; expected one of its regions, or a place of its own"
            )
        }
        if cover.box != nil, let range, range.start > cover.start ?? 0 {
            refuse(
                "box",
                "a box that moves with \(cover.followed) from \(plain(cover.start ?? 0)) s on, where the job's range, which begins at "
                    + "\(plain(range.start)) s, sees nothing; expected where it is at a “start” within the range")
        }
        if cover.isException {
            for key in ["box", "style", "color"] where node[key] != nil {
                refuse(key, "“\(key)” of what stays visible; expected “except” without it")
            }
            if let plan, !plan.nodes.contains(where: { $0.styles.values.contains { $0.cover != nil } }) {
                refuse(
                    "except", "“except”, and no stage of the graph covers anything; expected “cover” under its “draw”")
            }
        }
        return isWell
    }

    private func unknown(_ noun: String, _ id: String, _ known: [String]) -> String {
        let expected = known.isEmpty ? "the id of one of the job's \(noun)s, which it has not" : "one of \(list(known))"
        return "the job has no \(noun) “\(id)”; expected \(expected)\(log.suggestion(id, known))"
    }

    /// In order of their moments, in whatever order they stand.
    private func keyframes(of cover: HandCover, _ node: JSONNode, _ path: [PathComponent]) -> [HandCover.Keyframe] {
        var found: [(at: Double, keyframe: HandCover.Keyframe)] = []
        var isByFrame: Bool?
        for (index, node) in (node["keyframes"]?.elements ?? []).enumerated() where node.members != nil {
            let place = path + [.index(index)]
            func complain(_ key: String?, _ message: String) {
                log.add(message, at: key.flatMap { node[$0] } ?? node, path: place + (key.map { [.key($0)] } ?? []))
            }
            let keyframe = HandCover.Keyframe(node)
            let moments = ["time", "frame"].filter { node[$0] != nil }
            guard moments.count == 1, let word = moments.first else {
                complain(nil, "\(moments.isEmpty ? "no moment" : list(moments)); expected one of “time” and “frame”")
                continue
            }
            guard let at = keyframe.time ?? keyframe.frame.map(Double.init) else { continue }
            if isByFrame ?? (word == "frame") != (word == "frame") {
                complain(
                    word,
                    "“\(word)” here, and “\(word == "time" ? "frame" : "time")” before; expected one of them for all "
                        + "keyframes of a cover")
                continue
            }
            isByFrame = isByFrame ?? (word == "frame")
            if found.contains(where: { $0.at == at }) {
                complain(word, "two keyframes at \(word) \(plain(at)); expected one")
            }
            if word == "time", at <= cover.start ?? 0 {
                complain(
                    word,
                    "a keyframe at time \(plain(at)), and the cover starts at \(plain(cover.start ?? 0)) s; expected one after that"
                )
            } else if word == "time", let end = cover.end, at >= end {
                complain(
                    word,
                    "a keyframe at time \(plain(at)), and the cover ends at \(plain(end)) s; expected one before that")
            }
            let places = ["box", "polygon", "absent"].filter { node[$0] != nil && node[$0]?.bool != false }
            guard places.count == 1 else {
                complain(
                    nil,
                    "\(places.isEmpty ? "no place" : list(places)); expected exactly one of “box”, “polygon” and “absent”"
                )
                continue
            }
            if let box = keyframe.box, !(box.width > 0 && box.height > 0) {
                complain(
                    "box",
                    "a box of \(plain(box.width))×\(plain(box.height)); expected [left, top, width, height] with a width "
                        + "and height over 0")
            }
            if keyframe.box != nil, cover.box == nil {
                complain("box", "a box, and the cover is a polygon; expected a polygon")
            }
            if let polygon = keyframe.polygon, polygon.isOneLine { complain("polygon", Self.oneLine) }
            if let polygon = keyframe.polygon, polygon.count != cover.polygon?.count {
                complain(
                    "polygon",
                    cover.polygon.map {
                        "a polygon of \(polygon.count) corners, and the cover has \($0.count); expected as many"
                    } ?? "a polygon, and the cover is a box; expected a box")
            }
            found.append((at, keyframe))
        }
        return found.sorted { $0.at < $1.at }.map(\.keyframe)
    }

    private func checkInside(
        _ cover: HandCover, _ node: JSONNode, _ place: [PathComponent], _ name: String, _ size: PictureSize
    ) {
        let frame = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let box = cover.inPixels(of: size).bounds, box.intersection(frame) == nil else { return }
        log.add(
            "the cover lies outside the picture of \(name); expected it within \(size.width)×\(size.height) pixels",
            at: node["box"] ?? node["polygon"] ?? node, path: place)
    }
}

extension [Point] {
    /// Whether all corners lie on one line: nothing is within.
    fileprivate var isOneLine: Bool {
        guard let first, let second = self.first(where: { $0 != first }) else { return true }
        return allSatisfy { abs((second - first).cross($0 - first)) < 1e-9 }
    }
}

extension HandCover {
    /// Has a zone's place.
    fileprivate mutating func take(_ zone: Zone) {
        // A zone's coordinates count pixels' edges, a cover's their middles; in shares both count edges.
        let shift = zone.units.isNormalized ? 0 : 0.5
        polygon = zone.polygon.map { Point($0.x - shift, $0.y - shift) }
        units = zone.units.isNormalized ? .normalized : .pixels
    }
}
