/// The coordinates of one of a job's `lines` or `zones`: what they are counted in.
public struct GateUnits: Sendable, Hashable {
    /// True where they run over the picture's area: 0 is its left or upper edge, 1 the right or lower one.
    public var isNormalized = false
    /// The size of the pictures that pixels were counted in, where it is said.
    public var size: PictureSize?

    public init(isNormalized: Bool = false, size: PictureSize? = nil) {
        (self.isNormalized, self.size) = (isNormalized, size)
    }

    func pixels(_ point: Point, _ picture: PictureSize) -> Point {
        isNormalized ? Point(point.x * Double(picture.width), point.y * Double(picture.height)) : point
    }

    /// Why points can't be of a picture; nil where they can.
    ///
    /// A picture's edges belong to it: x runs from 0 to its width, half a pixel more on the left, where the centre of the first
    /// column is 0.
    func complaint(_ points: [Point], of noun: String, in picture: PictureSize, named name: String) -> String? {
        let told = "\(picture.width)×\(picture.height)"
        if let size, size != picture {
            return
                "\(noun) is of pictures of \(size.width)×\(size.height) pixels, and \(name) has \(told); expected one that "
                + "was drawn on this size, or “units”: “normalized”"
        }
        let places = points.map { pixels($0, picture) }
        let outside = places.indices.first { index in
            !(-0.5...Double(picture.width)).contains(places[index].x)
                || !(-0.5...Double(picture.height)).contains(places[index].y)
        }
        if let outside {
            let point = points[outside]
            let expected =
                isNormalized
                ? "coordinates from 0 to 1" : "x from 0 to \(picture.width) and y from 0 to \(picture.height)"
            return "the point [\(plain(point.x)), \(plain(point.y))] of \(noun) lies outside the picture of \(name), "
                + "\(told) pixels; expected \(expected)"
        }
        if let box = Box(around: places), box.width <= 1, box.height <= 1 {
            return "\(noun) is smaller than a pixel of \(name); expected pixels, or “units”: “normalized” for shares"
        }
        return nil
    }
}

/// One of a job's `lines`: what crosses it is counted.
public struct Line: Sendable, Hashable {
    public var id: String
    public var from: Point
    public var to: Point
    public var units: GateUnits

    public init(id: String, from: Point, to: Point, units: GateUnits = GateUnits()) {
        (self.id, self.from, self.to, self.units) = (id, from, to, units)
    }

    /// The same in the pixels of a picture.
    public func inPixels(of picture: PictureSize) -> Line {
        Line(id: id, from: units.pixels(from, picture), to: units.pixels(to, picture))
    }

    /// Why it can't be of a picture; nil where it can.
    public func complaint(in picture: PictureSize, named name: String) -> String? {
        units.complaint([from, to], of: "the line “\(id.inOneLine)”", in: picture, named: name)
    }
}

/// One of a job's `zones`: what enters and leaves it is counted, and what is there.
public struct Zone: Sendable, Hashable {
    public var id: String
    /// 3 to 64 corners; inside is what is enclosed an odd number of times.
    public var polygon: [Point]
    public var units: GateUnits

    public init(id: String, polygon: [Point], units: GateUnits = GateUnits()) {
        (self.id, self.polygon, self.units) = (id, polygon, units)
    }

    /// The same in the pixels of a picture.
    public func inPixels(of picture: PictureSize) -> Zone {
        Zone(id: id, polygon: polygon.map { units.pixels($0, picture) })
    }

    /// Why it can't be of a picture; nil where it can.
    public func complaint(in picture: PictureSize, named name: String) -> String? {
        units.complaint(polygon, of: "the zone “\(id.inOneLine)”", in: picture, named: name)
    }
}
