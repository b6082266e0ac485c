import Foundation
import Testing

@testable import Annotate
import CVision
@testable import CZXing
@testable import Stages

/// Codes drawn into a grey picture, and found again.
@Suite struct BarcodeTests {
    private static let width = 640, height = 480

    /// A textured ground with a code on a light card.
    /// - Parameters:
    ///   - module: its side, pixels.
    ///   - turn: degrees, clockwise.
    ///   - tilt: how much shorter the code's far side is, 0…1.
    private func picture(
        _ symbology: BarcodeSymbology, _ text: String, module: Double, turn: Double, tilt: Double = 0, noise: Double = 4
    ) throws -> (pixels: [UInt8], corners: [Point]) {
        var (w, h): (Int32, Int32) = (0, 0)
        let modules = try #require(zx_write(zx_symbology(symbology.bit), text, &w, &h))
        defer { zx_free_modules(modules) }
        // Bars are written a line high.
        let isLinear = !symbology.correctsErrors
        let rows = isLinear ? Double(w) / 3 : Double(h)
        let quiet = 4.0
        let (halfWidth, halfHeight) = ((Double(w) + 2 * quiet) / 2 * module, (rows + 2 * quiet) / 2 * module)
        let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
            let depth = 1 + tilt * y * 0.3
            let (u, v) = (x * halfWidth * depth, y * halfHeight * depth)
            return Point(319.5 + u * cosine - v * sine, 239.5 + u * sine + v * cosine)
        }
        let inverse = try #require(Homography(unitSquareTo: corners)?.inverse)
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31) - 0.5
        }
        let card = try #require(Box(around: corners))
        let (columns, rowsOfCard) = (card.x - 1...card.right + 1, card.y - 1...card.bottom + 1)
        let samples = [Point(-0.25, -0.25), Point(0.25, -0.25), Point(-0.25, 0.25), Point(0.25, 0.25)]
        var pixels = [UInt8](repeating: 0, count: Self.width * Self.height)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let pixel = Point(Double(x), Double(y))
                let ground = 120 + 30 * sin(pixel.x * 0.21 + pixel.y * 0.13)
                guard columns.contains(pixel.x), rowsOfCard.contains(pixel.y) else {
                    pixels[y * Self.width + x] = UInt8(min(max(ground + noise * 2 * random(), 0), 255))
                    continue
                }
                var sum = 0.0
                for sample in samples {
                    let place = inverse(pixel + sample)
                    if place.x < 0 || place.y < 0 || place.x >= 1 || place.y >= 1 {
                        sum += ground
                        continue
                    }
                    let column = place.x * (Double(w) + 2 * quiet) - quiet
                    let row = place.y * (rows + 2 * quiet) - quiet
                    let isInside = column >= 0 && row >= 0 && column < Double(w) && row < rows
                    let line = isLinear ? 0 : Int(row)
                    sum += isInside ? Double(modules[line * Int(w) + Int(column)]) * 0.75 + 25 : 216
                }
                pixels[y * Self.width + x] = UInt8(min(max(sum / 4 + noise * 2 * random(), 0), 255))
            }
        }
        return (pixels, corners)
    }

    private func read(_ pixels: [UInt8], _ symbologies: [BarcodeSymbology] = BarcodeSymbology.allCases) -> [String] {
        pixels.withUnsafeBufferPointer {
            let luma = ocv_plane(
                data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height), stride: Int64(Self.width))
            var search = BarcodeSearch(luma, symbologies: symbologies.reduce(0) { $0 | $1.bit })
            search.lookThoroughly(effort: 200)
            return search.found.map { code in
                guard case .text(let text) = code.payload else { return "\(code.symbology.rawValue) bytes" }
                return "\(code.symbology.rawValue) \(text)"
            }
        }
    }

    private static let cases: [(BarcodeSymbology, String)] = [
        (.qr, "https://example.com/desk"), (.dataMatrix, "LOT-204871/3"), (.aztec, "Seat 14A"),
        (.pdf417, "Boarding 412"), (.code128, "AB-90210"), (.code39, "PART-4711"), (.ean13, "4006381333931"),
        (.ean8, "96385074"), (.upca, "036000291452"), (.upce, "01234565"),
    ]

    @Test(arguments: cases, [0.0, 33, 118, 250]) func everyKindAtAnyTurn(
        code: (BarcodeSymbology, String), turn: Double
    ) throws {
        let module = code.0 == .pdf417 || code.0 == .code39 ? 2.0 : 3
        let (pixels, _) = try picture(code.0, code.1, module: module, turn: turn, tilt: 0.4)
        #expect(read(pixels) == ["\(code.0.rawValue) \(code.1)"])
    }

    @Test func symbologiesAreLimited() throws {
        let (pixels, _) = try picture(.qr, "only", module: 4, turn: 10)
        #expect(read(pixels, [.dataMatrix, .code128]).isEmpty)
        #expect(read(pixels, [.qr]) == ["qr only"])
    }

    @Test func aPlainPictureHasNone() {
        #expect(read([UInt8](repeating: 128, count: Self.width * Self.height)).isEmpty)
    }

    /// ZXing's assertions end the process: noise of every grain must not reach one.
    @Test func noiseDoesNotCrashTheReader() {
        var state: UInt64 = 99
        func random() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        for round in 0..<60 {
            let (w, h) = (8 + Int(random()) % 120, 8 + Int(random()) % 120)
            let (cw, ch) = (1 + Int(random()) % 9, round % 3 == 0 ? h : 1 + Int(random()) % 9)
            let cells = (0..<(w / cw + 1) * (h / ch + 1)).map { _ in round % 2 == 0 ? random() : random() & 1 * 255 }
            let pixels = (0..<w * h).map { cells[($0 / w / ch) * (w / cw + 1) + $0 % w / cw] }
            for global in [false, true] {
                let options = zx_options(
                    symbologies: 0x3fff, tryHarder: true, tryRotate: true, globalThreshold: global)
                pixels.withUnsafeBufferPointer {
                    zx_free(
                        zx_read(
                            zx_picture(
                                data: $0.baseAddress, width: Int32(w), height: Int32(h), stride: Int32(w)), options))
                }
            }
        }
    }

    // MARK: Tracks

    private func code(_ text: String, x: Double, _ symbology: BarcodeSymbology = .qr) -> FoundBarcode {
        FoundBarcode(
            symbology: symbology, payload: .text(text),
            polygon: Box(x: x, y: 0, width: 10, height: 10).corners)
    }

    @Test func oneTrackEach() {
        var tracking = BarcodeTracking(settings: .init())
        var states: [[TrackState]] = []
        for frame in 0..<6 {
            let found = frame == 3 ? [] : [code("a", x: Double(frame) * 5), code("a", x: 200), code("b", x: 300)]
            let codes = tracking.update(found, at: Double(frame) / 25) { _ in [] }
            #expect(codes.map(\.track) == [1, 2, 3])
            states.append(codes.map(\.state))
            if frame == 3 { #expect(abs(codes[0].code.polygon[0].x - 15) < 1e-6) }
        }
        #expect(states[2] == [.tracked, .tracked, .tracked] && states[3] == [.predicted, .predicted, .predicted])
    }

    @Test func barsAreReadTwiceAndEndOnce() {
        var tracking = BarcodeTracking(settings: .init(timeout: 1, confirmation: 2))
        #expect(tracking.update([code("1", x: 0, .itf)], at: 0) { _ in [] }.isEmpty)
        #expect(tracking.update([code("1", x: 0, .itf)], at: 0.04) { _ in [] }.map(\.state) == [.tracked])
        #expect(tracking.update([], at: 0.5) { _ in [] }.map(\.state) == [.lost])
        #expect(tracking.update([code("1", x: 9, .itf)], at: 0.9) { _ in [] }.map(\.state) == [.recovered])
        #expect(tracking.update([], at: 2) { _ in [] }.map(\.state) == [.ended])
        #expect(tracking.update([], at: 2.04) { _ in [] }.isEmpty)
    }

    @Test(
        arguments: [([], ""), ([0], "AA=="), ([0xff, 0xfe], "//4="), ([1, 2, 3, 250], "AQID+g==")]
            as [([UInt8], String)])
    func base64(bytes: [UInt8], text: String) { #expect(Base64.text(bytes) == text) }
}
