import Annotate
import Testing

/// Copies with an overlay, and overlays beside the video, as users ask for them.
@Suite struct OverlayTests {
    private static let copy = #"{ "codec": "copy" }"#

    @Test func aCopyAndWhatLiesBesideIt() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#], encode: Self.copy)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0)
        #expect(outcome.outputLines == [workspace.file("out/a.mkv"), workspace.file("out/a.tracks.jsonl")])
        // What it keeps meanwhile is gone.
        #expect(workspace.names() == ["a.mkv", "a.tracks.jsonl", "report.json"])
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")

        let exported = try annotateBatch("export", workspace.file("out/a.tracks.jsonl"), "--format", "ass", "-o", "-")
        #expect(exported.status == 0)
        #expect(exported.output.hasPrefix("[Script Info]\n"))
        #expect(exported.outputLines.contains { $0.hasPrefix("Dialogue: 0,0:00:00.00,") })
    }

    @Test func whatIsUpToDateIsNotCopiedAgain() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#], encode: Self.copy)
        #expect(try annotateBatch("run", path).status == 0)
        let again = try annotateBatch("run", path)
        #expect(again.status == 0 && again.errors.contains("up to date"))
    }

    @Test func aStyleOfOnesOwn() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        #expect(try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#], encode: Self.copy)).status == 0)
        let tracks = workspace.file("out/a.tracks.jsonl")
        let style = try workspace.write(##"{ "label": false, "color": "#010203" }"##, to: "style.json")
        let drawn = try annotateBatch("export", tracks, "--format", "ass", "--draw", style, "-o", "-")
        #expect(drawn.status == 0)
        let events = drawn.outputLines.filter { $0.hasPrefix("Dialogue: ") }
        #expect(!events.isEmpty && events.allSatisfy { $0.contains("\\c&H030201&") })

        let wrong = try annotateBatch("export", tracks, "--format", "csv", "--draw", style)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--draw doesn't go with the format “csv”, which draws nothing."))
        try workspace.write("{ \"label\": }", to: "broken.json")
        let broken = try annotateBatch("export", tracks, "--format", "ass", "--draw", workspace.file("broken.json"))
        #expect(broken.status == 65)
        #expect(broken.errors.contains("broken.json:1:12: "))
        let missing = try annotateBatch("export", tracks, "--format", "ass", "--draw", workspace.file("none.json"))
        #expect(missing.status == 65)
        try workspace.write(#"{ "cover": "blur" }"#, to: "cover.json")
        let covered = try annotateBatch("export", tracks, "--format", "ass", "--draw", workspace.file("cover.json"))
        #expect(covered.status == 1 && covered.errors.contains("an overlay takes no pixel away"))
    }

    @Test func alteredQuadsAreNoOverlay() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        func stages(_ draw: String) -> String {
            """
            { "id": "frames", "type": "rectangles" },
            { "id": "over", "type": "alter", "inputs": ["frames"], "draw": \(draw) }
            """
        }
        let refused = try annotateBatch(
            "validate", try workspace.manifest([#""input": "a.mp4""#], stages: stages("true"), encode: Self.copy))
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains(
                "stage type “alter” lays pictures on the video, and “copy” changes none; expected another codec, or "
                    + "“draw”: false"))
        let allowed = try annotateBatch(
            "validate", try workspace.manifest([#""input": "a.mp4""#], stages: stages("false"), encode: Self.copy))
        #expect(allowed.status == 0, "\(allowed.errors)")
    }
}
