import Testing

@testable import Annotate

/// The lines lie where they say, at steps that people can count in.
@Suite struct CoordinateGridTests {
    @Test(arguments: [
        (320, 240, 50, 10), (1280, 720, 100, 20), (720, 1280, 100, 20), (3840, 2160, 200, 50), (64, 48, 50, 10),
        (100_000, 1000, 200, 50),
    ])
    func stepsSuitTheSize(width: Int, height: Int, step: Int, fineStep: Int) {
        let grid = CoordinateGrid(for: PictureSize(width: width, height: height))
        #expect(grid.step == step && grid.fineStep == fineStep, "\(width)×\(height)")
        #expect(step % fineStep == 0)
    }

    /// On black, what is brightest is what is numbered, in the very column and row.
    @Test func linesCoverTheirPixels() throws {
        let (width, height) = (640, 480)
        var luma = [UInt8](repeating: 0, count: width * height)
        let grid = CoordinateGrid(for: PictureSize(width: width, height: height))
        try luma.withUnsafeMutableBufferPointer { buffer in
            let base = try #require(buffer.baseAddress)
            try grid.draw(
                on: Canvas(
                    luma: MutablePlane(base: base, width: width, height: height, stride: width), chroma: nil,
                    chromaShift: (0, 0), colorSpace: ColorSpace(matrix: .bt601, fullRange: true)))
        }
        // A row and a column without a line or a number.
        let (row, column) = (grid.step + grid.fineStep / 2, grid.step + grid.fineStep / 2)
        for x in stride(from: 40, to: width - 40, by: 1) {
            let value = luma[row * width + x]
            #expect((value > 150) == (x % grid.step == 0), "x \(x): \(value)")
            #expect((value > 20) == (x % grid.fineStep == 0), "x \(x): \(value)")
        }
        for y in stride(from: 40, to: height - 40, by: 1) {
            let value = luma[y * width + column]
            #expect((value > 150) == (y % grid.step == 0), "y \(y): \(value)")
            #expect((value > 20) == (y % grid.fineStep == 0), "y \(y): \(value)")
        }
    }

    @Test func noPictureIsTooSmall() throws {
        for side in [1, 2, 7, 16] {
            var luma = [UInt8](repeating: 0, count: side * side)
            try luma.withUnsafeMutableBufferPointer { buffer in
                let base = try #require(buffer.baseAddress)
                try CoordinateGrid(for: PictureSize(width: side, height: side)).draw(
                    on: Canvas(
                        luma: MutablePlane(base: base, width: side, height: side, stride: side), chroma: nil,
                        chromaShift: (0, 0), colorSpace: ColorSpace(matrix: .bt601, fullRange: true)))
            }
            // The line of 0.
            #expect(luma[0] > 0)
        }
    }
}
