import Annotate
import Testing

/// The dictionary “auto” in whole jobs.
@Suite struct AutoDictionaryJobTests {
    @Test func theSameBytesOnAnyNumberOfThreads() throws {
        let workspace = try Workspace()
        let card = { (id: Int, x: Double) in
            #"{"kind": "marker", "dictionary": "aruco-4x4-250", "id": \#(id), "size": 0.1, "position": [\#(x), 0, 0.7]}"#
        }
        try workspace.write(
            #"{"version": 1, "size": [640, 360], "frames": 40, "objects": [\#(card(3, -0.15)), \#(card(200, 0.15))]}"#,
            to: "s.json")
        let rendered = try annotateBatch("synth", workspace.file("s.json"), "-o", workspace.file("a.mp4"))
        #expect(rendered.status == 0, "\(rendered.errors)")
        let path = try workspace.manifest(
            [#""input": "a.mp4""#], stages: #"{"id": "found", "type": "markers", "dictionary": "auto"}"#)
        for threads in ["1", "2", "5"] {
            let outcome = try annotateBatch(
                "run", path, "--threads", threads, "--output", workspace.file("out-\(threads)"))
            #expect(outcome.status == 0)
        }
        let first = try workspace.text("out-1/a.tracks.jsonl")
        #expect(first.contains("aruco-4x4-250/200"))
        for threads in ["2", "5"] { #expect(try workspace.text("out-\(threads)/a.tracks.jsonl") == first) }
        let note = try json(workspace.text("out-5/report.json"))["jobs"]?.elements?.first?["notes"]?.elements?.first?
            .string
        #expect(
            note?.hasPrefix("stage “found”: dictionary aruco-4x4-250 was chosen at frame ") == true, "\(note ?? "")")
        #expect(try annotateBatch("verify", workspace.file("out-5")).status == 0)
    }
}
