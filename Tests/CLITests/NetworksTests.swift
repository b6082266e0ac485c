import Foundation
import Glibc
import Testing

@testable import Annotate

/// Known networks: listed, fetched from a local server, and taken where they are.
@Suite struct NetworksTests {
    private static let data = repository + "/../shared/data"
    private static let isThere = Files.exists(data + "/detect/FastestDet.onnx")

    /// A server of a folder's files on this machine, for as long as it is held.
    private final class Server {
        let address: String
        private let program: Program

        init(_ folder: String, _ workspace: Workspace) throws {
            // It says where it listens once it does.
            let script = """
                import functools, http.server, sys
                handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
                server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
                open(sys.argv[2] + ".part", "w").write(str(server.server_port))
                import os; os.rename(sys.argv[2] + ".part", sys.argv[2])
                server.serve_forever()
                """
            let port = workspace.file("port")
            program = try Program("python3", ["-c", script, folder, port])
            for _ in 0..<200 where !Files.exists(port) { usleep(50_000) }
            address = "http://127.0.0.1:" + (try workspace.text("port"))
        }

        deinit {
            // What a test starts has the signals blocked that its thread has.
            program.signal(SIGKILL)
            _ = try? program.finish()
        }
    }

    @Test func theListNamesWhatIsHere() throws {
        let workspace = try Workspace()
        let bare = try annotateBatch("networks", environment: ["ANNOTATE_NETWORKS": workspace.file("n")])
        #expect(bare.status == 0)
        #expect(
            bare.outputLines.contains {
                $0.hasPrefix("absent  nanotrack-v2") && $0.hasSuffix("(networks get nanotrack-v2)")
            })
        try workspace.write("something else", to: "n/detect/FastestDet.onnx")
        let other = try annotateBatch(
            "networks", "list", "--json", environment: ["ANNOTATE_NETWORKS": workspace.file("n")])
        #expect(other.output.contains(#""state": "other""#))
        let unknown = try annotateBatch("networks", "get", "fastestdat")
        #expect(unknown.status == 64 && unknown.errors.contains("Did you mean “fastestdet”?"))
    }

    /// A file that isn't what was published is thrown away; so is one that ends too early.
    @Test func whatIsFetchedIsWhatWasPublished() throws {
        let workspace = try Workspace()
        try workspace.write("wrong", to: "mirror/detect/FastestDet.onnx")
        let server = try Server(workspace.file("mirror"), workspace)
        let environment = ["ANNOTATE_NETWORKS": workspace.file("n"), "ANNOTATE_NETWORKS_URL": server.address]
        let short = try annotateBatch("networks", "get", "fastestdet", environment: environment)
        #expect(short.status == 1)
        #expect(
            short.errorLines == [
                "annotate-batch: “\(server.address)/detect/FastestDet.onnx” ends after 5 of 998169 bytes; expected the file with the "
                    + "SHA-256 31cb14c017fce347cb4c846ec62fdf00d76bb3beecdf4be21e7116ac67feb880"
            ])
        try workspace.write(String(repeating: "x", count: 998_169), to: "mirror/detect/FastestDet.onnx")
        let other = try annotateBatch("networks", "get", "fastestdet", environment: environment)
        #expect(
            other.status == 1 && other.errors.contains("has the SHA-256") && other.errors.contains("expected 31cb14c0"))
        let missing = try annotateBatch("networks", "get", "yolox-nano", environment: environment)
        #expect(
            missing.status == 1
                && missing.errors.contains(
                    "could not fetch \(server.address)/detect/yolox_nano.onnx: the server answered 404")
        )
        #expect(workspace.names(in: "n/detect").isEmpty)
    }

    @Test(.enabled(if: isThere, "../shared/data isn't here")) func oneIsFetched() throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("mirror/detect"))
        try Files.write(
            try Files.read(Self.data + "/detect/FastestDet.onnx"), to: workspace.file("mirror/detect/FastestDet.onnx"))
        let server = try Server(workspace.file("mirror"), workspace)
        let environment = ["ANNOTATE_NETWORKS": workspace.file("n"), "ANNOTATE_NETWORKS_URL": server.address + "/"]
        let got = try annotateBatch("networks", "get", "fastestdet", environment: environment)
        #expect(got.status == 0 && got.outputLines == [workspace.file("n/detect/FastestDet.onnx")])
        #expect(workspace.names(in: "n/detect") == ["FastestDet.onnx"])
        let again = try annotateBatch("networks", "get", "fastestdet", environment: environment)
        #expect(again.status == 0 && again.errors.contains("is here already"))
        let file = try annotateBatch(
            "networks", "get", "fastestdet", "--from", workspace.file("mirror/detect/FastestDet.onnx"),
            environment: ["ANNOTATE_NETWORKS": workspace.file("other")])
        #expect(file.status == 0 && workspace.names(in: "other/detect") == ["FastestDet.onnx"])
    }

    /// `track` takes what was fetched, and its header says so; what isn't the network is refused.
    @Test(.enabled(if: isThere, "../shared/data isn't here")) func trackTakesWhatIsThere() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 8)
        let job = #""id": "a", "input": "a.mp4", "regions": [{"id": "card", "box": [20, 30, 60, 44]}]"#
        func header(_ stage: String) throws -> String {
            let manifest = try workspace.manifest([job], stages: stage)
            let outcome = try annotateBatch(
                "run", manifest, "--force", environment: ["ANNOTATE_NETWORKS": workspace.file("n")])
            guard outcome.status == 0 else { return outcome.errors }
            return String(try workspace.text("out/a.tracks.jsonl").prefix { $0 != "\n" })
        }
        let plain = #"{"id": "things", "type": "track"}"#
        #expect(try !header(plain).contains("530bdd0c"))
        for (part, file) in [("backbone", "nanotrack_v2_backbone.onnx"), ("head", "nanotrack_v2_head.onnx")] {
            try Files.makeDirectory(workspace.file("n/track"))
            try Files.write(
                try Files.read(Self.data + "/models/" + file), to: workspace.file("n/track/nanotrack_\(part)_sim.onnx"))
        }
        #expect(try header(plain).contains("530bdd0cd00f19afab79a863e71ba71e3312395a5dc9151af675082bdaaa2fc4"))
        #expect(try !header(#"{"id": "things", "type": "track", "level": "accurate"}"#).contains("530bdd0c"))
        try workspace.write("something else", to: "n/track/nanotrack_head_sim.onnx")
        #expect(
            try header(plain).contains("nanotrack_head_sim.onnx” isn't nanotrack-v2's; expected the SHA-256 0d8c0637"))
    }
}
