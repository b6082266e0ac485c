import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `track` by filters, of things that don't stay as they were seeded.
@Suite struct TurningTests {
    private static let (width, height) = (200, 160)

    /// Where an ellipse is, and how it lies, in radians from the x axis to the y axis.
    private struct Ellipse {
        var middle: Point
        var (across, down): (Double, Double)
        var angle: Double

        var box: Box {
            let (c, s) = (cos(angle), sin(angle))
            let width = hypot(across * c, down * s), height = hypot(across * s, down * c)
            return Box(x: middle.x - (width - 1) / 2, y: middle.y - (height - 1) / 2, width: width, height: height)
        }
    }

    /// How it is seen in a frame: how much larger than at first, and how far what it shows has slid along it.
    private struct Step {
        var ellipse: Ellipse
        var grown: (across: Double, down: Double) = (1, 1)
        var slid = 0.0
    }

    /// Waves in several directions: it looks like itself in one place alone.
    private static func texture(_ x: Double, _ y: Double, _ phase: Double) -> Double {
        sin(0.31 * x + 0.12 * y + phase) + sin(0.23 * y - 0.19 * x + 2 * phase) + sin(0.11 * x + 0.37 * y + 3 * phase)
    }

    private static func frame(_ ordinal: Int, _ step: Step) throws -> VideoFrame {
        let (ellipse, grown) = (step.ellipse, step.grown)
        let (c, s) = (cos(ellipse.angle), sin(ellipse.angle))
        var pixels = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (dx, dy) = (Double(x) - ellipse.middle.x, Double(y) - ellipse.middle.y)
                let (u, v) = (c * dx + s * dy, c * dy - s * dx)
                let isOn = pow(2 * u / ellipse.across, 2) + pow(2 * v / ellipse.down, 2) <= 1
                let value =
                    isOn
                    ? 150 + 30 * texture(u / grown.across + step.slid, v / grown.down, 1)
                    : 90 + 12 * texture(Double(x) * 0.6, Double(y) * 0.6, 5)
                pixels[y * width + x] = UInt8(min(max(value, 0), 255))
            }
        }
        return try grayFrame(pixels, width: width, height: height, ordinal: ordinal)
    }

    /// The least overlap with the truth on the way.
    private func leastOverlap(_ way: [Step]) throws -> Double {
        var tracker = try TrackBlueprint(options: try stageOptions(#"{"level": "accurate"}"#)).tracker(
            StageContext(id: "t", width: Self.width, height: Self.height).giving(
                Region.self,
                [Seed(id: "a", start: .frame(0), end: nil, polygon: way[0].ellipse.box.corners, keyframes: [])]))
        return try way.indices.map { ordinal in
            let frame = try Self.frame(ordinal, way[ordinal])
            let box = try tracker.update((), StageInput(frame: frame)).first?.box
            return box?.intersectionOverUnion(way[ordinal].ellipse.box) ?? 0
        }.min() ?? 0
    }

    @Test func whatTurnsKeepsItsBox() throws {
        let least = try leastOverlap(
            (0..<24).map { n in
                let middle = Point(80 + 1.5 * Double(n), 70 + Double(n))
                return Step(ellipse: Ellipse(middle: middle, across: 72, down: 36, angle: Double(n) * .pi / 45))
            })
        #expect(least > 0.85)
    }

    @Test func whatChangesItsShapeKeepsItsBox() throws {
        let least = try leastOverlap(
            (0..<24).map { n in
                let grown = (across: pow(0.975, Double(n)), down: pow(1.01, Double(n)))
                let middle = Point(80 + Double(n), 80)
                return Step(
                    ellipse: Ellipse(middle: middle, across: 80 * grown.across, down: 50 * grown.down, angle: 0),
                    grown: grown)
            })
        #expect(least > 0.85)
    }

    /// What a turning drum shows goes backwards on it: who follows that alone falls behind.
    @Test func whatTurnsItsOtherSideKeepsItsBox() throws {
        let least = try leastOverlap(
            (0..<24).map { n in
                let middle = Point(70 + 2 * Double(n), 80)
                return Step(
                    ellipse: Ellipse(middle: middle, across: 72, down: 50, angle: 0), slid: 0.8 * Double(n))
            })
        #expect(least > 0.63)
    }
}
