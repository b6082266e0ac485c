import Annotate
import Foundation
import Glibc
import Testing

/// `work`: a job a line in, a result a line out.
@Suite(.serialized) struct WorkTests {
    /// `work` at work, its standard input a pipe that stays open until `close`.
    final class Conversation {
        let program: Program
        private var pipe: Int32

        init(_ workspace: Workspace, _ arguments: String...) throws {
            let path = workspace.file("lines")
            unlink(path)
            guard mkfifo(path, 0o600) == 0 else { throw ProgramError(description: "no pipe") }
            pipe = open(path, O_RDWR | O_CLOEXEC)
            program = try Program(
                Program.annotateBatch, ["work", workspace.file("m.json")] + arguments, input: path)
        }

        deinit { close() }

        func close() {
            if pipe >= 0 { Glibc.close(pipe) }
            pipe = -1
        }

        func say(_ lines: String...) {
            for line in lines {
                _ = Array((line + "\n").utf8).withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
            }
        }

        func say(bytes: [UInt8]) {
            _ = (bytes + [0x0A]).withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
        }

        /// Bytes that nobody has read.
        var unread: Int {
            var count: Int32 = 0
            _ = ioctl(pipe, UInt(FIONREAD), &count)
            return Int(count)
        }

        var answers: [JSONNode] {
            get throws { try program.outputSoFar.split(separator: "\n").map { try json(String($0)) } }
        }

        /// The answers, once there are so many.
        func answers(_ count: Int) throws -> [JSONNode] {
            for _ in 0..<6000 where try answers.count < count { usleep(10_000) }
            return try answers
        }

        func finish() throws -> Outcome {
            close()
            return try program.finish()
        }
    }

