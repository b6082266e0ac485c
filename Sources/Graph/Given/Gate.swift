/// Units of the coordinates of one of a job's `lines` or `zones`.
///
/// Pixels are counted as those of a box: 0 is the picture's left or upper edge, its width or height the other one.
public struct GateUnits: Sendable, Hashable {
    /// Whether they are parts of the picture's width and height, 0…1, rather than pixels.
    public var isNormalized = false
    /// Size of the pictures in which pixels were counted; nil where it isn't said.
    public var size: PictureSize?

    /// Units of coordinates; without a size, pixels are counted in whatever picture the job has.
    public init(isNormalized: Bool = false, size: PictureSize? = nil) {
        (self.isNormalized, self.size) = (isNormalized, size)
    }

    fileprivate func pixels(_ point: Point, _ picture: PictureSize) -> Point {
        isNormalized ? Point(point.x * Double(picture.width), point.y * Double(picture.height)) : point
    }

    /// Why points can't be of a picture; nil where they can.
    fileprivate func complaint(_ points: [Point], of noun: String, in picture: PictureSize, named name: String)
        -> String?
    {
        let told = "\(picture.width)×\(picture.height)"
        if let size, size != picture {
            return
                "\(noun) is of pictures of \(size.width)×\(size.height) pixels, and \(name) has \(told); expected one of this "
                + "size, or “units”: “normalized”"
        }
        let places = points.map { pixels($0, picture) }
        let outside = places.firstIndex { place in
            !(0...Double(picture.width)).contains(place.x) || !(0...Double(picture.height)).contains(place.y)
        }
        if let outside {
            let point = points[outside]
            let expected =
                isNormalized
                ? "coordinates from 0 to 1" : "x from 0 to \(picture.width) and y from 0 to \(picture.height)"
            return "the point [\(plain(point.x)), \(plain(point.y))] of \(noun) lies outside the picture of \(name); "
                + "expected \(expected)"
        }
        if let box = Box(around: places), box.width <= 1, box.height <= 1 {
            return
                "\(noun) is no larger than a pixel of \(name); expected pixels, or “units”: “normalized” for shares of "
                + "the picture"
        }
        return nil
    }
}

/// One of a job's `lines`: what crosses it is counted.
public struct Line: Sendable, Hashable {
    public var id: String
    /// Start of its arrow, in `units`.
    public var from: Point
    /// End of its arrow, in `units`; what crosses from its left to its right goes forward.
    public var to: Point
    /// Units of its coordinates.
    public var units: GateUnits

    /// A line by its name and the two ends of its arrow; whether it fits a picture is told by `complaint`.
    public init(id: String, from: Point, to: Point, units: GateUnits = GateUnits()) {
        (self.id, self.from, self.to, self.units) = (id, from, to, units)
    }

    /// Why it can't be of a picture; nil where it can.
    /// - Parameters:
    ///   - picture: The picture's size, upright, as shown.
    ///   - name: What the picture is of.
    public func complaint(in picture: PictureSize, named name: String) -> String? {
        units.complaint([from, to], of: "the line “\(id.inOneLine)”", in: picture, named: name)
    }
}

/// One of a job's `zones`: what enters and leaves it is counted, and what is there.
public struct Zone: Sendable, Hashable {
    public var id: String
    /// Corners, 3 to 64, in `units`; inside is what is enclosed an odd number of times.
    public var polygon: [Point]
    /// Units of its coordinates.
    public var units: GateUnits

    /// A zone by its name and corners; whether it fits a picture is told by `complaint`.
    public init(id: String, polygon: [Point], units: GateUnits = GateUnits()) {
        (self.id, self.polygon, self.units) = (id, polygon, units)
    }

    /// Why it can't be of a picture; nil where it can.
    /// - Parameters:
    ///   - picture: The picture's size, upright, as shown.
    ///   - name: What the picture is of.
    public func complaint(in picture: PictureSize, named name: String) -> String? {
        units.complaint(polygon, of: "the zone “\(id.inOneLine)”", in: picture, named: name)
    }
}

extension Line: Given {
    public static let word = "lines"
    public static let doc =
        "What the stage “count” counts crossings of: arrows from one point to another; or the path of a file with them, as "
        + "of regions."
    public static let shape = LineDeclaration.shape
    public static let use = "counts at lines"
    public static let tool: DrawingTool? = .line

