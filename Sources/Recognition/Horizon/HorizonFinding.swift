internal import Glibc

/// The horizon.
struct HorizonFinding: Finding {
    static let kind = "horizon"
    static let doc = "The line of the horizon."
    static let place = Place.none
    static let style = DrawStyle { $0.confidence = false }

    var line = HorizonLine()

    static let fields: [Field<HorizonFinding>] = [
        Field(
            "horizon", \.line, .record(doc: "A line across the picture."), doc: "Where the horizon crosses the picture."
        )
    ]

    /// The angle, to a tenth of a degree.
    func title(_ head: Observation) -> String? {
        let tenths = Int(min(max((line.angle * 10).rounded(), -1e12), 1e12))
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)°"
    }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        line.ends(width: size.width, height: size.height).map { [.line($0.0, $0.1)] } ?? []
    }
}

/// The line of the horizon in the picture.
struct HorizonLine: Record, Hashable {
    /// Angle, degrees clockwise: over 0 where it falls towards the right. The picture turned by as much anticlockwise
    /// is level.
    var angle = 0.0
    /// Distance from the picture's middle to the line, at right angles to it, pixels; over 0 where the middle is above
    /// the line.
    var offset = 0.0

    static let fields: [Field<HorizonLine>] = [
        Field(
            "angle", \.angle, .number(Bounds(-90, 90), decimals: 2), unit: "°",
            doc:
                "Clockwise: over 0 where it falls towards the right; turned by as much anticlockwise the picture is level."
        ),
        Field(
            "offset", \.offset, .number(decimals: 2), unit: "px",
            doc: "From the picture's middle at right angles to the line; over 0 where the middle is above it."),
    ]
}

extension HorizonLine {
    /// The points at which the line enters and leaves a picture, the left one first; nil where it doesn't cross it.
    func ends(width: Int, height: Int) -> (Point, Point)? {
        let middle = Point(Double(width - 1) / 2, Double(height - 1) / 2)
        let radians = angle * .pi / 180
        let along = Point(cos(radians), sin(radians))
        let foot = middle + Point(-along.y, along.x) * offset
        // Clipped to the picture's outline (Liang and Barsky 1984).
        var (first, last) = (-Double.infinity, Double.infinity)
        for (start, way, limit) in [(foot.x, along.x, Double(width) - 0.5), (foot.y, along.y, Double(height) - 0.5)] {
            if way == 0 {
                guard (-0.5...limit).contains(start) else { return nil }
                continue
            }
            let (a, b) = ((-0.5 - start) / way, (limit - start) / way)
            first = max(first, min(a, b))
            last = min(last, max(a, b))
        }
        guard first < last else { return nil }
        return (foot + along * first, foot + along * last)
    }
}
