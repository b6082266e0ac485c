import Testing

@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What the shim makes of a plane: sums of cells, and patches that are made smaller.
@Suite struct PixelTests {
    private func withPlane<Result>(
        _ width: Int, _ height: Int, _ value: (Int, Int) -> Int, _ body: (ocv_plane, [UInt8]) throws -> Result
    ) rethrows -> Result {
        let pixels = (0..<width * height).map { UInt8(value($0 % width, $0 / width)) }
        return try pixels.withUnsafeBufferPointer {
            try body(
                ocv_plane(data: $0.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width)),
                pixels)
        }
    }

    /// Cells of odd sides, too, and those that the plane's edges cut.
    @Test(arguments: [(64, 32, 8), (71, 43, 9), (20, 9, 7), (5, 3, 8)])
    func sumsAreOfEveryOtherPixelAndRow(width: Int, height: Int, side: Int) {
        let (across, down) = ((width + side - 1) / side, (height + side - 1) / side)
        var expected = [Int64](repeating: 0, count: across * down)
        var sums = expected
        withPlane(width, height, { ($0 * 37 + $1 * 91) % 251 }) { plane, pixels in
            for y in stride(from: 0, to: height, by: 2) {
                for cell in 0..<across {
                    for x in stride(from: cell * side, to: min((cell + 1) * side, width), by: 2) {
                        expected[y / side * across + cell] += Int64(pixels[y * width + x])
                    }
                }
            }
            #expect(ocv_cell_sums(plane, Int32(side), &sums).code == 0)
        }
        #expect(sums == expected)
        #expect(ocv_cell_sums(ocv_plane(), 8, &sums).code != 0)
    }

    /// However much smaller a patch is, what it shows is where it is: a slope has everywhere the value that it has there.
    @Test(arguments: [1.0, 1.6, 2.0, 3.7, 4.0, 9.5])
    func patchesAreWhereTheyWere(step: Double) {
        let (width, height) = (12, 9)
        let (right, low) = (10 + step * Double(width), 14 + step * Double(height))
        let corners = [
            ocv_point(x: 17, y: 19), ocv_point(x: right + 12, y: 14.3), ocv_point(x: right + 12.7, y: low + 9),
            ocv_point(x: 16.2, y: low + 9.4),
        ]
        // Rounding, which is up each time, is the same in a slope and in its opposite; a place isn't.
        let (slope, opposite): ((Int, Int) -> Int, (Int, Int) -> Int) = ({ $0 + $1 / 3 }, { 255 - $0 - $1 / 3 })
        let patches = [slope, opposite].map { value in
            var patch = [UInt8](repeating: 0, count: width * height)
            withPlane(190, 150, value) { plane, _ in
                let status = ocv_sample_patch(
                    plane, corners, OCV_PATCH_PLAIN, Int32(width), Int32(height), &patch)
                #expect(status.code == 0)
            }
            return patch.map(Double.init)
        }
        for y in 0..<height {
            for x in 0..<width {
                let index = y * width + x
                let place = ocv_patch_to_picture(
                    corners, Int32(width), Int32(height), ocv_point(x: Double(x), y: Double(y)))
                let seen = (patches[0][index] - patches[1][index] + 255) / 2
                #expect(abs(seen - place.x - (place.y - 1) / 3) < 0.9, "\(x), \(y)")
            }
        }
    }

    /// Made larger, also beyond the picture: each pixel is what sixteen weigh, by Keys' cubic with a slope of −0.75.
    @Test func patchesAreCubic() {
        func weights(_ t: Double) -> [Double] {
            let a = -0.75
            func near(_ x: Double) -> Double { ((a + 2) * x - (a + 3)) * x * x + 1 }
            func far(_ x: Double) -> Double { ((a * x - 5 * a) * x + 8 * a) * x - 4 * a }
            return [far(1 + t), near(t), near(1 - t), far(2 - t)]
        }
        let (width, height, across, down) = (40, 30, 67, 53)
        let value = { (x: Int, y: Int) in (x * x * 7 + y * 31 + x * y * 5) % 256 }
        // From beyond one corner to beyond the other, well within, over either side, wholly beyond, and the whole picture.
        let places = [
            (-6.0, -4.0, 47.0, 36.0), (8, 7, 30.5, 22), (-20, 5, 10, 20), (30, 20, 70, 60), (50, -40, 90, -10),
            (-0.5, -0.5, 39.5, 29.5),
        ]
        for (left, top, right, low) in places {
            let corners = [
                ocv_point(x: left, y: top), ocv_point(x: right, y: top + 1), ocv_point(x: right - 1.5, y: low),
                ocv_point(x: left + 0.7, y: low - 1),
            ]
            var patch = [UInt8](repeating: 0, count: across * down)
            withPlane(width, height, value) { plane, _ in
                #expect(ocv_sample_patch(plane, corners, OCV_PATCH_PLAIN, Int32(across), Int32(down), &patch).code == 0)
            }
            var most = 0.0
            for y in 0..<down {
                for x in 0..<across {
                    let place = ocv_patch_to_picture(
                        corners, Int32(across), Int32(down), ocv_point(x: Double(x), y: Double(y)))
                    // In thirty-seconds of a pixel.
                    let (px, py) = ((place.x * 32).rounded() / 32, (place.y * 32).rounded() / 32)
                    let (column, row) = (Int(px.rounded(.down)), Int(py.rounded(.down)))
                    let (wx, wy) = (weights(px - px.rounded(.down)), weights(py - py.rounded(.down)))
                    var sum = 0.0
                    for j in 0..<4 {
                        for i in 0..<4 {
                            let pixel = value(
                                min(max(column + i - 1, 0), width - 1), min(max(row + j - 1, 0), height - 1))
                            sum += wx[i] * wy[j] * Double(pixel)
                        }
                    }
                    most = max(most, abs(min(max(sum, 0), 255) - Double(patch[y * across + x])))
                }
            }
            #expect(most < 0.6, "\(most)")
        }
    }
}
