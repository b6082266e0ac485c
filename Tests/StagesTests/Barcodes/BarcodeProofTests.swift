import CVision
import CZXing
import Foundation
import Testing

@testable import StageParts
@testable import Recognition
@testable import Stages

/// What one picture proves of a code, and what it contradicts.
@Suite struct BarcodeProofTests {
    private static let width = 640, height = 360

    /// Modules on white, some pixels each, in the middle of a picture.
    /// - Parameter high: how many pixels a row of modules is.
    private func picture(_ rows: [[Bool]], module: Int, high: Int) -> [UInt8] {
        var pixels = [UInt8](repeating: 225, count: Self.width * Self.height)
        let left = (Self.width - rows[0].count * module) / 2, top = (Self.height - rows.count * high) / 2
        for y in 0..<rows.count * high {
            for x in 0..<rows[0].count * module where rows[y / high][x / module] {
                pixels[(top + y) * Self.width + left + x] = 30
            }
        }
        return pixels
    }

    private func modules(_ symbology: BarcodeSymbology, _ text: String) throws -> [[Bool]] {
        var (w, h): (Int32, Int32) = (0, 0)
        let modules = try #require(zx_write(zx_symbology(symbology.bit), text, &w, &h))
        defer { zx_free_modules(modules) }
        let rows = symbology.correctsErrors ? Int(h) : 1
        return (0..<rows).map { row in (0..<Int(w)).map { modules[row * Int(w) + $0] == 0 } }
    }

    /// Short codes, and those of stacked rows, that are plain to see are told in a video's first frame.
    @Test(
        arguments: [
            (.upce, "01234565"), (.upce, "04252614"), (.pdf417, "Boarding 412"), (.microPDF417, "Micro 12"),
            (.ean13, "4006381333931"),
        ] as [(BarcodeSymbology, String)])
    func oneFrameIsEnough(code: (BarcodeSymbology, String)) throws {
        let rows = try modules(code.0, code.1)
        let pixels = picture(rows, module: 3, high: rows.count == 1 ? 90 : 3)
        let frame = try grayFrame(pixels, width: Self.width, height: Self.height)
        let reader = BarcodeReader(symbologies: BarcodeSymbology.allCases, effort: 2, isStill: false)
        let found = reader.codesOfNewScene(in: frame)
        #expect(found.map(\.payload) == [.text(code.1)])
        var tracking = BarcodeTracking()
        let told = tracking.update(found, at: 0) { _ in [] }
        #expect(told.map(\.code.symbology) == [code.0] && told.map(\.state) == [.tracked])
    }

    private func reading(_ text: String, _ symbology: BarcodeSymbology, lines: Int) -> BarcodeEvidence.Reading {
        let code = FoundBarcode(
            symbology: symbology, payload: .text(text), polygon: Box(x: 0, y: 0, width: 100, height: 40).corners)
        return BarcodeEvidence.Reading(code: code, lines: lines, height: Double(lines) / 100)
    }

    /// A short UPC takes two looks at the grey values as they are, stacked rows any two that agree.
    @Test func proofTakesTwoLooks() {
        var evidence = BarcodeEvidence()
        evidence.add([reading("01234565", .upce, lines: 60)], isPlain: true)
        evidence.add([reading("01234565", .upce, lines: 60)], isPlain: false)
        evidence.add([reading("01234565", .upce, lines: 60)], isPlain: false)
        #expect(evidence.found.map(\.isSure) == [false] && evidence.unsure.count == 1)
        evidence.add([reading("01234565", .upce, lines: 2)], isPlain: true)
        #expect(evidence.found.map(\.isSure) == [true] && evidence.unsure.isEmpty)
        evidence = BarcodeEvidence()
        evidence.add([reading("a", .pdf417, lines: 0)], isPlain: true)
        evidence.add([reading("b", .pdf417, lines: 0)], isPlain: false)
        #expect(evidence.found.map(\.isSure) == [false])
        evidence.add([reading("a", .pdf417, lines: 0)], isPlain: false)
        #expect(evidence.found.map(\.isSure) == [true])
        // What its lines say doesn't grow surer by looks that sharpen it.
        evidence = BarcodeEvidence()
        evidence.add([reading("a", .code128, lines: 5)], isPlain: true)
        evidence.add([reading("a", .code128, lines: 50)], isPlain: false)
        #expect(evidence.found.map(\.isSure) == [false] && evidence.unsure.isEmpty)
    }

