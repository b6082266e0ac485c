internal import Glibc

extension [Joint] {
    /// Object key point similarity of two things' joints, 0…1, as COCO's evaluation has it (Ronchi and Perona 2017): the mean
    /// over the joints that both have found of a bell curve of their distance.
    ///
    /// - Parameters:
    ///   - other: In the same order.
    ///   - area: The thing's, square pixels.
    ///   - skeleton: Whose names say how exactly people place each joint.
    /// - Returns: nil where they have no joint in common, or are other ones.
    public func similarity(to other: [Joint], area: Double, _ skeleton: Skeleton?) -> Double? {
        guard count == other.count else { return nil }
        var (sum, common) = (0.0, 0)
        for (index, pair) in zip(self, other).enumerated() where pair.0.isFound && pair.1.isFound {
            let spread = 2 * (skeleton?.deviation(of: index) ?? Skeleton.deviation)
            let way = pair.0.point - pair.1.point
            // As in pycocotools' cocoeval: an area of nothing divides nothing.
            sum += exp(-way.dot(way) / (2 * spread * spread * Swift.max(area, 1)))
            common += 1
        }
        return common > 0 ? sum / Double(common) : nil
    }
}

extension Skeleton {
    /// Standard deviation of people's clicks on a joint for which nobody has measured it, in parts of the square root
    /// of the thing's area.
    static let deviation = 0.05

    /// Standard deviations of COCO's key points (cocodataset.org, keypoints-eval).
    private static let measured: [(word: String, deviation: Double)] = [
        ("nose", 0.026), ("eye", 0.025), ("ear", 0.035), ("shoulder", 0.079), ("elbow", 0.072), ("wrist", 0.062),
        ("hip", 0.107), ("knee", 0.087), ("ankle", 0.089),
    ]

    /// A joint's standard deviation: what was measured for COCO's joints, told by their names (`nose`, `left_eye` and
    /// so on).
    func deviation(of index: Int) -> Double {
        guard names.indices.contains(index) else { return Self.deviation }
        let name = names[index]
        return Self.measured.first { name == $0.word || name == "left_" + $0.word || name == "right_" + $0.word }?
            .deviation ?? Self.deviation
    }
}
