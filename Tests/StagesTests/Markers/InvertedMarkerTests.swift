import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// Markers that are printed white on black.
@Suite struct InvertedMarkerTests {
    private static let (width, height) = (960, 720)

    /// A board of 3 × 2 markers, seen as it is or with dark and light exchanged.
    private func frame(_ name: String, isInverted: Bool) throws -> VideoFrame {
        let dictionary = try MarkerDictionary(name: name)
        let bits = Int(ocv_marker_dictionary_bits(dictionary.handle))
        let (cell, apart) = (14, 250)
        let codes = try (0..<6).map { id in
            var code = [UInt8](repeating: 0, count: bits * bits)
            try check(
                ocv_marker_dictionary_code(dictionary.handle, Int32(id), &code, Int32(code.count)),
                "write a marker's code")
            return code
        }
        let luma = (0..<Self.width * Self.height).map { index -> UInt8 in
            let (x, y) = (index % Self.width - 80, index / Self.width - 80)
            let (column, row) = (x % apart / cell - 1, y % apart / cell - 1)
            let isWhite: Bool
            if x < 0 || y < 0 || x >= 3 * apart || y >= 2 * apart || column > bits || row > bits {
                isWhite = true
            } else if (0..<bits).contains(column), (0..<bits).contains(row) {
                isWhite = codes[y / apart * 3 + x / apart][row * bits + column] == 1
            } else {
                isWhite = false
            }
            return isWhite == isInverted ? 30 : 220
        }
        return try grayFrame(luma, width: Self.width, height: Self.height)
    }

    private func told(_ frame: VideoFrame, _ options: String) throws -> [Observation] {
        let stage = try MarkersBlueprint(options: stageOptions("{\(options)}")).makeStage(
            StageContext(id: "m", width: Self.width, height: Self.height, isStill: false))
        return try observations(stage, in: frame)
    }

    /// The same ids, the same corners, whichever plane is searched.
    @Test(arguments: ["auto", "full"]) func areFoundWhereTheyAreAskedFor(search: String) throws {
        let options = #""dictionary": "aruco-5x5-100", "search": "\#(search)""#
        let (usual, inverted) = (
            try frame("aruco-5x5-100", isInverted: false), try frame("aruco-5x5-100", isInverted: true)
        )
        let expected = try told(usual, options)
        #expect(expected.compactMap { $0.asMarker?.id } == [0, 1, 2, 3, 4, 5])
        #expect(try told(inverted, options).isEmpty)
        let seen = try told(inverted, options + #", "inverted": true"#)
        #expect(seen.compactMap { $0.asMarker?.id } == [0, 1, 2, 3, 4, 5])
        for (a, b) in zip(seen, expected) {
            for (p, q) in zip(a.polygon ?? [], b.polygon ?? []) { #expect(p.distance(to: q) < 0.05) }
        }
        #expect(try told(usual, options + #", "inverted": true"#).isEmpty)
    }

    @Test func theirDictionaryIsFoundOut() throws {
        let inverted = try frame("apriltag-36h11", isInverted: true)
        let seen = try told(inverted, #""dictionary": "auto", "inverted": true"#)
        #expect(seen.map(\.label) == (0..<6).map { "apriltag-36h11/\($0)" })
    }

    /// A board has a pose, from what was found and what was read where the board has it.
    @Test func boardsToo() throws {
        let board =
            #""board": {"kind": "grid", "columns": 3, "rows": 2, "markerSize": 0.084, "gap": 0.166}, "dictionary": "aruco-4x4-50""#
        let seen = try told(try frame("aruco-4x4-50", isInverted: true), board + #", "inverted": true"#)
        #expect(seen.map(\.label) == ["aruco-4x4-50/board"])
        #expect(seen.allSatisfy { $0.confidence ?? 0 > 0.9 })
    }
}
