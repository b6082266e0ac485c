/// The landmarks of a face: what each is, by how many there are.
enum FaceFeatures {
    /// A path through some of a face's landmarks.
    struct Path: Sendable {
        /// What the path goes along: “left brow”.
        var name: String
        /// Indices into the landmarks.
        var indices: Range<Int>
        /// Whether its last landmark is joined with its first.
        var isClosed: Bool
    }

    /// Five: the eye on the picture's left, the other eye, the tip of the nose, the corner of the mouth on the picture's
    /// left, the other one; points, no paths.
    static let five = 5

    /// The order of iBUG 300-W (Sagonas et al. 2013). Left and right are the picture's.
    static let sixtyEight: [Path] = [
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

    /// Which of the mesh's 468 places are the 68 (iBUG's contour follows the jaw where it is seen from the front).
    static let sixtyEightOfMesh = [
        127, 234, 132, 58, 172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 361, 454, 356,
        71, 63, 105, 66, 107, 336, 296, 334, 293, 301, 168, 197, 5, 4, 75, 97, 2, 326, 305,
        33, 160, 158, 133, 153, 144, 362, 385, 387, 263, 373, 380,
        61, 39, 37, 0, 267, 269, 291, 405, 314, 17, 84, 181, 78, 82, 13, 312, 308, 317, 14, 87,
    ]

    /// Five landmarks of 68: each eye's place is the mean of its corners.
    static func fiveOf(_ all: [Point]) -> [Point] {
        [(all[36] + all[39]) * 0.5, (all[42] + all[45]) * 0.5, all[30], all[48], all[54]]
    }

    /// Text for the schema.
    static let doc: String = {
        let paths = sixtyEight.map { "\($0.indices.lowerBound)–\($0.indices.upperBound - 1) \($0.name)" }
        return "A face's features. Five: left eye, right eye, tip of the nose, left and right corner of the mouth. 68: "
            + paths.joined(separator: ", ") + ". Left and right are the picture's. 468: the vertices of MediaPipe's "
            + "canonical face mesh, in its order."
    }()
}
