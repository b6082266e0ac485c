import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What PP-OCR's networks read of a sign, drawn into grey pictures.
@Suite struct NetworkTextTests {
    private static let networks = Result { try TextNetworks() }
    private static let sign = Result {
        try photo(RealData.repository + "/manifests/scenes/images/sign-library.png")
    }
    private static let size = (width: 480, height: 360)

    /// The sign, 300 pixels wide, around a place and turned clockwise, on grey.
    private static func picture(at center: Point, degrees: Double) throws -> VideoFrame {
        let sign = try sign.get()
        let zoom = Double(sign.width) / 300
        let (c, s) = (cos(degrees * .pi / 180) * zoom, sin(degrees * .pi / 180) * zoom)
        let (halfWidth, halfHeight) = (Double(sign.width) / 2, Double(sign.height) / 2)
        var pixels = [UInt8](repeating: 120, count: size.width * size.height)
        sign.withLuma { luma in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (dx, dy) = (Double(x) - center.x, Double(y) - center.y)
                    let (u, v) = (c * dx + s * dy + halfWidth, c * dy - s * dx + halfHeight)
                    guard u >= 1, v >= 1, u < Double(luma.width - 2), v < Double(luma.height - 2) else { continue }
                    // The mean of four, for smooth edges.
                    let place = luma.base + Int(v) * luma.stride + Int(u)
                    let sum = Int(place[0]) + Int(place[1]) + Int(place[luma.stride]) + Int(place[luma.stride + 1])
                    pixels[y * size.width + x] = UInt8(sum / 4)
                }
            }
        }
        return try grayFrame(pixels, width: size.width, height: size.height)
    }

    private func texts(in frame: VideoFrame) throws -> [NetworkTextTracking.Text] {
        var options = TextBlueprint.Options()
        options.minimumConfidence = 0.5
        var tracking = NetworkTextTracking(options, networks: try Self.networks.get(), shorterSide: 480)
        return try tracking.update(frame)
    }

    @Test(arguments: [0.0, 37, 90, 180, 215, 300])
    func anyAngle(_ degrees: Double) throws {
        let texts = try texts(in: try Self.picture(at: Point(240, 180), degrees: degrees))
        #expect(texts.map(\.reading.text) == ["Library, floor 3"])
        let text = try #require(texts.first)
        #expect(text.reading.confidence > 0.9)
        // The polygon begins at the line's own top left, wherever that is.
        let along = text.polygon[1] - text.polygon[0]
        let angle = (atan2(along.y, along.x) * 180 / .pi - degrees + 540).truncatingRemainder(dividingBy: 360) - 180
        #expect(abs(angle) < 3, "\(angle)° off")
        #expect(text.reading.words.map(\.text) == ["Library,", "floor", "3"])
    }

    /// A line that the picture's edge cuts is never told as if it were whole, one that only lies near it is.
    @Test(arguments: [false, true])
    func besideTheEdge(_ isRight: Bool) throws {
        let line = try #require(try texts(in: try Self.picture(at: Point(240, 180), degrees: 0)).first)
        let height = line.polygon[0].distance(to: line.polygon[3])
        let (left, right) = (line.polygon[0].x, Double(Self.size.width) - line.polygon[1].x)
        // With so much between the line's outline and the edge, in its heights.
        func moved(_ room: Double) throws -> [NetworkTextTracking.Text] {
            let way: Double = isRight ? right - room * height : room * height - left
            return try texts(in: try Self.picture(at: Point(240 + way, 180), degrees: 0))
        }
        for room in [0.3, 0.4, 0.6, 1.1] {
            let whole = try moved(room)
            #expect(whole.map(\.reading.text) == ["Library, floor 3"], "\(room)")
            #expect((whole.first?.reading.confidence ?? 0) > 0.9, "\(room)")
        }
        for room in stride(from: -0.4, to: -6, by: -0.7) {
            for text in try moved(room) {
                #expect(text.reading.confidence < 0.8, "\(room): \(text.reading.text)")
            }
        }
    }

    /// Where lines are hidden, one that the edge cuts is told as it comes in, by the options that are there by default.
    @Test func whatIsHiddenAtTheEdge() throws {
        let line = try #require(try texts(in: try Self.picture(at: Point(240, 180), degrees: 0)).first)
        let (left, right) = (line.polygon[0].x, line.polygon[1].x)
        for share in [0.4, 0.5, 0.6, 0.7, 0.8, 0.9] {
            let way = Double(Self.size.width) - (left + share * (right - left))
            let frame = try Self.picture(at: Point(240 + way, 180), degrees: 0)
            func told(hides: Bool) throws -> [NetworkTextTracking.Text] {
                var tracking = NetworkTextTracking(networks: try Self.networks.get(), hides: hides, shorterSide: 480)
                return try tracking.update(frame)
            }
            #expect(try told(hides: false).isEmpty, "\(share)")
            let hidden = try told(hides: true)
            #expect(hidden.count == 1 && hidden[0].reading.confidence <= 0.75, "\(share): \(hidden)")
            let least = hidden.flatMap(\.polygon).map(\.x).min() ?? 0
            #expect(abs(least - (left + way)) < 0.5 * (line.polygon[3].y - line.polygon[0].y), "\(share): \(least)")
        }
    }

    /// Where lines are hidden, none is too small by default, also in a picture that is else searched smaller.
    @Test func whatIsSmallAndHidden() throws {
        let (width, height) = (2560, 1920)
        var pixels = [UInt8](repeating: 120, count: width * height)
        try Self.picture(at: Point(240, 180), degrees: 0).withLuma { luma in
            for y in 0..<Self.size.height / 2 {
                for x in 0..<Self.size.width / 2 {
                    let place = luma.base + 2 * y * luma.stride + 2 * x
                    let sum = Int(place[0]) + Int(place[1]) + Int(place[luma.stride]) + Int(place[luma.stride + 1])
                    pixels[(y + 900) * width + x + 1200] = UInt8(sum / 4)
                }
            }
        }
        let frame = try grayFrame(pixels, width: width, height: height)
        func told(hides: Bool, _ least: Double? = nil) throws -> [NetworkTextTracking.Text] {
            var options = TextBlueprint.Options()
            options.minimumTextHeight = least
            var tracking = NetworkTextTracking(options, networks: try Self.networks.get(), hides: hides)
            return try tracking.update(frame)
        }
        let all = TextNetworks.size(of: width, height, shorterSide: 736, all: true)
        #expect(all == (1728, 1312) && TextNetworks.size(of: width, height, shorterSide: 736, all: false) == (992, 736))
        #expect(TextBlueprint.Options().leastHeight(hides: false) == 0.03125)
        let hidden = try told(hides: true)
        #expect(hidden.count == 1, "\(hidden)")
        #expect(
            (hidden.first?.polygon ?? []).allSatisfy { (1200..<1440).contains($0.x) && (900..<1080).contains($0.y) })
        // Who says a height has it.
        #expect(try told(hides: true, 0.1).isEmpty)
    }

    /// Where what a line stands on ends before the picture does, nothing of the line is missing.
    @Test func besideAnEdgeOfItsPanel() throws {
        let line = try #require(try texts(in: try Self.picture(at: Point(240, 180), degrees: 0)).first)
        let height = line.polygon[0].distance(to: line.polygon[3])
        let way = Double(Self.size.width) - line.polygon[1].x - 0.15 * height
        let near = try Self.picture(at: Point(240 + way, 180), degrees: 0)
        #expect(try texts(in: near).allSatisfy { $0.reading.confidence < 0.8 })
        let end = Double(Self.size.width) - 0.12 * height
        var pixels: [UInt8] = []
        near.withLuma { luma in
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    pixels.append(Double(x) >= end ? 15 : luma.base[y * luma.stride + x])
                }
            }
        }
        let whole = try texts(in: try grayFrame(pixels, width: Self.size.width, height: Self.size.height))
        #expect(whole.map(\.reading.text) == ["Library, floor 3"])
        #expect((whole.first?.reading.confidence ?? 0) > 0.9)
    }

    /// Another recognition network reads where the user names one; what is none is refused.
    @Test func aRecognitionNetworkOfTheUsers() throws {
        let own = BundledFiles.networks + "/text/recognition.onnx"
        let blueprint = try TextBlueprint(options: stageOptions(#"{"recognitionModel": "\#(own)"}"#))
        let details = "\(blueprint.details.map(\.value))"
        #expect(details.contains("recognition.onnx") && details.contains("48fc40f24f6d2a20"))
        let other = BundledFiles.networks + "/text/detection.onnx"
        #expect {
            try TextBlueprint(options: stageOptions(#"{"recognitionModel": "\#(other)"}"#))
        } throws: {
            (($0 as? StageOptionError)?.message ?? "").contains(
                "doesn't name its characters; expected “character” in its metadata")
        }
        #expect {
            try TextBlueprint(options: stageOptions(#"{"recognitionModel": "\#(own)", "engine": "tesseract"}"#))
        } throws: { (($0 as? StageOptionError)?.message ?? "").contains("“recognitionModel” is PP-OCR's") }
    }

    /// What is followed keeps its track and its string, and isn't looked for in every frame.
    @Test func following() throws {
        var tracking = NetworkTextTracking(networks: try Self.networks.get(), shorterSide: 480)
        for frame in 0..<12 {
            let x = 200 + 6 * Double(frame)
            let texts = try tracking.update(try Self.picture(at: Point(x, 180), degrees: Double(frame)))
            #expect(texts.map(\.reading.text) == ["Library, floor 3"] && texts.map(\.track) == [1])
            let center = texts.first.map { $0.polygon.reduce(Point(0, 0), +) * 0.25 } ?? Point(0, 0)
            #expect(center.distance(to: Point(x, 180)) < 8, "frame \(frame): \(center)")
        }
    }

    @Test func cadence() throws {
        func plain(_ grey: UInt8, spot: Bool = false) throws -> VideoFrame {
            var pixels = [UInt8](repeating: grey, count: 320 * 240)
            if spot { for y in 100..<140 { for x in 100..<200 { pixels[y * 320 + x] = 255 - grey } } }
            return try grayFrame(pixels, width: 320, height: 240)
        }
        var cadence = TextCadence(pixels: 1280 * 736)
        let still = try plain(40), other = try plain(200), spot = try plain(40, spot: true)
        func isDue(_ frame: VideoFrame) -> Bool { cadence.isDue(in: frame, hasLost: false) }
        #expect(isDue(still), "the first")
        for _ in 0..<40 { #expect(!isDue(still)) }
        #expect(isDue(other), "a cut")
        #expect(isDue(still), "a cut back")
        // What comes and stays is looked at before its turn.
        var waited = 0
        while !isDue(spot) { waited += 1 }
        #expect((4...10).contains(waited), "\(waited)")
    }

    /// What is to be hidden may come for three pictures: it is looked at in the first of them. What moves isn't, which changes
    /// as much in every picture.
    @Test func whatComesAtOnceIsLookedAtWhereItIsHidden() throws {
        func frame(_ ordinal: Int, _ spot: Int?) throws -> VideoFrame {
            var pixels = [UInt8](repeating: 40, count: 320 * 240)
            if let spot { for y in 100..<140 { for x in spot..<spot + 100 { pixels[y * 320 + x] = 200 } } }
            return try grayFrame(pixels, width: 320, height: 240, ordinal: ordinal)
        }
        func looks(hides: Bool, _ spot: (Int) -> Int?) throws -> [Int] {
            var cadence = TextCadence(pixels: 1280 * 736, hides: hides)
            return try (0..<40).filter { cadence.isDue(in: try frame($0, spot($0)), hasLost: false) }
        }
        #expect(try looks(hides: true) { (12..<15).contains($0) ? 100 : nil }.prefix(2) == [0, 12])
        #expect(try !looks(hides: false) { (12..<15).contains($0) ? 100 : nil }.contains(12))
        #expect(try looks(hides: true) { 10 + 5 * $0 }.count < 8)
    }

    // MARK: Strings

    private func decoded(_ steps: [(String, Double, space: Double)]) -> String {
        let decoder = TextDecoder(characters: ["", "a", "b", "l", "4", "o", ",", ":", " "])
        let values = steps.flatMap { name, probability, space in
            decoder.characters.map { Float($0 == name ? probability : $0 == " " ? space : 0) }
        }
        return decoder.letters(values, steps: steps.count).map(\.text).joined()
    }

    @Test func decoding() {
        let blank = ("", 0.9, space: 0.001)
        #expect(decoded([("a", 0.9, 0), ("a", 0.8, 0), blank, ("a", 0.9, 0), blank, ("b", 0.7, 0)]) == "aab")
        #expect(decoded([blank, blank]) == "")
        let digits = [("4", 0.9, space: 0.0), ("o", 0.9, space: 0.0), blank, ("o", 0.9, space: 0.0)]
        #expect(decoded(digits) == "400")
        #expect(decoded([("a", 0.9, 0)] + digits) == "a4oo")
        // A space that is never the likeliest, where the letters are apart.
        let apart = ("", 0.9, space: 0.05)
        #expect(
            decoded([("a", 0.9, 0), blank, ("b", 0.9, 0), blank, ("l", 0.9, 0), blank, apart, blank, ("b", 0.9, 0)])
                == "abl b")
        let beside = ("", 0.9, space: 0.02)
        #expect(decoded([("a", 0.9, 0), blank, ("b", 0.9, 0), beside, ("l", 0.9, 0), blank, ("b", 0.9, 0)]) == "ablb")
        // People write a space after a comma, but for one within a number, and none within a time.
        let maybe = ("", 0.9, space: 0.015)
        func written(_ mark: String, _ sign: String, _ between: (String, Double, space: Double)) -> String {
            decoded([(sign, 0.9, 0), blank, (mark, 0.9, 0), between, blank, (sign, 0.9, 0), blank, (sign, 0.9, 0)])
        }
        #expect(written(",", "a", maybe) == "a, aa")
        #expect(written(":", "a", maybe) == "a:aa")
        #expect(written(",", "4", maybe) == "4,44")
        #expect(written(":", "4", ("", 0.9, space: 0.06)) == "4:44")
        #expect(written(",", "4", ("", 0.9, space: 0.06)) == "4, 44")
    }

    /// What the network wavers about is what the rest of the word is; what it is sure of stays.
    @Test func lookAlikes() {
        let characters = [""] + "WORKBorksw0145lI".map(String.init) + [" "]
        let decoder = TextDecoder(characters: characters)
        func decoded(_ steps: [[Character: Float]]) -> String {
            let values = steps.flatMap { step in
                characters.map { $0.count == 1 ? step[Character($0)] ?? 0 : 0 }
                    + characters.map { $0.isEmpty ? 1 : 0 }
            }
            return decoder.letters(values, steps: 2 * steps.count).map(\.text).joined()
        }
        func sure(_ text: String) -> [[Character: Float]] { text.map { [$0: 0.95] } }
        let ring: [Character: Float] = ["0": 0.6, "O": 0.35], stroke: [Character: Float] = ["l": 0.5, "1": 0.4]
        #expect(decoded(sure("W") + [ring] + sure("RK") + [ring]) == "WORKO")
        #expect(decoded(sure("B") + [ring] + sure("oks")) == "Books")
        #expect(decoded(sure("W0RK")) == "W0RK", "it is sure of the zero")
        #expect(decoded(sure("45") + [stroke] + sure("4")) == "4514")
        #expect(decoded(sure("BO") + [stroke] + sure("4")) == "BOl4", "nothing agrees on either")
        #expect(decoded(sure("BO") + [["w": 0.6, "W": 0.3]] + sure("S".lowercased())) == "BOws")
        #expect(decoded(sure("RO") + [["w": 0.6, "W": 0.3]]) == "ROW")
        #expect(decoded([["w": 0.6, "W": 0.3]] + sure("ork")) == "work", "a first letter may be either")
        #expect(decoded(sure("B") + [ring]) == "B0", "one other says nothing")
    }

    @Test func characters() throws {
        let path = try BundledFiles.network("text", "recognition.onnx")
        let characters = try TextCharacters.read(onnx: path)
        #expect(characters.count == 6625 && characters.first == "" && characters.last == " ")
        #expect(Set(["A", "z", "0", "é", "图", ","]).isSubset(of: characters))
        let other = try BundledFiles.network("text", "direction.onnx")
        do {
            _ = try TextCharacters.read(onnx: other)
            Issue.record("the direction network has no characters")
        } catch let error as InferenceError {
            #expect(
                error.description
                    == "“\(other)” doesn't name its characters; expected “character” in its metadata, as PP-OCR's have it"
            )
        }
    }

    @Test func engines() throws {
        func complaint(_ options: String) throws -> String? {
            do {
                _ = try TextBlueprint(options: try stageOptions(options))
                return nil
            } catch let error as StageOptionError {
                return "\(error.option ?? "-"): \(error.message)"
            }
        }
        #expect(
            try complaint(#"{"engine": "ppocr", "languages": ["eng"]}"#)
                == "languages: “languages” are Tesseract's, and “engine” is “ppocr”; leave one of them out")
        #expect(try complaint(#"{"engine": "tesseract"}"#) == nil)
    }

    @Test(arguments: [
        ("{}", "ppocr", "networks", 3), (#"{"engine": "tesseract"}"#, "tesseract", "languages", 1),
        (#"{"languages": ["eng"]}"#, "tesseract", "languages", 1),
    ]) func headersNameWhatRead(options: String, engine: String, what: String, count: Int) throws {
        let details = try TextBlueprint(options: try stageOptions(options)).details
        let reader = try #require(details.first { $0.key == "reader" }).value
        #expect(reader["engine"]?.string == engine)
        #expect(reader[what]?.elements?.count == count)
    }
}
