import Testing

@testable import Annotate
@testable import TestSupport

/// Overlays made from track files.
@Suite struct AssSinkTests {
    private static let timeBase = Rational(1, 1000)

    private static func header(startTime: Int = 0) -> TrackFileHeader {
        TrackFileHeader(
            generator: "test 1",
            source: .init(name: "a.mp4", width: 640, height: 480, timeBase: timeBase, startTime: startTime),
            stages: [.init(id: "m", type: "markers"), .init(id: "o", type: "track")])
    }

    private static func object(_ x: Double, _ label: String = "cup") -> Observation {
        Observation(
            ObjectFinding(), stage: "o", track: TrackReference(stage: "o", number: 1), label: label,
            box: Box(x: x, y: 100, width: 80, height: 60))
    }

    /// A track file with an object that moves in frames of these times, and its overlay's events.
    private func events(
        _ times: [Int64], startTime: Int = 0, label: String = "cup", draw: String? = nil
    ) throws -> (lines: [String], notes: [String]) {
        let folder = try TemporaryFolder()
        let writer = try TrackFileWriter(path: folder.file("a.tracks.jsonl"), header: Self.header(startTime: startTime))
        for (ordinal, time) in times.enumerated() {
            try writer.write(
                FrameRecord(
                    frame: ordinal, pts: MediaTime(ticks: time, timeBase: Self.timeBase), duration: 40,
                    observations: [Self.object(Double(100 + 10 * (ordinal % 40)), label)]))
        }
        try writer.finish()
        var export = try #require(TrackFileExport(format: "ass", kinds: TestFindings.catalog))
        #expect(export.name(for: "a.tracks.jsonl") == "a.ass")
        if let draw {
            let drawing = try DrawingFile(path: try folder.write(draw, to: "draw.json"))
            export.drawing = { try drawing.styles(for: $0, kinds: $1) }
        }
        let notes = try export.run(folder.file("a.tracks.jsonl"), to: folder.file("a.ass"))
        let text = String(decoding: try Files.read(folder.file("a.ass")), as: UTF8.self)
        #expect(text.hasPrefix("[Script Info]\n"))
        #expect(text.contains("\nPlayResX: 640\nPlayResY: 480\n"))
        return (text.split(separator: "\n").filter { $0.hasPrefix("Dialogue: ") }.map(String.init), notes)
    }

    @Test func anObject() throws {
        let (lines, notes) = try events([0, 40, 80])
        #expect(notes == [])
        // Its outline, its label's ground and its text in each frame, and its trail from the second on.
        #expect(lines.count { $0.contains("}cup") } == 3)
        #expect(lines[0].hasPrefix("Dialogue: 0,0:00:00.00,0:00:00.03,Default,,0,0,0,,{\\pos(0,0)\\c&HFFBE00&\\p5}m "))
        #expect(lines.last?.contains(",0:00:00.07,0:00:00.13,") == true)
    }

    @Test func timesAreThoseOfPlayersClocks() throws {
        let lines = try events([1400, 1440], startTime: 1400).lines
        #expect(lines.first?.contains(",0:00:00.00,0:00:00.03,") == true)
        let long = try events([36_000_000 + 61_234], startTime: 0).lines
        #expect(long.first?.contains(",10:01:01.23,10:01:01.28,") == true)
    }

    @Test func noLabelIsACommand() throws {
        let lines = try events([0], label: "{\\p1}m 0 0\\N\nDialogue: x").lines
        let text = try #require(lines.last?.split(separator: "}", maxSplits: 1).last)
        #expect(text == "\\{\\\u{2060}p1\\}m 0 0\\\u{2060}N Dialogue: x")
        #expect(lines.count == 3)
    }

    @Test(arguments: [
        ##"{"label": false, "trail": 0, "color": "#102030"}"##,
        ##"{"o": {"label": false, "color": "#102030"}, "m": false}"##,
    ])
    func aStyleOfOnesOwn(draw: String) throws {
        let lines = try events([0], draw: draw).lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\\c&H302010&") == true)
    }

    @Test func notDrawn() throws { #expect(try events([0, 40], draw: #"{"o": false}"#).lines == []) }

    @Test(arguments: [
        (
            ##"{"colour": "#102030"}"##,
            "1:2: /colour: “colour” is no stage of the track file, and not said of drawing either; "
                + "expected one of “m”, “o”; did you mean “color”?"
        ),
        (#"{"o": 3}"#, "1:7: /o: a number; expected an object as under “draw” in a manifest, true or false"),
        (#"{"o": {"color": "red"}}"#, "1:17: /o/color: “red”; expected a colour as “#rrggbb”"),
        (#"{"thickness": 0}"#, "1:15: /thickness: 0; expected a number from 0.5 to 50"),
        (
            "[]",
            "1:1: /: an array; expected an object as under “draw” in a manifest, or one with such for stages by their ids"
        ),
        (
            #"{"axes": true}"#,
            "1:10: /axes: “axes” needs poses, and the track file has no camera; expected one of a job with a camera"
        ),
        ("{", "1:2: /: the end of the file where a key in double quotes was expected"),
    ])
    func drawingsWithProblems(draw: String, problem: String) throws {
        do {
            _ = try events([0], draw: draw)
            Issue.record("there should be a problem")
        } catch let error as InvalidFileError {
            let lines = error.problems.map {
                "\($0.position.line):\($0.position.column): \(jsonPointer($0.path).isEmpty ? "/" : jsonPointer($0.path)): \($0.message)"
            }
            #expect(lines.first == problem)
        }
    }

    @Test func aCoverTakesNothingAway() throws {
        let error = try #require(throws: FileError.self) { try events([0], draw: #"{"cover": "blur"}"#) }
        #expect(
            error.reason
                == "stage “m” is drawn with a cover, and an overlay takes no pixel away: what is covered would be "
                + "seen; expected “cover” in encoded videos alone")
    }

    @Test(arguments: [[0, 8, 16, 25, 33], (0..<200).map { Int64($0) * 8 }] as [[Int64]])
    func tooManyFramesASecond(times: [Int64]) throws {
        let error = try #require(throws: FileError.self) { try events(times) }
        #expect(error.reason.hasPrefix("the video has over 100 frames a second, and an .ass counts hundredths"))
    }

    @Test func aHundredFramesASecond() throws {
        let (lines, notes) = try events((0..<250).map { $0 * 10 })
        #expect(notes == [])
        #expect(lines.count { $0.contains("}cup") } == 250)
    }

    @Test func singleFramesThatAreClose() throws {
        let (lines, notes) = try events([0, 40, 43, 80, 120])
        #expect(
            notes == [
                "ASS counts hundredths of a second: 1 frame is shown for less, and has the next one's overlay"
            ])
        #expect(lines.count { $0.contains("}cup") } == 4)
    }

    @Test func whatNoScriptSays() throws {
        let folder = try TemporaryFolder()
        let image = try folder.write(
            Array("P6 2 2 255\n".utf8) + [UInt8](repeating: 90, count: 12), to: "p.ppm")
        let notes = try events([0], draw: "{\"o\": {\"image\": \"\(image)\"}}").notes
        #expect(
            notes == ["ASS draws lines and text alone: the pictures and models of stage “o” aren't in it"])
    }
}
