import CVision
import Glibc
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct PointAnchorTests {
    private static let size = (width: 320, height: 240)

    private static func view(_ region: [Point]) throws -> [UInt8] {
        try TestSurface.rendered.get().view(region, width: size.width, height: size.height)
    }

    private static func place(_ point: Point, _ region: [Point]) throws -> Point {
        try #require(TestSurface.place(of: point, seenAs: region, width: size.width, height: size.height))
    }

    private static func frame(_ pixels: [UInt8], width: Int = size.width, height: Int = size.height) throws
        -> AnchorFrame
    {
        try AnchorFrame(of: grayFrame(pixels, width: width, height: height))
    }

    private static let settings = ocv_anchor_options(width: size.width, height: size.height)

    /// The part of the surface that a camera sees that moves, turns, comes nearer and slants.
    private static func region(
        _ center: Point, zoom: Double = 1, roll: Double = 0, slant: Double = 0
    ) -> [Point] {
        let (c, s) = (cos(roll * .pi / 180), sin(roll * .pi / 180))
        let corners = [Point(-160, -120), Point(160, -120), Point(160, 120), Point(-160, 120)]
        return corners.map { corner in
            let squeezed = Point(corner.x, corner.y * (1 + slant * corner.x / 160)) * (1 / zoom)
            return center + Point(c * squeezed.x - s * squeezed.y, s * squeezed.x + c * squeezed.y)
        }
    }

    /// Follows a point through views; what came of each frame after the first, and how far off it was.
    private func follow(
        _ point: Point, _ regions: [[Point]], change: (Int, inout [UInt8]) -> Void = { _, _ in }
    ) throws -> [(state: TrackState, error: Double?, confidence: Double)] {
        var pixels = try Self.view(regions[0])
        change(0, &pixels)
        let anchor = try PointAnchor(Self.frame(pixels), Self.place(point, regions[0]), Self.settings)
        #expect(anchor.isHeld)
        return try regions.indices.dropFirst().map { index in
            var pixels = try Self.view(regions[index])
            change(index, &pixels)
            let found = try anchor.update(Self.frame(pixels), at: Double(index) / 25)
            let truth = try Self.place(point, regions[index])
            return (found.state, found.point?.distance(to: truth), found.confidence)
        }
    }

    private static let middle = Point(300, 240)

    // MARK: Motion

    @Test(arguments: [
        (0.5, 0.0, 0.0), (2, 0, 0), (1, 180, 0), (1, 0, 0.35), (1.4, 60, -0.25),
    ])
    func staysOnThePoint(zoom: Double, roll: Double, slant: Double) throws {
        let regions = (0...40).map { index in
            let share = Double(index) / 40
            return Self.region(
                Self.middle + Point(30 * share, -20 * share), zoom: 1 + (zoom - 1) * share, roll: roll * share,
                slant: slant * share)
        }
        let found = try follow(Point(320, 225), regions)
        #expect(found.allSatisfy { $0.state == .tracked }, "\(found.map(\.state))")
        let errors = found.compactMap(\.error).sorted()
        #expect(errors[errors.count / 2] < 0.3)
        #expect(try #require(errors.last) < 1)
        #expect(try #require(found.last).confidence > 0.6)
    }

    /// Errors of single frames don't add up: after many turns to and fro the point is where it was.
    @Test func doesNotDrift() throws {
        let regions = (0...150).map { index in
            let phase = Double(index % 30) / 30
            let swing = phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase
            return Self.region(Self.middle + Point(25 * swing, 15 * swing), zoom: 1 + 0.2 * swing, roll: 10 * swing)
        }
        let found = try follow(Point(310, 250), regions)
        #expect(found.suffix(30).compactMap(\.error).allSatisfy { $0 < 0.4 })
        #expect(found.suffix(30).count { $0.state == .tracked } == 30)
    }

    // MARK: Out of sight

    @Test func isHiddenWhileCoveredAndComesBack() throws {
        let regions = (0...60).map { Self.region(Self.middle + Point(0.3 * Double($0), 0)) }
        let found = try follow(Self.middle, regions) { index, pixels in
            guard (20..<40).contains(index) else { return }
            for y in 0..<Self.size.height {
                for x in 100..<220 { pixels[y * Self.size.width + x] = (x / 9 + y / 9) % 2 == 0 ? 70 : 130 }
            }
        }
        // `found[0]` is frame 1.
        #expect(found[..<19].allSatisfy { $0.state == .tracked })
        #expect(found[22..<39].allSatisfy { $0.state == .lost && $0.error == nil && $0.confidence == 0 })
        let back = try #require(found[39...].firstIndex { $0.state == .recovered })
        #expect(back < 39 + 13)
        #expect(found[(back + 1)...].allSatisfy { $0.state == .tracked })
        #expect(found.compactMap(\.error).allSatisfy { $0 < 3 })
    }

    /// Covers the point alone: what is around it goes on saying where it would be.
    @Test func isHiddenBehindSomethingSmall() throws {
        let regions = (0...30).map { Self.region(Self.middle + Point(0.5 * Double($0), 0)) }
        let found = try follow(Self.middle, regions) { index, pixels in
            guard (10..<20).contains(index) else { return }
            let center = (try? Self.place(Self.middle, regions[index])) ?? Point(0, 0)
            for y in Int(center.y) - 22...Int(center.y) + 22 {
                for x in Int(center.x) - 22...Int(center.x) + 22 { pixels[y * Self.size.width + x] = 20 }
            }
        }
        #expect(found[12..<19].allSatisfy { $0.state == .lost })
        #expect(found[19...].contains { $0.state == .recovered })
        #expect(found.last?.state == .tracked)
    }

    /// A picture of the surface with a sticker at each of some places, and grey over others.
    private func stickers(at places: [Point], grey: [Point] = []) throws -> AnchorFrame {
        let side = 120
        let sticker = try TestSurface.rendered.get().view(
            [Point(0, 0), Point(160, 0), Point(160, 160), Point(0, 160)], width: side, height: side)
        var pixels = try Self.view(Self.region(Self.middle))
        for (place, isGrey) in places.map({ ($0, false) }) + grey.map({ ($0, true) }) {
            for y in 0..<side {
                for x in 0..<side {
                    let index = (Int(place.y) - side / 2 + y) * Self.size.width + Int(place.x) - side / 2 + x
                    pixels[index] = isGrey ? 128 : sticker[y * side + x]
                }
            }
        }
        return try Self.frame(pixels)
    }

    @Test func whatLooksAlikeElsewhereIsNotIt() throws {
        let (its, other) = (Point(80, 120), Point(230, 120))
        let anchor = try PointAnchor(stickers(at: [its, other]), its, Self.settings)
        for index in 1..<10 {
            let found = try anchor.update(stickers(at: [its, other]), at: Double(index) / 25)
            #expect(found.point.map { $0.distance(to: its) < 1 } ?? false)
        }
        let covered = try (10..<40).map { index in
            try anchor.update(stickers(at: [other], grey: [its]), at: Double(index) / 25)
        }
        #expect(covered.allSatisfy { $0.point.map { $0.distance(to: its) < 3 } ?? true })
        #expect(covered.suffix(20).allSatisfy { $0.state == .lost })
    }

    @Test func aThingThatWasMovedIsFoundThere() throws {
        let (before, after) = (Point(80, 120), Point(230, 120))
        let anchor = try PointAnchor(stickers(at: [before]), before, Self.settings)
        for index in 1..<15 {
            let isCovered = index > 7
            _ = try anchor.update(
                stickers(at: isCovered ? [] : [before], grey: isCovered ? [before] : []), at: Double(index) / 25)
        }
        let found = try (15..<30).map { index in
            try anchor.update(stickers(at: [after]), at: Double(index) / 25)
        }
        #expect(found.contains { $0.state == .recovered })
        #expect(try #require(found.last?.point).distance(to: after) < 1)
    }

    @Test func leavesThePictureAndComesBackElsewhere() throws {
        let regions = (0...60).map { index in
            switch index {
            case ..<20: Self.region(Self.middle + Point(12 * Double(index), 0))
            case ..<35: Self.region(Self.middle + Point(-2000, 0))
            default: Self.region(Self.middle + Point(40, 20), zoom: 1.2, roll: 15)
            }
        }
        let found = try follow(Self.middle, regions)
        #expect(found[18..<34].allSatisfy { $0.state == .lost })
        let back = try #require(found[34...].firstIndex { $0.state == .recovered })
        #expect(back < 34 + 13)
        #expect(found.compactMap(\.error).allSatisfy { $0 < 1.5 })
    }

    // MARK: Two surfaces

    /// A faint surface, and half of the point's surroundings something nearer and plainer to see, `way` pixels a frame
    /// against the picture.
    private func followBesideANearerThing(
        _ way: Point, edge: Double, frames: Int = 20
    ) throws -> [(state: TrackState, error: Double?, confidence: Double)] {
        let regions = (0...frames).map { Self.region(Self.middle - Point(0.5 * Double($0), 0)) }
        let start = try Self.place(Self.middle, regions[0])
        return try follow(Self.middle, regions) { index, pixels in
            for place in pixels.indices { pixels[place] = UInt8(64 + Int(pixels[place]) / 2) }
            let step = way * Double(index)
            guard let nearer = try? Self.view(Self.region(Self.middle + Point(70, 40) - step)) else { return }
            let right = Int(start.x - edge + step.x)
            for y in 0..<Self.size.height {
                for x in 0..<max(right, 0) { pixels[y * Self.size.width + x] = nearer[y * Self.size.width + x] }
            }
        }
    }

    @Test(arguments: [Point(-1, 0), Point(0, 1), Point(-0.6, -0.8), Point(0.5, 2)])
    func itsOwnSurfaceIsFollowedBesideANearerThing(way: Point) throws {
        let found = try followBesideANearerThing(way, edge: 26)
        #expect(found.allSatisfy { $0.state == .tracked }, "\(found.map(\.state))")
        #expect(found.compactMap(\.error).allSatisfy { $0 < 0.5 }, "\(found.map { $0.error ?? -1 })")
    }

    /// With most of its surroundings another thing's, the point's own patch says that it is seen, and where.
    @Test(
        arguments: [
            (Point(0, 1), 9.0), (Point(-0.4, 0.5), 8), (Point(0.1, -1), 12), (Point(0.05, 0.6), 10),
        ] as [(Point, Double)])
    func isSeenCloseBesideANearerThing(way: Point, edge: Double) throws {
        let found = try followBesideANearerThing(way, edge: edge)
        #expect(found.count { $0.state == .tracked } >= 17, "\(found.map(\.state))")
        #expect(found.compactMap(\.error).allSatisfy { $0 < 1 }, "\(found.map { $0.error ?? -1 })")
    }

    /// It is hidden by the nearer thing, and isn't taken along.
    @Test func aNearerThingThatCoversItDoesNotTakeItAlong() throws {
        let found = try followBesideANearerThing(Point(2.5, 0), edge: 26, frames: 30)
        #expect(found.prefix(4).allSatisfy { $0.state == .tracked })
        #expect(found.compactMap(\.error).allSatisfy { $0 < 6 }, "\(found.map { $0.error ?? -1 })")
        #expect(found.suffix(8).allSatisfy { $0.state == .lost })
    }

    // MARK: Little to see

    @Test(arguments: [255, 128, 0] as [UInt8])
    func refusesABlankSpot(value: UInt8) throws {
        let pixels = [UInt8](repeating: value, count: Self.size.width * Self.size.height)
        let anchor = try PointAnchor(Self.frame(pixels), Point(160, 120), Self.settings)
        #expect(!anchor.isHeld)
        let found = try anchor.update(Self.frame(pixels), at: 0.04)
        #expect(found.state == .lost && found.point == nil)
    }

    /// Rows that are the same all along, and six patches far from the point, `shift` pixels to the right.
    private static func rows(_ shift: Int) -> [UInt8] {
        let (rows, patch) = (TestSurface.noise(count: 82, seed: 7), TestSurface.noise(count: 14 * 14 + 64, seed: 9))
        var pixels = (0..<size.width * size.height).map { 90 + rows[$0 / size.width / 3] / 4 }
        let centers = [(40, 60), (60, 190), (250, 50), (270, 185), (150, 20), (165, 215)]
        for (number, center) in centers.enumerated() {
            for y in 0..<28 {
                for x in 0..<28 where center.0 - 14 + shift + x < size.width {
                    pixels[(center.1 - 14 + y) * size.width + center.0 - 14 + shift + x] =
                        patch[y / 2 * 14 + x / 2 + number * 7]
                }
            }
        }
        return pixels
    }

    /// Along the rows the surface says nothing: what is farther away does, which may be of another one.
    @Test func boardsAreHeldFromAfar() throws {
        let anchor = try PointAnchor(Self.frame(Self.rows(0)), Point(150, 122), Self.settings)
        for index in 1...12 {
            let shift = 3 * index / 2
            let found = try anchor.update(Self.frame(Self.rows(shift)), at: Double(index) / 25)
            #expect(try #require(found.point).distance(to: Point(150 + Double(shift), 122)) < 0.5)
            #expect(found.confidence > 0.95 && found.confidence < 0.997)
        }
    }

    /// Noise is no structure.
    @Test func refusesNoise() throws {
        let pixels = TestSurface.noise(count: Self.size.width * Self.size.height, seed: 5).map { 120 + $0 % 7 }
        #expect(try !PointAnchor(Self.frame(pixels), Point(160, 120), Self.settings).isHeld)
    }

    @Test(arguments: [1, 2, 16, 17, 33])
    func smallPictures(side: Int) throws {
        let pixels = TestSurface.noise(count: side * side, seed: 3)
        let anchor = try PointAnchor(
            Self.frame(pixels, width: side, height: side), Point(Double(side / 2), Double(side / 2)), Self.settings)
        let found = try anchor.update(Self.frame(pixels, width: side, height: side), at: 1)
        #expect(
            found.state == .lost
                || found.point.map { $0.distance(to: Point(Double(side / 2), Double(side / 2))) < 1 } == true)
    }
}
