/// What a face's landmarks are, by their number.
public enum FaceFeatures {
    /// A path through some of a face's landmarks.
    public struct Path: Sendable {
        public var name: String
        /// Indices into the landmarks.
        public var indices: Range<Int>
        public var isClosed: Bool
    }

    /// Five: the eye on the picture's left, the other eye, the tip of the nose, the corner of the mouth on the picture's
    /// left, the other one; points, no paths.
    public static let five = 5

    /// The order of iBUG 300-W (Sagonas et al. 2013). Left and right are the picture's.
    public static let sixtyEight: [Path] = [
        Path(name: "contour", indices: 0..<17, isClosed: false),
        Path(name: "left brow", indices: 17..<22, isClosed: false),
        Path(name: "right brow", indices: 22..<27, isClosed: false),
        Path(name: "bridge of the nose", indices: 27..<31, isClosed: false),
        Path(name: "base of the nose", indices: 31..<36, isClosed: false),
        Path(name: "left eye", indices: 36..<42, isClosed: true),
        Path(name: "right eye", indices: 42..<48, isClosed: true),
        Path(name: "outer lips", indices: 48..<60, isClosed: true),
        Path(name: "inner lips", indices: 60..<68, isClosed: true),
    ]

    /// For the schema.
    static let doc: String = {
        let paths = sixtyEight.map { "\($0.indices.lowerBound)–\($0.indices.upperBound - 1) \($0.name)" }
        return "A face's features. Five: left eye, right eye, tip of the nose, left and right corner of the mouth. 68: "
            + paths.joined(separator: ", ") + ". Left and right are the picture's."
    }()
}
