extension FaceFeatures {
    /// Skeleton of so many landmarks.
    static func skeleton(of count: Int) -> Skeleton {
        switch count {
        case five: skeletonOfFive
        case 68: skeletonOfSixtyEight
        default: Skeleton(names: (0..<count).map { "landmark_\($0)" })
        }
    }

    private static let skeletonOfFive = Skeleton(
        names: ["left_eye", "right_eye", "nose", "left_mouth", "right_mouth"],
        mirrored: [.init(0, 1), .init(3, 4)])

    /// Skeleton of 68 landmarks, whose names are the path's and the place on it, from 1.
    private static let skeletonOfSixtyEight: Skeleton = {
        var skeleton = Skeleton()
        for path in sixtyEight {
            let word = path.name.replacing(" ", with: "_")
            skeleton.names += path.indices.enumerated().map { "\(word)_\($0.offset + 1)" }
            skeleton.edges += zip(path.indices, path.indices.dropFirst()).map { Skeleton.Pair($0, $1) }
            if path.isClosed {
                skeleton.edges.append(Skeleton.Pair(path.indices.upperBound - 1, path.indices.lowerBound))
            }
        }
        skeleton.mirrored = mirrored.map { Skeleton.Pair($0, $1) }
        return skeleton
    }()

    /// Pairs of left and right ones of 68.
    private static let mirrored: [(Int, Int)] =
        (0..<8).map { ($0, 16 - $0) } + (17..<22).map { ($0, 43 - $0) } + [(31, 35), (32, 34)]
        + [(36, 45), (37, 44), (38, 43), (39, 42), (40, 47), (41, 46)]
        + [(48, 54), (49, 53), (50, 52), (55, 59), (56, 58), (60, 64), (61, 63), (65, 67)]
}
