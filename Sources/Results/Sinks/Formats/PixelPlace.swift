/// The place of an observation as formats of boxes have it: pixels of the picture as shown, whose own edges are 0, to
/// the hundredths of the track file.
struct PixelPlace {
    /// The observation's box, or the one around its outline's pixels.
    var box: Box
    /// Corners half a pixel from the track file's, which are pixel centres; nil for what has no outline.
    var polygon: [Point]?

    /// The place of an observation; nil for one that is lost, has ended or has no place of its own.
    init?(_ observation: Observation) {
        var head = observation
        head.box = observation.box.map {
            Box($0.x.hundredths, $0.y.hundredths, $0.width.hundredths, $0.height.hundredths)
        }
        head.polygon = observation.polygon?.map { Point($0.x.hundredths, $0.y.hundredths) }
        guard head.isInSight, let bounds = head.bounds else { return nil }
        box = Box(bounds.x.hundredths, bounds.y.hundredths, bounds.width.hundredths, bounds.height.hundredths)
        polygon = head.polygon?.map { Point($0.x + 0.5, $0.y + 0.5) }
    }

    /// Area of the outline, or the box, square pixels.
    var area: Double {
        guard let polygon else { return box.area }
        let sum = zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0) { $0 + $1.0.cross($1.1) }
        return abs(sum) / 2
    }
}

extension Box {
    fileprivate init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.init(x: x, y: y, width: width, height: height)
    }
}

extension Double {
    /// The number to hundredths, as a track file has places.
    fileprivate var hundredths: Double { rounded(decimals: 2) }

    /// The number to thousandths, as a track file has confidences.
    var thousandths: Double { rounded(decimals: 3) }

    private func rounded(decimals: Int) -> Double {
        let scale = decimals == 2 ? 100.0 : 1000.0
        return abs(self) < 1e12 ? (self * scale).rounded(.toNearestOrAwayFromZero) / scale : self
    }

    /// The number with so many decimals at most.
    package func text(_ decimals: Int) -> String {
        var json = JSONWriter()
        json.value(self, decimals: decimals)
        return json.text
    }
}

extension Joint {
    /// The joint's visibility in COCO and YOLO: 0 not labelled, 1 labelled and hidden, 2 seen.
    var labelling: Int { isFound ? (isVisible ? 2 : 1) : 0 }

    /// Its place where a picture's own edges are 0.
    var edgePoint: Point { Point(point.x + 0.5, point.y + 0.5) }
}

extension Observation {
    /// The class name in formats that have one: its label, or else its kind.
    package var name: String { label.flatMap { $0.isEmpty ? nil : $0 } ?? kind }
}
