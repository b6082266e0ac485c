import Annotate
import Glibc
import Testing

/// What is left when a run is ended.
@Suite(.serialized) struct InterruptionTests {
    private static let slow = #"{"preset": "placebo", "crf": 10}"#

    /// Waits for a file whose name has this part.
    private func wait(for part: String, in workspace: Workspace) -> Bool {
        for _ in 0..<400 {
            if workspace.unfinished().contains(where: { $0.contains(part) }) { return true }
            usleep(25_000)
        }
        return false
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGQUIT, 131)] as [(Int32, Int32)])
    func aSignalEndsTheRunAtOnce(signal: Int32, status: Int32) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest(
            [#""input": "a.mp4""#, #""input": "slow.mp4""#, #""input": "a.mp4", "id": "later""#], encode: Self.slow)
        let program = try Program(Program.annotateBatch, ["run", path, "--jobs", "1"])
        #expect(wait(for: ".slow.mp4.partial-", in: workspace))
        usleep(300_000)
        var before = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        program.signal(signal)
        let outcome = try program.finish()
        var after = timespec()
        clock_gettime(CLOCK_MONOTONIC, &after)
        let seconds = Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9
        #expect(outcome.status == status)
        // A second's better part on a machine that is not busy; the encoding would take far longer anywhere.
        #expect(seconds < 5, "took \(seconds) s")
        // Finished jobs stay, nothing of the others does.
        #expect(workspace.names().filter { $0 != "report.json" } == ["a.mp4", "a.tracks.jsonl"])
        let next = try annotateBatch("run", path, "--only", "a")
        #expect(next.errors == "[1/1] a: up to date (--force runs it all the same)\n")
    }

    @Test func aTimeoutFailsTheJobAlone() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest([#""input": "slow.mp4""#, #""input": "a.mp4""#], encode: Self.slow)
        let outcome = try annotateBatch("run", path, "--timeout", "1.5", "--jobs", "1")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("[1/2] slow: failed: took longer than the 1.5 s that --timeout allows\n"))
        #expect(outcome.errorLines.last == "annotate-batch: 1 of 2 jobs failed: slow")
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
    }

    /// A pipe whose writer says nothing more, and doesn't go.
    @Test func aTimeoutEndsASilentPipe() throws {
        let workspace = try Workspace()
        try workspace.clip("a.ts", frames: 3)
        let path = try workspace.manifest([#""id": "pipe", "input": "-""#])
        let script = """
            mkfifo "$1.pipe"
            (exec 3>"$1.pipe"; head -c 3000 "$1" >&3; exec sleep 30) &
            "$2" run "$3" --timeout 1 <"$1.pipe"
            echo "status $?"
            kill $! && echo 'the writer was there'
            """
        let outcome = try Program.run("sh", ["-c", script, "sh", workspace.file("a.ts"), Program.annotateBatch, path])
        #expect(outcome.output == "status 1\nthe writer was there\n")
        #expect(outcome.errors.contains("took longer than the 1 s that --timeout allows"), "\(outcome.errors)")
    }

    @Test func whatAKilledRunLeftIsSweptByTheNext() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest([#""input": "slow.mp4""#, #""input": "a.mp4""#], encode: Self.slow)
        let program = try Program(Program.annotateBatch, ["run", path, "--jobs", "1"])
        #expect(wait(for: ".slow.mp4.partial-", in: workspace))
        program.signal(SIGKILL)
        #expect(try program.finish().status == 128 + SIGKILL)
        #expect(!workspace.names().contains("slow.mp4"))
        // What a worker left that was killed too.
        try workspace.write("", to: "out/.slow.mp4.partial-17")
        _ = try annotateBatch("run", path, "--only", "a")
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
    }
}
