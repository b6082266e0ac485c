/// A shape as CVAT's XML has it.
struct CVATShape {
    /// The sort of a shape; a track has shapes of one sort.
    enum Sort: String {
        case box, polygon, skeleton, mask
    }

    /// A joint of a skeleton.
    struct Element {
        var label: String
        var point: Point
        /// Whether the joint wasn't found.
        var isOutside: Bool
        var isOccluded: Bool
    }

    var sort: Sort
    /// The attributes that say where it is.
    var place: String
    var isOccluded: Bool
    var elements: [Element] = []

    /// The shapes of an observation: its mask and its joints, or where it has neither its turned box, outline or box.
    ///
    /// - Parameters:
    ///   - skeleton: Its stage's.
    ///   - size: The picture's: a mask is cut at its edges.
    static func all(
        of observation: Observation, at placement: PixelPlace, _ skeleton: Skeleton?, in size: PictureSize
    ) -> [CVATShape] {
        let isOccluded = observation.state == .predicted
        var shapes: [CVATShape] = []
        if let mask = observation.mask, case let seen = mask.of(mask.box.intersection(PixelBox(size))), seen.area > 0 {
            shapes.append(CVATShape(sort: .mask, place: place(of: seen), isOccluded: isOccluded))
        }
        if let names = observation.skeleton(skeleton)?.names, case let joints = observation.joints,
            joints.contains(where: \.isFound), names.count == joints.count
        {
            let elements = zip(names, joints).map { name, joint in
                Element(
                    label: name, point: joint.isFound ? joint.edgePoint : placement.box.center,
                    isOutside: !joint.isFound, isOccluded: isOccluded || !joint.isVisible)
            }
            shapes.append(CVATShape(sort: .skeleton, place: "", isOccluded: isOccluded, elements: elements))
        }
        if !shapes.isEmpty { return shapes }
        if let turned = observation.turnedBox {
            // In a track file its middle is a pixel's centre.
            let upright = turned.upright
            let box = Box(x: upright.x + 0.5, y: upright.y + 0.5, width: upright.width, height: upright.height)
            let degrees = turned.angle < 0 ? turned.angle + 360 : turned.angle
            return [
                CVATShape(sort: .box, place: edges(box) + " rotation=\"\(degrees.text(2))\"", isOccluded: isOccluded)
            ]
        }
        guard let polygon = placement.polygon else { return [box(placement.box, isOccluded: isOccluded)] }
        return [self.polygon(polygon, isOccluded: isOccluded)]
    }

    static func box(_ box: Box, isOccluded: Bool) -> CVATShape {
        CVATShape(sort: .box, place: edges(box), isOccluded: isOccluded)
    }

    static func polygon(_ polygon: [Point], isOccluded: Bool) -> CVATShape {
        let points = polygon.map(text).joined(separator: ";")
        return CVATShape(sort: .polygon, place: "points=\"\(points)\"", isOccluded: isOccluded)
    }

    private static func text(_ point: Point) -> String { "\(point.x.text(2)),\(point.y.text(2))" }

    private static func edges(_ box: Box) -> String {
        "xtl=\"\(box.x.text(2))\" ytl=\"\(box.y.text(2))\" xbr=\"\(box.right.text(2))\" ybr=\"\(box.bottom.text(2))\""
    }

    /// Attributes of a mask: CVAT's runs go along the rows, not down the columns.
    private static func place(of mask: RunMask) -> String {
        var runs = [0]
        var inside: UInt8 = 0
        for pixel in mask.bitmap {
            if pixel != inside {
                inside = pixel
                runs.append(0)
            }
            runs[runs.count - 1] += 1
        }
        let box = mask.box
        return "rle=\"\(runs.map(String.init).joined(separator: ", "))\" left=\"\(box.x)\" top=\"\(box.y)\" "
            + "width=\"\(box.width)\" height=\"\(box.height)\""
    }

    // MARK: As text

    /// A key frame of a track.
    func text(frame: Int, isOutside: Bool) -> String {
        let moment = "frame=\"\(frame)\""
        guard sort == .skeleton else {
            return "    <\(sort.rawValue) \(moment) outside=\"\(flag(isOutside))\" occluded=\"\(flag(isOccluded))\" "
                + "keyframe=\"1\" \(place) z_order=\"0\"></\(sort.rawValue)>\n"
        }
        // The frame stands with the points as well: not for CVAT, for readers that know no skeletons.
        let points = elements.map { element in
            "      <points \(moment) label=\"\(element.label.escapedForXML)\" keyframe=\"1\" "
                + "outside=\"\(flag(isOutside || element.isOutside))\" occluded=\"\(flag(element.isOccluded))\" "
                + "points=\"\(Self.text(element.point))\"></points>\n"
        }
        return "    <skeleton \(moment) keyframe=\"1\" z_order=\"0\">\n\(points.joined())    </skeleton>\n"
    }

    /// A shape of a picture.
    /// - Parameter group: What it shares with other shapes of one thing; 0 for nothing.
    func text(label: String, group: Int) -> String {
        let group = group == 0 ? "" : " group_id=\"\(group)\""
        guard sort == .skeleton else {
            return
                "    <\(sort.rawValue) label=\"\(label.escapedForXML)\" source=\"auto\" occluded=\"\(flag(isOccluded))\" "
                + "\(place) z_order=\"0\"\(group)></\(sort.rawValue)>\n"
        }
        let points = elements.map { element in
            "      <points label=\"\(element.label.escapedForXML)\" source=\"auto\" outside=\"\(flag(element.isOutside))\" "
                + "occluded=\"\(flag(element.isOccluded))\" points=\"\(Self.text(element.point))\"></points>\n"
        }
        return
            "    <skeleton label=\"\(label.escapedForXML)\" source=\"auto\" z_order=\"0\"\(group)>\n\(points.joined())"
            + "    </skeleton>\n"
    }

    private func flag(_ isSo: Bool) -> Int { isSo ? 1 : 0 }
}

/// The labels of an export, with the joints of those that have skeletons.
struct CVATLabels {
    private var names: NameBook
    private var skeletons: [String: Skeleton]

    /// - Parameters:
    ///   - first: Names that come first.
    ///   - skeletons: Skeletons of some, by their names.
    init(_ first: [String] = [], _ skeletons: [String: Skeleton] = [:]) {
        (names, self.skeletons) = (NameBook(first), skeletons)
    }

    mutating func add(_ name: String, _ skeleton: Skeleton?) {
        _ = names.number(of: name)
        if let skeleton, skeletons[name] == nil { skeletons[name] = skeleton }
    }

    /// A task's `labels`: joints behind all others, since readers number labels as they come.
    var text: String {
        func joints(_ name: String) -> [String] { skeletons[name]?.names ?? [] }
        let own = names.all.map { label($0, type: joints($0).isEmpty ? "any" : "skeleton") }
        let parts = names.all.flatMap { name in joints(name).map { label($0, type: "points", parent: name) } }
        return (own + parts).joined()
    }

    private func label(_ name: String, type: String, parent: String? = nil) -> String {
        let parent = parent.map { "<parent>\($0.escapedForXML)</parent>" } ?? ""
        return "      <label><name>\(name.escapedForXML)</name><color></color><type>\(type)</type>"
            + "<attributes></attributes>\(parent)</label>\n"
    }
}

extension String {
    /// The text between XML's marks, also in an attribute; signs that XML can't have at all are written out.
    var escapedForXML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // As they are, readers make spaces of them.
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
