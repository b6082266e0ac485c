internal import Graph

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
