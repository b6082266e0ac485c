import Annotate
import Foundation
import Testing

/// Networks are compiled once, and results are the same whether they were.
@Suite(.enabled(if: Files.exists(repository + "/.deps/openvino"), "no OpenVINO in .deps"))
struct ModelCacheTests {
    private let workspace: Workspace
    private let cache: String

    init() throws {
        workspace = try Workspace()
        cache = workspace.file("cache")
        try workspace.clip("a.mp4", frames: 3)
        let model = "\(repository)/manifests/models/shapes.onnx"
        try workspace.manifest(
            [#""id": "a", "input": "a.mp4""#],
            stages: #"{"id": "cards", "type": "rectangles"}, "#
                + #"{"id": "c", "type": "classify", "inputs": ["cards"], "model": "\#(model)"}"#)
    }

    /// The track file that comes of it, and what was said.
    private func run(_ cache: String, _ arguments: String...) throws -> (tracks: String, said: String) {
        let outcome = try Program.run(
            Program.annotateBatch, ["run", workspace.file("m.json"), "--force", "--log-level", "debug"] + arguments,
            environment: ["ANNOTATE_MODEL_CACHE": cache])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (try workspace.text("out/a.tracks.jsonl"), outcome.errors)
    }

    private var kept: [String] { workspace.names(in: "cache/networks") }
    private var entries: [String] { workspace.names(in: "cache/index").filter { !$0.hasSuffix(".facts.json") } }

    @Test func resultsAreTheSameWithAndWithout() throws {
        let without = try run("none").tracks
        #expect(!Files.exists(cache))
        #expect(without.contains("\"c\""))
        #expect(try run(cache).tracks == without)
        #expect(kept.count == 1 && entries.count == 1)
        let file = try #require(kept.first)
        let before = try #require(Files.status(cache + "/networks/" + file))
        #expect(try run(cache).tracks == without)
        #expect(try run(cache, "--isolation", "none").tracks == without)
        #expect(kept == [file] && Files.status(cache + "/networks/" + file)?.size == before.size)
    }

    @Test func itIsTheUsersAlone() throws {
        _ = try run(cache)
        for path in [cache, cache + "/index", cache + "/networks"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700, "\(path)")
        }
    }

    /// A model that changes is another one, whatever was known of it.
    @Test func anotherModelIsAnotherNetwork() throws {
        let own = workspace.file("own.onnx")
        try FileManager.default.copyItem(atPath: "\(repository)/manifests/models/shapes.onnx", toPath: own)
        let text = try workspace.text("m.json")
        try workspace.write(
            text.replacingOccurrences(of: "\(repository)/manifests/models/shapes.onnx", with: own), to: "m.json")
        let first = try run(cache).tracks
        // A field that nobody reads, behind the rest.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: own))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0xF2, 0x3F, 1, 8]))
        try handle.close()
        let second = try run(cache).tracks
        #expect(kept.count == 2 && entries.count == 2)
        #expect(first != second, "the header has the model's hash")
        try Data("no model".utf8).write(to: URL(fileURLWithPath: own))
        let outcome = try annotateBatch("run", workspace.file("m.json"), environment: ["ANNOTATE_MODEL_CACHE": cache])
        #expect(outcome.status == 65, "\(outcome.errors)")
    }

    /// A damaged network is compiled anew, by who reads it and for the next one.
    @Test func damageCostsTimeAlone() throws {
        let whole = try run(cache).tracks
        let file = try #require(kept.first)
        let path = URL(fileURLWithPath: cache + "/networks/" + file)
        let bytes = try Data(contentsOf: path)
        var damaged = bytes
        damaged[bytes.count / 2] ^= 0xFF
        for contents in [damaged, bytes.prefix(100), Data()] {
            try contents.write(to: path)
            #expect(try run(cache).tracks == whole)
            #expect(try Data(contentsOf: path).count == bytes.count, "it wasn't compiled anew")
        }
        let index = try #require(entries.first)
        try workspace.write("{\"key\": 1}", to: "cache/index/" + index)
        #expect(try run(cache).tracks == whole)
        #expect(try workspace.text("cache/index/" + index).contains("contents"))
    }

    /// Who reads the manifest tries a detector out, by the network that is kept: it compiles none. Told by the CPU that it takes.
    @Test(.enabled(if: Files.exists(repository + "/.deps/networks/people/ssdlite.pb"), "make setup brings it"))
    func theReaderOfAManifestCompilesNoneThatIsKept() throws {
        try workspace.manifest([#""id": "a", "input": "a.mp4""#], stages: #"{"id": "people", "type": "detect"}"#)
        _ = try run(cache)
        func seconds(_ cache: String) throws -> Double {
            let script = #"TIMEFORMAT=%U; time "$0" validate "$1" >/dev/null"#
            let outcome = try Program.run(
                "bash", ["-c", script, Program.annotateBatch, workspace.file("m.json")],
                environment: ["ANNOTATE_MODEL_CACHE": cache, "LC_ALL": "C"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require(outcome.errorLines.last.flatMap(Double.init))
        }
        let (kept, anew) = (try seconds(cache), try seconds("none"))
        #expect(kept < 0.6 * anew, "\(kept) s of CPU, \(anew) s without what is kept")
    }

    /// What others may write in is believed by nobody.
    @Test func aFolderOfOthersIsLeftAlone() throws {
        let whole = try run(cache).tracks
        let file = try #require(kept.first)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: cache + "/networks")
        try workspace.write("planted", to: "cache/networks/" + file)
        let again = try run(cache)
        #expect(again.tracks == whole)
        #expect(
            again.said.contains("compiled networks aren't kept: \(cache), which ANNOTATE_MODEL_CACHE names"),
            "\(again.said)")
        #expect(try workspace.text("cache/networks/" + file) == "planted")
        let doctor = try annotateBatch("doctor", environment: ["ANNOTATE_MODEL_CACHE": cache])
        let missing = "MISSING  compiled networks: not kept: \(cache) isn't a folder"
        #expect(doctor.output.contains(missing), "\(doctor.output)")
    }

    @Test func doctorTellsOfIt() throws {
        func line(_ value: String) throws -> String {
            let outcome = try annotateBatch("doctor", environment: ["ANNOTATE_MODEL_CACHE": value])
            return outcome.outputLines.first { $0.contains("compiled networks") } ?? ""
        }
        #expect(try line("none") == "holds    compiled networks: not kept: ANNOTATE_MODEL_CACHE=none")
        #expect(
            try line("here") == "MISSING  compiled networks: not kept: ANNOTATE_MODEL_CACHE is “here”; "
                + "expected a path that begins with / or “none”")
        #expect(try line(cache) == "holds    compiled networks: will be kept in \(cache)")
        _ = try run(cache)
        #expect(try line(cache).hasPrefix("holds    compiled networks: 1, 0 MiB, in \(cache)"))
    }

    /// Without a word they are kept where programs keep what can be made again; in no home but one's own.
    @Test func theyAreKeptAmongTheUsersCaches() throws {
        func places(_ environment: [String: String]) throws -> [String] {
            let environment = environment.merging(["ANNOTATE_MODEL_CACHE": ""]) { $1 }
            let outcome = try Program.run(
                Program.annotateBatch, ["run", workspace.file("m.json"), "--force"], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let all = FileManager.default.enumerator(atPath: workspace.file("."))?.compactMap { $0 as? String } ?? []
            return all.filter { $0.hasSuffix("compiled/networks") }.sorted()
        }
        let home = workspace.file("home")
        try Files.makeDirectory(home)
        #expect(try places(["HOME": workspace.file("none"), "XDG_CACHE_HOME": home + "/x"]) == [])
        #expect(try places(["HOME": home, "XDG_CACHE_HOME": ""]) == ["home/.cache/annotate-batch/compiled/networks"])
        #expect(
            try places(["HOME": home, "XDG_CACHE_HOME": home + "/x"]) == [
                "home/.cache/annotate-batch/compiled/networks", "home/x/annotate-batch/compiled/networks",
            ])
    }

    /// OpenVINO would take a network's numbers from a file `.bin` in the current folder.
    @Test func numbersInTheCurrentFolderAreNotTaken() throws {
        let whole = try run(cache).tracks
        try workspace.write(String(repeating: "hostile", count: 100_000), to: ".bin")
        for isolation in ["process", "none"] {
            let outcome = try Program.run(
                "/bin/sh",
                [
                    "-c", "cd \"$1\" && exec \"$0\" run m.json --force --isolation \(isolation)", Program.annotateBatch,
                    workspace.file("."),
                ],
                environment: ["ANNOTATE_MODEL_CACHE": cache])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try workspace.text("out/a.tracks.jsonl") == whole)
        }
    }

    /// It isn't even opened: whoever opens a pipe that nobody writes to waits.
    @Test(arguments: ["process", "none"])
    func numbersInTheCurrentFolderAreNotLookedFor(isolation: String) throws {
        let whole = try run(cache).tracks
        try #require(mkfifo(workspace.file(".bin"), 0o600) == 0)
        let outcome = try Program.run(
            "/bin/sh",
            [
                "-c", "cd \"$1\" && exec timeout 60 \"$0\" run m.json --force --isolation \(isolation)",
                Program.annotateBatch, workspace.file("."),
            ],
            environment: ["ANNOTATE_MODEL_CACHE": cache])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.text("out/a.tracks.jsonl") == whole)
    }
}
