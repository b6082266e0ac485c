import CVision
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Mean colours of the cells of a grid.
@Suite struct CellColorTests {
    /// A picture of 4:2:0 planes, full range, of one colour in its left half and another one in its right half.
    private func colors(_ box: ocv_box, columns: Int, rows: Int, _ format: ocv_picture_format) throws -> [UInt8] {
        let (width, height) = (80, 60)
        let pixel = format == OCV_PICTURE_BGR ? 3 : 1
        var first = [UInt8](repeating: 0, count: width * height * pixel)
        for place in 0..<width * height {
            let isLeft = place % width < width / 2
            if pixel == 3 {
                for channel in 0..<3 { first[place * 3 + channel] = isLeft ? 10 : UInt8(50 * (channel + 1)) }
            } else {
                first[place] = isLeft ? 100 : 150
            }
        }
        let cb = (0..<40 * 30).map { UInt8($0 % 40 < 20 ? 128 : 100) }
        let cr = (0..<40 * 30).map { UInt8($0 % 40 < 20 ? 128 : 160) }
        var out = [UInt8](repeating: 7, count: columns * rows * 3)
        try first.withUnsafeBufferPointer { first in
            try cb.withUnsafeBufferPointer { cb in
                try cr.withUnsafeBufferPointer { cr in
                    var picture = ocv_picture()
                    (picture.format, picture.fullRange) = (format, true)
                    (picture.chromaShiftX, picture.chromaShiftY) = (1, 1)
                    picture.planes = (
                        ocv_plane(
                            data: first.baseAddress, width: Int32(width), height: Int32(height),
                            stride: Int64(width * pixel)),
                        ocv_plane(data: cb.baseAddress, width: 40, height: 30, stride: 40),
                        ocv_plane(data: cr.baseAddress, width: 40, height: 30, stride: 40)
                    )
                    try check(ocv_cell_colors(&picture, box, Int32(columns), Int32(rows), &out), "read colours")
                }
            }
        }
        return out
    }

    private func cells(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
    }

    /// Red is 150 + 1.402 · 32, green 150 + 0.344 · 28 − 0.714 · 32, blue 150 − 1.772 · 28 (BT.601).
    @Test func planes() throws {
        for width in [80.0, 16] {
            let box = ocv_box(x: 40 - width / 2, y: 3, width: width, height: 50)
            let found = cells(try colors(box, columns: 4, rows: 2, OCV_PICTURE_YUV))
            let row: [[UInt8]] = [[100, 100, 100], [100, 100, 100], [100, 137, 195], [100, 137, 195]]
            #expect(found == row + row)
        }
    }

    @Test func packedAndGray() throws {
        let box = ocv_box(x: 0, y: 0, width: 80, height: 60)
        let packed = cells(try colors(box, columns: 2, rows: 1, OCV_PICTURE_BGR))
        #expect(packed == [[10, 10, 10], [50, 100, 150]])
        let gray = cells(try colors(box, columns: 2, rows: 1, OCV_PICTURE_GRAY))
        #expect(gray == [[100, 100, 100], [150, 150, 150]])
    }

    /// A cell on the border between both has the mean of four pixels across: one of one, three of the other.
    @Test func means() throws {
        let box = ocv_box(x: 37, y: 0, width: 8, height: 60)
        let found = cells(try colors(box, columns: 1, rows: 1, OCV_PICTURE_BGR))
        // Looked at are columns 38, 40, 42 and 44.
        #expect(found == [[40, 78, 115]])
    }

    /// Beside the picture its border goes on; cells smaller than a pixel have that pixel's colour.
    @Test func besideThePictureAndWithinAPixel() throws {
        let beside = cells(
            try colors(ocv_box(x: 70, y: -500, width: 400, height: 40), columns: 3, rows: 2, OCV_PICTURE_BGR))
        #expect(Set(beside) == [[50, 100, 150]])
        let within = cells(
            try colors(ocv_box(x: 39.5, y: 5.1, width: 1, height: 0.2), columns: 4, rows: 3, OCV_PICTURE_BGR))
        let row: [[UInt8]] = [[10, 10, 10], [10, 10, 10], [50, 100, 150], [50, 100, 150]]
        #expect(within == row + row + row)
    }

    @Test(arguments: [
        ocv_box(x: .nan, y: 0, width: 1, height: 1), ocv_box(x: 0, y: 0, width: 0, height: 1),
        ocv_box(x: 0, y: 0, width: 1, height: .infinity),
    ])
    func boxesThatAreNone(box: ocv_box) throws {
        #expect(throws: VisionError.self) { try colors(box, columns: 2, rows: 2, OCV_PICTURE_YUV) }
        #expect(throws: VisionError.self) {
            try colors(ocv_box(x: 0, y: 0, width: 9, height: 9), columns: 0, rows: 2, OCV_PICTURE_YUV)
        }
    }
}
