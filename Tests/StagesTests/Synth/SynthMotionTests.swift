import Testing

@testable import Synth

@Suite struct SynthMotionTests {
    private let keyframes = [
        Motion.Keyframe(time: 1, position: [0, 0, 1]),
        Motion.Keyframe(time: 2, position: [1, 0, 3], rotation: [0, 0, 90]),
        Motion.Keyframe(time: 4, position: [2, 0, 2]),
    ]

    @Test(arguments: Motion.Interpolation.allCases)
    func thePathMeetsItsKeyframesAndHoldsItsEnds(interpolation: Motion.Interpolation) {
        var motion = Motion(keyframes: keyframes)
        motion.interpolation = interpolation
        for keyframe in keyframes {
            let placement = motion.placement(at: keyframe.time)
            #expect(placement.position == keyframe.position && placement.rotation == keyframe.rotation)
        }
        #expect(motion.placement(at: 0).position == [0, 0, 1])
        #expect(motion.placement(at: 9).position == [2, 0, 2])
    }

    @Test func smoothPathsDontOvershootAndHaveNoKinks() {
        let motion = Motion(keyframes: keyframes)
        let z = stride(from: 1.0, through: 4, by: 0.01).map { motion.placement(at: $0).position.z }
        #expect(z.allSatisfy { $0 >= 1 && $0 <= 3 })
        let steps = zip(z.dropFirst(), z).map { $0 - $1 }
        #expect(zip(steps.dropFirst(), steps).allSatisfy { abs($0 - $1) < 0.002 })
    }

    @Test func linearPathsAreStraight() {
        var motion = Motion(keyframes: keyframes)
        motion.interpolation = .linear
        #expect(motion.placement(at: 3).position == [1.5, 0, 2.5])
        #expect(motion.placement(at: 3).rotation == [0, 0, 45])
    }

    @Test func noKeyframesStandStillAtOneMetre() {
        #expect(Motion(keyframes: []).placement(at: 5).position == [0, 0, 1])
    }

    @Test func orbitAndSwayAddUp() {
        var motion = Motion(position: [1, 2, 3])
        var orbit = Motion.Orbit()
        (orbit.radius, orbit.period, orbit.plane) = (0.5, 4, .xz)
        var sway = Motion.Sway()
        (sway.position, sway.rotation, sway.period, sway.phase) = ([0, 0.1, 0], [10, 0, 0], 2, 0.25)
        (motion.orbit, motion.sway) = (orbit, sway)
        let start = motion.placement(at: 0), quarter = motion.placement(at: 1)
        #expect((start.position - SIMD3(1.5, 2.1, 3)).max() < 1e-12 && abs(start.rotation.x - 10) < 1e-12)
        #expect((quarter.position - SIMD3(1, 1.9, 3.5)).max() < 1e-12 && abs(quarter.rotation.x + 10) < 1e-12)
    }

    @Test(
        arguments: [
            ([0, 0, 90], [0, 1, 0], [-1, 0, 0]), ([0, 90, 0], [0, 0, -1], [0, 1, 0]),
            ([90, 0, 0], [1, 0, 0], [0, 0, 1]),
        ] as [(SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)])
    func rotationsTurnTheAxesAsDocumented(rotation: SIMD3<Double>, x: SIMD3<Double>, y: SIMD3<Double>) {
        let placement = Placement(position: .zero, rotation: rotation)
        for (a, b) in [(placement.xAxis, x), (placement.yAxis, y)] {
            let difference = a - b
            #expect((difference * difference).sum() < 1e-20)
        }
    }

    @Test func projectionAndItsInverseAgree() throws {
        let placement = Placement(position: [0.1, -0.2, 1.3], rotation: [30, -40, 15])
        let map = try #require(PlaneMap(placement, focalLength: 900, principalPoint: Scene().principalPoint))
        for p in [SIMD2(0, 0), SIMD2(0.1, -0.05), SIMD2(-0.2, 0.3)] as [SIMD2<Double>] {
            let back = map.unproject(map.project(p)) - p
            #expect((back * back).sum() < 1e-24)
        }
        #expect(
            PlaneMap(
                Placement(position: [0, 0, 1], rotation: [0, 90, 0]), focalLength: 900,
                principalPoint: Scene().principalPoint) == nil)
    }
}
