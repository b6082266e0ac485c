/// One key point of a thing: a body's elbow, a face's corner of an eye.
public struct Joint: Sendable, Hashable {
    /// Place of the joint, pixels of the picture as shown; integer coordinates are pixel centres.
    public var point: Point
    /// Confidence that the joint is there, 0…1; 0 for one that wasn't found.
    public var confidence: Double
    /// Confidence that nothing hides it, 0…1.
    public var visibility: Double
    /// Position in space, metres, about an origin that the kind names; nil where nobody knows.
    public var metres: SIMD3<Double>?

    /// A joint at a point, pixels.
    /// - Parameters:
    ///   - point: In the picture as shown; integer coordinates are pixel centres.
    ///   - confidence: 0…1; 0 for one that wasn't found.
    ///   - visibility: As the confidence when left out: most networks give one number for both.
    ///   - metres: Its position in space, about an origin that the kind names; nil where nobody knows.
    public init(
        _ point: Point, confidence: Double = 1, visibility: Double? = nil, metres: SIMD3<Double>? = nil
    ) {
        self.point = point
        self.confidence = confidence
        self.visibility = visibility ?? confidence
        self.metres = metres
    }

    /// Whether the joint was found; where it wasn't, its place says nothing.
    public var isFound: Bool { confidence > 0 }

    /// Whether it is rather seen than hidden.
    public var isVisible: Bool { visibility >= 0.5 }
}
