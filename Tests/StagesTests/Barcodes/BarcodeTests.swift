import Foundation
import Testing

@testable import Annotate
import CVision
@testable import CZXing
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
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
        // Bars have one height for all.
        let isLinear = !symbology.correctsErrors
        let rows = isLinear ? Double(w) / 3 : Double(h)
        let quiet = isLinear ? 9.0 : 4
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

    private func find(
        _ pixels: [UInt8], _ symbologies: [BarcodeSymbology] = BarcodeSymbology.allCases
    ) -> [FoundBarcode] {
        pixels.withUnsafeBufferPointer {
            let luma = ocv_plane(
                data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height), stride: Int64(Self.width))
            var search = BarcodeSearch(luma, symbologies: symbologies.reduce(0) { $0 | $1.bit })
            search.lookThoroughly(effort: 200)
            return search.found
        }
    }

    private func read(_ pixels: [UInt8], _ symbologies: [BarcodeSymbology] = BarcodeSymbology.allCases) -> [String] {
        find(pixels, symbologies).map { code in
            guard case .text(let text) = code.payload else { return "\(code.symbology.rawValue) bytes" }
            return "\(code.symbology.rawValue) \(text)"
        }
    }

    private static let cases: [(BarcodeSymbology, String)] = [
        (.qr, "https://example.com/desk"), (.dataMatrix, "LOT-204871/3"), (.aztec, "Seat 14A"),
        (.pdf417, "Boarding 412"), (.code128, "AB-90210"), (.code39, "PART-4711"), (.ean13, "4006381333931"),
        (.ean8, "96385074"), (.upca, "036000291452"), (.upce, "01234565"), (.itf, "30712345000010"),
        (.codabar, "A123456B"), (.code93, "TEST-93"), (.dataBar, "0100614141999996"),
        (.dataBarLimited, "0115012345678907"), (.dataBarExpanded, "01988987654321063103001234"), (.microQR, "M-12"),
        (.rmqr, "rMQR 12"), (.microPDF417, "Micro 12"),
    ]

    /// What is given to the writer: GS1's identifiers in brackets.
    private static func source(_ code: (BarcodeSymbology, String)) -> String {
        code.0 == .dataBarExpanded ? "[01]98898765432106[3103]001234" : code.1
    }

    @Test(arguments: cases, [0.0, 33, 250]) func everyKindAtAnyTurn(
        code: (BarcodeSymbology, String), turn: Double
    ) throws {
        let module: Double =
            switch code.0 {
            case .pdf417, .code39, .itf, .dataBarExpanded, .microPDF417: 2
            case .microQR, .rmqr: 4
            default: 3
            }
        let (pixels, _) = try picture(code.0, Self.source(code), module: module, turn: turn, tilt: 0.4)
        #expect(read(pixels) == ["\(code.0.rawValue) \(code.1)"])
    }

    /// Pixels in a quad, a dozen dozen places in each direction of the picture.
    private func places(in quad: [Point]) -> Set<Int> {
        Set(
            (0..<Self.width * Self.height / 4).filter { index in
                let point = Point(Double(index % (Self.width / 2) * 2), Double(index / (Self.width / 2) * 2))
                let sides = zip(quad, quad[1...] + quad[..<1]).map { a, b in
                    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
                }
                return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
            })
    }

    /// A row of bars is told from its upper end to its lower one, whatever lines of it were read, and no further: what hides it hides
    /// all of it.
    @Test(arguments: cases.filter { !$0.0.correctsErrors }, [0.0, 12, 33, 100, 205, 250])
    func outlinesOfRows(code: (BarcodeSymbology, String), turn: Double) throws {
        let module: Double = [.code39, .itf, .dataBarExpanded].contains(code.0) ? 2 : 3
        let (pixels, card) = try picture(code.0, Self.source(code), module: module, turn: turn, tilt: 0.4)
        let found = find(pixels)
        #expect(found.count == 1)
        guard let outline = found.first?.polygon else { return }
        // The bars lie within the card, a third as high as they are long, nine modules of white around them.
        let whole = try #require(Homography(unitSquareTo: card))
        let long = card[0].distance(to: card[1]) + card[3].distance(to: card[2])
        let w = long / (2 * module) - 18
        let (u, v) = (9 / (w + 18), 9 / (w / 3 + 18))
        let bars = [Point(u, v), Point(1 - u, v), Point(1 - u, 1 - v), Point(u, 1 - v)].map { whole($0) }
        let (truth, told) = (places(in: bars), places(in: outline))
        let share = Double(truth.intersection(told).count) / Double(truth.count)
        // Of the limited one the decoder tells where it is without its guards; small modules in perspective end a little early.
        let least =
            code.0 == .dataBarLimited ? 0.9 : code.0 == .dataBarExpanded ? 0.75 : code.0 == .dataBar ? 0.85 : 0.93
        #expect(share > least, "\(share)")
        #expect(Double(told.count) < 1.15 * Double(truth.count), "\(Double(told.count) / Double(truth.count))")
    }

    /// From a single line across a turned row of bars to its whole.
    @Test(arguments: [-15.0, -12, 0, 8, 12]) func fromALineToAll(turn: Double) throws {
        let (pixels, card) = try picture(.code128, "AB-90210", module: 3, turn: turn)
        let found = try #require(find(pixels).first?.polygon)
        let middle = (card[0] + card[1] + card[2] + card[3]) * 0.25
        // Level lines, as a decoder reads them, from the bars' left end to their right one.
        func cross(_ a: Point, _ b: Point) -> Double { a.x + (b.x - a.x) * (middle.y - a.y) / (b.y - a.y) }
        let (left, right) = (cross(found[0], found[3]), cross(found[1], found[2]))
        let line = [
            Point(left, middle.y), Point(right, middle.y), Point(right, middle.y + 1), Point(left, middle.y + 1),
        ]
        let whole = pixels.withUnsafeBufferPointer {
            BarcodeExtent.outline(
                of: line, .none,
                ocv_plane(
                    data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                    stride: Int64(Self.width)))
        }
        let told = places(in: try #require(whole))
        let truth = places(in: found)
        #expect(Double(told.intersection(truth).count) > 0.95 * Double(told.union(truth).count))
    }

    @Test func symbologiesAreLimited() throws {
        let (pixels, _) = try picture(.qr, "only", module: 4, turn: 10)
        #expect(read(pixels, [.dataMatrix, .code128]).isEmpty)
        #expect(read(pixels, [.qr]) == ["qr only"])
    }

    @Test func aPlainPictureHasNone() {
        #expect(read([UInt8](repeating: 128, count: Self.width * Self.height)).isEmpty)
    }

    private static func everything(
        globalThreshold: Bool = false, supplements: Bool = false, reduction: Int32 = 1
    ) -> zx_options {
        zx_options(
            symbologies: BarcodeSymbology.allCases.reduce(0) { $0 | $1.bit }, tryRotate: true, tryInvert: true,
            tryDownscale: true, tryDenoise: true, globalThreshold: globalThreshold, supplements: supplements,
            reduction: reduction)
    }

    /// A symbol as it is written, on white, some pixels a module; and what is read of it.
    private func readBack(_ symbology: BarcodeSymbology, _ text: String, pixels side: Int, options: zx_options)
        -> [FoundBarcode]
    {
        var (w, h): (Int32, Int32) = (0, 0)
        guard let modules = zx_write(zx_symbology(symbology.bit), text, &w, &h) else { return [] }
        defer { zx_free_modules(modules) }
        let quiet = 10
        let (width, height) = ((Int(w) + 2 * quiet) * side, (Int(h) + 2 * quiet) * side)
        let pixels = (0..<width * height).map { index -> UInt8 in
            let (x, y) = (index % width / side - quiet, index / width / side - quiet)
            return x >= 0 && y >= 0 && x < Int(w) && y < Int(h) ? modules[y * Int(w) + x] : 255
        }
        return pixels.withUnsafeBufferPointer {
            let picture = zx_picture(
                data: $0.baseAddress, width: Int32(width), height: Int32(height), stride: Int32(width))
            let symbols = zx_read(picture, options)
            defer { zx_free(symbols) }
            return (0..<zx_count(symbols)).compactMap { FoundBarcode(zx_get(symbols, $0), among: options.symbologies) }
        }
    }

    /// MaxiCode is read upright only.
    @Test func maxiCode() {
        let codes = readBack(.maxiCode, "Parcel 7", pixels: 3, options: Self.everything())
        #expect(codes.map(\.payload) == [.text("Parcel 7")] && codes.map(\.symbology) == [.maxiCode])
    }

    /// ZXing tells some codes under other names than they are asked for by: full ASCII, Italy's and Germany's pharmacies.
    @Test(arguments: [("A+B", "Ab"), ("0CSSBD", "A012345676"), ("-12345626", "-12345626"), ("PART-47", "PART-47")])
    func everyNameOfCode39(written: String, said: String) {
        let codes = readBack(.code39, written, pixels: 3, options: Self.everything())
        #expect(codes.map(\.payload) == [.text(said)] && codes.map(\.symbology) == [.code39])
    }

    @Test(arguments: ["12", "52495"]) func supplementsOnRequest(digits: String) {
        let text = "4006381333931+" + digits
        let plain = readBack(.ean13, text, pixels: 3, options: Self.everything())
        #expect(plain.map(\.payload) == [.text("4006381333931")] && plain.map(\.supplement) == [nil])
        let asked = readBack(.ean13, text, pixels: 3, options: Self.everything(supplements: true))
        // Lines above the supplement read the code without it.
        #expect(Set(asked.map(\.payload)) == [.text("4006381333931")], "\(asked)")
        #expect(asked.compactMap(\.supplement) == [digits], "\(asked)")
    }

    /// What is made smaller is found where it is in the picture itself.
    @Test func placesOfAReducedPicture() throws {
        let whole = readBack(.qr, "here", pixels: 8, options: Self.everything())
        let small = readBack(.qr, "here", pixels: 8, options: Self.everything(reduction: 2))
        let (a, b) = (try #require(whole.first), try #require(small.first))
        #expect(zip(a.polygon, b.polygon).allSatisfy { $0.distance(to: $1) < 4 })
    }

    /// Separators of fields and zeros are text; bytes that no character set fits aren't.
    @Test func payloads() {
        let separated = "[)>\u{1e}06\u{1d}S1\u{1d}V2\u{1c}\u{1e}\u{4}"
        #expect(
            readBack(.dataMatrix, separated, pixels: 4, options: Self.everything()).map(\.payload) == [.text(separated)]
        )
        let greek = "Ωμέγα, 測試"
        #expect(readBack(.qr, greek, pixels: 4, options: Self.everything()).map(\.payload) == [.text(greek)])
    }

    /// A frame of a video is looked at in part: within some frames each code has had its turn.
    @Test(arguments: [1, 2, 3, 5, 6]) func glancesReachEveryCode(step: Int) throws {
        let (pixels, _) = try picture(.dataMatrix, "LOT-204871/3", module: 3, turn: 33)
        let read = (0..<12).contains { frame in
            pixels.withUnsafeBufferPointer {
                let luma = ocv_plane(
                    data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                    stride: Int64(Self.width))
                var search = BarcodeSearch(luma, symbologies: BarcodeSymbology.dataMatrix.bit)
                search.glance(effort: 2, turn: frame * step)
                return search.found.map(\.payload) == [.text("LOT-204871/3")]
            }
        }
        #expect(read)
    }

    // MARK: Evidence

    private func reading(_ text: String, _ symbology: BarcodeSymbology, lines: Int, y: Double = 0)
        -> BarcodeEvidence.Reading
    {
        let code = FoundBarcode(
            symbology: symbology, payload: .text(text), polygon: Box(x: 0, y: y, width: 100, height: 40).corners)
        return BarcodeEvidence.Reading(code: code, lines: lines, height: Double(lines) / 100)
    }

    @Test func weakReadingsTakeTwoThatAgree() {
        var evidence = BarcodeEvidence()
        evidence.add([reading("4006381333931", .ean13, lines: 30)], isPlain: true)
        #expect(evidence.found.isEmpty && evidence.doubtful.count == 1)
        // Another reading of the place is no second voice, and nor is one of another place.
        evidence.add([reading("4006381333979", .ean13, lines: 4)], isPlain: true)
        evidence.add([reading("4006381333931", .ean13, lines: 9, y: 300)], isPlain: true)
        #expect(evidence.found.isEmpty)
        evidence.add([reading("4006381333931", .ean13, lines: 5)], isPlain: false)
        #expect(evidence.found.map(\.payload) == [.text("4006381333931")])
        // What was read there besides is forgotten.
        evidence.add([reading("4006381333979", .ean13, lines: 90)], isPlain: true)
        evidence.add([reading("4006381333979", .ean13, lines: 90)], isPlain: true)
        #expect(evidence.found.count == 1)
    }

    @Test func strongRivalsKeepEachOtherOut() {
        var evidence = BarcodeEvidence()
        for _ in 0..<3 {
            evidence.add(
                [reading("123456", .itf, lines: 6), reading("12345678", .itf, lines: 5)], isPlain: true
            )
        }
        #expect(evidence.found.isEmpty)
        evidence.add([reading("12345678", .itf, lines: 40)], isPlain: true)
        #expect(evidence.found.map(\.payload) == [.text("12345678")])
    }

    @Test func sharpenedReadingsAloneAreNoShortUPC() {
        var evidence = BarcodeEvidence()
        for _ in 0..<4 { evidence.add([reading("17804419", .upce, lines: 20)], isPlain: false) }
        #expect(evidence.found.isEmpty)
        evidence.add([reading("17804419", .upce, lines: 2)], isPlain: true)
        #expect(evidence.found.count == 1)
    }

    /// A part of an ITF is read by the few lines that leave it between the same bars.
    @Test func partsOfAnITFAreNoSymbol() {
        var evidence = BarcodeEvidence()
        for _ in 0..<5 { evidence.add([reading("459765", .itf, lines: 7)], isPlain: true) }
        #expect(evidence.found.isEmpty)
        evidence.add([reading("45976532083583", .itf, lines: 60)], isPlain: true)
        evidence.add([reading("45976532083583", .itf, lines: 20)], isPlain: false)
        #expect(evidence.found.map(\.payload) == [.text("45976532083583")])
    }

    @Test func errorCorrectionIsBelievedAtOnce() {
        var evidence = BarcodeEvidence()
        evidence.add([reading("a", .qr, lines: 0)], isPlain: false)
        #expect(evidence.found.count == 1)
    }

    /// ZXing checks itself by assertions, which must not end the process: noise of every grain.
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
                let options = Self.everything(globalThreshold: global)
                pixels.withUnsafeBufferPointer {
                    zx_free(
                        zx_read(
                            zx_picture(
                                data: $0.baseAddress, width: Int32(w), height: Int32(h), stride: Int32(w)), options))
                }
            }
        }
    }

    // MARK: The picture itself

    /// A code on white as grey values of 480 lines, its bars' outline, and the picture blurred along them.
    private func row(
        _ symbology: BarcodeSymbology, _ text: String, module: Double, height: Double, blur: Double
    ) throws -> (pixels: [UInt8], outline: [Point]) {
        var (w, h): (Int32, Int32) = (0, 0)
        let modules = try #require(zx_write(zx_symbology(symbology.bit), text, &w, &h))
        defer { zx_free_modules(modules) }
        let (left, top) = ((Double(Self.width) - Double(w) * module) / 2, (Double(Self.height) - height) / 2)
        let reach = Int((3 * blur).rounded(.up))
        let weights = (-4 * reach...4 * reach).map { exp(-pow(Double($0) / 4 / max(blur, 0.01), 2) / 2) }
        let line = (0..<Self.width).map { x in
            let sum = zip(-4 * reach...4 * reach, weights).reduce(0.0) { sum, item in
                let place = Int(((Double(x) + Double(item.0) / 4 - left) / module).rounded(.down))
                let isDark = place >= 0 && place < Int(w) && modules[place] == 0
                return sum + item.1 * (isDark ? 40 : 210)
            }
            return UInt8(sum / weights.reduce(0, +))
        }
        let blank = [UInt8](repeating: 210, count: Self.width)
        let pixels = (0..<Self.height).flatMap { y -> [UInt8] in
            let place = Double(y)
            return place >= top && place < top + height ? line : blank
        }
        let box = Box(x: left - 0.5, y: top - 0.5, width: Double(w) * module, height: height)
        return (pixels, box.corners)
    }

    private func contradicts(_ pixels: [UInt8], _ symbology: BarcodeSymbology, _ text: String, _ outline: [Point])
        -> Bool
    {
        pixels.withUnsafeBufferPointer {
            let luma = ocv_plane(
                data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height), stride: Int64(Self.width))
            return BarcodeProfile.contradicts(
                FoundBarcode(symbology: symbology, payload: .text(text), polygon: outline), luma)
        }
    }

    /// A payload of which two digits are others is contradicted by the picture, and what it says isn't, however blurred; but
    /// for UPC-E, whose digits are held against each other by the pattern of their parities, under blur as wide as a module.
    @Test(
        arguments: [
            (.upca, "036000291452", "036000297454"), (.ean13, "4006381333931", "4006381383929"),
            (.ean8, "96385074", "96365076"), (.upce, "01234565", "01234367"),
        ] as [(BarcodeSymbology, String, String)], [0.3, 1.2, 2.4])
    func wrongDigitsAreContradicted(code: (BarcodeSymbology, String, String), blur: Double) throws {
        let (pixels, outline) = try row(code.0, code.1, module: 3, height: 90, blur: blur)
        #expect(!contradicts(pixels, code.0, code.1, outline))
        // What ends half a module beside is the same code.
        #expect(!contradicts(pixels, code.0, code.1, outline.map { Point($0.x + 1.5, $0.y) }))
        let other = FoundBarcode(symbology: code.0, payload: .text(code.2), polygon: outline)
        if BarcodeBars(code.0, digits: code.2) != nil {
            let isContradicted = contradicts(pixels, code.0, code.2, outline)
            #expect(isContradicted || code.0 == .upce && blur > 2, "\(other)")
        } else {
            Issue.record("\(code.2) has no right check digit")
        }
    }

    /// A high and narrow code that is read at its top and at its foot is one; two with white between them are two.
    @Test func aHighCodeIsOne() throws {
        let (pixels, outline) = try row(.upce, "01234565", module: 2, height: 300, blur: 0.5)
        let top = [outline[0], outline[1], outline[1] + Point(0, 30), outline[0] + Point(0, 30)]
        let foot = [outline[3] - Point(0, 30), outline[2] - Point(0, 30), outline[2], outline[3]]
        func goesOn(_ pixels: [UInt8]) -> Bool {
            pixels.withUnsafeBufferPointer {
                let luma = ocv_plane(
                    data: $0.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                    stride: Int64(Self.width))
                return BarcodeProfile.goesOn(from: top, to: foot, luma)
                    && BarcodeProfile.goesOn(from: foot, to: top, luma)
            }
        }
        #expect(goesOn(pixels))
        #expect(BarcodeProfile.joined(top, foot) == outline && BarcodeProfile.joined(foot, top) == outline)
        var parted = pixels
        for index in Self.width * 215..<Self.width * 265 { parted[index] = 210 }
        #expect(!goesOn(parted))
    }

    /// The quiet zone of a low and long code is more than a part of its height.
    @Test func aLowAndLongITF() throws {
        let (pixels, _) = try row(.itf, "30712345000010", module: 3, height: 40, blur: 0.6)
        var busy = pixels
        // Something else in its line, just beyond the quiet zone, and stripes above.
        for y in 100..<380 where y < 190 || y > 290 {
            for x in 0..<Self.width where (x / 7 + y / 9) % 2 == 0 { busy[y * Self.width + x] = 60 }
        }
        #expect(read(busy) == ["itf 30712345000010"])
    }

    // MARK: Tracks

    /// Bars of which many lines of a picture say the same are told at once, unless more looks are asked for.
    @Test func sureBarsAreToldAtOnce() {
        var sure = code("1", x: 0, .code128)
        sure.isSure = true
        var tracking = BarcodeTracking()
        #expect(tracking.update([sure], at: 0) { _ in [] }.map(\.state) == [.tracked])
        var options = BarcodesBlueprint.Options()
        options.confirmation = 3
        tracking = BarcodeTracking(options)
        #expect(tracking.update([sure], at: 0) { _ in [] }.isEmpty)
        var evidence = BarcodeEvidence()
        evidence.add([reading("a", .code128, lines: 30)], isPlain: true)
        #expect(evidence.found.map(\.isSure) == [true])
        evidence = BarcodeEvidence()
        evidence.add([reading("a", .code128, lines: 5)], isPlain: true)
        #expect(evidence.found.map(\.isSure) == [false])
    }

    /// What is to be hidden may be seen once alone.
    @Test func whatIsHiddenCountsAtOnce() {
        let once = code("1", x: 0, .code128)
        var tracking = BarcodeTracking()
        #expect(tracking.update([once], at: 0) { _ in [] }.isEmpty)
        tracking = BarcodeTracking(countsAtOnce: true)
        #expect(tracking.update([once], at: 0) { _ in [] }.map(\.state) == [.tracked])
    }

    @Test func aSupplementIsKept() {
        var tracking = BarcodeTracking()
        var book = code("4006381333931", x: 0, .ean13)
        book.supplement = "52495"
        _ = tracking.update([book], at: 0) { _ in [] }
        let seen = tracking.update([code("4006381333931", x: 1, .ean13)], at: 0.04) { _ in [] }
        #expect(seen.map(\.code.supplement) == ["52495"])
    }

    private func code(_ text: String, x: Double, _ symbology: BarcodeSymbology = .qr) -> FoundBarcode {
        FoundBarcode(
            symbology: symbology, payload: .text(text),
            polygon: Box(x: x, y: 0, width: 10, height: 10).corners)
    }

    @Test func oneTrackEach() {
        var tracking = BarcodeTracking()
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

    @Test(arguments: [true, false]) func equalCodesKeepTheirPlaces(isSeenClosely: Bool) {
        var tracking = BarcodeTracking()
        for frame in 0..<6 {
            // The search finds one of the two in every other frame.
            let left = code("a", x: 0), right = code("a", x: 200)
            let found = frame == 0 ? [left, right] : [frame % 2 == 1 ? right : left]
            let codes = tracking.update(found, at: Double(frame) / 25) { expected in
                isSeenClosely ? [left, right].filter { $0.center.distance(to: expected.polygon[0]) < 20 } : []
            }
            #expect(codes.map(\.track) == [1, 2] && codes.map(\.code.polygon[0].x) == [0, 200])
            if isSeenClosely { #expect(codes.allSatisfy { $0.state == .tracked }) }
        }
    }

    @Test func barsAreReadTwiceAndEndOnce() {
        var options = BarcodesBlueprint.Options()
        (options.timeout, options.confirmation) = (1, 2)
        var tracking = BarcodeTracking(options)
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
