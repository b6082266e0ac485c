import CFFmpeg
import Testing

@testable import Annotate
@testable import Drawing
@testable import Media
@testable import TestSupport

/// What a video shows beside covers, where one has just been.
@Suite struct ForeignPartTests {
    private static let (width, height) = (320, 192)
    /// Whole blocks.
    private static let place = (x: 96..<192, y: 48..<112)

    private func frame(_ ordinal: Int, _ value: (_ x: Int, _ y: Int) -> Int) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        for y in 0..<Self.height {
            for x in 0..<Self.width { plane.base[y * plane.stride + x] = UInt8(value(x, y)) }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private static func source(_ x: Int, _ y: Int) -> Int { 150 + (x / 3 * 7 + y / 3 * 11) % 40 }

    /// The part of the picture behind a cover's last one that is foreign, where the cover's place shows something.
    private func foreign(_ shown: @escaping (_ x: Int, _ y: Int) -> Int) throws -> Box? {
        let box = Box(
            x: Double(Self.place.x.lowerBound), y: Double(Self.place.y.lowerBound), width: Double(Self.place.x.count),
            height: Double(Self.place.y.count))
        let cover = Cover(spot: .box(box), style: .fill, color: RGB(0, 0, 0))
        func isInside(_ x: Int, _ y: Int) -> Bool { Self.place.x ~= x && Self.place.y ~= y }
        var part = ForeignPart()
        let hidden = try frame(0) { isInside($0, $1) ? 16 : Self.source($0, $1) }
        let first = CoverQueue.Picture(frame: try frame(0, Self.source), observations: [], covers: [cover])
        #expect(part.largest(of: first, in: hidden) == nil)
        let next = CoverQueue.Picture(frame: try frame(1, Self.source), observations: [])
        return part.largest(of: next, in: try frame(1) { isInside($0, $1) ? shown($0, $1) : Self.source($0, $1) })
    }

    /// An encoder that saves brings in bit by bit what the cover has left, one block sooner than another.
    @Test func aBlendOfBoth() throws {
        #expect(try foreign { x, y in (16 + Self.source(x, y)) / 2 } == nil)
        #expect(try foreign { x, y in (16 * (1 + x / 16 % 3) + Self.source(x, y) * (3 - x / 16 % 3)) / 4 } == nil)
    }

    /// Beside a cover that stays, a letter that fades in, a little in each picture.
    @Test func whatFadesIn() throws {
        let cover = Cover(spot: .box(Box(x: 16, y: 16, width: 48, height: 48)), style: .fill, color: RGB(0, 0, 0))
        var part = ForeignPart()
        var first: Int?
        for ordinal in 0..<40 where first == nil {
            let picture = CoverQueue.Picture(
                frame: try frame(ordinal, Self.source), observations: [], covers: [cover])
            let shown = try frame(ordinal) { x, y in
                if 16..<64 ~= x, 16..<64 ~= y { return 16 }
                let isInk = Self.place.x ~= x && Self.place.y ~= y && x / 6 % 2 == 0
                return Self.source(x, y) - (isInk ? 2 * ordinal : 0)
            }
            if part.largest(of: picture, in: shown) != nil { first = ordinal }
        }
        // It is 80 levels darker in the end, and hardly to be read where it is told.
        #expect(first.map { $0 <= 20 } == true, "\(String(describing: first))")
    }

    /// Neither what is drawn into it, nor what is darker or lighter than both.
    @Test func whatIsNoBlend() throws {
        #expect(try foreign { x, y in x / 8 % 2 == y / 8 % 2 ? 30 : 130 } != nil)
        #expect(try foreign { x, y in (16 + Self.source(x, y)) / 2 + (x / 4 % 2 == 0 ? 40 : -40) } != nil)
        #expect(try foreign { x, y in Self.source(x, y) + 60 } != nil)
    }
}
