import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Lines that say something else, or more, from a frame on.
@Suite struct ChangingTextTests {
    private static let text = "Library, floor 3"
    private static let networks = Result { try TextNetworks() }
    private static let (width, height) = (480, 360)

    /// The sign, half as large, on grey.
    private static func sign() throws -> [UInt8] {
        let sign = try photo(RealData.repository + "/manifests/scenes/images/sign-library.png")
        let zoom = Double(sign.width) / 300
        var pixels = [UInt8](repeating: 120, count: width * height)
        sign.withLuma { luma in
            for y in 0..<height {
                for x in 0..<width {
                    let (u, v) = (Int(Double(x - 90) * zoom), Int(Double(y - 120) * zoom))
                    guard u >= 0, v >= 0, u < luma.width - 1, v < luma.height - 1 else { continue }
                    let place = luma.base + v * luma.stride + u
                    let sum = Int(place[0]) + Int(place[1]) + Int(place[luma.stride]) + Int(place[luma.stride + 1])
                    pixels[y * width + x] = UInt8(sum / 4)
                }
            }
        }
        return pixels
    }

    private static func tracking() throws -> NetworkTextTracking {
        var options = TextBlueprint.Options()
        options.minimumConfidence = 0.7
        return NetworkTextTracking(options, networks: try networks.get(), shorterSide: 480)
    }

