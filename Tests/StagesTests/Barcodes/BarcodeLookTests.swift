import CVision
import CZXing
import Foundation
import Testing

@testable import Annotate
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Codes that are followed by what they look like, and told so only while they look the same.
@Suite struct BarcodeLookTests {
    private static let width = 640, height = 360

    /// A code in a picture: its modules, where its first one is, a module's side, and how much lower each column is than the one before.
    private struct Card {
        var modules: [[Bool]]
        var left = 100.0, top = 90.0, side = 3.0, slope = 0.05

        var corners: [Point] {
            let (w, h) = (Double(modules[0].count) * side, Double(modules.count == 1 ? 24 : modules.count) * side)
            return [Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)].map {
                Point(left + $0.x - 0.5, top + $0.y + slope * $0.x - 0.5)
            }
        }

        /// Grey values, each the mean of four places, on paper that is lit unevenly.
        func pixels(shade: (Double, Double) -> Double = { _, _ in 0 }) -> [UInt8] {
            let count = modules.count == 1 ? 24 : modules.count
            func isDark(_ x: Double, _ y: Double) -> Bool {
                let (column, row) = (Int((x - left) / side + 8) - 8, Int((y - top - slope * (x - left)) / side + 8) - 8)
                guard (0..<count).contains(row), modules[0].indices.contains(column) else { return false }
                return modules[modules.count == 1 ? 0 : row][column]
            }
            let (right, bottom) = (corners[2].x + 2, corners[2].y + 2)
            var pixels = [UInt8](repeating: 215, count: BarcodeLookTests.width * BarcodeLookTests.height)
            for row in max(Int(top) - 40, 0)..<min(Int(bottom) + 40, BarcodeLookTests.height) {
                for column in max(Int(left) - 40, 0)..<min(Int(right) + 40, BarcodeLookTests.width) {
                    let (x, y) = (Double(column), Double(row))
                    var dark = 0
                    for (u, v) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
                    where isDark(x + u, y + v) {
                        dark += 1
                    }
                    let value = 215 - 43.75 * Double(dark) + 6 * sin(x * 0.9 + y * 1.3) + shade(x, y)
                    pixels[row * BarcodeLookTests.width + column] = UInt8(min(max(value, 0), 255))
                }
            }
            return pixels
        }

