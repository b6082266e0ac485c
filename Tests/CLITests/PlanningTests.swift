import Foundation
import Glibc
import Testing

@testable import Annotate

private let hasOpenVINO = Files.exists(repository + "/.deps/openvino")

/// What the reading of a manifest may take.
@Suite(.enabled(if: hasOpenVINO, "no OpenVINO in .deps")) struct PlanningTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write("P2 2 2 255 0 0 0 0\n", to: "p.pgm")
        return workspace
    }

    /// An ONNX model of so many Relu, one behind the other, which take the longer to compile the more there are.
    private static func chain(_ count: Int) -> Data {
        func number(_ value: Int) -> [UInt8] {
            value < 128 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + number(value >> 7)
        }
        func field(_ id: Int, _ bytes: [UInt8]) -> [UInt8] { number(id << 3 | 2) + number(bytes.count) + bytes }
        func field(_ id: Int, _ text: String) -> [UInt8] { field(id, Array(text.utf8)) }
        func field(_ id: Int, _ value: Int) -> [UInt8] { number(id << 3) + number(value) }
        let sides = [1, 3, 8, 8].flatMap { field(1, field(1, $0)) }
        func port(_ name: String) -> [UInt8] {
            field(1, name) + field(2, field(1, field(1, 1) + field(2, sides)))
        }
        var graph: [UInt8] = []
        for index in 0..<count {
            graph += field(1, field(1, "x\(index)") + field(2, "x\(index + 1)") + field(4, "Relu"))
        }
        graph += field(2, "g") + field(11, port("x0")) + field(12, port("x\(count)"))
        return Data(field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13)))
    }

    @Test func aModelThatTakesTooLongCostsItsJobsAlone() throws {
        let workspace = try workspace()
        try Self.chain(5000).write(to: URL(fileURLWithPath: workspace.file("deep.onnx")))
        let deep = #"{"id": "c", "type": "classify", "model": "deep.onnx"#
        try workspace.write(
            """
            {"version": 1, "graphs": {"plain": {"stages": []}}, "jobs": [
             {"id": "good", "input": "p.pgm", "graph": "plain"},
             {"id": "bad", "input": "p.pgm", "graph": {"stages": [\(deep)"}]}},
             {"id": "worse", "input": "p.pgm", "graph": {"stages": [\(deep)", "topK": 3}]}}]}
            """, to: "m.json")
        let validated = try annotateBatch("validate", workspace.file("m.json"), "--timeout", "2")
        #expect(validated.status == 0, "\(validated.errors)")
        let sentence = "“deep.onnx” can't be looked at: it took longer than the 2 s that --timeout allows"
        // Told of once, whoever names it.
        #expect(validated.errors.components(separatedBy: sentence).count == 2, "\(validated.errors)")
        let outcome = try annotateBatch("run", workspace.file("m.json"), "--timeout", "2", "--progress", "plain")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("good: done"), "\(outcome.errors)")
        for id in ["bad", "worse"] {
            #expect(outcome.errors.contains("\(id): failed: \(sentence)"), "\(outcome.errors)")
        }
        let report = try workspace.text("out/report.json")
        #expect(report.contains(sentence))
    }

    /// What a reader was at when somebody killed it is not to blame for it.
    @Test(arguments: [SIGTERM, SIGKILL])
    func aReaderThatIsKilledIsStartedAgain(signal: Int32) throws {
        let workspace = try workspace()
        try Self.chain(700).write(to: URL(fileURLWithPath: workspace.file("deep.onnx")))
        try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "a", "input": "p.pgm",
             "graph": {"stages": [{"id": "c", "type": "classify", "model": "deep.onnx"}]}}]}
            """, to: "m.json")
        let program = try Program(Program.annotateBatch, ["validate", workspace.file("m.json")])
        for _ in 0..<1000 where program.children.isEmpty { usleep(2000) }
        usleep(300_000)
        let readers = program.children
        #expect(!readers.isEmpty)
        for reader in readers { kill(reader, signal) }
        let outcome = try program.finish()
        // It was looked at to the end: that isn't what classifies.
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("its output is [1,3,8,8]"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("can't be looked at"), "\(outcome.errors)")
    }

    /// Forty graphs of their own with the program's networks took 32 to 48 MB each.
    @Test(arguments: ["faces", "text"])
    func equalModelsAreOne(type: String) throws {
        let workspace = try workspace()
        let jobs = (0..<40).map { index in
            let stage = #"{"id": "s", "type": "\#(type)", "minimumConfidence": 0.\#(400 + index)}"#
            return #"{"id": "j\#(index)", "input": "p.pgm", "graph": {"stages": [\#(stage)]}}"#
        }
        try workspace.write(#"{"version": 1, "jobs": [\#(jobs.joined(separator: ","))]}"#, to: "m.json")
        let outcome = try annotateBatch("run", workspace.file("m.json"), "--dry-run", "--max-memory", "500")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("40 of 40 jobs would run"), "\(outcome.errors)")
    }

    /// A manifest from a file system of other names.
    @Test func oneNameThatIsNotUTF8LeavesTheOthers() throws {
        let workspace = try workspace()
        let command = "cp \(workspace.file("p.pgm")) \(workspace.path)/$(printf 'a\\377.pgm')"
        #expect(try Program.run("sh", ["-c", command]).status == 0)
        try workspace.write(
            #"{"version": 1, "jobs": [{"input": "*.pgm", "graph": {"stages": []}}]}"#, to: "m.json")
        let outcome = try annotateBatch("run", workspace.file("m.json"), "--progress", "plain")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "“*.pgm” matches a file whose name isn't UTF-8, “a\u{FFFD}.pgm”, which is left out; rename it"),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("p: done"), "\(outcome.errors)")
    }

    /// Whoever may put a file there must not stop the jobs of all others.
    @Test(arguments: ["run", "validate"])
    func oneNameWithControlCharactersLeavesTheOthers(command: String) throws {
        let workspace = try workspace()
        for name in ["a\nb.pgm", "in/c\u{1B}d/e.pgm"] {
            try Files.makeDirectory(Files.parent(of: workspace.file(name)))
            try workspace.write(try workspace.bytes("p.pgm"), to: name)
        }
        try workspace.write(
            #"{"version": 1, "jobs": [{"input": "**/*.pgm", "graph": {"stages": []}}]}"#, to: "m.json")
        let outcome = try annotateBatch(command, workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        for name in [#"a\u{a}b.pgm"#, #"in/c\u{1b}d/e.pgm"#] {
            #expect(
                outcome.errors.contains(
                    "“**/*.pgm” matches a file whose name has control characters, “\(name)”, which is left out; rename it"
                ),
                "\(outcome.errors)")
        }
        // What a job names for itself is meant, and what nothing is left of as well.
        for (input, complaint) in [(#"a\nb.pgm"#, "gives no usable job id"), ("a*b.pgm", "; expected it renamed")] {
            try workspace.write(
                #"{"version": 1, "jobs": [{"input": "\#(input)", "graph": {"stages": []}}]}"#, to: "m.json")
            let refused = try annotateBatch(command, workspace.file("m.json"))
            #expect(refused.status == 65 && refused.errors.contains(complaint), "\(refused.errors)")
        }
    }

    /// Reading what the kernel answers may never end, as that of its log does.
    @Test(arguments: [
        #""regions": "/proc/kmsg""#, #""camera": "/proc/kmsg""#, #""points": "/sys/kernel/mm/ksm/run""#,
        #""expect": [{"against": "ok", "tolerances": "/proc/kmsg"}]"#,
    ])
    func theKernelsWordsAreNoFile(member: String) throws {
        let workspace = try workspace()
        let graph = #"{"stages": [{"id": "t", "type": "track"}]}"#
        try workspace.write(
            #"{"version": 1, "jobs": [{"input": "p.pgm", \#(member), "graph": \#(graph)}]}"#, to: "m.json")
        let outcome = try annotateBatch("validate", workspace.file("m.json"), "--timeout", "5")
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "lies where the kernel answers and no files are, as in /proc and /sys; expected a file"),
            "\(outcome.errors)")
        #expect(outcome.seconds < 5)
    }

    @Test(arguments: ["model", "labels"])
    func theKernelsWordsAreNoModel(option: String) throws {
        let workspace = try workspace()
        let files = ["model": "m.onnx", "labels": "l.txt"].merging([option: "/proc/kmsg"]) { $1 }
        let members = files.sorted { $0.key < $1.key }.map { #""\#($0.key)": "\#($0.value)""# }.joined(separator: ", ")
        let graph = #"{"stages": [{"id": "d", "type": "detect", \#(members)}]}"#
        try workspace.write(
            #"{"version": 1, "jobs": [{"input": "p.pgm", "graph": \#(graph)}]}"#, to: "m.json")
        let outcome = try annotateBatch("validate", workspace.file("m.json"), "--timeout", "5")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("/stages/0/\(option): “/proc/kmsg” lies where the kernel"), "\(outcome.errors)")
    }

    @Test func whatIsNoFileIsSaidSo() throws {
        let workspace = try workspace()
        #expect(mkfifo(workspace.file("fifo"), 0o600) == 0)
        func complaint(_ job: String, _ stage: String = #""type": "track""#) throws -> String {
            try workspace.write(
                #"{"version": 1, "jobs": [{"input": "p.pgm", \#(job) "graph": {"stages": [{"id": "t", \#(stage)}]}}]}"#,
                to: "m.json")
            return try annotateBatch("validate", workspace.file("m.json")).errors
        }
        let seeds = try complaint(#""regions": "fifo","#)
        #expect(seeds.contains("“fifo” can't be read: it is a pipe or a device; expected a JSON file"), "\(seeds)")
        let camera = try complaint(#""camera": "fifo","#)
        #expect(camera.contains("“fifo” can't be read: it is a pipe or a device; expected a camera file"), "\(camera)")
        let model = try complaint("", #""type": "detect", "model": "fifo""#)
        #expect(model.contains("/stages/0/model: “fifo” is a pipe or a device; expected"), "\(model)")
    }
}
