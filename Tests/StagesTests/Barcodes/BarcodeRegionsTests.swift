import Testing

@testable import Annotate
@testable import CZXing
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `barcodes` in the regions that another stage finds.
@Suite struct BarcodeRegionsTests {
    private static let (width, height) = (800, 480)

    /// A code that is drawn upright.
    private struct Drawn {
        var symbology: BarcodeSymbology
        var text: String
        var x: Int
        var y: Int
        var module = 3
        /// Height of bars, pixels.
        var bars = 0
    }

    private static let codes = [
        Drawn(symbology: .qr, text: "parcel 1", x: 60, y: 60), Drawn(symbology: .qr, text: "parcel 2", x: 600, y: 80),
        Drawn(symbology: .ean13, text: "4006381333931", x: 300, y: 300, bars: 110),
    ]

    /// The codes on light cards on grey, and their boxes from the picture's corner.
    private static func picture() throws -> (frame: VideoFrame, boxes: [Box]) {
        var pixels = [UInt8](repeating: 120, count: width * height)
        for index in pixels.indices { pixels[index] = UInt8(110 + (index * 7919 >> 3) % 17) }
        var boxes: [Box] = []
        for code in codes {
            var (w, h): (Int32, Int32) = (0, 0)
            let modules = try #require(zx_write(zx_symbology(code.symbology.bit), code.text, &w, &h))
            defer { zx_free_modules(modules) }
            let (across, down) = (Int(w) * code.module, code.bars > 0 ? code.bars : Int(h) * code.module)
            let quiet = 10 * code.module
            for y in code.y - quiet..<code.y + down + quiet {
                for x in code.x - quiet..<code.x + across + quiet {
                    let (u, v) = (x - code.x, y - code.y)
                    let isInside = u >= 0 && v >= 0 && u < across && v < down
                    let row = code.bars > 0 ? 0 : v / code.module
                    pixels[y * width + x] = isInside && modules[row * Int(w) + u / code.module] == 0 ? 20 : 235
                }
            }
            boxes.append(Box(x: Double(code.x), y: Double(code.y), width: Double(across), height: Double(down)))
        }
        return (try grayFrame(pixels, width: width, height: height), boxes)
    }

    private static func parcel(_ number: Int, _ box: Box) -> Observation {
        let track = TrackReference(stage: "parcels", number: number)
        return Observation(
            DetectionFinding(), stage: "parcels", track: track, label: "parcel", confidence: 1, state: .tracked,
            box: box)
    }

    private static func around(_ box: Box, by room: Double = 30) -> Box {
        Box(x: box.x - room, y: box.y - room, width: box.width + 2 * room, height: box.height + 2 * room)
    }

    private func told(
        _ frame: VideoFrame, _ things: [Observation], isStill: Bool = true, margin: Double = 0
    ) throws -> [Observation] {
        let stage = try BarcodesBlueprint(options: try stageOptions(#"{"inputs": ["parcels"], "margin": \#(margin)}"#))
            .makeStage(StageContext(id: "codes", width: frame.width, height: frame.height, isStill: isStill))
        return try emissions(stage, in: frame, inputs: [things.map { Emission($0) }]).map(\.observation)
    }

    private func text(_ observation: Observation) -> String {
        guard case .text(let text)? = observation.finding(as: BarcodeFinding.self)?.payload else { return "" }
        return text
    }

    private func box(_ observation: Observation) throws -> Box {
        let polygon = try #require(observation.polygon)
        return try #require(Box(around: polygon.map { $0 + Point(0.5, 0.5) }))
    }

    /// Of three codes those in regions are told, where they are in the frame, with the regions' tracks; in a video at once, too.
    @Test(arguments: [true, false]) func codesOfSomeThings(isStill: Bool) throws {
        let (frame, boxes) = try Self.picture()
        let things = [Self.parcel(4, Self.around(boxes[1])), Self.parcel(7, Self.around(boxes[2]))]
        let found = try told(frame, things, isStill: isStill)
        #expect(found.map(text) == ["parcel 2", "4006381333931"])
        #expect(found.map { $0.about?.number } == [4, 7])
        for (one, truth) in zip(found, boxes[1...]) {
            #expect(try box(one).intersectionOverUnion(truth) > 0.85)
        }
        #expect(try told(frame, [], isStill: isStill).isEmpty)
    }

    /// A region that shows a part of the bars, or of a matrix, has the code told whole, or not at all.
    @Test(arguments: [0, 2]) func aCodeThatARegionCuts(index: Int) throws {
        let (frame, boxes) = try Self.picture()
        let truth = boxes[index]
        var outcomes: Set<Bool> = []
        for share in stride(from: 0.2, through: 1.2, by: 0.1) {
            var cut = Self.around(truth)
            cut.height = truth.y - cut.y + share * truth.height
            for found in [try told(frame, [Self.parcel(1, cut)])] {
                outcomes.insert(found.isEmpty)
                for one in found { #expect(try box(one).intersectionOverUnion(truth) > 0.85, "\(share)") }
            }
        }
        #expect(outcomes == [true, false])
    }

    @Test func regionsThatOverlap() throws {
        let (frame, boxes) = try Self.picture()
        let things = [
            Self.parcel(1, Self.around(boxes[0], by: 55)), Self.parcel(2, Self.around(boxes[0])),
            Self.parcel(3, Self.around(boxes[0], by: 40)),
        ]
        let found = try told(frame, things)
        #expect(found.map(text) == ["parcel 1"] && found.map { $0.about?.number } == [2])
    }

    /// The margin takes in what lies beside a region.
    @Test func margins() throws {
        let (frame, boxes) = try Self.picture()
        // The right half of the card.
        let half = Box(
            x: boxes[0].center.x + 4, y: boxes[0].y - 20, width: boxes[0].width, height: boxes[0].height + 40)
        #expect(try told(frame, [Self.parcel(1, half)]).isEmpty)
        #expect(try told(frame, [Self.parcel(1, half)], margin: 1).map(text) == ["parcel 1"])
    }
}
