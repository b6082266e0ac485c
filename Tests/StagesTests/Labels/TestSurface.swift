import CVision
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// A flat thing with structure of several sizes, and how it looks from anywhere: pictures for tests, with the truth.
struct TestSurface {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    static let rendered = Result { try TestSurface(width: 640, height: 480) }

    private init(width: Int, height: Int) throws {
        var sum = [Int](repeating: 0, count: width * height)
        for (seed, cell) in [40, 16, 6].enumerated() {
            let (columns, rows) = (width / cell, height / cell)
            let grid = Self.noise(count: columns * rows, seed: UInt64(seed + 1))
            let whole = Box(x: 0, y: 0, width: Double(columns), height: Double(rows))
            let octave = try Self.crop(
                grid, columns, rows, ocv_quad_of_box(whole.ocv), width: width, height: height)
            for index in sum.indices { sum[index] += Int(octave[index]) }
        }
        self.width = width
        self.height = height
        pixels = sum.map { UInt8($0 / 3) }
    }

    /// Bytes that are the same every time.
    static func noise(count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
    }

    /// The part within four corners, clockwise, as a picture. Corners are outer edges.
    func view(_ region: [Point], width: Int, height: Int) throws -> [UInt8] {
        let quad = ocv_quad(corners: (region[0].ocv, region[1].ocv, region[2].ocv, region[3].ocv))
        return try Self.crop(pixels, self.width, self.height, quad, width: width, height: height)
    }

    /// Where a place of the surface is in a view.
    static func place(of point: Point, seenAs region: [Point], width: Int, height: Int) -> Point? {
        let (w, h) = (Double(width), Double(height))
        let corners = [Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)].map { $0 - Point(0.5, 0.5) }
        return Homography(region, to: corners).map { $0(point) }
    }

    private static func crop(
        _ pixels: [UInt8], _ columns: Int, _ rows: Int, _ quad: ocv_quad, width: Int, height: Int
    ) throws -> [UInt8] {
        var out = [UInt8](repeating: 0, count: width * height)
        try pixels.withUnsafeBufferPointer { buffer in
            var picture = ocv_picture()
            picture.format = OCV_PICTURE_GRAY
            picture.fullRange = true
            picture.planes.0 = ocv_plane(
                data: buffer.baseAddress, width: Int32(columns), height: Int32(rows), stride: Int64(columns))
            var options = ocv_crop_options()
            options.width = Int32(width)
            options.height = Int32(height)
            options.channels = OCV_CHANNELS_GRAY
            options.geometry = OCV_GEOMETRY_STRETCH
            var quad = quad
            try check(ocv_crop(&picture, &quad, &options, &out, Int64(width)), "render a test picture")
        }
        return out
    }
}
