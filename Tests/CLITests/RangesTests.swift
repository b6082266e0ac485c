import Annotate
import Foundation
import Testing

/// Videos that are looked at in parts: results are those of a run in one piece, byte for byte.
@Suite struct RangesTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// A white card that moves, and key pictures every six frames unless it is said otherwise.
    private func clip(_ name: String, _ options: String...) throws {
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=gray:s=160x120:r=25[a];color=white:s=60x44:r=25[b];[a][b]overlay=x=20+n:y=30", "-frames:v", "40",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-g", "6", "-bf", "2", "-sc_threshold",
                "0",
            ] + options + [workspace.file(name)])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private static let stages = #"""
        {"id": "cards", "type": "rectangles"}, {"id": "rare", "type": "rectangles", "rate": 7},
        {"id": "level", "type": "horizon", "rate": 3}, {"id": "altered", "type": "alter", "inputs": ["cards"]}
        """#

    private func manifest(_ clip: String, _ job: String = "", stages: String = Self.stages) throws -> String {
        try workspace.manifest(
            [#""input": "\#(clip)", "id": "a""# + job], stages: stages, encode: #"{"codec": "ffv1"}"#)
    }

    /// Every file but the report, and what the report says but for the time that it took.
    private func results(_ folder: String) throws -> [String: [UInt8]] {
        var results: [String: [UInt8]] = [:]
        for name in try Files.list(workspace.file(folder)) {
            results[name] = try Files.read(workspace.file("\(folder)/\(name)"))
        }
        let lines = String(decoding: try #require(results["report.json"]), as: UTF8.self).split(separator: "\n")
        results["report.json"] = Array(lines.filter { !$0.contains(#""seconds":"#) }.joined(separator: "\n").utf8)
        return results
    }

    /// Runs a manifest in one piece, and in parts.
    /// - Returns: What is said of the parts.
    @discardableResult
    private func compare(_ path: String, _ options: String..., parts: Int = 3) throws -> String {
        let whole = try Program.run(
            Program.annotateBatch, ["run", path, "--output", workspace.file("whole"), "--force"])
        #expect(whole.status == 0, "\(whole.errors)")
        let outcome = try Program.run(
            Program.annotateBatch,
            [
                "run", path, "--output", workspace.file("parts"), "--ranges", "\(parts)", "--force", "--progress",
                "plain",
            ] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Seen once, on a loaded machine; nobody knows yet what it was waiting for.
        withKnownIssue("a worker did nothing any more", isIntermittent: true) {
            #expect(!outcome.errors.contains("does nothing any more"), "\(outcome.errors)")
        }
        let (expected, found) = (try results("whole"), try results("parts"))
        #expect(found.keys.sorted() == expected.keys.sorted())
        for (name, bytes) in expected { #expect(found[name] == bytes, "\(name) differs") }
        return outcome.errors.split(separator: "\n").first { $0.contains("“a” ") }.map(String.init) ?? ""
    }

    /// The rate-limited stages look at those frames alone that they look at in one piece.
    @Test(arguments: [2, 3, 7], ["process", "job", "none"])
    func theSameBytes(parts: Int, isolation: String) throws {
        try clip("a.mp4")
        let stages = #"{"id": "cards", "type": "rectangles"}, {"id": "rare", "type": "rectangles", "rate": 7}"#
        let told = try compare(
            try manifest("a.mp4", stages: stages), "--isolation", isolation, "--jobs", parts == 3 ? "1" : "2",
            parts: parts)
        // 40 of one stage. The other one looks seven times in any second: at 0, 0.16, 0.32 and so on.
        let looks = 40 + 11
        #expect(told.hasSuffix("job “a” was looked at in \(parts) parts: \(looks) looks were known"), "\(told)")
    }

    /// What a stage takes from one that keeps nothing, and what it hands on, in any order of stages and in a part of the video.
    @Test func stagesThatTakeFromOthers() throws {
        try clip("a.mp4")
        let told = try compare(try manifest("a.mp4", #", "range": {"start": 0.3, "end": 1.3}"#))
        #expect(told.contains("was looked at in 3 parts") && !told.contains("weren't"), "\(told)")
    }

    /// What things look like is read in parts, and the video runs twice: 40 frames of either stage are known.
    @Test(arguments: [1, 2])
    func following(passes: Int) throws {
        try clip("a.mp4")
        let stages = #"""
            {"id": "seen", "type": "detect", "model": "\#(repository)/manifests/models/parts.onnx", "minimumConfidence": 0.01},
            {"id": "things", "type": "follow", "inputs": ["seen"], "passes": \#(passes), "cameraMotion": true}
            """#
        let told = try compare(try manifest("a.mp4", stages: stages), "--jobs", "2")
        #expect(told.hasSuffix("job “a” was looked at in 3 parts: 80 looks were known"), "\(told)")
    }

    /// Pictures in another order, times that are uneven or begin before zero or late, a group that is open.
    @Test(arguments: [
        ["-x264-params", "open-gop=1:bframes=3"], ["-output_ts_offset", "2.5"], ["-ss", "0.14"],
        ["-vf", "settb=1/1000,setpts='N*40+7*mod(N,3)'", "-fps_mode", "vfr", "-enc_time_base", "1/1000"],
    ])
    func otherFiles(options: [String]) throws {
        try clip("a.mkv")
        try clip("a.mp4")
        for name in ["a.mkv", "a.mp4"] {
            let clip = "b" + name.dropFirst()
            let isCopied = options.first == "-ss" || options.first == "-output_ts_offset"
            let outcome = try Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y"] + (options.first == "-ss" ? options : [])
                    + ["-i", workspace.file(name)] + (options.first == "-ss" ? [] : options)
                    + (isCopied ? ["-c", "copy"] : ["-c:v", "libx264", "-g", "6"]) + [workspace.file(clip)])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let told = try compare(try manifest(clip))
            #expect(told.contains("was looked at in ") || told.contains("isn't divided: "), "\(told)")
        }
    }

    /// What is damaged may look different to a decoder that begins behind it: whatever is, is looked at anew.
    @Test(arguments: [0.2, 0.35, 0.55])
    func damage(place: Double) throws {
        try clip("a.mp4")
        var bytes = try Files.read(workspace.file("a.mp4"))
        let start = Int(Double(bytes.count) * place)
        for index in start..<start + 60 { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try Files.write(bytes, to: workspace.file("b.mp4"))
        let told = try compare(try manifest("b.mp4", #", "onError": "skip-frame""#))
        #expect(told.contains("was looked at in ") || told.contains("isn't divided: "), "\(told)")
    }

    @Test func whatCantBeDividedSaysWhy() throws {
        try clip("a.mp4", "-g", "999")
        var told = try compare(try manifest("a.mp4"))
        #expect(
            told.hasSuffix("job “a” isn't divided: there is no picture inside it with which decoding could begin"),
            "\(told)")
        try clip("a.mp4")
        try workspace.write("1,-1,21,31,20,50,0.9,-1,-1,-1\n", to: "a.txt")
        told = try compare(
            try manifest("a.mp4", stages: #"{"id": "level", "type": "import", "format": "mot", "file": "a.txt"}"#))
        #expect(
            told.hasSuffix(
                "job “a” isn't divided: none of its stages finds anything in a frame by itself that could be stored"),
            "\(told)")
        told = try compare(try manifest("a.mp4", #", "deinterlace": true"#))
        #expect(told.hasSuffix("job “a” isn't divided: what makes whole pictures of fields looks back"), "\(told)")
    }

    @Test func numbersThatAreNone() throws {
        try clip("a.mp4")
        let outcome = try annotateBatch("run", try manifest("a.mp4"), "--ranges", "0")
        #expect(outcome.errors.contains("--ranges takes 1 to 1000, not 0."), "\(outcome.errors)")
        #expect(outcome.status == 64)
    }

    /// A worker that is killed while it looks at a part costs that part, which is looked at once more.
    @Test func aKilledWorker() throws {
        try clip("a.mp4", "-frames:v", "150")
        let path = try manifest("a.mp4")
        let program = try Program(
            Program.annotateBatch,
            ["run", path, "--output", workspace.file("parts"), "--ranges", "3", "--jobs", "2", "--progress", "plain"])
        var killed: Int32?
        let until = Date() + 60
        while killed == nil, Date() < until {
            for name in workspace.unfinished(in: "parts") where name.hasPrefix(".a.") && name.contains(".part") {
                let isPart = name.split(separator: ".").contains { $0.hasPrefix("part") && Int($0.dropFirst(4)) != nil }
                guard isPart, let number = name.split(separator: "-").last.flatMap({ Int32($0) }) else { continue }
                // Above every process id a name counts its tries.
                killed = number & 0x3FFFFF
            }
        }
        killed.map { _ = kill($0, SIGKILL) }
        let outcome = try program.finish()
        #expect(killed != nil)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("job “a” was looked at in 3 parts: ") && !outcome.errors.contains("weren't"))
        let whole = try Program.run(Program.annotateBatch, ["run", path, "--output", workspace.file("whole")])
        #expect(whole.status == 0)
        let (expected, found) = (try results("whole"), try results("parts"))
        for (name, bytes) in expected { #expect(found[name] == bytes, "\(name) differs") }
        #expect(found.keys.sorted() == expected.keys.sorted())
    }
}
