import Annotate
import Testing

/// Exceptions from what a glob's jobs have in common.
@Suite struct ExceptionTests {
    private func workspace(_ names: [String] = ["a", "b", "c"]) throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        for name in names where name != "a" {
            _ = try Program.run("cp", [workspace.file("a.mp4"), workspace.file(name + ".mp4")])
        }
        return workspace
    }

    private func manifest(_ workspace: Workspace, _ jobs: String, _ more: String = "") throws -> String {
        try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": [{"id": "cup", "type": "track"}]}}, "defaults": {"graph": "g"}, \(more)
             "jobs": [\(jobs)]}
            """, to: "m.json")
    }

    private func preview(_ path: String) throws -> [String] {
        let outcome = try annotateBatch("run", path, "--dry-run")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.outputLines.map { String($0.prefix { $0 != ":" }) }
    }

    @Test func aJobThatNamesAFileTakesItOutOfAGlob() throws {
        let workspace = try workspace()
        let path = try manifest(workspace, #"{"input": "*.mp4"}, {"input": "b.mp4", "encode": {"crf": 30}}"#)
        #expect(try preview(path) == ["a", "c", "b"])
    }

    @Test func excludedFiles() throws {
        let workspace = try workspace()
        let path = try manifest(workspace, #"{"input": "*.mp4", "exclude": ["[bc].mp4"]}"#)
        #expect(try preview(path) == ["a"])
        let none = try manifest(workspace, #"{"input": "*.mp4", "exclude": ["x*.mp4"]}"#)
        #expect(
            try annotateBatch("validate", none).errors.contains(
                "“x*.mp4” leaves nothing out: no file matches; expected one of those that “input” matches"))
        let others = try manifest(workspace, #"{"input": "[ab].mp4", "exclude": ["c.mp4"]}"#)
        #expect(
            try annotateBatch("validate", others).errors.contains(
                "“c.mp4” leaves nothing out: “input” matches none of its files; expected one of those that “input” matches"
            ))
        let one = try manifest(workspace, #"{"input": "a.mp4", "exclude": ["b.mp4"]}"#)
        #expect(
            try annotateBatch("validate", one).errors.contains("“exclude” beside one file; expected it beside a glob"))
        let all = try manifest(workspace, #"{"input": "*.mp4", "exclude": ["*.mp4"]}"#)
        #expect(try annotateBatch("validate", all).errors.contains("no job is left"))
    }

    @Test func aGlobOfWhichNothingIsLeftIsTold() throws {
        let workspace = try workspace()
        let path = try manifest(
            workspace, #"{"input": "[bc].mp4", "exclude": ["?.mp4"]}, {"input": "a.mp4"}"#)
        let valid = try annotateBatch("validate", path)
        #expect(valid.status == 0)
        #expect(
            valid.errors.contains("“[bc].mp4”: “exclude” leaves out all that it matches, 2 files"), "\(valid.errors)")
        #expect(
            !(try annotateBatch("validate", manifest(workspace, #"{"input": "[bc].mp4"}"#)).errors.contains("leaves")))
    }

    @Test func aFileOfRegionsThatMayBeAbsent() throws {
        let workspace = try workspace()
        try workspace.write(#"[{"id": "cup", "box": [10, 10, 40, 40]}]"#, to: "seeds/b.json")
        let path = try manifest(workspace, #"{"input": "*.mp4", "regions": "seeds/{name}.json?"}"#)
        let valid = try annotateBatch("validate", path)
        #expect(valid.status == 0, "\(valid.errors)")
        #expect(
            valid.errors.contains(
                "jobs “a”, “c”: there is no file for “regions”: “seeds/{name}.json?”, which may be absent, so it has none"
            ))
        let run = try annotateBatch("run", path)
        #expect(run.status == 0, "\(run.errors)")
        let jobs = try json(try workspace.text("out/report.json"))["jobs"]?.elements ?? []
        #expect(jobs.map { $0["tracks"]?.integer } == [0, 1, 0])
        #expect(jobs[0]["notes"]?.elements?.contains { $0.string?.contains("may be absent") ?? false } == true)
        // What is needed is still missed.
        let needed = try manifest(workspace, #"{"input": "*.mp4", "regions": "seeds/{name}.json"}"#)
        #expect(try annotateBatch("validate", needed).status == 65)
    }

    @Test func overridesByPatternsOfIds() throws {
        let workspace = try workspace()
        let path = try manifest(
            workspace, #"{"input": "*.mp4", "encode": {"preset": "ultrafast"}}"#,
            #""overrides": {"[bc]": {"encode": {"codec": "none"}}, "c": {"encode": {"codec": "ffv1"}}},"#)
        let run = try annotateBatch("run", path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            workspace.names().filter { $0.hasSuffix(".mp4") || $0.hasSuffix(".mkv") } == ["a.mp4", "c.mkv"])
        let again = try annotateBatch("run", path)
        #expect(again.errors.contains("3 jobs up to date"))
        let wrong = try manifest(workspace, #"{"input": "*.mp4"}"#, #""overrides": {"x*": {"onError": "skip-frame"}},"#)
        #expect(
            try annotateBatch("validate", wrong).errors.contains(
                "/overrides/x*: no job’s id fits “x*”; expected a pattern of “a”, “b”"))
        let bad = try manifest(workspace, #"{"input": "*.mp4"}"#, #""overrides": {"b": {"encode": {"crf": 99}}},"#)
        #expect(try annotateBatch("validate", bad).errors.contains("/overrides/b/encode/crf"))
    }

    /// Whether the job has its graph from `defaults` or says one itself.
    @Test(arguments: [#"{"input": "*.mp4"}"#, #"{"input": "*.mp4", "graph": "g"}"#])
    func overriddenGraphs(_ job: String) throws {
        let workspace = try workspace()
        let seen = #"{"stages": [{"id": "tags", "type": "markers", "dictionary": "aruco-4x4-50"}]}"#
        let path = try manifest(
            workspace, job, #""overrides": {"b": {"graph": \#(seen)}, "c": {"graph": {"stages": []}}},"#)
        let run = try annotateBatch("run", path)
        #expect(run.status == 0, "\(run.errors)")
        let stages = try ["a", "b", "c"].map { id in
            let head = try workspace.text("out/\(id).tracks.jsonl").split(separator: "\n")[0]
            return try json(String(head))["stages"]?.elements?.map { $0["id"]?.string }
        }
        #expect(stages == [["cup"], ["tags"], []])
        let unknown = try manifest(workspace, job, #""overrides": {"b": {"graph": "h"}},"#)
        #expect(
            try annotateBatch("validate", unknown).errors.contains(
                "/overrides/b/graph: no graph “h”; expected one of “g”"))
    }

    @Test(arguments: [("id", #""b""#), ("input", #""b.mp4""#), ("exclude", #"["b.mp4"]"#)])
    func membersThatNoOverrideHas(key: String, value: String) throws {
        let workspace = try workspace(["a"])
        let path = try manifest(workspace, #"{"input": "*.mp4"}"#, #""overrides": {"a": {"\#(key)": \#(value)}},"#)
        let errors = try annotateBatch("validate", path).errors
        #expect(errors.contains("/overrides/a/\(key): unknown key “\(key)”; expected one of “graph”, "), "\(errors)")
        #expect(errors.contains("1 problem in"), "\(errors)")
    }

    @Test func aMissingInputFailsItsJobOnRequest() throws {
        let workspace = try workspace(["a"])
        let path = try manifest(workspace, #"{"input": "a.mp4"}, {"input": "gone.mp4"}"#)
        #expect(try annotateBatch("run", path).status == 65)
        let valid = try annotateBatch("validate", path, "--allow-missing")
        #expect(valid.status == 0)
        #expect(valid.errors.contains("there is no file “gone.mp4”; its job will fail"), "\(valid.errors)")
        let run = try annotateBatch("run", path, "--allow-missing")
        #expect(run.status == 1)
        #expect(run.errors.contains("gone: failed: "), "\(run.errors)")
        #expect(workspace.names().contains("a.tracks.jsonl"))
    }
}
