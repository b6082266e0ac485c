@testable import Drawing
import Testing

@testable import Annotate
@testable import TestSupport

/// Axes and cubes are drawn where the camera sees them.
@Suite struct OverlayPoseTests {
    private static let bent = CameraIntrinsics(
        width: 400, height: 300, focalLength: Point(320, 325), principalPoint: Point(196, 152),
        distortion: [-0.3, 0.1, 0.002, -0.001, 0])
    private static let straight = CameraIntrinsics(width: 400, height: 300, fieldOfView: 60)
    private static let pose = Pose(rotation: Rotation(rodrigues: [2.6, 0.3, -0.4]), translation: [0.04, -0.02, 0.7])

    private func draw(
        _ pose: Pose, _ camera: CameraIntrinsics, axes: Bool = false, cube: CubeStyle? = nil, side: Double = 0.2
    ) throws -> OverlayPicture {
        let picture = OverlayPicture(400, 300)
        var style = DrawStyle()
        (style.outline, style.label, style.axes, style.cube) = (false, false, axes, cube)
        (style.color, style.thickness) = (.white, 6)
        let observation = Observation(
            MarkerFinding(id: 0, pose: EstimatedPose(pose: pose, extent: [side, side])), stage: "m")
        let annotator = Annotator(camera: camera)
        try picture.draw { canvas throws(TextError) in
            try annotator.draw([DrawnObservation(observation, style: style)], at: 0, onto: canvas)
        }
        #expect(picture.guardsIntact)
        return picture
    }

    @Test(arguments: [straight, bent])
    func linesLieOnTheProjectedTruth(camera: CameraIntrinsics) throws {
        let picture = try draw(Self.pose, camera, cube: .wire)
        let projection = CameraProjection(camera)
        let box = SpaceBox(pose: Self.pose, extent: [0.2, 0.2], height: 0.2)
        // Points of the edges in space, each projected for itself.
        let truth = box.edges.flatMap { edge in
            (0...200).map { projection.project(edge.from + (edge.to - edge.from) * (Double($0) / 200)) }
        }
        let inside = truth.filter { (2..<398).contains($0.x) && (2..<298).contains($0.y) }
        #expect(inside.count > truth.count / 2)
        for point in inside {
            #expect(picture.luma[Int(point.x.rounded()), Int(point.y.rounded())] > OverlayPicture.ground + 8)
        }
        // A thickness of 6 is 1.7 pixels here: nothing is painted farther away than half of it and a pixel.
        for y in 0..<300 {
            for x in 0..<400 where picture.luma[x, y] != OverlayPicture.ground {
                let nearest = truth.map { $0.distance(to: Point(Double(x), Double(y))) }.min() ?? .infinity
                #expect(nearest < 2.3)
            }
        }
    }

    /// What moves from its first frame on is drawn there, and what trembles at rest is steadied after a few.
    @Test func smoothingDoesNotLagAtTheStart() {
        var smoother = PoseSmoother()
        for frame in 0..<10 {
            let time = Double(frame) / 25
            let moved = Pose(rotation: Self.pose.rotation, translation: [0.6 * time, 0, 0.7])
            let drawn = smoother.smooth(moved, track: 1, timeConstant: 0.1, at: time)
            // 24 mm a frame; at rest the filter would stay two thirds of it behind.
            #expect(abs(drawn.translation.x - moved.translation.x) < 0.001, "\(frame)")
        }
        var farthest = 0.0
        for frame in 0..<50 {
            let shaken = Pose(rotation: Self.pose.rotation, translation: [frame % 2 == 0 ? 0.001 : -0.001, 0, 0.7])
            let drawn = smoother.smooth(shaken, track: 2, timeConstant: 0.3, at: Double(frame) / 25)
            if frame >= 10 { farthest = max(farthest, abs(drawn.translation.x)) }
        }
        #expect(farthest < 0.0005)
    }

