import Foundation
import Testing

@testable import Annotate

/// Doors that stood open once.
@Suite struct ClosedDoorTests {
    /// A job of ten frames, done.
    private func finished() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 10)
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "ffv1"}"#)
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workspace
    }

    @Test(arguments: ["../victim.txt", "/victim.txt", "..", "sub/../../victim.txt"])
    func aReportNamesNoFileElsewhere(name: String) throws {
        let workspace = try finished()
        try workspace.write("precious", to: "victim.txt")
        var report = try workspace.text("out/report.json")
        report = report.replacing(#""file": "clip.mkv""#, with: "\"file\": \"\(name)\"")
        report = report.replacing(#/"bytes": \d+/#, with: "\"bytes\": 8")
        #expect(report.contains("\"file\": \"\(name)\"") && report.contains("\"bytes\": 8\n"))
        try workspace.write(report, to: "out/report.json")
        // Another codec writes another file, and removes what the report names as the last one's.
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "none"}"#)
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        #expect(try workspace.text("victim.txt") == "precious")
    }

    @Test func theRootIsNotLeftBehindWhatIsNotThere() throws {
        let (workspace, outside) = (try Workspace(), try Workspace())
        try workspace.write(
            #"{"version":1,"output":{"directory":"nx/../lnk/out"},"jobs":[{"id":"a","input":"-","graph":{"stages":[]}}]}"#,
            to: "m.json")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("lnk"), withDestinationPath: outside.path)
        let outcome = try Program.run(
            Program.annotateBatch, ["validate", workspace.file("m.json"), "--root", workspace.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("leads out of the folder that --root allows"), "\(outcome.errors)")
    }

    @Test func closedStandardStreamsTakeNoFile() throws {
        let workspace = try finished()
        let command =
            "exec 0<&- 1>&- 2>&-; exec \(Program.annotateBatch) run --force --progress plain \(workspace.file("m.json"))"
        #expect(try Program.run("sh", ["-c", command]).status == 0)
        let verdict = try Program.run(Program.annotateBatch, ["verify", workspace.file("out")])
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test func aFullStandardOutputIsAnError() throws {
        let outcome = try Program.run("sh", ["-c", "\(Program.annotateBatch) stages > /dev/full"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "annotate-batch: could not write the results to standard output: No space left on device\n")
    }

    @Test func noLibraryFromTheWorkingDirectory() throws {
        let workspace = try Workspace()
        try workspace.write("not a library", to: ".deps/openvino/libopenvino_c.so")
        try workspace.write("not a model", to: "m.onnx")
        try workspace.write(
            #"{"version":1,"jobs":[{"id":"a","input":"-","graph":{"stages":[{"id":"c","type":"classify","model":"m.onnx"}]}}]}"#,
            to: "m.json")
        // Copied by another process: what this one has open for writing, programs started beside it keep open too.
        let command = """
            cd \(workspace.path) && cp \(Program.annotateBatch) . && unset ANNOTATE_OPENVINO && \
            ./annotate-batch validate m.json
            """
        let outcome = try Program.run("sh", ["-c", command])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("OpenVINO is not installed"), "\(outcome.errors)")
        #expect(outcome.errors.contains("make setup"), "\(outcome.errors)")
    }
}