        func frame(shade: (Double, Double) -> Double = { _, _ in 0 }) throws -> VideoFrame {
            try grayFrame(pixels(shade: shade), width: BarcodeLookTests.width, height: BarcodeLookTests.height)
        }
    }

    private static func modules(_ symbology: BarcodeSymbology, _ text: String) throws -> [[Bool]] {
        var (w, h): (Int32, Int32) = (0, 0)
        let modules = try #require(zx_write(zx_symbology(symbology.bit), text, &w, &h))
        defer { zx_free_modules(modules) }
        let rows = symbology.correctsErrors ? Int(h) : 1
        return (0..<rows).map { row in (0..<Int(w)).map { modules[row * Int(w) + $0] == 0 } }
    }

    private static func code(_ symbology: BarcodeSymbology, _ text: String, _ card: Card) -> FoundBarcode {
        FoundBarcode(symbology: symbology, payload: .text(text), polygon: card.corners)
    }

    private static let pairs: [(BarcodeSymbology, String, String)] = [
        (.qr, "https://example.org/7", "https://example.org/8"), (.dataMatrix, "LOT-204871/3", "LOT-204871/4"),
        (.aztec, "Seat 14A", "Seat 14B"), (.ean13, "4006381333931", "4006381333948"),
        (.code128, "AB-90210", "AB-90211"), (.itf, "30712345000010", "30712345000027"),
    ]

    /// Moved, turned and larger, it is where it is; lit otherwise, too.
    @Test(arguments: pairs)
    func itIsFoundWhereItIs(_ pair: (symbology: BarcodeSymbology, text: String, other: String)) throws {
        var card = Card(modules: try Self.modules(pair.symbology, pair.text))
        let look = try #require(BarcodeLook(of: Self.code(pair.symbology, pair.text, card), in: try card.frame()))
        let before = card.corners
        (card.left, card.top, card.side, card.slope) = (card.left + 1.3, card.top - 1.6, 3.015, 0.054)
        let place = try #require(look.place(from: before, in: try card.frame { x, _ in x / 40 - 20 }))
        // Bars tell of their own ends along them by few samples.
        let most = pair.symbology.correctsErrors ? 0.7 : 1.2
        for (found, corner) in zip(place, card.corners) {
            #expect(found.distance(to: corner) < most, "\(pair.symbology)")
        }
    }

    /// Another payload in its place isn't it, though it differs by a character.
    @Test(arguments: pairs)
    func anotherPayloadIsNotIt(_ pair: (symbology: BarcodeSymbology, text: String, other: String)) throws {
        let card = Card(modules: try Self.modules(pair.symbology, pair.text))
        let look = try #require(BarcodeLook(of: Self.code(pair.symbology, pair.text, card), in: try card.frame()))
        var other = card
        other.modules = try Self.modules(pair.symbology, pair.other)
        #expect(other.modules != card.modules && other.modules[0].count == card.modules[0].count)
        #expect(look.place(from: card.corners, in: try other.frame()) == nil, "\(pair.symbology)")
        // Nor is what something covers in part, or a picture without any.
        let (middle, side) = (card.corners[0] + (card.corners[2] - card.corners[0]) * 0.4, 4 * card.side)
        let covered = try card.frame { x, y in
            abs(x - middle.x) < side && abs(y - middle.y) < side ? 120 : 0
        }
        #expect(look.place(from: card.corners, in: covered) == nil, "\(pair.symbology)")
        let plain = try grayFrame(
            [UInt8](repeating: 200, count: Self.width * Self.height), width: Self.width, height: Self.height)
        #expect(look.place(from: card.corners, in: plain) == nil)
    }

    /// What the picture cuts, or hardly shows, has no look.
    @Test func thereMustBeSomethingToSee() throws {
        var card = Card(modules: try Self.modules(.qr, "https://example.org/7"))
        card.left = 1
        #expect(BarcodeLook(of: Self.code(.qr, "", card), in: try card.frame()) == nil)
        let plain = try grayFrame(
            [UInt8](repeating: 200, count: Self.width * Self.height), width: Self.width, height: Self.height)
        card.left = 100
        #expect(BarcodeLook(of: Self.code(.qr, "", card), in: plain) == nil)
        #expect(BarcodeLook(of: Self.code(.qr, "", card), in: try card.frame()) != nil)
    }

    /// A code that moves is read now and then, not in every frame, and keeps its track and payload; another one in its place is
    /// told in the frame that shows it.
    @Test func itIsReadNowAndThen() throws {
        var card = Card(modules: try Self.modules(.qr, "https://example.org/7"))
        let changed = try Self.modules(.qr, "https://example.org/8")
        var tracking = BarcodeTracking(), readings = 0
        for number in 0..<40 {
            card.left += 1.3
            if number == 30 { card.modules = changed }
            let text = number < 30 ? "https://example.org/7" : "https://example.org/8"
            let frame = try card.frame(), read = Self.code(.qr, text, card)
            let codes = tracking.update(number == 0 || number == 30 ? [read] : [], at: Double(number) / 25, in: frame) {
                _ in
                readings += 1
                return [read]
            }
            let told = codes.filter { $0.state == .tracked }
            #expect(told.map(\.code.payload) == [.text(text)], "\(number)")
            #expect(
                told.allSatisfy { $0.track == (number < 30 ? 1 : 2) && $0.code.center.distance(to: read.center) < 0.5 })
            if number == 29 { #expect((2...6).contains(readings), "\(readings)") }
        }
    }

    /// What a glance has gathered is proven later as it would be at once, also after it was stored: nothing that it takes is lost.
    @Test(arguments: pairs)
    func whatWasGatheredIsProven(_ pair: (symbology: BarcodeSymbology, text: String, other: String)) throws {
        let card = Card(modules: try Self.modules(pair.symbology, pair.text))
        let pixels = card.pixels()
        let reader = BarcodeReader(symbologies: BarcodeSymbology.allCases, effort: 2, isStill: false)
        var proven = 0
        for number in 0..<10 {
            let frame = try grayFrame(pixels, width: Self.width, height: Self.height, ordinal: number)
            let readings = reader.readings(in: frame)
            #expect(readings.allSatisfy { $0.support != nil })
            let believed = reader.believed(readings, in: frame)
            #expect(believed.allSatisfy { $0.support == nil })
            #expect(believed.map(\.payload) == reader.codes(in: frame).map(\.payload), "\(pair.symbology), \(number)")
            proven += believed.count
        }
        #expect(proven > 0)
        var rune = Self.code(.aztec, "7", card)
        (rune.isRune, rune.support) = (true, BarcodeSupport(lines: 3, stretched: card.corners))
        var json = JSONWriter()
        rune.store(into: &json)
        #expect(FoundBarcode(stored: try JSONParser.parse(json.bytes)) == rune)
    }

    /// What looks the same and can't be read any more isn't told for long.
    @Test func whatCannotBeReadEnds() throws {
        let card = Card(modules: try Self.modules(.qr, "https://example.org/7"))
        let frame = try card.frame()
        var tracking = BarcodeTracking(), told = 0
        for number in 0..<30 {
            let found = number == 0 ? [Self.code(.qr, "https://example.org/7", card)] : []
            told += tracking.update(found, at: Double(number) / 25, in: frame) { _ in [] }.count {
                $0.state == .tracked
            }
        }
        #expect((2...10).contains(told), "\(told)")
    }
}
