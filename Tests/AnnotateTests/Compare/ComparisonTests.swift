import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct ComparisonTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: Track files

    /// A track file of these observations a frame; each its members behind stage and kind.
    @discardableResult
    private func tracks(
        _ name: String, _ frames: [[String]], width: Int = 640, timeBase: String = "[1,25]",
        generator: String = "test 1"
    ) throws -> String {
        let header =
            #"{"format":"annotate-tracks","version":1,"generator":"\#(generator)","source":{"name":"a.mp4","width":\#(width),"height":480,"rotation":0,"timeBase":\#(timeBase)},"stages":[{"id":"m","type":"markers"},{"id":"f","type":"track"},{"id":"c","type":"classify"}]}"#
        let lines = frames.enumerated().map { index, observations in
            #"{"frame":\#(index),"pts":\#(index),"duration":1,"time":\#(Double(index) / 25),"observations":[\#(observations.map { "{\($0)}" }.joined(separator: ","))]}"#
        }
        let summary = #"{"summary":{"frames":\#(frames.count),"complete":true,"tracks":[]}}"#
        return try folder.write(([header] + lines + [summary]).joined(separator: "\n") + "\n", to: name)
    }

    private func box(
        _ track: Int?, _ left: Double, _ top: Double = 0, label: String = "cup", state: String = "tracked",
        confidence: Double = 0.9
    ) -> String {
        let number = track.map { #""track":\#($0),"# } ?? ""
        return
            #""stage":"f","kind":"object",\#(number)"label":"\#(label)","confidence":\#(confidence),"state":"\#(state)","box":[\#(left),\#(top),100,50]"#
    }

    private func marker(_ track: Int, id: Int, x: Double, pose: String = "") -> String {
        #""stage":"m","kind":"marker","track":\#(track),"polygon":[[\#(x),0],[\#(x + 9),0],[\#(x + 9),9],[\#(x),9]],"id":\#(id)\#(pose)"#
    }

    private func names(_ label: String, _ confidence: Double) -> String {
        #""stage":"c","kind":"classification","label":"\#(label)","confidence":\#(confidence),"labels":[{"label":"\#(label)","confidence":\#(confidence)}]"#
    }

    private func compare(_ old: [[String]], _ new: [[String]], tolerance: Double = 0) throws -> Comparison {
        try tracks("old/a.tracks.jsonl", old)
        try tracks("new/a.tracks.jsonl", new)
        return comparison(tolerance)
    }

    private func comparison(_ tolerance: Double = 0) -> Comparison {
        Comparison(
            file: folder.file("old/a.tracks.jsonl"), folder.file("new/a.tracks.jsonl"), Tolerances(pixels: tolerance),
            kinds: TestFindings.catalog)
    }

    // MARK: Equal

    @Test func twoOfTheSame() throws {
        let frames = [[box(1, 0), marker(2, id: 4, x: 200), names("cat", 0.5)], [box(1, 3)], []]
        let same = try compare(frames, frames)
        #expect(same.verdict == .equal)
        #expect(same.lines == ["a.tracks.jsonl: equal (3 frames, 2 tracks)"])
    }

    @Test func anotherGeneratorAndOtherNumbersAreNoDifference() throws {
        try tracks("old/a.tracks.jsonl", [[box(1, 0), box(2, 300)]], generator: "test 1")
        try tracks("new/a.tracks.jsonl", [[box(2, 0), box(1, 300)]], generator: "test 2")
        #expect(
            comparison().lines == [
                "a.tracks.jsonl: equal (1 frame, 2 tracks); tracks numbered otherwise: 1 → 2, 2 → 1; written by test",
                "  1 and test 2",
            ])
    }

    // MARK: Figures

    @Test func boxesThatMove() throws {
        // 10 px of 100 aside: 90 / 110; 20: 80 / 120.
        let moved = try compare([[box(1, 0)], [box(1, 0)], [box(1, 0)]], [[box(1, 10)], [box(1, 20)], [box(1, 0)]])
        #expect(
            moved.lines == [
                "a.tracks.jsonl: differs (3 frames, 1 track)",
                "  stage f, object",
                "    track  thing  both  overlap  least  moved px   most  confidence",
                "    1      cup       3    0.828  0.667     10.00  20.00  0.900",
                "worst frames:",
                "  frame     time  stage  track  thing  what",
                "      1  0.040 s  f      1      cup    overlap 0.667, moved by 20.00 px",
                "      0  0.000 s  f      1      cup    overlap 0.818, moved by 10.00 px",
            ])
        #expect(comparison(19.99).verdict == .differs)
        #expect(comparison(20).verdict == .within)
        #expect(
            comparison(20).lines == [
                "a.tracks.jsonl: within 20 px (3 frames, 1 track); moved by 20.00 px at most"
            ])
    }

    @Test func cornersThatMove() throws {
        let moved = try compare(
            [[marker(1, id: 4, x: 0)]], [[marker(1, id: 4, x: 0).replacing("[9.0,9]", with: "[12,13]")]])
        // One corner of four by 5.
        #expect(
            moved.lines == [
                "a.tracks.jsonl: differs (1 frame, 1 track)",
                "  stage m, marker",
                "    track  thing  both  moved px  most",
                "    1      id 4      1      1.25  5.00",
                "worst frames:",
                "  frame     time  stage  track  thing  what",
                "      0  0.000 s  m      1      id 4   moved by 5.00 px",
            ])
    }

    @Test func whatCameAndWent() throws {
        let old = (0..<10).map { $0 == 9 || $0 < 3 ? [box(1, 0)] : [] }
        let new = (0..<10).map { $0 < 5 && $0 != 1 ? [box(1, 0)] : [] }
        #expect(
            try compare(old, new).lines == [
                "a.tracks.jsonl: differs (10 frames, 1 track)",
                "  stage f, object",
                "    track  thing  both  gone  came  confidence",
                "    1      cup       2     2     2  0.900",
                "      gone 1, 9",
                "      came 3–4",
                "worst frames:",
                "  frame     time  stage  track  thing  what",
                "      3  0.120 s  f      1      cup    came (to frame 4)",
                "      1  0.040 s  f      1      cup    gone",
                "      9  0.360 s  f      1      cup    gone",
            ])
        // No tolerance forgives that.
        #expect(comparison(1000).verdict == .differs)
    }

    @Test func statesAndLabels() throws {
        let lost = box(1, 0, state: "lost").replacing(#","box":[0.0,0.0,100,50]"#, with: "")
        let old = [[box(1, 0)], [box(1, 0)], [box(1, 0)], [lost], [lost]]
        let new = [[box(1, 0)], [box(1, 0, label: "mug")], [lost], [box(1, 0, state: "recovered")], []]
        #expect(
            try compare(old, new).lines == [
                "a.tracks.jsonl: differs (5 frames, 1 track)",
                "  stage f, object",
                "    track  thing  both  gone  came  labels  states  confidence",
                "    1      cup       2     1     1       1       3  0.900",
                "      gone 2",
                "      came 3",
                "      state tracked → lost 2, lost → recovered 3, lost → nothing 4",
                "      label “cup” → “mug” 1",
                "worst frames:",
                "  frame     time  stage  track  thing  what",
                "      1  0.040 s  f      1      cup    label “cup” → “mug”",
                "      2  0.080 s  f      1      cup    gone",
                "      3  0.120 s  f      1      cup    came",
                "      4  0.160 s  f      1      cup    state lost → nothing",
            ])
    }

    @Test func posesInMillimetresAndDegrees() throws {
        func pose(_ z: Double, _ angle: Double) -> String {
            #","pose":{"rotation":[0,0,\#(angle)],"translation":[0,0,\#(z)],"reprojectionError":0.1}"#
        }
        let moved = try compare(
            [[marker(1, id: 4, x: 0, pose: pose(1, 0))], [marker(1, id: 4, x: 0, pose: pose(1, 0))]],
            [[marker(1, id: 4, x: 0, pose: pose(1.002, 0))], [marker(1, id: 4, x: 0, pose: pose(1, 0.1))]])
        #expect(
            moved.lines.contains("      pose by 1.00 mm and 2.86° in the mean, 2.00 mm and 5.73° at most"))
        // Poses follow from corners.
        #expect(comparison(0.01).verdict == .within)
    }

    // MARK: Who is who

    @Test func overlapsDecideOverAllFramesTogether() throws {
        // Track 1 lies on 2 first, but on 1 for longer.
        let old = (0..<5).map { [box(1, $0 == 0 ? 300 : 0)] }
        let new = (0..<5).map { _ in [box(1, 300), box(2, 0)] }
        let comparison = try compare(old, new)
        #expect(comparison.files[0].compared?.things.map(\.number) == ["1 → 2", "→ 1"])
    }

    @Test func regionsAndNumbersComeFirst() throws {
        let a = box(1, 0).replacing(#""label""#, with: #""region":"left","label""#)
        let b = box(2, 0).replacing(#""label""#, with: #""region":"left","label""#)
        let old = [[a, marker(3, id: 7, x: 0), marker(4, id: 8, x: 40)]]
        // It is elsewhere, and another one where it was; two markers have changed places.
        let new = [[box(1, 0), b.replacing("[0.0,", with: "[400,"), marker(3, id: 8, x: 0), marker(4, id: 7, x: 40)]]
        let things = try compare(old, new).files[0].compared?.things ?? []
        #expect(things.map { "\($0.stage) \($0.number)" } == ["f 1 → 2", "f → 1", "m 3 → 4", "m 4 → 3"])
    }

    /// The region that a thing comes from is told also where a label stands beside it.
    @Test func anotherRegion() throws {
        func of(_ region: String?) -> String {
            box(1, 0).replacing(#""label""#, with: region.map { #""region":"\#($0)","label""# } ?? #""label""#)
        }
        for (old, new) in [("left", nil), (nil, "left"), ("left", "right")] as [(String?, String?)] {
            let comparison = try compare([[of(old)]], [[of(new)]])
            #expect(comparison.verdict == .differs)
            #expect(comparison.lines.contains { $0.contains("region") })
        }
    }

    @Test func whatHasNoTrackIsPairedFrameByFrame() throws {
        let moved = try compare(
            [[box(nil, 0), box(nil, 200), names("cat", 0.5)], [names("cat", 0.5)]],
            [[box(nil, 201), box(nil, 0), names("cat", 0.75)], [names("dog", 0.5)]])
        #expect(
            moved.lines.prefix(10) == [
                "a.tracks.jsonl: differs (2 frames, 0 tracks)",
                "  stage c, classification",
                "    track  thing  both  labels  confidence",
                "    none   cat       2       1  0.500 → 0.625",
                "      label “cat” → “dog” 1",
                "      differs in labels by 0.250 at most in 2 frames",
                "  stage f, object",
                "    track  thing  both  overlap  least  moved px  most  confidence",
                "    none   cup       2    0.990  0.980      0.50  1.00  0.900",
                "worst frames:",
            ])
    }

    // MARK: Other videos

    @Test func framesThatOneHas() throws {
        let comparison = try compare([[], [], []], [[], []])
        #expect(
            comparison.lines == [
                "a.tracks.jsonl: differs (2 frames, 0 tracks)", "  1 frame only in the old one",
            ])
    }

    @Test func anotherSize() throws {
        try tracks("old/a.tracks.jsonl", [[box(1, 0)]])
        try tracks("new/a.tracks.jsonl", [[box(1, 0)]], width: 1280)
        #expect(
            comparison(1000).lines == [
                "a.tracks.jsonl: differs (0 frames, 0 tracks)",
                "  the pictures are 640 × 480 and 1280 × 480 pixels: places in them can't be compared",
            ])
    }

    @Test func anotherTimeBase() throws {
        try tracks("old/a.tracks.jsonl", [[box(1, 0)], [box(1, 0)]])
        try tracks("new/a.tracks.jsonl", [[box(1, 0)], [box(1, 0)]], timeBase: "[1,100]")
        #expect(
            comparison().lines == [
                "a.tracks.jsonl: differs (2 frames, 1 track)",
                "  time bases 1/25 and 1/100",
                "  frames are matched by their numbers",
                "  1 frame with another number, time or duration",
                "  stage f, object",
                "    1 equal",
            ])
    }

    // MARK: Tolerances

    @Test(
        arguments: [
            (#"{"kind": "object", "gone": 1}"#, true), (#"{"kind": "object", "gone": 0, "px": 5}"#, false),
            (#"{"kind": "marker", "gone": 9}"#, false),
            (#"{"stage": "f", "gone": 2}, {"kind": "object", "came": 2}"#, false),
        ])
    func framesThatAreGone(entries: String, isForgiven: Bool) throws {
        try tracks("old/a.tracks.jsonl", [[box(1, 0)], [box(1, 0)], [box(1, 0)]])
        try tracks("new/a.tracks.jsonl", [[box(1, 0)], [], [box(1, 0)]])
        let file = try folder.write(#"{"version": 1, "tolerances": [\#(entries)]}"#, to: "t.json")
        let comparison = Comparison(
            file: folder.file("old/a.tracks.jsonl"), folder.file("new/a.tracks.jsonl"), try Tolerances(path: file),
            kinds: TestFindings.catalog)
        #expect((comparison.verdict == .within) == isForgiven)
        if isForgiven { #expect(comparison.lines == ["a.tracks.jsonl: within the tolerances (3 frames, 1 track)"]) }
    }

    @Test func aTrackThatWasBrokenInTwo() throws {
        try tracks("old/a.tracks.jsonl", [[box(1, 0)], [box(1, 0)], [box(1, 0)]])
        try tracks("new/a.tracks.jsonl", [[box(1, 0)], [box(1, 0)], [box(2, 0)]])
        func verdict(_ entry: String) throws -> TrackFileComparison.Verdict {
            let file = try folder.write(#"{"tolerances": [\#(entry)]}"#, to: "t.json")
            return Comparison(
                file: folder.file("old/a.tracks.jsonl"), folder.file("new/a.tracks.jsonl"), try Tolerances(path: file),
                kinds: TestFindings.catalog
            ).verdict
        }
        #expect(try verdict(#"{"gone": 1}"#) == .differs)
        // The first part lacks the second one's frames.
        #expect(try verdict(#"{"ids": 1}"#) == .differs)
        #expect(try verdict(#"{"gone": 1, "ids": 1}"#) == .within)
    }

    @Test func aFileOfTolerancesWithFaults() throws {
        let file = try folder.write(#"{"tolerances": [{"pixels": 2}]}"#, to: "t.json")
        #expect(throws: InvalidFileError.self) { try Tolerances(path: file) }
    }

    // MARK: Folders

    @Test func folders() throws {
        for name in ["a", "b", "c"] {
            try tracks("old/\(name).tracks.jsonl", [[box(1, 0)]])
            try tracks("new/\(name).tracks.jsonl", [[box(1, name == "b" ? 10 : 0)]])
        }
        func lines() throws -> [String] {
            try Comparison(
                folder: folder.file("old"), folder.file("new"), Tolerances(pixels: 0), kinds: TestFindings.catalog
            )
            .lines.map { $0.replacing(folder.path, with: "") }
        }
        #expect(
            try lines().prefix(3) == [
                "1 of 3 track files differs, 2 equal", "  b.tracks.jsonl: 1 thing, moved by 10.00 px at most",
                "b.tracks.jsonl: differs (1 frame, 1 track)",
            ])
        #expect(
            try lines().last?.hasPrefix("  b.tracks.jsonl      0  0.000 s  f      1      cup    overlap 0.818") == true)
        try tracks("new/b.tracks.jsonl", [[box(1, 0)]])
        #expect(try lines() == ["3 track files: equal"])
        try tracks("new/d.tracks.jsonl", [])
        #expect(
            try lines() == [
                "4 track files: 3 equal, 1 in the new folder alone", "  d.tracks.jsonl: only in the new folder",
            ])
    }

    @Test func aFileThatIsBroken() throws {
        try tracks("old/a.tracks.jsonl", [[]])
        try folder.write("{", to: "new/a.tracks.jsonl")
        #expect(
            comparison().failures == [
                "\(folder.file("new/a.tracks.jsonl")): it ends without its summary line: the run that wrote it was broken off"
            ])
    }

    // MARK: Forms

    @Test func pagesEscapeEverything() throws {
        let html = try compare([[box(1, 0, label: "<b>&'x'")]], [[box(1, 5, label: "<b>&'x'")]]).html()
        #expect(html.contains("&lt;b&gt;&amp;&#39;x&#39;"))
        #expect(!html.contains("<b>"))
        #expect(!html.contains("http://") && !html.contains("https://"))
    }

    @Test func noLineIsTooLong() throws {
        let long = String(repeating: "very long ", count: 20)
        let old = (0..<30).map { $0 % 2 == 0 ? [box(1, 0, label: long)] : [] }
        let new = (0..<30).map { $0 % 3 == 0 ? [box(7, 3, label: long + "x", state: "recovered")] : [] }
        for line in try compare(old, new).lines { #expect(line.count <= 100, "\(line)") }
    }

    @Test func theFormForPrograms() throws {
        let json = try compare([[box(1, 0)]], [[box(1, 10)]]).json
        let node = JSONNode(json)
        #expect(node["result"]?.string == "differs")
        #expect(node["files"]?.elements?[0]["things"]?.elements?[0]["overlap"]?["mean"]?.number == 0.818)
        #expect(node["files"]?.elements?[0]["things"]?.elements?[0]["moved"]?["most"]?.number == 10)
        #expect(node["worst"]?.elements?[0]["frame"]?.integer == 0)
    }
}