    @Test func aSolidCubeHidesItsBack() throws {
        let (wire, solid) = (try draw(Self.pose, Self.bent, cube: .wire), try draw(Self.pose, Self.bent, cube: .shaded))
        #expect(wire.changed == solid.changed)
        // Full of colour inside, which the wires are not.
        func painted(_ picture: OverlayPicture) -> Int { picture.luma.pixels.count { $0 != OverlayPicture.ground } }
        #expect(painted(solid) > 3 * painted(wire))
    }

    @Test func frontFacesAreThoseTowardsTheCamera() {
        // Face-on: of the six only the top is turned towards a camera on its axis.
        let facing = Pose(rotation: Rotation(columns: [1, 0, 0], [0, -1, 0], [0, 0, -1]), translation: [0, 0, 1])
        #expect(
            SpaceBox(pose: facing, extent: [0.2, 0.2], height: 0.2).faces.map(\.isFront) == [
                false, true, false, false, false, false,
            ])
        #expect(SpaceBox(pose: facing, extent: [0.2, 0.2], height: 0.2).edges.count == 12)
    }

    /// What reaches behind the camera, or is wholly behind it, is cut.
    @Test(arguments: [0.15, 0.05, 0.0, -0.5])
    func nearAndBehind(depth: Double) throws {
        for camera in [Self.straight, Self.bent] {
            for cube in CubeStyle.allCases {
                var pose = Self.pose
                pose.translation = [0, 0, depth]
                let picture = try draw(pose, camera, axes: true, cube: cube)
                if depth < -0.2 { #expect(picture.changed == nil) }
            }
        }
    }

    @Test func smoothingSteadiesWhatIsDrawn() {
        var smoother = PoseSmoother()
        var (measured, drawn): ([Double], [Double]) = ([], [])
        for frame in 0..<100 {
            var pose = Self.pose
            pose.translation.x += frame % 2 == 0 ? 0.002 : -0.002
            measured.append(pose.translation.x)
            drawn.append(
                smoother.smooth(pose, track: 1, timeConstant: 0.2, at: Double(frame) / 25).translation.x)
        }
        #expect(abs(drawn[99] - Self.pose.translation.x) < 0.0005)
        #expect(smoother.smooth(Self.pose, track: 1, timeConstant: 0, at: 4) == Self.pose)
        #expect(measured[99] != drawn[99])
    }

    /// What moves is not left behind: by a frame's way at the most, with a time constant of six.
    @Test func smoothingKeepsUp() {
        var smoother = PoseSmoother()
        let step = 0.2 * Self.pose.translation.z / 25
        for frame in 0..<50 {
            var pose = Self.pose
            pose.translation.x += step * Double(frame)
            let turn = 0.04 * Double(frame)
            pose.rotation = Rotation(rodrigues: [0, 0, turn])
            let drawn = smoother.smooth(pose, track: 1, timeConstant: 0.24, at: Double(frame) / 25)
            guard frame > 10 else { continue }
            #expect(abs(drawn.translation.x - pose.translation.x) < step)
            #expect(drawn.rotation.angle(to: pose.rotation) < 0.06)
        }
    }

    @Test(arguments: [[0.1, 0.2, 0.3], [3.1, 0, 0], [0, -2, 1], [0, 0, 0], [1e-9, 0, 0]] as [SIMD3<Double>])
    func rotationsComeBack(rodrigues: SIMD3<Double>) {
        let rotation = Rotation(rodrigues: rodrigues)
        #expect(Rotation(rodrigues: [0, 0, 0]).turn(to: rotation).x.isFinite)
        let again = Rotation(columns: rotation([1, 0, 0]), rotation([0, 1, 0]), rotation([0, 0, 1])).rodrigues
        #expect(((again - rodrigues) * (again - rodrigues)).sum() < 1e-18)
        #expect(rotation.angle(to: Rotation(rodrigues: again)) < 1e-9)
    }
}
