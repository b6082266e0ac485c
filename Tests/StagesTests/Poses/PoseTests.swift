import Glibc
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// Poses of markers, held against those that the scene was rendered with.
@Suite struct PoseTests {
    /// Degrees between two rotations.
    private func degrees(_ a: Rotation, _ b: Rotation) -> Double { a.angle(to: b) * 180 / .pi }

    private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { ((a - b) * (a - b)).sum().squareRoot() }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func scene() -> Scene {
        var scene = Scene()
        (scene.width, scene.height) = (1920, 1080)
        scene.background = BackgroundStyle(kind: .plain)
        (scene.blur.gaussian, scene.noise.luma) = (0.5, 1.2)
        let places: [(SIMD3<Double>, SIMD3<Double>)] = [
            ([-0.3, -0.1, 0.7], [35, 20, 5]), ([0.05, -0.15, 1.1], [-15, 40, 100]),
            ([0.5, -0.2, 1.6], [-30, -25, -30]),
            ([0.2, 0.15, 0.8], [20, -30, 190]), ([-0.5, 0.25, 1.3], [45, -10, 60]),
        ]
        scene.objects = places.enumerated().map { index, place in
            SceneObject(
                .marker(MarkerCard(dictionary: "aruco-4x4-50", id: index, size: 0.08)),
                motion: Motion(position: place.0, rotation: place.1))
        }
        return scene
    }

    @Test func renderedMarkersAreWhereTheyAre() throws {
        let scene = scene()
        let renderer = try SceneRenderer(scene: scene, markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
        let frame = RenderedFrame(renderer, 0)
        let markers = try MarkerSearch(MarkerDictionary(name: "aruco-4x4-50")).detect(
            luma: frame.bytes, width: frame.width, height: frame.height)
        let estimator = PoseEstimator(scene.intrinsics)
        var (far, turned): ([Double], [Double]) = ([], [])
        for truth in renderer.truth(0) {
            let pose = try #require(truth.asMarker?.pose).pose
            let marker = try #require(
                markers.first { $0.id == truth.asMarker?.id },
                "\(truth.asMarker?.id ?? -1) is not among \(markers.map(\.id))")
            let found = try estimator.poses(
                of: PoseEstimator.corners(width: 0.08, height: 0.08), seen: marker.corners)
            let best = try #require(found.first)
            far.append(distance(best.translation, pose.translation) / distance(pose.translation, .zero))
            turned.append(degrees(best.rotation, pose.rotation))
            #expect(best.reprojectionError < 0.2)
        }
        #expect(median(far) < 0.005, "\(far)")
        #expect(median(turned) < 0.5, "\(turned)")
    }

