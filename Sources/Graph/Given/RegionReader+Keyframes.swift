/// Reading of keyframes, which correct a region's track later on.
extension RegionReader {
    /// The clock in which moments are given.
    private enum Clock: String {
        case time, frame
    }

    /// A region's keyframes in order of their moments, in whatever order they stand.
    func keyframes(of region: Region, _ declared: RegionDeclaration) -> [Region.Keyframe] {
        let path = path + [.key("keyframes")]
        // At 0 both are the same: where nothing is said it begins there. An end is counted as the beginning is.
        var clock: Clock?
        if let frame = declared.seed.frame, frame > 0 || declared.seed.end != nil { clock = .frame }
        if declared.seed.frame == nil, declared.seed.time ?? 0 > 0 || declared.seed.end != nil { clock = .time }
        let start = declared.seed.frame.map(Double.init) ?? declared.seed.time ?? 0
        var found: [(keyframe: Region.Keyframe, at: Double)] = []
        var taken: Set<Double> = []
        for (index, node) in (node["keyframes"]?.elements ?? []).enumerated() where node.members != nil {
            let place = path + [.index(index)]
            let keyframe = KeyframeDeclaration(node)
            guard let (own, at, moment) = moment(keyframe, node, place), isAgreed(own, &clock, node, place) else {
                continue
            }
            let moments = (start: start, end: isSameClock(own, region.end) ? declared.seed.end : nil)
            check(own, at, moments, node, place)
            if !taken.insert(at).inserted {
                complain("two keyframes at \(own.rawValue) \(plain(at)); expected one", own, node, place)
            }
            guard hasOnePlace(node, place, or: ["absent"]) else { continue }
            var read = Region.Keyframe(moment: moment, outline: nil)
            if keyframe.isAbsent != true {
                guard let outline = outline(keyframe.place, node, place) else { continue }
                read.outline = outline
                checkUnits(outline, of: region, node, place)
                var alone = region
                alone.keyframes = [read]
                checkInside(alone.placed, "keyframe", node, place, polygon: { $0.keyframes.first?.polygon })
            }
            found.append((read, at))
        }
        return found.sorted { $0.at < $1.at }.map(\.keyframe)
    }

    /// Refuses `fill: both` without two places that have nothing between.
    func checkFill(of region: Region) {
        guard let fill = node["fill"] else { return }
        let path = path + [.key("fill")]
        if node["keyframes"]?.elements?.isEmpty ?? true {
            log.add("“fill” without “keyframes”; expected keyframes to be followed between", at: fill, path: path)
            return
        }
        guard region.fill == .both else { return }
        let isPlace = [true] + region.keyframes.map { $0.outline != nil }
        // Keyframes with problems have been complained of.
        if !zip(isPlace, isPlace.dropFirst()).contains(where: { $0 && $1 }), !log.hasProblem(below: self.path) {
            log.add(
                "“fill”: “both” with no two places one after the other; expected a keyframe with a place",
                at: fill, path: path)
        }
        if isStream {
            log.add(
                "“fill”: “both” reads the video twice, and standard input can be read once; expected a file, or “forward”",
                at: fill, path: path)
        }
    }

    private func moment(
        _ keyframe: KeyframeDeclaration, _ node: JSONNode, _ path: [PathComponent]
    ) -> (clock: Clock, at: Double, moment: Seed.Moment)? {
        switch (keyframe.time, keyframe.frame) {
        case (let time?, nil): return (.time, time, .seconds(time))
        case (nil, let frame?): return (.frame, Double(frame), .frame(frame))
        case (nil, nil):
            // One that doesn't fit has been complained of.
            if node["time"] == nil, node["frame"] == nil {
                log.add("no moment; expected one of “time” and “frame”", at: node, path: path)
            }
        case (_?, _?):
            log.add(
                "“time” and “frame” together; expected one of them", at: node["frame"] ?? node,
                path: path + [.key("frame")])
        }
        return nil
    }

    /// Whether a moment is on the clock of those before it: times and numbers can't be put in order without the video.
    private func isAgreed(_ own: Clock, _ clock: inout Clock?, _ node: JSONNode, _ path: [PathComponent]) -> Bool {
        if clock == nil { clock = own }
        if clock == own { return true }
        let other = own == .time ? Clock.frame : .time
        complain(
            "“\(own.rawValue)” here, and “\(other.rawValue)” before; expected one of them for all moments of a region",
            own, node, path)
        return false
    }

    private func isSameClock(_ clock: Clock, _ moment: Seed.Moment?) -> Bool {
        switch moment {
        case .seconds?: clock == .time
        case .frame?: clock == .frame
        case nil: false
        }
    }

    private func check(
        _ clock: Clock, _ at: Double, _ region: (start: Double, end: Double?), _ node: JSONNode, _ path: [PathComponent]
    ) {
        let word = clock.rawValue
        if at <= region.start {
            complain(
                "a keyframe at \(word) \(plain(at)), and the region begins at \(plain(region.start)); expected one after that",
                clock, node, path)
        } else if let end = region.end, at >= end {
            complain(
                "a keyframe at \(word) \(plain(at)), and the region ends at \(plain(end)); expected one before that",
                clock, node, path)
        }
    }

    private func complain(_ message: String, _ clock: Clock, _ node: JSONNode, _ path: [PathComponent]) {
        log.add(message, at: node[clock.rawValue] ?? node, path: path + [.key(clock.rawValue)])
    }
}
