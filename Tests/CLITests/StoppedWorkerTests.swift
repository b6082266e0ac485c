import Annotate
import Foundation
import Glibc
import Testing

extension Program {
    /// Sends a signal to the workers of this program.
    /// - Returns: Whether there was one.
    func signalWorkers(_ signal: Int32) -> Bool {
        // Workers may be children of any thread.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task")) ?? []
        let children = threads.map {
            (try? String(contentsOfFile: "/proc/\(number)/task/\($0)/children", encoding: .utf8)) ?? ""
        }
        var found = false
        for child in children.flatMap({ $0.split(separator: " ") }).compactMap({ pid_t($0) }) {
            let words = (try? Files.read("/proc/\(child)/cmdline")) ?? []
            guard String(decoding: words, as: UTF8.self).contains("\0worker") else { continue }
            found = kill(child, signal) == 0 || found
        }
        return found
    }

    /// Stops workers once one has had a job for a while.
    func stopWorkers(of workspace: Workspace) -> Bool {
        for _ in 0..<600 {
            usleep(50_000)
            guard workspace.names().contains(where: { $0.contains("worker") }) else { continue }
            usleep(1_500_000)
            return signalWorkers(SIGSTOP)
        }
        return false
    }
}

/// Workers that somebody, a debugger or a freezer has stopped: they do nothing, and are ended for it.
extension WorkTests {
    private static let slow = #"{"input": "slow.mp4", "encode": {"codec": "h264", "preset": "slow"}}"#

    @Test func oneThatStandsStillIsEnded() throws {
        let workspace = try workspace()
        try workspace.slowClip("slow.mp4")
        let talk = try Conversation(workspace, "--jobs", "1", "--idle-timeout", "3")
        talk.say(Self.slow)
        #expect(talk.program.stopWorkers(of: workspace))
        // It is tried again, by another one.
        let answer = try #require(try talk.answers(1).first)
        #expect(answer["status"]?.string == "done", "\(answer)")
        let outcome = try talk.finish()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("stands still: a signal or a debugger stopped it"), "\(outcome.errors)")
    }

    /// The reader of lines as well as who would have the job.
    @Test func oneThatStandsStillBeforeItReads() throws {
        let workspace = try workspace()
        let talk = try Conversation(workspace, "--jobs", "1", "--idle-timeout", "3")
        talk.say(#"{"input": "a.mp4"}"#)
        #expect(try talk.answers(1).first?["status"]?.string == "done")
        #expect(talk.program.signalWorkers(SIGSTOP))
        talk.say(#"{"input": "b.mp4"}"#)
        #expect(try talk.answers(2).last?["status"]?.string == "done")
        let outcome = try talk.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.seconds < 50)
    }

    @Test func oneThatStandsStillInARun() throws {
        let workspace = try Workspace()
        try workspace.slowClip("slow.mp4")
        let path = try workspace.manifest(
            [#""input": "slow.mp4""#], encode: #"{"codec": "h264", "preset": "slow"}"#)
        let program = try Program(Program.annotateBatch, ["run", path, "--idle-timeout", "3"])
        #expect(program.stopWorkers(of: workspace))
        let outcome = try program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("stands still: a signal or a debugger stopped it"), "\(outcome.errors)")
    }
}
