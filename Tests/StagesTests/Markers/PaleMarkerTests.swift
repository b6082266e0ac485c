import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import CVision

/// Markers of little contrast, and with little white about them, are found by default.
@Suite struct PaleMarkerTests {
    private static let (width, height) = (1280, 720)

    /// Markers 0 to 4 in a row, with a white edge a cell wide or as wide as is said, pixels.
    private func frame(
        cell: Int, edge: Int? = nil, black: UInt8, white: UInt8, ground: (_ x: Int, _ y: Int) -> UInt8
    ) throws -> VideoFrame {
        let dictionary = try MarkerDictionary(name: "aruco-4x4-50")
        let bits = Int(ocv_marker_dictionary_bits(dictionary.handle))
        let (side, margin) = ((bits + 2) * cell, edge ?? cell)
        let codes = try (0..<5).map { id in
            var code = [UInt8](repeating: 0, count: bits * bits)
            try check(
                ocv_marker_dictionary_code(dictionary.handle, Int32(id), &code, Int32(code.count)),
                "write a marker's code")
            return code
        }
        let luma = (0..<Self.width * Self.height).map { index -> UInt8 in
            let (x, y) = (index % Self.width, index / Self.width - 200)
            let (number, across, down) = (x / 250, x % 250 - 30, y - 20)
            guard number < 5, across >= -margin, down >= -margin, across < side + margin, down < side + margin else {
                return ground(x, y)
            }
            guard across >= 0, down >= 0, across < side, down < side else { return white }
            let (column, row) = (across / cell - 1, down / cell - 1)
            guard (0..<bits).contains(column), (0..<bits).contains(row) else { return black }
            return codes[number][row * bits + column] == 1 ? white : black
        }
        return try grayFrame(luma, width: Self.width, height: Self.height)
    }

    private func told(_ frame: VideoFrame, _ options: String = "{}") throws -> [Observation] {
        let stage = try MarkersBlueprint(options: stageOptions(options)).makeStage(
            StageContext(id: "m", width: Self.width, height: Self.height, isStill: false))
        return try observations(stage, in: frame)
    }

    private func found(_ frame: VideoFrame, _ options: String = "{}") throws -> [Int] {
        try told(frame, options).compactMap { $0.asMarker?.id }.sorted()
    }

    @Test func twelveLevelsAreEnough() throws {
        let pale = try frame(cell: 18, black: 104, white: 116) { _, _ in 116 }
        #expect(try found(pale) == [0, 1, 2, 3, 4])
        // What is asked for holds.
        #expect(try found(pale, #"{"thresholdOffset": 12}"#).isEmpty)
    }

    /// Their white is darker than what is around: a wide window takes it for a part of the marker.
    @Test func aBusyGroundMayBeBrighter() throws {
        let busy = try frame(cell: 7, black: 60, white: 110) { x, y in (x / 9 + y / 7) % 2 == 0 ? 230 : 150 }
        #expect(try found(busy) == [0, 1, 2, 3, 4])
    }

    /// Ten levels on a ground whose own ups and downs are eight times as high, whichever plane is searched.
    @Test(arguments: ["auto", "full"]) func paleOnABusyGround(search: String) throws {
        let busy = try frame(cell: 12, black: 96, white: 110) { x, y in (x / 9 + y / 7) % 2 == 0 ? 230 : 150 }
        #expect(try found(busy, #"{"search": "\#(search)"}"#) == [0, 1, 2, 3, 4])
    }

    /// Narrow paper that is darker than what is around is outlined in the marker's stead.
    @Test(arguments: ["auto", "full"]) func whatIsOutlinedMayBeThePaper(search: String) throws {
        let (cell, side) = (8, 48.0)
        let paper = try frame(cell: cell, edge: cell / 2, black: 60, white: 90) { _, _ in 200 }
        let markers = try told(paper, #"{"search": "\#(search)"}"#).sorted {
            ($0.asMarker?.id ?? 0) < ($1.asMarker?.id ?? 0)
        }
        #expect(markers.map { $0.asMarker?.id } == [0, 1, 2, 3, 4])
        for (number, marker) in markers.enumerated() {
            let (left, top) = (Double(number) * 250 + 29.5, 219.5)
            let truth = [
                Point(left, top), Point(left + side, top), Point(left + side, top + side), Point(left, top + side),
            ]
            for (seen, place) in zip(marker.polygon ?? [], truth) { #expect(seen.distance(to: place) < 0.3) }
        }
    }
}