    /// Of markers with cells of five pixels, blurred, the corners are where they are, and the pose isn't the mirrored one.
    @Test func smallBlurredMarkersKeepTheirCorners() throws {
        var scene = scene()
        (scene.blur.gaussian, scene.noise.luma) = (1.4, 1.2)
        scene.objects = (0..<8).map { index in
            let place = SIMD3(Double(index % 4) * 0.7 - 1.05, Double(index / 4) * 0.8 - 0.4, 3)
            let lean = SIMD3(index % 2 == 0 ? 35.0 : -30, Double(index) * 9 - 30, Double(index) * 40)
            return SceneObject(
                .marker(MarkerCard(dictionary: "aruco-4x4-50", id: index, size: 0.055)),
                motion: Motion(position: place, rotation: lean))
        }
        let renderer = try SceneRenderer(scene: scene, markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
        let frame = RenderedFrame(renderer, 0)
        let markers = try MarkerSearch(MarkerDictionary(name: "aruco-4x4-50")).detect(
            luma: frame.bytes, width: frame.width, height: frame.height)
        let estimator = PoseEstimator(scene.intrinsics)
        #expect(markers.count >= 6)
        for marker in markers {
            let truth = try #require(renderer.truth(0).first { $0.asMarker?.id == marker.id })
            let pose = try #require(truth.asMarker?.pose).pose
            let corners = try #require(truth.polygon)
            let error = zip(marker.corners, corners).map { $0.distance(to: $1) }.max() ?? 9
            #expect(error < 0.12, "\(marker.id): \(error) px")
            let poses = try estimator.poses(
                of: PoseEstimator.corners(width: 0.055, height: 0.055), seen: marker.corners)
            #expect(degrees(try #require(poses.first).rotation, pose.rotation) < 4, "\(marker.id)")
        }
    }

    /// Points of two kinds, one ten times as noisy and one of them mistaken: the good kind carries the pose.
    @Test func groupsCountByHowWellTheyAgree() throws {
        let sequence = Sequence()
        let projection = CameraProjection(sequence.camera)
        let placement = Placement(position: [0.1, -0.05, 1.5], rotation: [35, -20, 10])
        let truth = Pose(
            rotation: Rotation(columns: placement.xAxis, -placement.yAxis, -placement.zAxis),
            translation: [0.1, -0.05, 1.5])
        var (flat, seen, groups): ([Point], [Point], [Int]) = ([], [], [])
        for index in 0..<48 {
            let place = Point(Double(index % 8) * 0.04 - 0.14, Double(index / 8) * 0.04 - 0.1)
            let group = index % 2
            // Any way round the circle, of one length.
            let angle = Double(index) * 2.399963
            let noise = index == 20 ? 6 : group == 0 ? 0.5 : 0.05
            flat.append(place)
            seen.append(projection.project(truth([place.x, place.y, 0])) + Point(cos(angle), sin(angle)) * noise)
            groups.append(group)
        }
        let estimator = PoseEstimator(sequence.camera)
        let alike = try #require(try estimator.poses(of: flat, seen: seen).first)
        let weighted = try #require(try estimator.poses(of: flat, seen: seen, groups: groups).first)
        #expect(distance(weighted.translation, truth.translation) < 0.0004)
        #expect(degrees(weighted.rotation, truth.rotation) < 0.05)
        #expect(degrees(weighted.rotation, truth.rotation) < 0.3 * degrees(alike.rotation, truth.rotation))
    }

    /// Corners with noise, seen by a camera with distortion.
    private struct Sequence {
        var camera = CameraIntrinsics(
            width: 1920, height: 1080, focalLength: Point(1500, 1510), principalPoint: Point(950, 545),
            distortion: [-0.12, 0.05, 0.001, -0.0005, 0.01])
        var side = 0.06
        // What the fit of edges leaves, and a little more.
        var noise = 0.05

        func seen(_ pose: Pose, frame: Int) -> [Point] {
            let projection = CameraProjection(camera)
            return PoseEstimator.corners(width: side, height: side).enumerated().map { index, corner in
                func gaussian(_ salt: Int) -> Double {
                    var state = UInt64(frame * 64 + index * 8 + salt) &* 0x9E37_79B9_7F4A_7C15
                    func next() -> Double {
                        state ^= state >> 29
                        state = state &* 0xBF58_476D_1CE4_E5B9
                        state ^= state >> 32
                        return Double(state >> 11) / 9_007_199_254_740_992
                    }
                    return (-2 * log(max(next(), 1e-12))).squareRoot() * cos(2 * .pi * next())
                }
                return projection.project(pose([corner.x, corner.y, 0]))
                    + Point(gaussian(1), gaussian(2)) * noise
            }
        }
    }

    /// A marker of some 50 pixels that tilts slowly about facing the camera: both poses explain every frame.
    @Test(arguments: [0.0, 3, 8, 25])
    func faceOnNothingFlips(swing: Double) throws {
        let sequence = Sequence()
        let estimator = PoseEstimator(sequence.camera)
        var choosers = PoseChoosers(memory: 1)
        var (flips, naive): (Int, Int) = (0, 0)
        var (last, lastBest): (Rotation?, Rotation?)
        var (far, turned): ([Double], [Double]) = ([], [])
        for frame in 0..<200 {
            let time = Double(frame) / 25
            let tilt = swing * sin(time * 1.5)
            let motion = Motion(position: [0.2, -0.1, 1.8], rotation: [tilt, tilt * 0.6, 10 * time])
            let (position, rotation) = motion.placement(at: 0)
            let placement = Placement(position: position, rotation: rotation)
            let truth = Pose(
                rotation: Rotation(columns: placement.xAxis, -placement.yAxis, -placement.zAxis), translation: position)
            let poses = try estimator.poses(
                of: PoseEstimator.corners(width: 0.06, height: 0.06), seen: sequence.seen(truth, frame: frame))
            let estimate = choosers.choose(poses, extent: [0.06, 0.06], points: 4, track: 1, at: time)
            let chosen = try #require(estimate).pose
            far.append(distance(chosen.translation, truth.translation) / 1.8)
            turned.append(degrees(chosen.rotation, truth.rotation))
            if let last, degrees(last, chosen.rotation) > 12 { flips += 1 }
            if let lastBest, degrees(lastBest, poses[0].rotation) > 12 { naive += 1 }
            (last, lastBest) = (chosen.rotation, poses[0].rotation)
        }
        #expect(flips == 0, "the least error alone flips \(naive) times")
        #expect(median(turned) < 1.5)
        #expect(median(far) < 0.005)
    }
}
