import Testing

@testable import Annotate
@testable import Detection
@testable import Recognition
@testable import StageParts
@testable import Stages

/// What is no number, or beyond all, is told, and nothing is left out for it.
extension DetectLayoutTests {
    private func words(_ network: ONNXWriter, _ layout: DetectorLayout) -> String {
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = layout
        do {
            return "sees \(try things(try detector(network, wishes)).count)"
        } catch {
            return "\(error)"
        }
    }

    /// Wherever it stands: nobody knows what else is wrong.
    @Test(arguments: [0, 100, 587]) func noNumber(place: Int) {
        var network = TinyDetectors.yolov8()
        network.outputs[0].values[place] = .nan
        #expect(words(network, .yolov8).hasPrefix("its output “output0” has what is no number (NaN); "))
    }

    /// The score, an edge of the box: of the surest thing, and where nothing is.
    @Test(arguments: [0, 4, 6]) func beyondAllNumbers(row: Int) throws {
        var network = TinyDetectors.yolov8()
        let (count, values) = (network.outputs[0].shape[2], network.outputs[0].values)
        let surest = try #require((0..<count).first { values[6 * count + $0] > 0.8 })
        network.outputs[0].values[row * count + surest] = .infinity
        // Scores are looked at as soon as the model is.
        let expected = row == 0 ? "a place or an angle beyond all numbers" : "its scores go from 0.01 to inf; expected"
        #expect(words(network, .yolov8).contains(expected), "\(words(network, .yolov8))")
        guard row == 0 else { return }
        network.outputs[0].values = values
        network.outputs[0].values[(surest + 1) % count] = .infinity
        #expect(words(network, .yolov8) == "sees 2")
    }

    /// A list of things has the same bounds as what is suppressed here.
    @Test func listsHaveBounds() throws {
        var network = TinyDetectors.endToEnd()
        let rows = 5000
        network.outputs[0].shape[1] = rows
        network.outputs[0].values = (0..<rows).flatMap { row -> [Float] in
            let (x, y) = (Float(row % 60), Float(row / 60 % 60))
            return [x, y, x + 3, y + 3, 0.5 + Float(row) / 20_000, 1]
        }
        let frame = try grayFrame([UInt8](repeating: 90, count: 64 * 64), width: 64, height: 64)
        let (things, _, cut) = try detector(network).things(
            in: frame, FramePart(x: 0, y: 0, width: 64, height: 64), ScoreLimits(byClass: [], others: 0.3))
        #expect(things.count == 1000 && cut == .things)
        // The surest of them.
        #expect(things.allSatisfy { $0.score > 0.69 })
    }
}
