import Testing

@testable import Annotate
@testable import Stages
@testable import CVision

/// Markers of little contrast, and with little white about them, are found by default.
@Suite struct PaleMarkerTests {
    private static let (width, height) = (1280, 720)

    /// Markers 0 to 4 in a row, with a white edge a cell wide.
    private func frame(cell: Int, black: UInt8, white: UInt8, ground: (_ x: Int, _ y: Int) -> UInt8) throws
        -> VideoFrame
    {
        let dictionary = try MarkerDictionary(name: "aruco-4x4-50")
        let bits = Int(ocv_marker_dictionary_bits(dictionary.handle))
        let side = bits + 4
        let codes = try (0..<5).map { id in
            var code = [UInt8](repeating: 0, count: bits * bits)
            try check(
                ocv_marker_dictionary_code(dictionary.handle, Int32(id), &code, Int32(code.count)),
                "write a marker's code")
            return code
        }
        let luma = (0..<Self.width * Self.height).map { index -> UInt8 in
            let (x, y) = (index % Self.width, index / Self.width - 200)
            let (number, column, row) = (x / 250, (x % 250 - 10) / cell, y / cell)
            guard number < 5, x % 250 >= 10, y >= 0, column < side, row < side else { return ground(x, y) }
            if column == 0 || row == 0 || column == side - 1 || row == side - 1 { return white }
            guard (2..<side - 2).contains(column), (2..<side - 2).contains(row) else { return black }
            return codes[number][(row - 2) * bits + column - 2] == 1 ? white : black
        }
        return try grayFrame(luma, width: Self.width, height: Self.height)
    }

    private func found(_ frame: VideoFrame, _ options: String = "{}") throws -> [Int] {
        let stage = try MarkersBlueprint(options: stageOptions(options)).makeStage(
            StageContext(id: "m", width: Self.width, height: Self.height, isStill: false))
        return try observations(stage, in: frame).compactMap { $0.asMarker?.id }.sorted()
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
}
