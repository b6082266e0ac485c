import Annotate
import Glibc
import Testing

/// Results that go elsewhere.
@Suite(.serialized) struct StoreTests {
    /// A manifest whose command notes the addresses that it stores at.
    private func manifest(
        _ workspace: Workspace, output: String, encode: String = #"{"codec": "none"}"#
    ) throws -> String {
        try workspace.write(
            """
            {"version": 1, "store": ["sh", "-c", "echo $1 >> \(workspace.file("log"))", "{file}", "{url}"],
             "output": {"directory": "out", \(output)},
             "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
             "jobs": [{"input": "clip.mp4", "graph": "g", "encode": \(encode)}]}
            """, to: "m.json")
    }

    /// What was stored since it was asked for last.
    private func stored(_ workspace: Workspace) throws -> [String] {
        guard Files.exists(workspace.file("log")) else { return [] }
        let lines = try workspace.text("log").split(separator: "\n").map(String.init)
        unlink(workspace.file("log"))
        return lines.sorted()
    }

    @Test(arguments: ["kept", "out/kept"]) func trackFilesElsewhereAreNotStored(folder: String) throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        let path = try manifest(
            workspace, output: #""tracks": "\#(folder)", "formats": ["csv"], "address": "disk://there""#, encode: "{}")
        let validated = try annotateBatch("validate", path)
        #expect(validated.status == 0)
        #expect(validated.errors.contains("they aren't stored at disk://there"), "\(validated.errors)")
        #expect(try annotateBatch("run", path, "--allow-commands").status == 0)
        #expect(workspace.names(in: folder).contains("clip.tracks.jsonl"))
        #expect(try stored(workspace) == ["disk://there/clip.mp4"])
        #expect(try annotateBatch("run", path, "--allow-commands").status == 0)
        #expect(try stored(workspace).isEmpty)
        // Nor does the manifest's own word lead out.
        let out = try annotateBatch("validate", try manifest(workspace, output: #""address": "disk://there/../x""#))
        #expect(out.status == 65)
        #expect(out.errors.contains("has “..” in it"), "\(out.errors)")
    }

    @Test func whatIsUnchangedIsNotStoredAgain() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        func run(_ formats: String, _ more: String...) throws -> [String] {
            let path = try manifest(workspace, output: #"\#(formats)"address": "disk://there/""#)
            let outcome = try Program.run(Program.annotateBatch, ["run", path, "--allow-commands"] + more)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try stored(workspace)
        }
        #expect(try run("") == ["disk://there/clip.tracks.jsonl"])
        let formats = #""formats": ["csv"], "#
        #expect(try run(formats) == ["disk://there/clip.csv"])
        // The track file comes out as it was.
        #expect(try run(formats, "--force") == ["disk://there/clip.csv"])
        #expect(try run("").isEmpty)
    }

    @Test(arguments: [true, false]) func whatLayInAnotherFolderWasNotStored(isThere: Bool) throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        func run(_ tracks: String) throws -> [String] {
            let path = try manifest(workspace, output: #"\#(tracks)"address": "disk://there""#)
            let outcome = try annotateBatch("run", path, "--allow-commands")
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try stored(workspace)
        }
        #expect(try run(#""tracks": "kept", "#).isEmpty)
        // Somebody may have brought it where it is to be now.
        if isThere { try workspace.write(workspace.bytes("kept/clip.tracks.jsonl"), to: "out/clip.tracks.jsonl") }
        #expect(try run("") == ["disk://there/clip.tracks.jsonl"])
        let outputs = try json(workspace.text("out/report.json"))["jobs"]?.elements?.first?["outputs"]?.elements
        #expect(outputs?.compactMap { $0["file"]?.string } == ["clip.tracks.jsonl"])
        #expect(try run("").isEmpty)
    }

    @Test func anAddressThatEndsInASlash() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        let path = try manifest(workspace, output: #""address": "disk://there/""#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.errors.contains("could not store disk://there/clip.tracks.jsonl"), "\(outcome.errors)")
    }
}
