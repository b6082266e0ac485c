import Glibc
import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Markers that move by many pixels while a picture is taken.
@Suite struct MotionBlurTests {
    private static let (width, height) = (320, 240)
    private static let middle = Point(159.7, 119.6)

    /// Marker 7 of a dictionary in the middle of a picture.
    private struct Moved: Sendable {
        var dictionary: String
        /// Pixels.
        var side: Double
        var turn = 20.0
        /// How far it moves, pixels, and which way.
        var length: Double
        var way: Double
        /// Radius of a grey disc on its last corner but one, cells.
        var cover = 0.0

        private var axis: Point { Point(cos(turn * .pi / 180), sin(turn * .pi / 180)) }

        /// Where it is midway.
        var corners: [Point] {
            [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { x, y in
                MotionBlurTests.middle + axis * (x * side) + Point(-axis.y, axis.x) * (y * side)
            }
        }

        func frame() throws -> VideoFrame {
            let dictionary = try MarkerDictionary(name: self.dictionary)
            let bits = Int(ocv_marker_dictionary_bits(dictionary.handle)), cells = bits + 2
            var code = [UInt8](repeating: 0, count: bits * bits)
            try check(
                ocv_marker_dictionary_code(dictionary.handle, 7, &code, Int32(code.count)), "write a marker's code")
            let cell = side / Double(cells), moments = 24
            let step = Point(cos(way * .pi / 180), sin(way * .pi / 180)) * length
            func light(_ place: Point) -> Double {
                let column = (axis.x * place.x + axis.y * place.y) / cell + Double(cells) / 2
                let row = (axis.x * place.y - axis.y * place.x) / cell + Double(cells) / 2
                guard column >= 0, row >= 0, column < Double(cells), row < Double(cells) else { return 220 }
                if hypot(column - Double(cells - 1), row - Double(cells - 1)) < cover { return 120 }
                let (x, y) = (Int(column) - 1, Int(row) - 1)
                let isCode = (0..<bits).contains(x) && (0..<bits).contains(y)
                return isCode && code[y * bits + x] == 1 ? 220 : 30
            }
            let luma = (0..<MotionBlurTests.width * MotionBlurTests.height).map { index -> UInt8 in
                let pixel =
                    Point(Double(index % MotionBlurTests.width), Double(index / MotionBlurTests.width))
                    - MotionBlurTests.middle
                if hypot(pixel.x, pixel.y) > 0.75 * side + length { return 220 }
                var sum = 0.0
                for moment in 0..<moments {
                    let place = pixel - step * ((Double(moment) + 0.5) / Double(moments) - 0.5)
                    for (x, y) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                        sum += light(place + Point(x, y))
                    }
                }
                return UInt8((sum / Double(4 * moments)).rounded())
            }
            return try grayFrame(luma, width: MotionBlurTests.width, height: MotionBlurTests.height)
        }
    }

    private func told(_ moved: Moved, _ search: String) throws -> [Observation] {
        let options = #"{"dictionary": "\#(moved.dictionary)", "search": "\#(search)"}"#
        let stage = try MarkersBlueprint(options: stageOptions(options)).makeStage(
            StageContext(id: "m", width: Self.width, height: Self.height, isStill: false))
        return try observations(stage, in: moved.frame())
    }

    /// Corners are where they were midway, whichever plane is searched.
    @Test(arguments: ["half", "full"]) func cornersAreThoseOfTheMiddle(search: String) throws {
        for moved in [
            Moved(dictionary: "aruco-4x4-50", side: 150, length: 12, way: 35),
            Moved(dictionary: "aruco-6x6-250", side: 72, length: 10, way: 50),
            Moved(dictionary: "aruco-6x6-250", side: 96, turn: -10, length: 12, way: 45),
        ] {
            let seen = try told(moved, search)
            #expect(seen.map { $0.asMarker?.id } == [7])
            #expect(seen.allSatisfy { $0.confidence == 1 })
            for (corner, truth) in zip(seen.first?.polygon ?? [], moved.corners) {
                #expect(corner.distance(to: truth) < 0.08, "\(moved): \(corner)")
            }
        }
    }

    /// Where the whole isn't seen as its code, sides that are blurred are all there is.
    @Test func whatOnlyItsSidesTellIsLessSure() throws {
        let covered = Moved(dictionary: "aruco-4x4-50", side: 66, length: 10, way: 40, cover: 1.3)
        let seen = try told(covered, "half")
        #expect(seen.map { $0.asMarker?.id } == [7])
        #expect(seen.allSatisfy { $0.confidence ?? 1 < 0.7 })
    }
}
