/// A pose: where a thing is in front of the camera. It leads from the thing's own coordinates to the camera's (x right,
/// y down, z forward, metres), as OpenCV's `solvePnP` gives it.
///
/// A marker's or board's own coordinates: origin in its middle, x right, y up, z out of it, as `cv::aruco` has a
/// marker's.
public struct Pose: Sendable, Hashable {
    /// The rotation from the thing's coordinates to the camera's.
    public var rotation = Rotation()
    /// The thing's origin in camera coordinates, metres.
    public var translation = SIMD3<Double>.zero
    /// Root mean square of the distances between the points seen and the points projected, pixels.
    public var reprojectionError = 0.0

    /// A thing at the camera itself, not turned.
    public init() {}

    /// A pose by its parts; without an error for one that comes of no measurement.
    public init(rotation: Rotation, translation: SIMD3<Double>, reprojectionError: Double = 0) {
        self.rotation = rotation
        self.translation = translation
        self.reprojectionError = reprojectionError
    }

    /// A point of the thing in camera coordinates.
    public func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> { rotation(point) + translation }
}

/// The pose of a flat thing, and the other one that explains what is seen.
public struct EstimatedPose: Sendable, Hashable {
    /// The more likely pose.
    public var pose = Pose()
    /// The other pose that explains what is seen; nil where there is none.
    public var alternative: Pose?
    /// Width and height of the thing, metres; 0 where they aren't known.
    public var extent = SIMD2<Double>.zero

    /// A thing of unknown size at the camera itself, not turned.
    public init() {}

    /// An estimate by its poses, the more likely one first, and the thing's width and height in metres.
    public init(pose: Pose, alternative: Pose? = nil, extent: SIMD2<Double>) {
        self.pose = pose
        self.alternative = alternative
        self.extent = extent
    }
}
