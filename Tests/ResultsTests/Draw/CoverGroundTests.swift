import CFFmpeg
import Testing

@testable import Annotate
@testable import Drawing
@testable import Media
@testable import TestSupport

/// Where the ground is seen on which a thing may have been, it isn't covered; wherever it may have been it is.
@Suite struct CoverGroundTests {
    private static let width = 640, height = 360
    private static let side = 40

    private static func noise(_ x: Int, _ y: Int, _ seed: Int) -> UInt8 {
        var mixed =
            UInt64((x / 4 + 1000) &* 7919 &+ (y / 4 + 1000) &* 104_729 &+ seed &* 15_485_863) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return UInt8(truncatingIfNeeded: mixed >> 40)
    }

    /// What the thing looks like: itself; from behind, like nothing that its stage knows; or like the ground but for a rim.
    private enum Look { case front, back, rim }

    /// A ground, moved by so much, and a thing on it; 25 pictures a second.
    private func frame(_ ordinal: Int, ground: Int = 0, _ thing: (x: Int, y: Int, look: Look)?) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                var value = 64 + Self.noise((column + ground) / 2, row / 2, 1) / 3
                if let thing, (thing.x..<thing.x + Self.side).contains(column),
                    (thing.y..<thing.y + Self.side).contains(row)
                {
                    let isRim =
                        min(column - thing.x, row - thing.y) < 6
                        || max(column - thing.x, row - thing.y) >= Self.side - 6
                    switch thing.look {
                    case .front: value = Self.noise(column - thing.x, row - thing.y, 99)
                    case .back: value = 30
                    case .rim: value = isRim ? 30 : value
                    }
                }
                plane.base[row * plane.stride + column] = value
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private var style: DrawStyle {
        DrawStyle {
            $0.cover = .fill
            $0.coverGap = 0.4
        }
    }

    /// The covers of pictures: each ground's place, where the thing is, and whether its stage sees it.
    private func covers(
        _ pictures: [(ground: Int, thing: (x: Int, y: Int, look: Look)?, isSeen: Bool)]
    ) throws -> [[Box]] {
        var queue = CoverQueue(styles: [("f", style)], hidden: [], first: try frame(0, nil))
        var all: [[Box]] = []
        for (ordinal, picture) in pictures.enumerated() {
            let observation = picture.thing.flatMap { thing -> DrawnObservation? in
                guard picture.isSeen else { return nil }
                let box = Box(
                    x: Double(thing.x), y: Double(thing.y), width: Double(Self.side), height: Double(Self.side))
                return DrawnObservation(
                    Observation(
                        FaceFinding(), stage: "f", track: TrackReference(stage: "f", number: 1), state: .tracked,
                        box: box),
                    style: style)
            }
            queue.add(try frame(ordinal, ground: picture.ground, picture.thing), [observation].compactMap(\.self))
            while let next = queue.next(isEnd: false) { all.append(next.covers.compactMap(\.spot.bounds)) }
        }
        while let next = queue.next(isEnd: true) { all.append(next.covers.compactMap(\.spot.bounds)) }
        return all
    }

    /// Covered pixels, of a thing's.
    private func area(_ covers: [Box], in place: Box? = nil) -> Double {
        let place = place ?? Box(x: 0, y: 0, width: Double(Self.width), height: Double(Self.height))
        var hidden = 0
        for y in Int(place.y)..<Int(place.bottom) {
            for x in Int(place.x)..<Int(place.right)
            where covers.contains(where: {
                $0.x <= Double(x) + 0.5 && Double(x) + 0.5 <= $0.right && $0.y <= Double(y) + 0.5
                    && Double(y) + 0.5 <= $0.bottom
            }) {
                hidden += 1
            }
        }
        return Double(hidden) / Double(Self.side * Self.side)
    }

    private func share(_ covers: [Box], _ x: Int, _ y: Int) -> Double {
        area(covers, in: Box(x: Double(x), y: Double(y), width: Double(Self.side), height: Double(Self.side)))
    }

    /// It is in sight for two pictures: no more than its place is hidden before and after, unless the camera moves, so that nobody
    /// knows what is ground.
    @Test func whatShowsItsGround() throws {
        func pictures(_ step: Int) -> [(ground: Int, thing: (x: Int, y: Int, look: Look)?, isSeen: Bool)] {
            (0..<30).map { ($0 * step, (14...15).contains($0) ? (300, 160, .front) : nil, true) }
        }
        let still = try covers(pictures(0)), moving = try covers(pictures(3))
        for picture in 5..<25 {
            #expect((1...1.6).contains(area(still[picture])), "\(picture): \(area(still[picture]))")
        }
        #expect(area(moving[6]) > 3 && area(moving[23]) > 3)
    }

    /// It comes, unseen, from elsewhere, and looks like nothing known there.
    @Test(arguments: [false, true]) func whatMovesUnseen(isBackwards: Bool) throws {
        let ways = (0..<20).map { (x: 200 + 2 * min($0, 10), y: 150) }
        var pictures = ways.enumerated().map { index, way in
            (
                ground: 0,
                thing: (x: way.x, y: way.y, look: index < 10 ? Look.back : .front) as (x: Int, y: Int, look: Look)?,
                isSeen: index >= 10
            )
        }
        if isBackwards { pictures.reverse() }
        let covers = try covers(pictures)
        for (index, picture) in pictures.enumerated() {
            guard let thing = picture.thing else { continue }
            #expect(share(covers[index], thing.x, thing.y) > 0.9, "\(index)")
            #expect(area(covers[index]) < 3, "\(index)")
        }
    }

    /// It stands where it was seen, looks away, and is seen elsewhere at once: both places are hidden in between.
    @Test func whatStandsUnseen() throws {
        let covers = try covers(
            (0..<20).map { index in
                (
                    0, index < 12 ? (200, 150, (5..<12).contains(index) ? .back : .front) : (320, 150, .front),
                    !(5..<12).contains(index)
                )
            })
        for index in 0..<20 { #expect(share(covers[index], index < 12 ? 200 : 320, 150) > 0.95, "\(index)") }
    }

    /// It is dark on a dark ground but for its rim: the middle is hidden with that.
    @Test func whatIsPartlyLikeItsGround() throws {
        let covers = try covers((0..<20).map { (0, (200 + 3 * $0, 150, $0 < 8 ? .front : .rim), $0 < 8) })
        for index in 8..<16 { #expect(share(covers[index], 200 + 3 * index, 150) > 0.9, "\(index)") }
    }
}
