import Annotate
import Foundation
import Glibc
import Testing

/// What goes wrong around a run: disks, inputs that change, processes that are ended.
@Suite(.serialized) struct FaultTests {
    @Test func standardInputIsReadOnce() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mkv", frames: 12)
        let path = try workspace.manifest([#""input": "-", "id": "live""#])
        let outcome = try Program.run(Program.annotateBatch, ["run", path], input: clip)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.text("out/live.tracks.jsonl").split(separator: "\n").count == 14)
        let again = try workspace.manifest([#""input": "-", "id": "a""#, #""input": "-", "id": "b""#, #""input": "-""#])
        let refused = try annotateBatch("validate", again)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("/jobs/1/input: a second job reads standard input"))
        #expect(
            refused.errors.contains("/jobs/2/input: “-” is standard input, which has no name; expected an “id” too"))
    }

    /// What can be told of its pictures comes at the end, and nobody can go back.
    @Test func anMP4WithItsIndexAtTheEndIsNoStream() throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        let path = try workspace.manifest([#""input": "-", "id": "live""#])
        let outcome = try Program.run(Program.annotateBatch, ["run", path], input: workspace.file("a.mp4"))
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "could not read -: its index (moov) is at the end, and such an MP4 can't be streamed; name the file"
            ),
            "\(outcome.errors)")
    }

    /// A limit on the size of files stands in for a full disk where nothing can be mounted.
    @Test func aFileThatMayNotGrow() throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#], encode: #"{"preset": "ultrafast", "crf": 0}"#)
        let outcome = try Program.run(
            "bash", ["-c", #"ulimit -f 64; exec "$0" run "$1""#, Program.annotateBatch, path])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("a: failed: could not "), "\(outcome.errors)")
        #expect(outcome.errors.contains("File too large"), "\(outcome.errors)")
        #expect(workspace.names() == ["report.json"])
    }

    /// A worker's libraries were loaded once already, by this program: what they lack now is memory.
    @Test(arguments: [("_exit(127)", "no memory for a library"), ("abort()", "no memory for a library")])
    func aWorkerThatCannotBegin(deed: String, words: String) throws {
        let workspace = try Workspace()
        try workspace.write(
            """
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            __attribute__((constructor)) static void begin(int count, char **words) {
                if (count < 2 || strncmp(words[1], "worker", 6)) return;
                fputs("\(words)\\n", stderr);
                \(deed);
            }
            """, to: "hook.c")
        let built = try Program.run(
            "cc", ["-shared", "-fPIC", "-o", workspace.file("hook.so"), workspace.file("hook.c")])
        try #require(built.status == 0, "no C compiler")
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "a.mp4""#])
        let outcome = try annotateBatch(
            "run", path,
            environment: [
                // Whether Swift's own words stand behind is the machine's.
                "LD_PRELOAD": workspace.file("hook.so"), "SWIFT_BACKTRACE": "enable=no",
            ])
        #expect(outcome.errors.contains("could not start a worker: \(words)"), "\(outcome.errors)")
        #expect(outcome.status == 75)
    }

    private static let canMount: Bool = {
        guard let folder = try? Workspace(),
            let outcome = try? Program.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path])
        else { return false }
        if outcome.status == 0 { _ = try? Program.run("umount", [folder.path]) }
        return outcome.status == 0
    }()

    @Test(.enabled(if: canMount, "a file system can be mounted"), arguments: [64, 1024])
    func aFullDisk(kibibytes: Int) throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        try workspace.clip("small.mp4", frames: 3)
        try Files.makeDirectory(workspace.file("out"))
        let mounted = try Program.run(
            "mount", ["-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", workspace.file("out")])
        try #require(mounted.status == 0)
        defer { _ = try? Program.run("umount", [workspace.file("out")]) }
        let path = try workspace.manifest(
            [#""input": "a.mp4""#, #""input": "small.mp4""#], encode: #"{"preset": "ultrafast", "crf": 0}"#)
        let outcome = try annotateBatch("run", path, "--jobs", "1")
        // A disk may be emptied.
        #expect(outcome.status == 75)
        #expect(outcome.errors.contains("a: failed: could not "), "\(outcome.errors)")
        #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
        // The disk is free again for the next job.
        #expect(workspace.names() == ["report.json", "small.mp4", "small.tracks.jsonl"])
        #expect(try annotateBatch("verify", "--allow-failed", workspace.file("out")).status == 0)
    }

    @Test func anInputThatVanishesOrGrows() throws {
        let workspace = try Workspace()
        try workspace.slowClip("gone.mp4")
        try workspace.slowClip("more.ts")
        let path = try workspace.manifest([#""input": "gone.mp4""#, #""input": "more.ts""#])
        let program = try Program(Program.annotateBatch, ["run", path, "--jobs", "2"])
        for _ in 0..<200 where workspace.unfinished().count < 4 { usleep(10_000) }
        unlink(workspace.file("gone.mp4"))
        let bytes = try Files.read(workspace.file("more.ts"))
        let handle = try #require(FileHandle(forWritingAtPath: workspace.file("more.ts")))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        let outcome = try program.finish()
        // An open file stays whole; what is appended is read or not, as it comes.
        #expect(outcome.status == 0 || outcome.status == 1, "\(outcome.errors)")
        #expect(!workspace.names().contains { $0.hasPrefix(".") })
        #expect(workspace.names().contains("gone.mp4") == workspace.names().contains("gone.tracks.jsonl"))
        #expect(workspace.names().contains("more.mp4") == workspace.names().contains("more.tracks.jsonl"))
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func anEndAtAnyMomentLeavesNothingHalfDone(signal: Int32) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 40)
        let path = try workspace.manifest([#""input": "a.mp4""#, #""input": "a.mp4", "id": "b""#])
        for moment in 0..<12 {
            let program = try Program(Program.annotateBatch, ["run", path, "--force"])
            usleep(UInt32(5_000 + moment * 17_000))
            program.signal(signal)
            let status = try program.finish().status
            #expect([0, 128 + signal].contains(status))
            let shown = workspace.names().filter { !$0.hasPrefix(".") && $0 != "report.json" }
            for name in shown where name.hasSuffix(".tracks.jsonl") {
                #expect(
                    try workspace.text("out/" + name).split(separator: "\n").last?.hasPrefix("{\"summary\"") == true)
            }
            if signal == SIGTERM { #expect(!workspace.names().contains { $0.hasPrefix(".") }) }
        }
        #expect(try annotateBatch("run", path).status == 0)
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "b.mp4", "b.tracks.jsonl", "report.json"])
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }
}
