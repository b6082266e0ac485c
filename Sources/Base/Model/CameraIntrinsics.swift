internal import Glibc

/// The camera that pictures of one size were taken with: a pinhole with lens distortion, as OpenCV's `calib3d` has it.
///
/// Camera coordinates are metres, x right, y down, z forward, origin at the camera. Pixels as everywhere: integer
/// coordinates are pixel centres.
public struct CameraIntrinsics: Sendable, Hashable {
    /// Width of the pictures, upright, as shown, pixels.
    public var width: Int
    /// Height of the pictures, pixels.
    public var height: Int
    /// Focal length in x and y, pixels.
    public var focalLength: Point
    /// Principal point, pixels.
    public var principalPoint: Point
    /// Coefficients of lens distortion, as in OpenCV: k1, k2, p1, p2, then k3, then k4, k5, k6: none, 4, 5 or 8 of
    /// them.
    public var distortion: [Double]
    /// Whether nothing was said of the camera, and it has the assumed field of view.
    public var isAssumed: Bool

    /// A camera by its numbers, without distortion when left out; nothing is checked.
    public init(
        width: Int, height: Int, focalLength: Point, principalPoint: Point, distortion: [Double] = [],
        isAssumed: Bool = false
    ) {
        self.width = width
        self.height = height
        self.focalLength = focalLength
        self.principalPoint = principalPoint
        self.distortion = distortion
        self.isAssumed = isAssumed
    }

    /// A camera that looks straight ahead, with square pixels.
    ///
    /// - Parameters:
    ///   - width: Of the pictures, upright, as shown, pixels.
    ///   - height: Of the pictures, pixels.
    ///   - fieldOfView: From the picture's left to its right edge, degrees.
    public init(width: Int, height: Int, fieldOfView: Double) {
        let focal = Double(width) / 2 / tan(fieldOfView * .pi / 360)
        self.init(
            width: width, height: height, focalLength: Point(focal, focal),
            principalPoint: Point(Double(width - 1) / 2, Double(height - 1) / 2))
    }

    /// The intrinsics of the same camera's pictures at another size. A picture's edges stay its edges, so that a
    /// coordinate c becomes (c + 0.5) · s − 0.5.
    public func scaled(width: Int, height: Int) -> CameraIntrinsics {
        let (x, y) = (Double(width) / Double(self.width), Double(height) / Double(self.height))
        var result = self
        (result.width, result.height) = (width, height)
        result.focalLength = Point(focalLength.x * x, focalLength.y * y)
        result.principalPoint = Point((principalPoint.x + 0.5) * x - 0.5, (principalPoint.y + 0.5) * y - 0.5)
        return result
    }

    /// Whether pictures of this size may be the camera's, smaller or larger: ratios of width to height that differ by 1
    /// % at the most.
    public func fits(width: Int, height: Int) -> Bool {
        let ratio = Double(width) * Double(self.height) / (Double(height) * Double(self.width))
        return max(ratio, 1 / ratio) <= 1.01
    }

    /// The intrinsics as a camera file has them.
    public var json: JSONValue {
        var members = [
            JSONMember(key: "size", value: JSONNode(.numbers([Double(width), Double(height)]))),
            JSONMember(key: "focalLength", value: JSONNode(.numbers([focalLength.x, focalLength.y]))),
            JSONMember(key: "principalPoint", value: JSONNode(.numbers([principalPoint.x, principalPoint.y]))),
        ]
        if !distortion.isEmpty { members.append(JSONMember(key: "distortion", value: JSONNode(.numbers(distortion)))) }
        if isAssumed { members.append(JSONMember(key: "assumed", value: JSONNode(.bool(true)))) }
        return .object(members)
    }
}
