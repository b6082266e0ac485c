/// A job's camera as the manifest declares it; the intrinsics follow when the size of its pictures is known.
public enum CameraDeclaration: Sendable, Hashable {
    /// Intrinsics, of pictures of the size that they name.
    case intrinsics(CameraIntrinsics)
    /// The angle from the picture's left to its right edge, degrees.
    case fieldOfView(Double, distortion: [Double])
    /// No declaration: a field of view of `assumedFieldOfView` degrees is assumed.
    case assumed

    /// Field of view of a camera that nothing is said of, degrees: what phones and camcorders have, more or less.
    public static let assumedFieldOfView = 60.0

    /// The camera's intrinsics for pictures of a size, pixels.
    ///
    /// - Throws: `CameraMismatch` where it can't have taken them.
    public func intrinsics(width: Int, height: Int) throws(CameraMismatch) -> CameraIntrinsics {
        switch self {
        case .intrinsics(let camera):
            guard camera.fits(width: width, height: height) else {
                throw CameraMismatch(
                    camera: (camera.width, camera.height), picture: (width, height))
            }
            return camera.scaled(width: width, height: height)
        case .fieldOfView(let degrees, let distortion):
            var camera = CameraIntrinsics(width: width, height: height, fieldOfView: degrees)
            camera.distortion = distortion
            return camera
        case .assumed:
            var camera = CameraIntrinsics(width: width, height: height, fieldOfView: Self.assumedFieldOfView)
            camera.isAssumed = true
            return camera
        }
    }
}

/// The error of a camera whose pictures have another shape than the video's.
public struct CameraMismatch: Error, Sendable, CustomStringConvertible {
    /// Size of the camera's pictures, pixels.
    public var camera: (width: Int, height: Int)
    /// Size of the video's pictures, pixels.
    public var picture: (width: Int, height: Int)

    public var description: String {
        let turned = CameraIntrinsics(
            width: camera.height, height: camera.width, focalLength: Point(1, 1), principalPoint: Point(0, 0)
        ).fits(width: picture.width, height: picture.height)
        return "the camera is for \(camera.width)×\(camera.height) pixels and the picture has "
            + "\(picture.width)×\(picture.height), upright; expected the same ratio of width to height within 1 %"
            + (turned ? " (turn the camera by a quarter, or calibrate with upright pictures)" : "")
    }
}
