internal import CVision
internal import CZXing
internal import Glibc

/// Grey values along a row of bars, held against the bars that a payload has.
///
/// A decoder measures where bars begin and end; blur moves that, and several lines and attempts may be wrong in the same
/// way. Here the bars that the payload stands for are blurred as the picture is, and each digit has to look more like what
/// it is said to be than like any other.
enum BarcodeProfile {
    /// Samples a module.
    private static let perModule = BarcodeFit.perModule
    /// Modules of the quiet zone that are sampled at either end.
    private static let margin = 3
    /// Of what a digit leaves unexplained, what another leaves at the most where that one is meant.
    private static let clearly = 0.8

    /// Whether the picture shows another digit somewhere than an EAN's or UPC's payload has. Nothing is said against codes
    /// of other kinds, nor where something stands beside the code.
    static func contradicts(_ code: FoundBarcode, _ luma: ocv_plane) -> Bool {
        guard case .text(let digits) = code.payload, code.supplement == nil,
            let bars = BarcodeBars(code.symbology, digits: digits)
        else { return false }
        // Strips at three heights, each where its own bars are.
        let fits = [0.25, 0.5, 0.75].compactMap { height in
            strip(code.polygon, at: height, modules: bars.dark.count, luma).flatMap {
                BarcodeFit($0, bars, margin: margin)
            }
        }
        return bars.digits.contains { digit in
            let places = fits.map { $0.moved(onto: digit, bars) }
            let most = clearly * places.reduce(0) { $0 + $1.residual(of: bars, at: digit) }
            return digit.patterns.contains { pattern in
                let other = bars.replacing(digit, by: pattern)
                return places.reduce(0) { $0 + $1.residual(of: other, at: digit, besides: $0, upTo: most) } < most
            }
        }
    }

    /// Whether two outlines that say the same are of one code: one above the other, and the bars go on between them.
    static func goesOn(from a: [Point], to b: [Point], _ luma: ocv_plane) -> Bool {
        let length = a[0].distance(to: a[1])
        guard length > 8, let first = strip(a, at: 0.5, modules: 100, luma),
            let second = strip(b, at: 0.5, modules: 100, luma)
        else { return false }
        // Their ends are in line with the bars.
        let along = (a[1] - a[0]) * (1 / length)
        let way = (b[0] + b[1] + b[2] + b[3] - a[0] - a[1] - a[2] - a[3]) * 0.25
        let aside = along.x * way.x + along.y * way.y
        guard abs(aside) < 0.1 * length + 0.4 * abs(along.x * way.y - along.y * way.x),
            abs(b[0].distance(to: b[1]) - length) < 0.15 * length
        else { return false }
        return [0.25, 0.5, 0.75].allSatisfy { share in
            let between = zip(a, b).map { $0 + ($1 - $0) * share }
            guard let values = strip(between, at: 0.5, modules: 100, luma) else { return false }
            return max(StraightLine(values, first).correlation, StraightLine(values, second).correlation) > 0.7
        }
    }

    /// The outline of both: the top of the upper and the foot of the lower.
    static func joined(_ a: [Point], _ b: [Point]) -> [Point] {
        let down = (a[3] + a[2] - a[0] - a[1])
        let way = (b[0] + b[1] + b[2] + b[3] - a[0] - a[1] - a[2] - a[3])
        let along = a[1] - a[0]
        // A flat outline has no height to speak of: down is a quarter turn from along.
        let turn = Point(-along.y, along.x)
        let isBelow = way.x * (down.x + turn.x) + way.y * (down.y + turn.y) > 0
        return isBelow ? [a[0], a[1], b[2], b[3]] : [b[0], b[1], a[2], a[3]]
    }

    /// Grey values from one end of an outline to the other at a height in it, 0…1, `perModule` of each module and of some of
    /// the ground; nil where it is too short.
    private static func strip(_ quad: [Point], at height: Double, modules: Int, _ luma: ocv_plane) -> [Double]? {
        let (a, b) = (quad[0] + (quad[3] - quad[0]) * height, quad[1] + (quad[2] - quad[1]) * height)
        let length = a.distance(to: b)
        guard length > 8, length.isFinite else { return nil }
        let along = (b - a) * (1 / length)
        let side = Point(-along.y, along.x) * 1.5
        let ends = (b - a) * (Double(margin) / Double(modules))
        let corners = [a - ends - side, b + ends - side, b + ends + side, a - ends + side].map(\.ocv)
        let (width, rows) = ((modules + 2 * margin) * perModule, 3)
        var pixels = [UInt8](repeating: 0, count: width * rows)
        guard
            ocv_sample_patch(luma, corners, OCV_PATCH_PLAIN, Int32(width), Int32(rows), &pixels).code == 0
        else { return nil }
        return (0..<width).map { x -> Double in
            let sum: Int = Int(pixels[x]) + Int(pixels[width + x]) + Int(pixels[2 * width + x])
            return Double(sum) / 3
        }
    }
}
