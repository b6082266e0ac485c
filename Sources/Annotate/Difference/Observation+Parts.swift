extension Observation {
    /// Object key point similarity to the other's joints; nil where they have none in common.
    ///
    /// - Parameter skeleton: Their stage's.
    func jointSimilarity(to other: Observation, _ skeleton: Skeleton?) -> Double? {
        let (joints, others) = (joints, other.joints)
        guard !joints.isEmpty, joints.count == others.count else { return nil }
        // Without a mask or a place: of the box around what was found.
        let around = Mark.joints(joints, edges: nil).bounds?.area
        let area = mask.map { Double($0.area) } ?? bounds?.area ?? around ?? 0
        return joints.similarity(to: others, area: area, self.skeleton(skeleton))
    }
}