    // MARK: What the picture contradicts

    /// The rune that says 25.
    private static let rune = [
        "###.##..#.#", "###########", ".#.......##", ".#.#####.##", ".#.#...#.#.", "##.#.#.#.##", "##.#...#.##",
        "##.#####.#.", "##.......##", ".##########", "..#..#.....",
    ].map { $0.map { $0 == "#" } }

    private func showsRings(_ pixels: [UInt8], _ outline: [Point]) -> Bool {
        pixels.withUnsafeBufferPointer {
            AztecRings.areSeen(
                in: outline,
                ocv_plane(
                    data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                    stride: Int64(Self.width)))
        }
    }

    @Test(arguments: [3, 6]) func aRuneIsRead(module: Int) throws {
        let pixels = picture(Self.rune, module: module, high: module)
        let side = Double(11 * module)
        let box = Box(
            x: Double((Self.width - 11 * module) / 2) - 0.5, y: Double((Self.height - 11 * module) / 2) - 0.5,
            width: side, height: side)
        #expect(showsRings(pixels, box.corners) && showsRings(pixels.map { 255 - $0 }, box.corners))
        let reader = BarcodeReader(symbologies: [.aztec, .maxiCode], effort: 400, isStill: true)
        let frame = try grayFrame(pixels, width: Self.width, height: Self.height)
        #expect(reader.codes(in: frame).map(\.payload) == [.text("025")])
    }

    /// Rings that are round are no Aztec's, as those of a MaxiCode, light on dark or dark on light.
    @Test func roundRingsAreNone() {
        let module = 6.0
        let pixels = (0..<Self.width * Self.height).map { place -> UInt8 in
            let (x, y) = (Double(place % Self.width) - 319.5, Double(place / Self.width) - 179.5)
            let ring = Int((x * x + y * y).squareRoot() / module + 0.5)
            return ring < 6 && ring % 2 == 0 ? 30 : 225
        }
        let box = Box(x: 320 - 5.5 * module - 0.5, y: 180 - 5.5 * module - 0.5, width: 66, height: 66)
        #expect(!showsRings(pixels, box.corners) && !showsRings(pixels.map { 255 - $0 }, box.corners))
    }

    /// Every character of a Code 93 has to look like what it is said to be: its two checks pass one wrong reading in some 2000.
    @Test(arguments: [("MIX 93", "MXX 93"), ("TEST-93", "TEST-98"), ("low$9a", "lov$9a")], [0, 1])
    func otherCharactersOfCode93(texts: (String, String), blur: Int) throws {
        let rows = try modules(.code93, texts.0)
        var pixels = picture(rows, module: 3, high: 90)
        for _ in 0..<2 * blur {
            let old = pixels
            for at in 1..<pixels.count - 1 {
                pixels[at] = UInt8((Int(old[at - 1]) + Int(old[at]) + Int(old[at + 1])) / 3)
            }
        }
        let wide = Double(rows[0].count * 3)
        let box = Box(x: Double((Self.width - rows[0].count * 3) / 2) - 0.5, y: 134.5, width: wide, height: 90)
        func contradicts(_ text: String) -> Bool {
            pixels.withUnsafeBufferPointer {
                BarcodeProfile.contradicts(
                    FoundBarcode(symbology: .code93, payload: .text(text), polygon: box.corners),
                    ocv_plane(
                        data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                        stride: Int64(Self.width)))
            }
        }
        #expect(!contradicts(texts.0) && contradicts(texts.1))
    }
}
