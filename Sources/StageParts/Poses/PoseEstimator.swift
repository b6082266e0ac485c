package import CVision

/// Computes the poses of flat things seen by one camera. Immutable: any thread may use it.
///
/// `@unchecked Sendable`: the shim's camera is plain data, which nothing changes.
package struct PoseEstimator: @unchecked Sendable {
    private let camera: ocv_camera

    package init(_ camera: CameraIntrinsics) { self.camera = ocv_camera(camera) }

    /// The poses at which points of a plane are seen where they are, the smaller reprojection error first; none where
    /// the points allow no pose.
    ///
    /// - Parameters:
    ///   - flat: In the thing's own plane, metres, x right, y up.
    ///   - seen: In the picture, pixels.
    ///   - groups: For each point how it was measured, from 0: each group counts by how well its points agree. All count
    ///     alike where it is left out.
    package func poses(of flat: [Point], seen: [Point], groups: [Int]? = nil) throws -> [Pose] {
        var camera = camera
        var count: Int32 = 0
        var found = (ocv_pose(), ocv_pose())
        let (object, image) = (flat.map(\.ocv), seen.map(\.ocv))
        let status = withUnsafeMutableBytes(of: &found) { bytes in
            let out = bytes.bindMemory(to: ocv_pose.self).baseAddress
            let points = Int32(min(object.count, image.count))
            guard let groups else { return ocv_pose_of_plane(&camera, object, image, nil, points, out, &count) }
            return ocv_pose_of_plane(&camera, object, image, groups.map(Int32.init), points, out, &count)
        }
        // Points that OpenCV finds no pose for, four on one line say, are no failure of the run: there is no pose then.
        guard status.code == 0 else { return [] }
        return [found.0, found.1].prefix(Int(count)).map { pose in
            let (r, t) = (pose.rotation, pose.translation)
            return Pose(
                rotation: Rotation(rodrigues: [r.0, r.1, r.2]), translation: [t.0, t.1, t.2],
                reprojectionError: pose.error)
        }
    }

    /// A marker's corners in its own plane, clockwise from its top left.
    package static func corners(width: Double, height: Double) -> [Point] {
        let (x, y) = (width / 2, height / 2)
        return [Point(-x, y), Point(x, y), Point(x, -y), Point(-x, -y)]
    }
}

extension ocv_camera {
    package init(_ camera: CameraIntrinsics) {
        self.init()
        (focalX, focalY) = (camera.focalLength.x, camera.focalLength.y)
        (centerX, centerY) = (camera.principalPoint.x, camera.principalPoint.y)
        distortionCount = Int32(min(camera.distortion.count, 8))
        withUnsafeMutableBytes(of: &distortion) { bytes in
            let target = bytes.bindMemory(to: Double.self)
            for (index, value) in camera.distortion.prefix(8).enumerated() { target[index] = value }
        }
    }
}
