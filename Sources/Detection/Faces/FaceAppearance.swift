internal import CVision

/// The appearance of a face, coarsely: 16×16 grey pixels of its box without their mean, as a unit vector. Enough to
/// prefer one of two faces within a clip; no identification.
struct FaceAppearance: Sendable {
    private static let side = 16
    private var values: [Float]

    init(_ frame: VideoFrame, box: Box) throws {
        // Four samples by four a cell say enough of a large face, and cost as much for every size.
        let (side, fine) = (Self.side, 4 * Self.side)
        var samples = [UInt8](repeating: 0, count: fine * fine)
        try frame.crop(
            Box(x: box.x - 0.5, y: box.y - 0.5, width: box.width, height: box.height).corners,
            ocv_crop_options(
                width: Int32(fine), height: Int32(fine), channels: OCV_CHANNELS_GRAY,
                geometry: OCV_GEOMETRY_STRETCH, antialias: false, padding: 0), into: &samples, stride: fine)
        var sums = [Int](repeating: 0, count: side * side)
        for y in 0..<fine {
            for x in 0..<fine { sums[y / 4 * side + x / 4] += Int(samples[y * fine + x]) }
        }
        let pixels = sums.map { UInt8($0 / 16) }
        self.init(pixels: pixels)
    }

    init(pixels: [UInt8]) {
        let mean = Float(pixels.reduce(0) { $0 + Int($1) }) / Float(max(pixels.count, 1))
        values = pixels.map { Float($0) - mean }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if length > 0 { values = values.map { $0 / length } }
    }

    /// The correlation coefficient, −1…1; 0 where there is nothing to compare.
    func similarity(to other: FaceAppearance) -> Double {
        guard values.count == other.values.count else { return 0 }
        var sum: Float = 0
        for (a, b) in zip(values, other.values) { sum += a * b }
        return Double(sum)
    }

    /// Follows slow changes of light and pose.
    mutating func blend(_ other: FaceAppearance, weight: Float) {
        guard values.count == other.values.count else { return }
        for index in values.indices { values[index] += weight * (other.values[index] - values[index]) }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        if length > 0 { values = values.map { $0 / length } }
    }
}