    private static func frame(_ pixels: [UInt8], at ordinal: Int) throws -> VideoFrame {
        let picture = try grayFrame(pixels, width: width, height: height).picture
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: picture, original: nil)
    }

    private static func first(_ pixels: [UInt8]) throws -> NetworkTextTracking.Text {
        var tracking = try tracking()
        let texts = try tracking.update(try frame(pixels, at: 0))
        #expect(texts.map(\.reading.text) == [text])
        return try #require(texts.first)
    }

    /// The columns of a letter, in a picture where the line is level.
    private static func columns(of index: Int, _ text: NetworkTextTracking.Text) -> Range<Int> {
        let (left, right) = (text.polygon[0].x, text.polygon[1].x)
        let corners = text.reading.characters[index].corners
        return Int(left + corners[0].x * (right - left))..<Int(left + corners[1].x * (right - left))
    }

    /// One letter of many changes: the old string isn't told any more, and the new one soon is, by a track of its own.
    @Test func oneLetter() throws {
        let sign = try Self.sign()
        let line = try Self.first(sign)
        // A “b” where the “3” is.
        let (b, three) = (Self.columns(of: 2, line), Self.columns(of: 13, line))
        var other = sign
        for y in Int(line.polygon[0].y)..<Int(line.polygon[3].y) {
            for x in three {
                other[y * Self.width + x] = sign[y * Self.width + b.lowerBound + min(x - three.lowerBound, b.count - 1)]
            }
        }
        var tracking = try Self.tracking()
        for ordinal in 0..<20 {
            let texts = try tracking.update(try Self.frame(sign, at: ordinal))
            #expect(texts.map(\.reading.text) == [Self.text] && texts.map(\.track) == [1], "frame \(ordinal)")
        }
        var heard: [String] = []
        for ordinal in 20..<40 {
            let live = try tracking.update(try Self.frame(other, at: ordinal)).filter { $0.state.isInSight }
            #expect(!live.contains { $0.reading.text == Self.text || $0.track == 1 }, "frame \(ordinal)")
            heard += live.map(\.reading.text)
        }
        #expect(heard.count > 15 && heard.allSatisfy { $0.hasPrefix("Library, floor ") }, "\(heard)")
    }

    /// What is typed letter by letter is one string in the end.
    @Test func typing() throws {
        let sign = try Self.sign()
        let line = try Self.first(sign)
        let end = Self.columns(of: 2, line).upperBound
        var start = sign
        for y in Int(line.polygon[0].y)..<Int(line.polygon[3].y) {
            let ground = sign[y * Self.width + Int(line.polygon[0].x) - 4]
            for x in end..<Int(line.polygon[1].x) { start[y * Self.width + x] = ground }
        }
        var tracking = try Self.tracking()
        var live: [NetworkTextTracking.Text] = []
        for ordinal in 0..<60 {
            live = try tracking.update(try Self.frame(ordinal < 10 ? start : sign, at: ordinal)).filter {
                $0.state.isInSight
            }
            if ordinal == 9 { #expect(live.map(\.reading.text) == ["Lib"]) }
        }
        #expect(live.map(\.reading.text) == [Self.text])
    }

    /// The sign with nothing behind its first letters.
    private static func sign(showing count: Int, _ sign: [UInt8], _ line: NetworkTextTracking.Text) -> [UInt8] {
        guard count < text.count(where: { $0 != " " }) else { return sign }
        var start = sign
        let end = columns(of: count - 1, line).upperBound
        for y in Int(line.polygon[0].y)..<Int(line.polygon[3].y) {
            let ground = sign[y * width + Int(line.polygon[0].x) - 4]
            for x in end..<Int(line.polygon[1].x) { start[y * width + x] = ground }
        }
        return start
    }

    /// What comes or goes in several steps is what stands there within a second, each time.
    @Test(arguments: [[3, 8, 13, 14], [8, 13, 14], [14, 8], [14, 13, 8, 14]]) func steps(_ counts: [Int]) throws {
        let sign = try Self.sign()
        let line = try Self.first(sign)
        let letters = Self.text.filter { $0 != " " }
        var tracking = try Self.tracking()
        var ordinal = 0
        for count in counts {
            let pixels = Self.sign(showing: count, sign, line)
            var live: [NetworkTextTracking.Text] = []
            for _ in 0..<25 {
                live = try tracking.update(try Self.frame(pixels, at: ordinal)).filter { $0.state.isInSight }
                ordinal += 1
            }
            let told = live.map { $0.reading.text.filter { $0 != " " } }
            #expect(told == [String(letters.prefix(count))], "\(counts), \(count) letters")
        }
    }

    /// What blinks beside a line and is no letter of it has it read again now and then, not each time.
    @Test func aCursor() throws {
        let sign = try Self.sign()
        let line = try Self.first(sign)
        let start = Self.sign(showing: 8, sign, line)
        var first = try Self.tracking()
        let short = try #require(try first.update(try Self.frame(start, at: 0)).first)
        // Where it is taken for a letter is a matter of a few pixels.
        let due = try [-6, -1, 3, 8].map { place in
            var blinked = start
            let ground = start[
                Int(short.polygon[0].y + short.polygon[3].y) / 2 * Self.width + Int(short.polygon[1].x) + 8]
            for y in Int(short.polygon[0].y) + 3..<Int(short.polygon[3].y) - 3 {
                for x in 0..<3 {
                    blinked[y * Self.width + Int(short.polygon[1].x) + place + x] = ground > 127 ? 0 : 255
                }
            }
            var (tracking, due) = (try Self.tracking(), 0)
            for ordinal in 0..<200 {
                let isOn = ordinal >= 20 && ordinal % 10 < 5
                _ = try tracking.update(try Self.frame(isOn ? blinked : start, at: ordinal))
                due += tracking.book.tracks.contains { $0.thing.owed > 0 } ? 1 : 0
            }
            return due
        }
        #expect(due.contains { $0 > 0 } && due.allSatisfy { $0 < 60 }, "in \(due) frames")
    }

    @Test func falseAlarms() {
        var alarms = FalseAlarms()
        var rung: [Int] = []
        for frame in 0..<300 where alarms.mayRing(in: frame) {
            rung.append(frame)
            alarms.isOn = true
        }
        #expect(rung == [0, 7, 20, 45, 94, 143, 192, 241, 290])
    }

    /// Text that changes in every frame is looked at no more often than a picture that moves.
    @Test func restless() throws {
        var cadence = TextCadence(pixels: 1280 * 736)
        let still = try grayFrame([UInt8](repeating: 40, count: 64 * 64), width: 64, height: 64)
        func looks(_ frames: Int, everyFrames period: Int) -> Int {
            (0..<frames).count { cadence.isDue(in: still, hasLost: false, hasChanged: $0 % period == 0) }
        }
        #expect(looks(340, everyFrames: 25) >= 13, "a clock's seconds")
        #expect((9...13).contains(looks(340, everyFrames: 1)), "a counter of frames")
    }

    @Test(arguments: [(1, 1), (1, 50), (50, 1)])
    func tinyPicture(_ width: Int, _ height: Int) throws {
        var tracking = try Self.tracking()
        for _ in 0..<2 {
            let frame = try grayFrame([UInt8](repeating: 90, count: width * height), width: width, height: height)
            #expect(try tracking.update(frame).isEmpty)
        }
    }
}
