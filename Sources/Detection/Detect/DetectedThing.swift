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

/// What a detector's key points are: their number is all that it says.
enum DetectedSkeleton {
    /// COCO's of people for seventeen, numbers without bones for others.
    static func of(_ count: Int) -> Skeleton {
        count == coco.names.count ? coco : Skeleton(names: (0..<count).map { "point_\($0)" })
    }

    /// Lin et al. 2014, in the order of its annotations.
    static let coco = Skeleton(
        names: [
            "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
            "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee",
            "left_ankle",
            "right_ankle",
        ],
        edges: [
            (15, 13), (13, 11), (16, 14), (14, 12), (11, 12), (5, 11), (6, 12), (5, 6), (5, 7), (6, 8), (7, 9), (8, 10),
            (1, 2), (0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6),
        ].map(Skeleton.Pair.init),
        mirrored: [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)].map(Skeleton.Pair.init))
}
