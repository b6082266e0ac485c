import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import CVision

/// Codes that a ring, a letter or texture may be taken for have to show more, and say so.
@Suite struct PlainMarkerTests {
    private static let (width, height) = (320, 240)

    /// A marker in the middle of a picture.
    /// - Parameters:
    ///   - cell: side of a cell, pixels.
    ///   - ground: what is around it, luma; its cells are 30 and 220.
    ///   - unevenness: by how much every other cell is nearer to the middle.
    ///   - strokes: whether every other cell of the code is of the other shade along a side, as a letter's strokes leave it.
    private func frame(
        _ name: String, _ id: Int, cell: Int = 14, ground: UInt8 = 220, unevenness: UInt8 = 0, strokes: Bool = false
    ) throws -> VideoFrame {
        let dictionary = try MarkerDictionary(name: name)
        let bits = Int(ocv_marker_dictionary_bits(dictionary.handle))
        var code = [UInt8](repeating: 0, count: bits * bits)
        try check(
            ocv_marker_dictionary_code(dictionary.handle, Int32(id), &code, Int32(code.count)), "write a marker's code")
        let side = bits + 2
        let (left, top) = ((Self.width - side * cell) / 2, (Self.height - side * cell) / 2)
        let luma = (0..<Self.width * Self.height).map { index -> UInt8 in
            let (x, y) = (index % Self.width - left, index / Self.width - top)
            guard x >= 0, y >= 0, x < side * cell, y < side * cell else { return ground }
            let (column, row) = (x / cell - 1, y / cell - 1)
            let change = (column + row) % 2 == 0 ? 0 : unevenness
            let isCode = (0..<bits).contains(column) && (0..<bits).contains(row)
            guard isCode else { return 30 + change }
            let isOther = strokes && (column + row) % 2 == 0 && 10 * (x % cell) >= 7 * cell
            return (code[row * bits + column] == 1) != isOther ? 220 - change : 30 + change
        }
        return try grayFrame(luma, width: Self.width, height: Self.height)
    }

    private func stage(_ name: String, isStill: Bool) throws -> Stage {
        try MarkersBlueprint(options: stageOptions(#"{"dictionary": "\#(name)"}"#)).makeStage(
            StageContext(id: "m", width: Self.width, height: Self.height, isStill: isStill))
    }

    @Test(arguments: [("aruco-original", 1023), ("aruco-4x4-50", 17)]) func aPlainCodeIsNeverSure(name: String, id: Int)
        throws
    {
        let told = try observations(stage(name, isStill: true), in: frame(name, id))
        #expect(told.map { $0.asMarker?.id } == [id])
        #expect(told.allSatisfy { $0.confidence ?? 1 <= 0.6 })
        // In a video it takes two frames.
        let video = try stage(name, isStill: false)
        #expect(try observations(video, in: frame(name, id)).isEmpty)
        #expect(try observations(video, in: frame(name, id)).count == 1)
        let other = try stage(name, isStill: false)
        #expect(try observations(other, in: frame(name, 7)).map(\.confidence) == [1])
    }

    /// A code of few bits on a ground that is hardly lighter than its border is texture.
    @Test(arguments: [(UInt8(60), 0), (UInt8(110), 1)]) func aBorderRisesToItsGround(ground: UInt8, count: Int) throws {
        for name in ["aruco-4x4-50", "aruco-6x6-250"] {
            let told = try observations(stage(name, isStill: true), in: frame(name, 7, ground: ground))
            #expect(told.count == count, "\(name)")
            #expect(told.allSatisfy { $0.confidence ?? 1 < 1 }, "\(name)")
        }
    }

    /// What is small is held against the whole of its code, and few bits tell little.
    @Test(arguments: [(UInt8(0), 1), (UInt8(60), 0)]) func aSmallCodeIsSeenAsAWhole(unevenness: UInt8, count: Int)
        throws
    {
        for name in ["aruco-4x4-50", "apriltag-16h5", "aruco-original"] {
            let told = try observations(
                stage(name, isStill: true), in: frame(name, 7, cell: 3, unevenness: unevenness))
            #expect(told.count == count, "\(name)")
            #expect(told.allSatisfy { $0.confidence ?? 0 > 0.9 }, "\(name)")
        }
        // Many bits tell enough, and so do large cells.
        #expect(
            try observations(
                stage("aruco-6x6-250", isStill: true), in: frame("aruco-6x6-250", 7, cell: 3, unevenness: unevenness)
            ).count == 1)
        #expect(
            try observations(
                stage("aruco-4x4-50", isStill: true), in: frame("aruco-4x4-50", 7, unevenness: unevenness)
            ).count == 1)
    }

    /// The less the whole is seen as its code would be, the less sure it is.
    @Test func confidenceSaysHowMuchIsSeen() throws {
        let told = try [UInt8(0), 40].map { unevenness in
            try observations(
                stage("aruco-4x4-50", isStill: true), in: frame("aruco-4x4-50", 7, cell: 3, unevenness: unevenness)
            ).first?.confidence ?? 0
        }
        #expect(told[0] > 0.95 && told[1] > 0 && told[1] < 0.9, "\(told)")
    }

    /// Of many codes of few bits chance makes one in sixteen borders: what is seen has to be the code, though it is
    /// large. More bits tell more.
    @Test(arguments: [10, 14]) func manyCodesOfFewBitsTellLittle(cell: Int) throws {
        func confidences(_ name: String, strokes: Bool) throws -> [Double] {
            try observations(stage(name, isStill: true), in: frame(name, 7, cell: cell, strokes: strokes)).map {
                $0.confidence ?? 0
            }
        }
        #expect(try confidences("aruco-4x4-1000", strokes: false).map { $0 > 0.95 } == [true])
        #expect(try confidences("aruco-4x4-1000", strokes: true).allSatisfy { $0 < 0.3 })
        #expect(try confidences("aruco-5x5-100", strokes: true).allSatisfy { $0 > 0.5 })
    }
}