    public static func read(_ reader: GivenReader) -> Line? {
        var declared = LineDeclaration()
        let wrong = declared.read(reader.node)
        // The shape's validation has complained where any of these fails.
        guard wrong.isEmpty, ["id", "from", "to"].allSatisfy({ reader.node[$0] != nil }) else { return nil }
        if declared.from == declared.to {
            let point = "[\(plain(declared.from.x)), \(plain(declared.from.y))]"
            reader.complain("the line begins and ends at \(point); expected two different points", "to")
            return nil
        }
        let units = declared.units.read(reader)
        let line = Line(id: declared.id, from: declared.from, to: declared.to, units: units)
        for picture in reader.pictures {
            if let complaint = line.complaint(in: picture.size, named: picture.name) { reader.complain(complaint) }
        }
        return line
    }

    /// The same in pixels; where it was of pictures of another size it says so still.
    public func placed(in size: PictureSize) -> Line {
        let pixels = GateUnits(size: units.size)
        return Line(id: id, from: units.pixels(from, size), to: units.pixels(to, size), units: pixels)
    }

    public static func warning(of stages: String) -> String { gateWarning(of: stages) }

    /// A line across the picture's middle.
    public static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) {
        let gap = "the line “gate” runs across the picture's middle; draw your own with `pick`"
        guard let size else {
            return (
                .members([
                    "id": .string("gate"), "from": .numbers([0, 0.5]), "to": .numbers([1, 0.5]),
                    "units": .string("normalized"),
                ]), gap
            )
        }
        let (right, middle) = (Double(size.width), Double(size.height / 2))
        return (
            .members(["id": .string("gate"), "from": .numbers([0, middle]), "to": .numbers([right, middle])]), gap
        )
    }
}

extension Zone: Given {
    public static let word = "zones"
    public static let doc =
        "Parts of the picture of which the stage “count” counts entries and leavings, and who is there; or the path of a "
        + "file with them, as of regions."
    public static let shape = ZoneDeclaration.shape
    public static let use = "counts in zones"
    public static let tool: DrawingTool? = .zone

    public static func read(_ reader: GivenReader) -> Zone? {
        var declared = ZoneDeclaration()
        let wrong = declared.read(reader.node)
        guard wrong.isEmpty, ["id", "polygon"].allSatisfy({ reader.node[$0] != nil }) else { return nil }
        let corners = declared.polygon
        let spread = corners.dropFirst().flatMap { a in corners.map { (a - corners[0]).cross($0 - corners[0]) } }
        guard spread.contains(where: { $0 != 0 }) else {
            reader.complain(
                "a polygon without area; expected three corners or more around some of the picture", "polygon")
            return nil
        }
        let zone = Zone(id: declared.id, polygon: corners, units: declared.units.read(reader))
        for picture in reader.pictures {
            if let complaint = zone.complaint(in: picture.size, named: picture.name) { reader.complain(complaint) }
        }
        return zone
    }

    /// The same in pixels; where it was of pictures of another size it says so still.
    public func placed(in size: PictureSize) -> Zone {
        Zone(id: id, polygon: polygon.map { units.pixels($0, size) }, units: GateUnits(size: units.size))
    }

    public static func warning(of stages: String) -> String { gateWarning(of: stages) }

    /// A zone in the picture's lower middle.
    public static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) {
        let gap = "the zone “area” is the lower middle of the picture; draw your own with `pick`"
        let shares = [(0.25, 0.5), (0.75, 0.5), (0.75, 1.0), (0.25, 1.0)]
        let (width, height) = (size.map { Double($0.width) } ?? 1, size.map { Double($0.height) } ?? 1)
        let corners = shares.map { share in
            JSONNode(
                .numbers(
                    size == nil ? [share.0, share.1] : [(share.0 * width).rounded(), (share.1 * height).rounded()]))
        }
        var members: [(String, JSONValue)] = [("id", .string("area")), ("polygon", .array(corners))]
        if size == nil { members.append(("units", .string("normalized"))) }
        return (.object(members.map { JSONMember(key: $0.0, value: JSONNode($0.1)) }), gap)
    }
}

private func gateWarning(of stages: String) -> String {
    "its graph counts at lines and in zones (stage \(stages)), and it has no “lines” and no “zones”"
}

extension GivenReader {
    /// - Parameter key: The member to blame; nil for the whole.
    fileprivate func complain(_ message: String, _ key: String? = nil) {
        log.add(message, at: key.flatMap { node[$0] } ?? node, path: path + (key.map { [.key($0)] } ?? []))
    }
}

extension GateUnitsDeclaration {
    fileprivate func read(_ reader: GivenReader) -> GateUnits {
        if size != nil, units == .normalized {
            reader.complain("“of” with “units”: “normalized”, which hold for any size; expected one of them", "of")
        }
        return GateUnits(
            isNormalized: units == .normalized,
            size: size.map { PictureSize(width: Int($0.x), height: Int($0.y)) })
    }
}
