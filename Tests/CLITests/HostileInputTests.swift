import Annotate
import Glibc
import Testing

/// Files and manifests that ask for what isn't theirs.
@Suite struct HostileInputTests {
    /// A port of this machine on which nobody should call.
    private final class Listener {
        let descriptor: Int32
        let port: UInt16

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.descriptor = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, $0, &length) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            guard code else { throw ProgramError(description: "no port to listen on") }
        }

        deinit { close(descriptor) }

        var wasCalled: Bool {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&poller, 1, 0) > 0
        }
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nURL\n#EXT-X-ENDLIST\n", "ffconcat version 1.0\nfile URL\n",
        "ffconcat version 1.0\nfile secret.ts\n", "#EXTM3U\n#EXTINF:1,\nsecret.ts\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXTINF:1,\nconcat:secret.ts|secret.ts\n",
        "#EXTM3U\n#EXTINF:1,\ndata:video/mp2t;base64,AAAA\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video PORT RTP/AVP 96\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"><Period><AdaptationSet><Representation>"
            + "<BaseURL>URL</BaseURL></Representation></AdaptationSet></Period></MPD>",
        "# subtitle\n{1}{25}URL\n",
    ])
    func playlistsDressedAsVideosLeadNowhere(text: String) throws {
        let workspace = try Workspace()
        let listener = try Listener()
        try workspace.clip("secret.ts", frames: 5)
        let url = "http://127.0.0.1:\(listener.port)/a.ts"
        let names = ["a.mp4", "b.m3u8", "c.ffconcat", "d.mpd", "e.sdp"]
        for name in names {
            try workspace.write(
                text.replacing("URL", with: url).replacing("PORT", with: "\(listener.port)"), to: name)
        }
        let path = try workspace.manifest(names.map { "\"input\": \"\($0)\"" })
        let outcome = try annotateBatch("run", path, "--timeout", "20", "--jobs", "1")
        #expect(outcome.status == 1)
        for (index, name) in names.enumerated() {
            let start = "[\(index + 1)/5] \(Files.stem(of: name)): failed: could not open "
            #expect(outcome.errors.contains(start), "\(outcome.errors)")
        }
        #expect(workspace.names() == ["report.json"])
        #expect(!listener.wasCalled)
    }

    @Test(arguments: ["concat:a.mp4|a.mp4", "file:a.mp4", "data:,x", "hls+file:a"])
    func aProtocolIsNoFile(input: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let outcome = try annotateBatch("run", try workspace.manifest(["\"input\": \"\(input)\", \"id\": \"x\""]))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("/jobs/0/input: no file “\(input)”; expected a path"))
    }

    @Test func linksToNothing() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        symlink("gone.mp4", workspace.file("b.mp4"))
        let named = try annotateBatch("validate", try workspace.manifest([#""input": "b.mp4""#]))
        #expect(named.status == 65)
        #expect(
            named.errors.contains("“b.mp4” is a link to a file that isn't there; expected a file\n"), "\(named.errors)")
        let globbed = try annotateBatch("validate", try workspace.manifest([#""input": "*.mp4""#]))
        #expect(globbed.status == 0)
        #expect(
            globbed.errors.contains(
                "“b.mp4”, which “*.mp4” matches, is a link to a file that isn't there, and is left out"),
            "\(globbed.errors)")
    }

    @Test func noPathLeavesTheRoot() throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("root/videos"))
        try workspace.clip("outside.mp4", frames: 3)
        try workspace.clip("root/videos/a.mp4", frames: 3)
        symlink(workspace.file("outside.mp4"), workspace.file("root/videos/link.mp4"))
        symlink(workspace.file("root/videos/a.mp4"), workspace.file("root/inner.mp4"))
        func run(_ jobs: String, output: String = "out", stage: String = "") throws -> Outcome {
            let text = """
                {"version": 1, "output": {"directory": "\(output)"},
                 "graphs": {"g": {"stages": [\(stage)]}}, "jobs": [\(jobs)]}
                """
            return try annotateBatch(
                "run", try workspace.write(text, to: "root/m.json"), "--root", workspace.file("root"))
        }
        let allowed = #"{"input": "videos/a.mp4", "graph": "g"}, {"input": "inner.mp4", "graph": "g"}"#
        #expect(try run(allowed).status == 0)
        #expect(try run(allowed, output: workspace.file("root/elsewhere/deep")).status == 0)
        for input in ["../outside.mp4", "videos/../../outside.mp4", "videos/link.mp4", workspace.file("outside.mp4")] {
            let outcome = try run(#"{"input": "\#(input)", "graph": "g"}"#)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.contains(
                    "/jobs/0/input: “\(input)” leads out of the folder that --root allows; expected a path inside it"))
        }
        let glob = try run(#"{"input": "videos/*.mp4", "graph": "g"}"#)
        #expect(glob.errors.contains("/jobs/0/input: “link.mp4” leads out"))
        for output in ["../out", "/tmp", "missing/../../out"] {
            let outcome = try run(allowed, output: output)
            #expect(outcome.errors.contains("/output/directory: “\(output)” leads out"), "\(outcome.errors)")
        }
        let stage = #"{"id": "m", "type": "markers", "dictionaryFile": "../../secret.yml"}"#
        let outcome = try run(allowed, stage: stage)
        #expect(outcome.errors.contains("/graphs/g/stages/0/dictionaryFile: “../../secret.yml” leads out"))
        #expect(!Files.exists(workspace.file("out")))
    }

    @Test(arguments: ["a/b", "../a", ".hidden", "a\\u0000b", "a\\nb", ""])
    func namesOfResultsStayInTheirFolder(id: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let outcome = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4", "id": "\#(id)""#]))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("/jobs/0/id: "), "\(outcome.errors)")
        #expect(workspace.names(in: ".") == ["a.mp4", "m.json"])
    }

    @Test(arguments: [
        (["--max-frames", "5"], "it has more frames than the limit of 5"),
        (["--max-pixels", "10000"], "its picture of 160×120 pixels is over the limit of 10000"),
        (["--max-duration", "0.5"], "it lasts 1 s, over the limit of 0.5 s"),
        (["--max-memory", "60"], "the 60 MiB of memory that it may"),
    ])
    func limitsAreSentences(arguments: [String], expected: String) throws {
        let workspace = try Workspace()
        if arguments[0] == "--max-memory" { try workspace.slowClip("a.mp4") } else { try workspace.clip("a.mp4") }
        let path = try workspace.manifest([#""input": "a.mp4""#])
        let outcome = try Program.run(Program.annotateBatch, ["run", path] + arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
        #expect(workspace.names() == ["report.json"])
    }

    @Test func aLimitThatIsNone() throws {
        let outcome = try annotateBatch("run", "m.json", "--max-frames", "0")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--max-frames takes a whole number from 1, not 0."))
    }
}
