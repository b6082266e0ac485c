import CFFmpeg
import Testing

@testable import Annotate
@testable import Drawing
@testable import Media
@testable import TestSupport

/// A camera that goes on so quickly that every picture looks other than the one before it, and nothing like itself.
@Suite struct WhipPanTests {
    private static let width = 320, height = 200
    private static let side = 32.0

    /// The same for the same place.
    private static func noise(_ x: Int, _ y: Int, _ seed: Int) -> Int {
        var mixed = UInt64(bitPattern: Int64(x &* 7919 &+ y &* 104_729 &+ seed &* 15_485_863)) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return Int(UInt8(truncatingIfNeeded: mixed >> 40))
    }

    /// A picture of a place, 25 a second, smeared along the camera's way, with a noisy square in it.
    private func frame(_ ordinal: Int, left: Int, smear: Int = 1, square: (x: Int, y: Int)? = nil, place: Int = 1)
        throws
        -> VideoFrame
    {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        func value(_ x: Int, _ y: Int) -> Int {
            if let square, square.x..<square.x + Int(Self.side) ~= x, square.y..<square.y + Int(Self.side) ~= y {
                return Self.noise((x - square.x) >> 2, (y - square.y) >> 2, 99)
            }
            return 64 + Self.noise(x >> 5, y >> 5, place) / 2
        }
        for row in 0..<Self.height {
            let line = (-smear / 2..<Self.width + smear).map { value(left + $0, row) }
            for column in 0..<Self.width {
                plane.base[row * plane.stride + column] = UInt8(line[column..<column + smear].reduce(0, +) / smear)
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    @Test func wayOfACamera() throws {
        let before = ShotLook(try frame(0, left: 0))
        guard case .way(let way) = ShotLook(try frame(1, left: 84, smear: 40)).change(since: before) else {
            Issue.record("no way is found")
            return
        }
        #expect(abs(way.x + 84.0 / 320) < 0.02 && abs(way.y) < 0.02)
        // The same from the same place, or lighter, or of another place.
        #expect(ShotLook(try frame(1, left: 0)).change(since: before) == .little)
        #expect(ShotLook(try frame(1, left: 2)).change(since: before) == .little)
        for place in 2..<12 {
            #expect(ShotLook(try frame(1, left: 0, place: place)).change(since: before) == .unlike)
        }
    }

    /// What was in sight goes along with the picture, and what is seen after it was where it came from.
    @Test func whatIsCarriedAlong() throws {
        let ways = [0, 0, 0, 0, 60, 150, 240, 300, 300, 300, 300]
        let smears = [1, 1, 1, 1, 30, 45, 45, 30, 1, 1, 1]
        let style = DrawStyle {
            $0.cover = .fill
            $0.coverGap = 0.4
        }
        // One is in sight before, the other after; both are in between.
        for square in [(x: 200, y: 80), (x: 380, y: 90)] {
            var covers: [[Cover]] = []
            var queue: CoverQueue?
            for (ordinal, left) in ways.enumerated() {
                let frame = try frame(ordinal, left: left, smear: smears[ordinal], square: square)
                let x = Double(square.x - left)
                let isSeen = smears[ordinal] == 1 && x + Self.side > 0 && x < Double(Self.width)
                let seen = DrawnObservation(
                    Observation(
                        FaceFinding(), stage: "f", track: TrackReference(stage: "f", number: 1), state: .tracked,
                        box: Box(x: x, y: Double(square.y), width: Self.side, height: Self.side)), style: style)
                if queue == nil { queue = CoverQueue(styles: [("f", style)], hidden: [], first: frame) }
                queue?.add(frame, isSeen ? [seen] : [])
                while let picture = queue?.next(isEnd: false) { covers.append(picture.covers) }
            }
            while let picture = queue?.next(isEnd: true) { covers.append(picture.covers) }
            for (ordinal, left) in ways.enumerated() {
                let box = Box(
                    x: Double(square.x - left), y: Double(square.y), width: Self.side, height: Self.side)
                let frame = Box(x: 0, y: 0, width: Double(Self.width), height: Double(Self.height))
                guard let shown = box.intersection(frame), shown.area > 0.3 * box.area else { continue }
                let hidden = covers[ordinal].compactMap { $0.spot.bounds?.intersection(shown)?.area }.max() ?? 0
                #expect(hidden > 0.9 * shown.area, "\(square.x) in \(ordinal)")
            }
        }
    }
}
