import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// When text that is to be hidden is looked for while a camera shakes.
@Suite struct HiddenTextTests {
    private static let (width, height) = (320, 240)

    /// Some of a plain wall's blocks are of other greys; the camera goes its way, and a sign may be there.
    private static func frame(_ ordinal: Int, way: (x: Int, y: Int), hasSign: Bool) throws -> VideoFrame {
        var pixels = [UInt8](repeating: 110, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (x + way.x + 64, y + way.y + 64)
                let block = (u / 16 &* 2_654_435 &+ v / 16 &* 40_503) % 1021
                if block % 9 == 0 { pixels[y * width + x] = UInt8(40 + block % 160) }
                if hasSign, (150..<250).contains(x + way.x), (100..<140).contains(y + way.y) {
                    pixels[y * width + x] = (x + way.x) % 10 < 4 ? 20 : 235
                }
            }
        }
        return try grayFrame(pixels, width: width, height: height, ordinal: ordinal)
    }

    private static func way(_ ordinal: Int) -> (x: Int, y: Int) {
        ([9, -7, 3, -12, 8, -2, 11][ordinal % 7], [-5, 8, -9, 4, 10, -6][ordinal % 6])
    }

    private static func looks(hides: Bool, sign: Range<Int>) throws -> [Int] {
        var cadence = TextCadence(pixels: 1280 * 736, hides: hides)
        return try (0..<26).filter {
            cadence.isDue(
                in: try frame($0, way: way($0), hasSign: sign.contains($0)), hasLost: false)
        }
    }

    /// A sign in sight for three pictures of a shaking camera is looked at in the first of them, whatever that is,
    /// where it is hidden; without it nothing is.
    @Test(arguments: [11, 12, 13, 14]) func whatComesWhileTheCameraShakes(first: Int) throws {
        #expect(try Self.looks(hides: true, sign: first..<first + 3).contains(first))
        #expect(try !Self.looks(hides: false, sign: first..<first + 3).contains(first))
        #expect(try Self.looks(hides: true, sign: 0..<0).count <= 8)
    }

    /// A look is due at once where a line may be elsewhere, and for a while where one is missed; never more for that
    /// where nothing is hidden.
    @Test func doubts() throws {
        func looks(hides: Bool, doubt: Int, hunt: Range<Int>) throws -> [Int] {
            var cadence = TextCadence(pixels: 1280 * 736, hides: hides)
            return try (0..<20).filter { ordinal in
                let frame = try Self.frame(ordinal, way: (ordinal, 0), hasSign: false)
                return cadence.isDue(
                    in: frame, hasLost: false, hasDoubt: ordinal == doubt, hunt: hunt.contains(ordinal) ? 2 : nil)
            }
        }
        #expect(try looks(hides: true, doubt: 4, hunt: 0..<0).contains(4))
        #expect(try looks(hides: true, doubt: -1, hunt: 9..<13).filter { (9..<13).contains($0) }.count == 2)
        #expect(try looks(hides: false, doubt: 4, hunt: 9..<13) == looks(hides: false, doubt: -1, hunt: 0..<0))
    }
}
