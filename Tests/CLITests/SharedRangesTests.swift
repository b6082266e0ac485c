import Annotate
import Foundation
import Testing

/// Parts of one video that several shards look at: results are those of a run in one piece, byte for byte.
@Suite struct SharedRangesTests {
    private let workspace: Workspace
    private let manifest: String

    init() throws {
        workspace = try Workspace()
        manifest = try Self.manifest(workspace)
        try clip("a.mp4", frames: 40)
        try clip("b.mp4", frames: 30)
    }

    private static let stages = #"""
        {"id": "cards", "type": "rectangles"}, {"id": "rare", "type": "rectangles", "rate": 7},
        {"id": "altered", "type": "alter", "inputs": ["cards"]}
        """#

    private static func manifest(_ workspace: Workspace, minimumSize: Double = 0.1) throws -> String {
        try workspace.manifest(
            [#""input": "a.mp4", "id": "a""#, #""input": "b.mp4", "id": "b""#],
            stages: stages + #", {"id": "large", "type": "rectangles", "minimumSize": \#(minimumSize)}"#,
            encode: #"{"codec": "ffv1"}"#)
    }

    /// A white card that moves, and a key picture every six frames.
    private func clip(_ name: String, frames: Int) throws {
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=gray:s=160x120:r=25[a];color=white:s=60x44:r=25[b];[a][b]overlay=x=20+n/2:y=30", "-frames:v",
                "\(frames)", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-g", "6",
                "-sc_threshold", "0", workspace.file(name),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func words(_ shard: Int, of count: Int = 3) -> [String] {
        [
            "run", manifest, "--output", workspace.file("out"), "--ranges", "4", "--shard", "\(shard)/\(count)",
            "--jobs", "2", "--progress", "plain",
        ]
    }

    @discardableResult
    private func run(shard: Int, of count: Int = 3, _ options: String...) throws -> Outcome {
        let outcome = try Program.run(Program.annotateBatch, words(shard, of: count) + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    /// Runs it without shards, with what is there.
    private func runAll() throws -> Outcome {
        let outcome = try Program.run(
            Program.annotateBatch,
            ["run", manifest, "--output", workspace.file("out"), "--ranges", "4", "--progress", "plain"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func status(_ count: Int = 3) throws -> Outcome {
        try annotateBatch(
            "status", manifest, "--output", workspace.file("out"), "--shards", "\(count)", "--ranges", "4")
    }

    /// Names of parts' files.
    private func parts(of job: String = "") -> [String] {
        workspace.names().filter { $0.hasPrefix(".\(job)") && $0.contains("-of-") && !$0.contains(".partial-") }
    }

    /// Every file but the reports of shards, and what the report says but for the time that it took.
    private func results(_ folder: String) throws -> [String: [UInt8]] {
        var results: [String: [UInt8]] = [:]
        for name in try Files.list(workspace.file(folder)) where !name.hasPrefix("report.") || name == "report.json" {
            results[name] = try Files.read(workspace.file("\(folder)/\(name)"))
        }
        let lines = String(decoding: try #require(results["report.json"]), as: UTF8.self).split(separator: "\n")
        results["report.json"] = Array(lines.filter { !$0.contains(#""seconds":"#) }.joined(separator: "\n").utf8)
        return results
    }

    /// Holds what is in the output folder against a run in one piece.
    /// - Parameter merges: Whether the shards' reports make the report.
    private func compare(merges: Bool = true) throws {
        let whole = try Program.run(
            Program.annotateBatch, ["run", manifest, "--output", workspace.file("whole"), "--force"])
        #expect(whole.status == 0, "\(whole.errors)")
        if merges {
            let reports = workspace.names().filter { $0.contains("-of-") }.map { workspace.file("out/\($0)") }
            let merged = try Program.run(
                Program.annotateBatch, ["merge"] + reports + ["-o", workspace.file("out/report.json")])
            #expect(merged.status == 0, "\(merged.errors)")
        }
        let (expected, found) = (try results("whole"), try results("out"))
        #expect(found.keys.sorted() == expected.keys.sorted())
        for (name, bytes) in expected { #expect(found[name] == bytes, "\(name) differs") }
    }

    /// One after the other in any order, and all at once; with more shards than parts, too.
    @Test(arguments: [[1, 2, 3], [3, 1, 2], []], [3, 6])
    func theSameBytes(order: [Int], count: Int) throws {
        let order = order + (order.isEmpty ? [] : Array(4..<(count + 1)))
        if order.isEmpty {
            let programs = try (1...count).map { try Program(Program.annotateBatch, words($0, of: count)) }
            for program in programs {
                let outcome = try program.finish()
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
        }
        for shard in order {
            #expect(try status(count).status == 75)
            try run(shard: shard, of: count)
        }
        let end = try status(count)
        #expect(end.status == 0 && end.output == "\n", "\(end.errors)\(end.output)")
        #expect(parts().isEmpty)
        try compare()
    }

    /// Nothing of a shard's parts is looked at twice, and whoever looks at the last one runs the whole.
    @Test func aShareOfTheParts() throws {
        let first = try run(shard: 1)
        #expect(first.output.isEmpty && !workspace.names().contains("a.mkv"), "\(first.output)")
        let there = parts()
        #expect(!there.isEmpty && there.count < 8)
        let again = try run(shard: 1)
        #expect(again.errors.contains("parts that were looked at before"), "\(again.errors)")
        #expect(parts() == there)
        #expect(try status().output == "2,3\n")
        let preview = try Program.run(Program.annotateBatch, words(2) + ["--dry-run"])
        #expect(preview.output.contains("of up to 4 parts, and run where all are there: "), "\(preview.output)")
        try run(shard: 2)
        let last = try run(shard: 3)
        #expect(last.errors.contains("job “a” was looked at in 4 parts: ") && !last.errors.contains("weren't"))
        try compare()
    }

    /// What is missing, damaged, or of something else is looked at anew by whoever runs the whole, and said.
    @Test(arguments: ["missing", "damaged", "cut off", "of another input", "of other options", "a link", "a folder"])
    func filesThatAreNotWhatTheyShouldBe(way: String) throws {
        try run(shard: 1)
        try run(shard: 2)
        let names = parts(of: "a.")
        let name = try #require(names.first), path = workspace.file("out/\(name)")
        let number = name.split(separator: ".").last?.split(separator: "-").first?.dropFirst(4) ?? ""
        var reason = "its file is damaged"
        switch way {
        case "missing":
            unlink(path)
            reason = "it has no file"
        case "damaged":
            var bytes = try Files.read(path)
            let last = try #require(bytes.lastIndex { (UInt8(ascii: "1")...UInt8(ascii: "8")).contains($0) })
            bytes[last] += 1
            try workspace.write(bytes, to: "out/\(name)")
        case "cut off": try workspace.write(Array(try Files.read(path).dropLast(100)), to: "out/\(name)")
        case "of another input":
            utimensat(AT_FDCWD, workspace.file("a.mp4"), nil, 0)
            reason = "its file is of the input as it was before"
        case "of other options":
            _ = try Self.manifest(workspace, minimumSize: 0.3)
            reason = "its file is of other stages, or of other options of theirs"
        case "a link":
            try workspace.write(try Files.read(path), to: "elsewhere")
            unlink(path)
            symlink(workspace.file("elsewhere"), path)
            reason = "its file can't be read: it is a link; expected a plain file"
        default:
            unlink(path)
            try Files.makeDirectory(path)
            reason = "its file can't be read: it is a folder, a pipe or a device; expected a plain file"
        }
        let outcome = try runAll()
        #expect(
            outcome.errors.contains("job “a” part \(number) of 4 is looked at anew: \(reason)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("job “a” was looked at in 4 parts: ") && !outcome.errors.contains("weren't"))
        if way == "a link" { #expect(workspace.names(in: ".").contains("elsewhere")) }
        if way == "a folder" { rmdir(path) }
        #expect(parts().isEmpty)
        try compare(merges: false)
    }

    /// The last shard looks itself at what is damaged: the one that it is of may be long gone.
    @Test func aDamagedPartOfAnotherShard() throws {
        try run(shard: 1)
        try run(shard: 2)
        let name = try #require(parts(of: "a.").first)
        try workspace.write(Array(try Files.read(workspace.file("out/\(name)")).dropLast(100)), to: "out/\(name)")
        let outcome = try run(shard: 3)
        #expect(outcome.errors.contains("of 4 is looked at anew: its file is damaged"), "\(outcome.errors)")
        try compare()
    }

    /// A shard that is killed has what it has stored, and nobody runs the whole until it has run again.
    @Test func aKilledShard() throws {
        try clip("a.mp4", frames: 300)
        try run(shard: 2)
        try run(shard: 3)
        let before = parts()
        let program = try Program(Program.annotateBatch, words(1) + ["--threads", "1"])
        let until = Date() + 60
        while parts().count == before.count, Date() < until { usleep(500) }
        program.signal(SIGKILL)
        _ = try program.finish()
        #expect(try status().output.split(separator: "\n").first != nil)
        let again = try run(shard: 1)
        #expect(again.errors.contains("parts that were looked at before"), "\(again.errors)")
        #expect(try status().status == 0)
        #expect(workspace.names().allSatisfy { !$0.hasPrefix(".") }, "\(workspace.names())")
        try compare()
    }

    /// What a killed program has found in parts goes, with its hidden folder.
    @Test func aKilledProgramLeavesNothing() throws {
        try clip("a.mp4", frames: 300)
        let program = try Program(
            Program.annotateBatch,
            ["run", manifest, "--output", workspace.file("out"), "--ranges", "4", "--jobs", "1", "--threads", "1"])
        func hidden() -> [String] { workspace.names().filter { $0.hasPrefix(".") } }
        func isFound() -> Bool {
            hidden().contains { workspace.names(in: "out/\($0)").contains { $0.hasSuffix("part1") } }
        }
        let until = Date() + 60
        while !isFound(), Date() < until { usleep(500) }
        program.signal(SIGKILL)
        _ = try program.finish()
        #expect(Date() < until)
        let end = Date() + 20
        while !hidden().isEmpty, Date() < end { usleep(10_000) }
        #expect(hidden().isEmpty, "\(hidden())")
    }

    /// A job whose video can't be divided is its own shard's alone.
    /// More time or memory may do the next time: nothing of it is stored.
    @Test func limitsAreNoEndOfAPart() throws {
        // Parts of so many frames take longer than it takes to see how much memory there is.
        try clip("a.mp4", frames: 1500)
        try clip("b.mp4", frames: 1500)
        // What reads the manifest has no more than that either, and needs nearly as much: a little more is enough for it.
        let isTold = try ["50", "56", "62"].contains { limit in
            let outcome = try Program.run(Program.annotateBatch, words(2) + ["--max-memory", limit])
            #expect(outcome.status == 1, "\(outcome.errors)")
            #expect(parts().isEmpty, "\(parts())")
            return outcome.errors.contains("MiB of memory that it may take")
        }
        #expect(isTold)
        for shard in 1...3 { try run(shard: shard) }
        #expect(parts().isEmpty, "\(parts())")
        try compare()
    }

    @Test func whatCantBeDivided() throws {
        let path = workspace.file("a.mp4")
        let outcome = try Program.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", workspace.file("b.mp4"), "-c:v", "libx264", "-g", "999", path])
        #expect(outcome.status == 0)
        let told = try (1...3).map { try run(shard: $0).errors }
        #expect(told.filter { $0.contains("job “a” isn't divided: there is no picture inside it") }.count == 1)
        try compare()
    }

    /// Where a part can't be stored the shard says so.
    @Test func whatCantBeStored() throws {
        try run(shard: 1)
        let name = try #require(parts(of: "a.").first), path = workspace.file("out/\(name)")
        unlink(path)
        try Files.makeDirectory(path)
        try workspace.write("", to: "out/\(name)/something")
        let outcome = try Program.run(Program.annotateBatch, words(1))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("could not write \(path): it is a folder"), "\(outcome.errors)")
        #expect(Files.exists(path + "/something"))
    }
}