    func workspace(_ stages: String = #"{"id": "cards", "type": "rectangles"}"#, jobs: String = "") throws
        -> Workspace
    {
        let workspace = try Workspace()
        for name in ["a", "b", "c"] { try workspace.clip(name + ".mp4", frames: 5) }
        try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": [\(stages)]}},
             "defaults": {"graph": "g", "encode": {"codec": "none"}}\(jobs.isEmpty ? "" : ", \"jobs\": [\(jobs)]")}
            """, to: "m.json")
        return workspace
    }

    @Test func aResultALine() throws {
        let workspace = try workspace(jobs: #"{"input": "a.mp4"}"#)
        let talk = try Conversation(workspace, "--jobs", "1", "--log-level", "debug")
        talk.say(#""a""#)
        #expect(try talk.answers(1).first?["status"]?.string == "done")
        talk.say("", #"{"input": "b.mp4", "id": "two"}"#, #"{"input": "c.mp4"}"#)
        let answers = try talk.answers(3)
        #expect(answers.map { $0["id"]?.string } == ["a", "two", "c"])
        #expect(answers.map { $0["line"]?.integer } == [1, 3, 4])
        #expect(answers.allSatisfy { $0["status"]?.string == "done" && $0["frames"]?.integer == 5 })
        talk.say(#""a""#)
        #expect(try talk.answers(4).last?["status"]?.string == "up-to-date")
        let outcome = try talk.finish()
        #expect(outcome.status == 0)
        // One process reads what comes, another runs all of it.
        let workers = outcome.errorLines.filter {
            $0.contains("worker ") && $0.contains(": ") && $0.contains("Landlock")
        }
        #expect(workers.count <= 2)
        #expect(workspace.names() == ["a.tracks.jsonl", "c.tracks.jsonl", "report.json", "two.tracks.jsonl"])
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        // The same bytes as any run's.
        try workspace.manifest(
            [#""input": "b.mp4", "id": "two""#], encode: #"{"codec": "none"}"#, name: "plain.json")
        #expect(try annotateBatch("run", workspace.file("plain.json"), "--output", workspace.file("plain")).status == 0)
        #expect(try workspace.text("plain/two.tracks.jsonl") == workspace.text("out/two.tracks.jsonl"))
    }

    @Test func nobodyReadsTheResults() throws {
        let workspace = try workspace(jobs: #"{"input": "a.mp4"}"#)
        let command = "echo '\"a\"' | \(Program.annotateBatch) work \(workspace.file("m.json")) >&-"
        let outcome = try Program.run("sh", ["-c", command])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("annotate-batch: standard output is closed; expected"), "\(outcome.errors)")
        #expect(!Files.exists(workspace.file("out/a.mp4")))
    }

    @Test func whatIsNoJobIsALine() throws {
        let workspace = try workspace()
        try workspace.write("no video", to: "broken.mp4")
        let talk = try Conversation(workspace, "--jobs", "1")
        talk.say(
            "{", #""x""#, "7", #"{"input": "gone.mp4", "id": "g"}"#, #"{"input": "[abc].mp4"}"#,
            #"{"input": "-", "id": "s"}"#,
            #"{"input": "a.mp4", "colour": 1}"#, #"{"input": "broken.mp4"}"#, #"{"input": "a.mp4"}"#)
        let answers = try talk.answers(9).sorted { ($0["line"]?.integer ?? 0) < ($1["line"]?.integer ?? 0) }
        let errors = answers.map { $0["error"]?.string ?? "" }
        #expect(answers.map { $0["status"]?.string } == Array(repeating: "failed", count: 8) + ["done"])
        #expect(errors[1] == "“x” is no job of m.json; expected an id of one, or a job")
        #expect(errors[3] == "/input: no file “gone.mp4”; expected a path relative to the manifest's folder")
        #expect(answers[3]["id"]?.string == "g")
        #expect(errors[4] == "the line makes 3 jobs; expected one a line")
        #expect(errors[5] == "standard input has the jobs, and can't be an input too; expected a file")
        #expect(errors[6].hasPrefix("/colour: unknown key “colour”"))
        #expect(errors[7].contains("broken.mp4"))
        talk.say(bytes: [0x22, 0x61, 0xFF, 0x22])
        #expect(
            try talk.answers(10).last?["error"]?.string
                == "column 3: the line is not valid UTF-8 here; expected a job, or an id of the manifest's")
        #expect(try talk.finish().status == 0)
        // Elsewhere a manifest has jobs.
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 65)
    }

    @Test func noMoreIsReadThanCanBeTaken() throws {
        let workspace = try workspace()
        let talk = try Conversation(workspace, "--jobs", "1", "--threads", "1")
        let count = 12
        let lines = (10..<10 + count).map { #"{"input": "a.mp4", "id": "job\#($0)"}"# }
        for line in lines { talk.say(line) }
        let length = lines[0].utf8.count + 1
        var most = 0
        while try talk.answers.count < count {
            let unread = talk.unread
            let answered = try talk.answers.count
            most = max(most, count - unread / length - answered)
            usleep(1000)
        }
        // One that runs, one that waits, one on its way.
        #expect((1...3).contains(most))
        #expect(try talk.finish().status == 0)
    }

    @Test func filesThatChangeMeanwhile() throws {
        let workspace = try workspace(
            #"{"id": "things", "type": "track"}"#, jobs: #"{"input": "a.mp4", "regions": "seed.json"}"#)
        try workspace.write(#"[{"id": "card", "box": [20, 30, 60, 44]}]"#, to: "seed.json")
        let talk = try Conversation(workspace, "--jobs", "1")
        talk.say(#""a""#)
        _ = try talk.answers(1)
        talk.say(#""a""#)
        _ = try talk.answers(2)
        try workspace.write(#"[{"id": "card", "box": [21, 30, 60, 44]}]"#, to: "seed.json")
        talk.say(#""a""#)
        _ = try talk.answers(3)
        try workspace.clip("a.mp4", frames: 6)
        talk.say(#""a""#)
        let answers = try talk.answers(4)
        #expect(answers.map { $0["status"]?.string } == ["done", "up-to-date", "done", "done"])
        #expect(answers.map { $0["frames"]?.integer } == [5, 5, 5, 6])
        #expect(try talk.finish().status == 0)
    }

    @Test func aWorkerThatIsKilledCostsItsJob() throws {
        let workspace = try workspace()
        try workspace.slowClip("slow.mp4")
        let talk = try Conversation(workspace, "--jobs", "1")
        talk.say(#"{"input": "slow.mp4", "encode": {"codec": "h264", "preset": "veryslow"}}"#)
        var isKilled = false
        for _ in 0..<600 where !isKilled {
            usleep(50_000)
            guard workspace.names().contains(where: { $0.contains("worker") }) else { continue }
            usleep(300_000)
            isKilled = talk.program.signalWorkers(SIGKILL)
        }
        #expect(isKilled)
        let answer = try #require(try talk.answers(1).first)
        #expect(answer["error"]?.string?.contains("its worker was killed (signal 9)") == true)
        #expect(answer["mayPass"]?.bool == true)
        talk.say(#"{"input": "a.mp4"}"#)
        #expect(try talk.answers(2).last?["status"]?.string == "done")
        #expect(try talk.finish().status == 0)
        #expect(workspace.unfinished().isEmpty)
    }

    @Test func interruptedInTheMiddle() throws {
        let workspace = try workspace()
        try workspace.slowClip("slow.mp4")
        let talk = try Conversation(workspace, "--jobs", "1")
        talk.say(#"{"input": "slow.mp4", "encode": {"codec": "h264", "preset": "veryslow"}}"#)
        for _ in 0..<600 where !workspace.names().contains(where: { $0.contains("worker") }) { usleep(50_000) }
        usleep(300_000)
        talk.program.signal(SIGTERM)
        let outcome = try talk.program.finish()
        #expect(outcome.status == 143)
        #expect(!workspace.names().contains("slow.mp4"))
        #expect(workspace.unfinished().isEmpty)
    }

    @Test func nobodyReadsTheAnswers() throws {
        let workspace = try workspace()
        let lines = (0..<8).map { #"{"input": "a.mp4", "id": "job\#($0)"}"# }
        try workspace.write(lines.joined(separator: "\n") + "\n", to: "lines.txt")
        let outcome = try Program.run(
            "bash",
            [
                "-c", #"set -o pipefail; "$0" work "$1" --jobs 1 < "$2" | head -n 1"#, Program.annotateBatch,
                workspace.file("m.json"), workspace.file("lines.txt"),
            ])
        #expect(outcome.status == 1)
        #expect(outcome.outputLines.count == 1)
        #expect(outcome.errors.contains("could not write the results to standard output"))
    }

    @Test func schedulersSayWhichShardItIs() throws {
        let workspace = try Workspace()
        for name in ["a", "b", "c"] { try workspace.clip(name + ".mp4", frames: 2) }
        let path = try workspace.manifest([#""input": "*.mp4""#], encode: #"{"codec": "none"}"#)
        let none = try annotateBatch("run", path, "--shard", "auto")
        #expect(none.status == 64)
        #expect(none.errorLines.first?.hasPrefix("Error: --shard auto finds none of SLURM_ARRAY_TASK_ID, ") == true)
        for index in 0..<2 {
            let outcome = try annotateBatch(
                "run", path, "--shard", "auto",
                environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "\(index)", "AWS_BATCH_JOB_ARRAY_SIZE": "2"])
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("shard \(index + 1) of 2, by AWS Batch's AWS_BATCH_JOB_ARRAY_INDEX"))
        }
        #expect(Set(workspace.names()).isSuperset(of: ["report.1-of-2.json", "report.2-of-2.json"]))
        #expect(try annotateBatch("status", path, "--shards", "2").status == 0)
    }
}
