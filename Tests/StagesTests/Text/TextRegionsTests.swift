import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `text` in the regions that another stage finds.
@Suite struct TextRegionsTests {
    private static let networks = Result { try TextNetworks() }
    private static let size = (width: 2560, height: 1440)

    /// Two signs on grey, 140 pixels wide.
    private static func picture() throws -> VideoFrame {
        let sign = try photo(RealData.repository + "/manifests/scenes/images/sign-library.png")
        var pixels = [UInt8](repeating: 120, count: size.width * size.height)
        let width = 140
        let height = sign.height * width / sign.width
        let step = Double(sign.width) / Double(width)
        sign.withLuma { luma in
            for (left, top) in [(200, 100), (900, 500)] {
                for y in 0..<height {
                    for x in 0..<width {
                        let (u, v) = (Int(Double(x) * step), Int(Double(y) * step))
                        let area = Int(step)
                        var sum = 0
                        for row in v..<min(v + area, luma.height) {
                            for column in u..<min(u + area, luma.width) {
                                sum += Int(luma.base[row * luma.stride + column])
                            }
                        }
                        pixels[(top + y) * size.width + left + x] = UInt8(sum / (area * area))
                    }
                }
            }
        }
        return try grayFrame(pixels, width: size.width, height: size.height)
    }

    private static func thing(_ number: Int, _ box: Box) -> Observation {
        let track = TrackReference(stage: "signs", number: number)
        return Observation(
            DetectionFinding(), stage: "signs", track: track, label: "sign", confidence: 1, state: .tracked, box: box)
    }

    private func emitted(_ things: [Observation], _ tracker: inout NetworkTextTracker) throws -> [Observation] {
        let input = StageInput(
            frame: try Self.picture(), results: [things.map { Emission($0) }])
        return try tracker.update((), input)
    }

    private func tracker(inRegions: Bool) throws -> NetworkTextTracker {
        var options = TextBlueprint.Options()
        options.minimumTextHeight = 0.1
        return NetworkTextTracker(
            id: "text", parts: .none, regions: inRegions ? SearchedRegions(margin: 0.1) : nil,
            tracking: NetworkTextTracking(options, networks: try Self.networks.get()))
    }

    /// A line that is high enough in its region, and not in the frame, is read in its region, once, and told about its thing; elsewhere nothing is looked for.
    @Test func smallTextOfAThing() throws {
        var whole = try tracker(inRegions: false)
        #expect(try emitted([], &whole).isEmpty)
        var inside = try tracker(inRegions: true)
        #expect(try emitted([], &inside).isEmpty)
        let one = Self.thing(3, Box(x: 890, y: 490, width: 160, height: 70))
        // A thing that is new is looked into at once.
        let found = try emitted([one], &inside)
        #expect(found.map { $0.about?.number } == [3], "\(found)")
        let line = try #require(found.first)
        #expect((line.finding.base as? TextFinding)?.text == "Library, floor 3")
        let center = try #require(line.polygon).reduce(Point(0, 0), +) * 0.25
        #expect(center.x > 900 && center.x < 1040 && center.y > 500 && center.y < 550, "\(center)")
        // A region that shows a part of a line has it told whole, or not at all.
        for width in stride(from: 30.0, through: 120, by: 10) {
            var half = try tracker(inRegions: true)
            let told = try emitted([Self.thing(6, Box(x: 890, y: 490, width: width, height: 70))], &half)
            let texts = told.compactMap { ($0.finding.base as? TextFinding)?.text }
            #expect(texts.isEmpty || texts == ["Library, floor 3"], "\(width): \(texts)")
        }
        // The larger region around it shows the same line; both signs are read, each about its own.
        let around = Self.thing(4, Box(x: 860, y: 460, width: 220, height: 130))
        let other = Self.thing(5, Box(x: 190, y: 90, width: 160, height: 70))
        let both = try emitted([one, around, other], &inside)
        #expect(both.map { $0.about?.number } == [3, 5])
        #expect(both.map { $0.track?.number } == [1, 2])
    }

    /// The smallest region that a line lies in is what it stands on.
    @Test func theSmallestRegion() throws {
        var regions = SearchedRegions(margin: 0)
        let frame = try grayFrame([UInt8](repeating: 0, count: 64 * 48), width: 64, height: 48)
        let (width, height) = (Double(frame.width), Double(frame.height))
        let things = [
            Self.thing(1, Box(x: 0, y: 0, width: width, height: height)),
            Self.thing(2, Box(x: 4, y: 4, width: width / 2, height: height / 2)),
        ]
        regions.advance(to: StageInput(frame: frame, results: [things.map { Emission($0) }]))
        #expect(regions.new.count == 2 && regions.parts.count == 2)
        func track(_ x: Double, _ y: Double) -> Int? {
            regions.track(at: Box(x: x - 1, y: y - 1, width: 2, height: 2).corners)?.number
        }
        #expect(track(8, 8) == 2)
        #expect(track(width - 4, height - 4) == 1)
        #expect(track(width + 20, 8) == nil)
        regions.advance(to: StageInput(frame: frame, results: [[Emission(things[0])]]))
        #expect(regions.new.isEmpty)
    }
}
