internal import Graph

/// A thing that a network sees, in the picture.
struct DetectedThing: Sendable, Hashable {
    /// The class's number.
    var label: Int
    /// 0…1.
    var score: Double
    /// Clipped to the picture; its edges run from 0 to the picture's width and height.
    var box: Box
    /// A turned box's own corners, clockwise from its own top left: integer coordinates are pixel centres.
    var corners: [Point]?
    /// Of a turned box's upper side, clockwise, degrees.
    var angle: Double?
    var mask: RunMask?
    var joints: [Joint] = []
}

extension DetectedThing: Record {
    init() { self.init(label: 0, score: 0, box: Box(x: 0, y: 0, width: 0, height: 0)) }

    static let fields: [Field<Self>] = [
        Field("label", \.label, .integer(), doc: "The class's number."),
        Field("score", \.score, .number(), doc: "0 to 1."),
        Field("box", \.box, .exactBox, unit: "px", doc: "Where it is."),
        Field("corners", \.corners, .list(.exactPoint), unit: "px", doc: "Of a turned box."),
        Field("angle", \.angle, .number(), unit: "°", doc: "Of a turned box."),
        Field("mask", \.mask, .exactMask, doc: "Its pixels."),
        Field("joints", \.joints, .list(.exactJoint), doc: "Its joints."),
    ]
}
