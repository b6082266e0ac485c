import Testing

@testable import Annotate
@testable import TestSupport

/// What an overlay can't be laid over, and can't say.
@Suite struct OverlayReaderTests {
    /// The problems of a manifest beside a picture, a sequence of pictures and what passes for a video.
    private func problems(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        for name in ["p.pgm", "f0001.pgm", "f0002.pgm"] {
            try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: name)
        }
        try folder.write(Array("P6 2 2 255\n".utf8) + [UInt8](repeating: 90, count: 12), to: "image.ppm")
        try folder.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", to: "body.obj")
        try folder.write("no video, which fails when it is run", to: "v.mp4")
        do {
            _ = try ManifestReader(catalog: TestCatalog.catalog).read(try folder.write(text, to: "m.json"))
            return []
        } catch let error as InvalidFileError {
            return error.problems.map {
                "\($0.position.line):\($0.position.column): \(jsonPointer($0.path)): \($0.message)"
            }
        }
    }

    private func job(_ members: String, draw: String = "{}", output: String = "") throws -> [String] {
        try problems(
            """
            {"version": 1, \(output)
            "graphs": {"g": {"stages": [{"id": "s", "type": "find",
            "draw": \(draw)}]}},
            "jobs": [{"graph": "g", \(members)}]}
            """)
    }

    private static let copy = #""encode": {"codec": "copy"}"#

    @Test func aVideo() throws { #expect(try job("\"input\": \"v.mp4\", \(Self.copy)") == []) }

    @Test(arguments: [
        ("p.pgm", "a photo, and no video whose packets “copy” could keep"),
        ("f%04d.pgm", "a sequence of pictures, and no video whose packets “copy” could keep"),
        ("-", "standard input, which can be read once: “copy” reads it again"),
    ])
    func inputs(input: String, reason: String) throws {
        let found = try job("\"id\": \"a\", \"input\": \"\(input)\", \(Self.copy)")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("4:") == true)
        #expect(found.first?.contains("/jobs/0/input: “") == true)
        #expect(found.first?.hasSuffix("” is \(reason); expected a video file, or another codec") == true)
    }

    @Test(arguments: [
        (
            #"{"cover": "blur"}"#,
            "3:19: /graphs/g/stages/0/draw/cover: a cover with “copy”: an overlay takes no pixel away, and what is covered "
                + "would be seen; expected another codec"
        ),
        (
            #"{"image": "image.ppm"}"#,
            "3:19: /graphs/g/stages/0/draw/image: “image” with “copy”, whose overlay draws lines and text alone; expected "
                + "another codec"
        ),
    ])
    func drawings(draw: String, problem: String) throws {
        #expect(try job("\"input\": \"v.mp4\", \(Self.copy)", draw: draw) == [problem])
        #expect(try job("\"input\": \"v.mp4\"", draw: draw) == [])
    }

    @Test func aCoverBesideAnAss() throws {
        let formats = #""output": {"formats": ["ass"]},"#
        #expect(
            try job(#""input": "v.mp4""#, draw: #"{"cover": "blur"}"#, output: formats) == [
                "3:19: /graphs/g/stages/0/draw/cover: a cover with the format “ass”: an overlay takes no pixel away, and "
                    + "what is covered would be seen; expected no “ass” among the formats"
            ])
        #expect(try job(#""input": "v.mp4""#, draw: #"{"image": "image.ppm"}"#, output: formats) == [])
    }

    @Test func inGraphsInPlaceAndInDefaults() throws {
        let graph = #"{"stages": [{"id": "s", "type": "find", "draw": {"cover": "blur"}}]}"#
        let own = try problems(
            #"{"version": 1, "jobs": [{"input": "v.mp4", "graph": \#(graph), "encode": {"codec": "copy"}}]}"#)
        #expect(own.count == 1 && own[0].contains(" /jobs/0/graph/stages/0/draw/cover: "))
        let inherited = try problems(
            #"{"version": 1, "defaults": {"graph": \#(graph)}, "jobs": [{"input": "v.mp4", "encode": {"codec": "copy"}}]}"#
        )
        #expect(inherited.count == 1 && inherited[0].contains(" /defaults/graph/stages/0/draw/cover: "))
    }

    @Test(arguments: [
        (#""crf": 20"#, "crf: “crf” with “copy”, which encodes nothing; expected “copy” alone"),
        (#""preset": "fast""#, "preset: “preset” with “copy”, which encodes nothing; expected “copy” alone"),
        (#""bitrate": 100000"#, "bitrate: “bitrate” with “copy”, which encodes nothing; expected “copy” alone"),
        (
            #""pixelFormat": "yuv420p""#,
            "pixelFormat: “pixelFormat” with “copy”, which encodes nothing; expected “copy” alone"
        ),
        (#""audio": "drop""#, "audio: “drop” with “copy”, which keeps every stream; expected no “audio”"),
    ])
    func whatIsEncodedOtherwise(member: String, problem: String) throws {
        let found = try job("\"input\": \"v.mp4\", \"encode\": {\"codec\": \"copy\", \(member)}")
        #expect(found.count == 1 && found[0].hasSuffix("/jobs/0/encode/" + problem))
    }

    @Test func whatIsEncodedOtherwiseIsNotInherited() throws {
        let found = try problems(
            """
            {"version": 1, "defaults": {"graph": {"stages": [{"id": "s", "type": "find"}]},
            "encode": {"crf": 20, "pixelFormat": "yuv444p", "audio": "drop"}},
            "jobs": [{"input": "v.mp4", "encode": {"codec": "copy"}}]}
            """)
        #expect(found == [])
    }
}
