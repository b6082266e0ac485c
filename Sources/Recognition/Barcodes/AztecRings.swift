internal import CVision

/// The square rings of an Aztec code's finder, held against the picture.
///
/// A rune is such a finder with eight bits beside it, so few that their checks let pass what lies beside rings of another
/// kind now and then, as those of a MaxiCode: but these are round.
enum AztecRings {
    /// Modules along a side: of a rune, and of its rings.
    private static let (modules, rings) = (11, 9)
    private static let perModule = 4
    /// Modules of the rings that may seem to be of the other shade.
    private static let mostWrong = 6

    /// Whether the rings are to be seen in a rune's outline, dark on light or light on dark.
    static func areSeen(in quad: [Point], _ luma: ocv_plane) -> Bool {
        let side = modules * perModule
        var pixels = [UInt8](repeating: 0, count: side * side)
        let isRead = ocv_sample_patch(luma, quad.map(\.ocv), OCV_PATCH_PLAIN, Int32(side), Int32(side), &pixels)
        guard quad.count == 4, isRead.code == 0 else { return false }
        var values: [[Double]] = [[], []]
        let edge = (modules - rings) / 2
        for row in edge..<modules - edge {
            for column in edge..<modules - edge {
                // The middle module is dark, and every second ring around it.
                let ring = max(abs(row - modules / 2), abs(column - modules / 2))
                values[ring % 2].append(shade(row, column, pixels, side))
            }
        }
        let means = values.map { $0.reduce(0, +) / Double($0.count) }
        let threshold = (means[0] + means[1]) / 2
        let wrong = zip(values, means).reduce(0) { sum, pair in
            sum + pair.0.count { ($0 < threshold) != (pair.1 < threshold) }
        }
        return wrong <= mostWrong
    }

    /// The mean of a module's middle.
    private static func shade(_ row: Int, _ column: Int, _ pixels: [UInt8], _ side: Int) -> Double {
        var sum = 0
        for y in 1..<perModule - 1 {
            for x in 1..<perModule - 1 {
                sum += Int(pixels[(row * perModule + y) * side + column * perModule + x])
            }
        }
        return Double(sum)
    }
}
