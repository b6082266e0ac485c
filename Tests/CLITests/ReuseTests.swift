import Annotate
import Foundation
import Glibc
import Testing

/// What an earlier run's track file knows isn't found out again.
@Suite struct ReuseTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
    }

    private static let cards = #"{"id": "cards", "type": "rectangles", "rate": 10}"#
    private static let markers = #"{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50"}"#

    private func manifest(
        _ stages: String..., encode: String = #"{"codec": "ffv1"}"#, formats: String = "", job: String = ""
    ) throws -> String {
        let path = try workspace.manifest(
            [#""input": "a.mp4""# + job], stages: stages.joined(separator: ", "), encode: encode)
        guard !formats.isEmpty else { return path }
        let text = try workspace.text("m.json")
        return try workspace.write(
            text.replacing(#""version": 1,"#, with: #""version": 1, "output": {"formats": [\#(formats)]},"#),
            to: "m.json")
    }

    private func entry() throws -> JSONNode {
        try #require(try json(try workspace.text("out/report.json"))["jobs"]?.elements?.first)
    }

    private var reused: [String] {
        get throws { try entry()["reused"]?.elements?.compactMap(\.string) ?? [] }
    }

    /// What a run in an empty folder makes of a manifest: every file but the report, byte for byte.
    private func expectAsFromScratch(_ path: String) throws {
        let files = workspace.names().filter { $0 != "report.json" }
        let results = try files.map { try Files.read(workspace.file("out/\($0)")) }
        #expect(try annotateBatch("run", path, "--force").status == 0)
        #expect(try reused == [])
        #expect(workspace.names().filter { $0 != "report.json" } == files)
        for (file, result) in zip(files, results) {
            #expect(try Files.read(workspace.file("out/\(file)")) == result, "\(file) differs")
        }
    }

    @Test(arguments: ["process", "none"])
    func anotherStyle(isolation: String) throws {
        #expect(try annotateBatch("run", try manifest(Self.cards, Self.markers)).status == 0)
        let drawn = #"{"id": "cards", "type": "rectangles", "rate": 10, "draw": {"thickness": 9}}"#
        let path = try manifest(drawn, Self.markers)
        let preview = try annotateBatch("run", path, "--dry-run").outputLines[0]
        #expect(
            preview
                == "a: would run: “draw.thickness” of stage “cards” is new (9); nothing would be detected again",
            "\(preview)")
        let outcome = try annotateBatch("run", path, "--isolation", isolation)
        #expect(outcome.errors.contains("; nothing was detected again"), "\(outcome.errors)")
        #expect(try reused == ["cards", "markers"])
        try expectAsFromScratch(path)
    }

    @Test func aLaterStage() throws {
        let names = #"{"id": "altered", "type": "alter", "inputs": ["cards"], "interval": 1}"#
        let other = #"{"id": "altered", "type": "alter", "inputs": ["cards"], "interval": 2}"#
        #expect(try annotateBatch("run", try manifest(Self.cards, Self.markers, names)).status == 0)
        let path = try manifest(Self.cards, Self.markers, other)
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines[0].hasSuffix(
                "; the results of “cards”, “markers” would be taken from the track file"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == ["cards", "markers"])
        try expectAsFromScratch(path)
        // One that is gone is nobody's.
        let less = try manifest(Self.cards)
        #expect(try annotateBatch("run", less).status == 0)
        #expect(try reused == ["cards"])
        try expectAsFromScratch(less)
    }

    /// Where an earlier stage sees other things, those behind it do too.
    @Test func anEarlierStage() throws {
        let altered = #"{"id": "altered", "type": "alter", "inputs": ["cards"], "draw": false}"#
        #expect(try annotateBatch("run", try manifest(Self.cards, altered, Self.markers)).status == 0)
        let path = try manifest(#"{"id": "cards", "type": "rectangles"}"#, altered, Self.markers)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == ["markers"])
        try expectAsFromScratch(path)
    }

    /// The order of stages is that of their results, and of their tracks' numbers.
    @Test func anotherOrder() throws {
        let cover = #"{"id": "again", "type": "rectangles", "draw": {"opacity": 0.5}}"#
        #expect(try annotateBatch("run", try manifest(Self.cards, cover)).status == 0)
        let path = try manifest(cover, Self.cards)
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines == [
                "a: would run: the order of the stages changed (cards, again → again, cards); nothing would be detected again"
            ])
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == ["again", "cards"])
        try expectAsFromScratch(path)
    }

    /// Where one stage runs for its pictures' sake, what others say of its tracks keeps its meaning.
    @Test func tracksOfAStageThatRunsAgain() throws {
        let stages = [
            Self.cards, #"{"id": "pictures", "type": "images", "inputs": ["cards"]}"#,
            #"{"id": "altered", "type": "alter", "inputs": ["pictures"], "resolution": 64}"#,
        ]
        #expect(try annotateBatch("run", try manifest(stages[0], stages[1], stages[2], Self.markers)).status == 0)
        let drawn = #"{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50", "draw": {"trail": 1}}"#
        let path = try manifest(stages[0], stages[1], stages[2], drawn)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == ["cards", "markers"])
        try expectAsFromScratch(path)
    }

    /// What a form can't say is said once, however often it is written.
    @Test func notesOfForms() throws {
        let none = #"{"codec": "none"}"#
        #expect(try annotateBatch("run", try manifest(Self.cards, encode: none, formats: #""mot""#)).status == 0)
        let notes = try entry()["notes"]?.elements?.compactMap(\.string)
        #expect(notes?.isEmpty == false)
        let drawn = #"{"id": "cards", "type": "rectangles", "rate": 10, "draw": {"thickness": 9}}"#
        #expect(try annotateBatch("run", try manifest(drawn, encode: none, formats: #""mot""#)).status == 0)
        #expect(try entry()["notes"]?.elements?.compactMap(\.string) == notes)
    }

    /// Other forms of what is there follow from the track file: nothing is decoded.
    @Test func otherForms() throws {
        #expect(try annotateBatch("run", try manifest(Self.cards)).status == 0)
        let video =
            try FileManager.default.attributesOfItem(atPath: workspace.file("out/a.mkv"))[.systemFileNumber] as? Int
        let path = try manifest(Self.cards, formats: #""csv""#)
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines == [
                "a: would write a.csv from the track file: “output.formats” is new (csv)"
            ])
        let outcome = try annotateBatch("run", path)
        #expect((outcome.status, outcome.outputLines.count) == (0, 3))
        #expect(
            try FileManager.default.attributesOfItem(atPath: workspace.file("out/a.mkv"))[.systemFileNumber] as? Int
                == video)
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["a: up to date"])
        try expectAsFromScratch(path)
        try FileManager.default.removeItem(atPath: workspace.file("out/a.csv"))
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines == [
                "a: would write a.csv from the track file: a.csv is missing"
            ])
        #expect(try annotateBatch("run", path).status == 0)
        // And a form that isn't wanted any more goes.
        let less = try manifest(Self.cards)
        #expect(
            try annotateBatch("run", less, "--dry-run").outputLines == [
                "a: would remove a.csv: “output.formats” is gone (was csv)"
            ])
        #expect(try annotateBatch("run", less).status == 0)
        #expect(workspace.names() == ["a.mkv", "a.tracks.jsonl", "report.json"])
        #expect(try annotateBatch("run", less, "--dry-run").outputLines == ["a: up to date"])
    }

    /// A report with another size of a track file that has the contents that it says: looked at once, and put right.
    /// What isn't the program's own in a report is none of the next one's, and can't break it.
    @Test(arguments: [##"#00000g"##, #"{}, \"x\": {\"y\": 1}"#, "", "null"]) func aRecipeThatIsNone(text: String) throws
    {
        let path = try manifest(Self.cards)
        #expect(try annotateBatch("run", path).status == 0)
        let lines = try workspace.text("out/report.json").split(separator: "\n").map { line in
            line.contains("\"recipe\": {") ? "      \"recipe\": \"\(text)\"," : String(line)
        }
        #expect(lines.contains { $0.hasPrefix("      \"recipe\": \"") })
        try workspace.write(lines.joined(separator: "\n"), to: "out/report.json")
        // A result for which the report has everything else stays as it is, or is made again.
        for arguments in [["run", path], ["run", path, "--force"]] {
            #expect(try Program.run(Program.annotateBatch, arguments).status == 0)
            let report = try json(try workspace.text("out/report.json"))
            #expect(report["jobs"]?.elements?.first?["x"] == nil)
        }
    }

    @Test func aReportThatSomebodyChanged() throws {
        let path = try manifest(Self.cards)
        #expect(try annotateBatch("run", path).status == 0)
        let name = "a.tracks.jsonl"
        let status = Files.status(workspace.file("out/" + name))
        let size = try #require(status).size
        let report = try workspace.text("out/report.json")
        try workspace.write(report.replacing("\"bytes\": \(size)", with: "\"bytes\": -1"), to: "out/report.json")
        #expect(try !workspace.text("out/report.json").contains("\"bytes\": \(size)"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try entry()["status"]?.string == "done")
        #expect(try workspace.text("out/report.json").contains("\"bytes\": \(size)"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try entry()["status"]?.string == "up-to-date")
    }

    /// A track file that isn't what the run left is not believed.
    @Test func aTrackFileThatSomebodyChanged() throws {
        #expect(try annotateBatch("run", try manifest(Self.cards)).status == 0)
        var tracks = Array(try workspace.text("out/a.tracks.jsonl"))
        let place = try #require(tracks.firstIndex(of: "9"))
        tracks[place] = "8"
        try workspace.write(String(tracks), to: "out/a.tracks.jsonl")
        let path = try manifest(Self.cards, encode: #"{"codec": "ffv1", "pixelFormat": "yuv444p"}"#)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == [])
        try expectAsFromScratch(path)
    }

    /// Another input, or another part of it, is seen anew.
    @Test func otherPictures() throws {
        #expect(try annotateBatch("run", try manifest(Self.cards)).status == 0)
        let part = try manifest(Self.cards, job: #", "range": {"end": 0.2}"#)
        #expect(try annotateBatch("run", part).status == 0)
        #expect(try reused == [])
        try workspace.clip("a.mp4", frames: 9)
        let drawn = #"{"id": "cards", "type": "rectangles", "rate": 10, "draw": {"thickness": 9}}"#
        #expect(try annotateBatch("run", try manifest(drawn, job: #", "range": {"end": 0.2}"#)).status == 0)
        #expect(try reused == [])
    }

    /// A run that doesn't come to a job leaves what is known of its track file.
    @Test func afterARunThatWasBrokenOff() throws {
        #expect(try annotateBatch("run", try manifest(Self.cards)).status == 0)
        try workspace.write("no video", to: "b.mp4")
        let drawn = #"{"id": "cards", "type": "rectangles", "rate": 10, "draw": {"thickness": 9}}"#
        let both = try workspace.manifest(
            [#""input": "b.mp4""#, #""input": "a.mp4""#], stages: drawn, encode: #"{"codec": "ffv1"}"#)
        #expect(try annotateBatch("run", both, "--fail-fast", "--jobs", "1").status == 1)
        let path = try manifest(drawn)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try reused == ["cards"])
        try expectAsFromScratch(path)
    }

    // MARK: render

    @Test func rendering() throws {
        #expect(try annotateBatch("run", try manifest(Self.cards, Self.markers)).status == 0)
        let arguments = [workspace.file("out/a.tracks.jsonl"), "--input", workspace.file("a.mp4")]
        let outcome = try Program.run(
            Program.annotateBatch, ["render"] + arguments + ["-o", workspace.file("again.mkv")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.outputLines == [workspace.file("again.mkv")])
        #expect(
            try Files.read(workspace.file("again.mkv")) == Files.read(workspace.file("out/a.mkv")))
        try workspace.clip("b.mp4", frames: 9)
        let other = try annotateBatch(
            "render", workspace.file("out/a.tracks.jsonl"), "--input", workspace.file("b.mp4"), "-o",
            workspace.file("b.mkv"))
        #expect(other.status == 1)
        #expect(
            other.errors.contains("the track file tells of frame 9 at pts"), "\(other.errors)")
        #expect(!FileManager.default.fileExists(atPath: workspace.file("b.mkv")))
        for (name, words) in [
            ("c.txt", "expected a name that ends in .mp4 or .mkv"), ("a.mp4", "would overwrite the input"),
        ] {
            let wrong = try Program.run(Program.annotateBatch, ["render"] + arguments + ["-o", workspace.file(name)])
            #expect(wrong.status == 64)
            #expect(wrong.errors.contains(words), "\(wrong.errors)")
        }
        try workspace.write(#"{"cards": {"cover": "blur"}}"#, to: "cover.json")
        let copied = try Program.run(
            Program.annotateBatch,
            ["render"] + arguments + [
                "-o", workspace.file("d.mkv"), "--codec", "copy", "--draw", workspace.file("cover.json"),
            ])
        #expect(copied.status == 64)
        #expect(copied.errors.contains("an overlay takes no pixel away"), "\(copied.errors)")
        let wrong = try Program.run(
            Program.annotateBatch, ["render"] + arguments + ["-o", workspace.file("d.mp4"), "--codec", "ffv1"])
        #expect(wrong.errors.contains("ffv1 makes .mkv files"), "\(wrong.errors)")
    }
}
