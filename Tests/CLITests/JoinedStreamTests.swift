import Annotate
import Testing

/// A live stream that was kept as it came: in the middle the sender began anew, with other forms of picture and sound.
@Suite struct JoinedStreamTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func clip(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        let inputs = ["-f", "lavfi", "-i", "testsrc2=s=160x96:d=1:r=10", "-f", "lavfi", "-i", "sine=d=1"]
        let outcome = try Program.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y"] + inputs + ["-c:v", "libx264", "-c:a", "aac", "-shortest"] + arguments + [
                workspace.file(name)
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
        return try workspace.bytes(name)
    }

    /// Two FLVs in one: the tags of the second, which begins at so many milliseconds, behind those of the first.
    private func join(beginningAt start: Int) throws {
        var joined = try clip("a.flv", ["-ar", "44100"])
        let second = try clip(
            "b.flv", ["-x264-params", "cabac=0:ref=1:bframes=0:keyint=5", "-ar", "48000", "-ac", "2"])
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        // Behind the header and the size of no tag before.
        var place = 13
        while place < second.count {
            let end = place + 11 + number(second[place + 1..<place + 4]) + 4
            let time = number(second[place + 4..<place + 7]) + start
            if second[place] != 18 {
                joined += second[place..<place + 4]
                joined += [UInt8(time >> 16 & 0xFF), UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF)]
                joined += second[place + 7..<end]
            }
            place = end
        }
        try workspace.write(joined, to: "ab.flv")
    }

    private func run(_ codec: String, _ input: String = "ab.flv", onError: String = "fail") throws -> Outcome {
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "\(input)", "graph": {"stages": []}, "onError": "\(onError)",
             "encode": {"codec": "\(codec)"}}]}
            """, to: "m.json")
        return try annotateBatch("run", manifest)
    }

    @Test(
        arguments: [
            (1300, "the form of an audio track changes at 1.3 s, which the file can't say"),
            (0, "audio packets have times that are earlier"),
        ], ["ffv1", "h264"])
    func soundThatBeginsAnew(_ second: (start: Int, words: String), codec: String) throws {
        try join(beginningAt: second.start)
        let run = try run(codec)
        #expect(run.status == 0 && run.errors.contains(second.words), "\(run.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    /// The pictures can't be decoded by the first description, which is the one that Matroska has.
    @Test func picturesOfTwoFormsAreNotCopied() throws {
        try join(beginningAt: 1300)
        let run = try run("copy")
        #expect(run.status == 1)
        #expect(run.errors.contains("it doesn't come out of a Matroska file as it is"), "\(run.errors)")
    }

    @Test func timesThatBeginAnewAreNotCopied() throws {
        try join(beginningAt: 0)
        let run = try run("copy")
        #expect(run.status == 1)
        #expect(run.errors.contains("run backwards at packet"), "\(run.errors)")
    }

    /// Files that were joined byte by byte: FFmpeg reads the first of them, and says nothing.
    @Test(arguments: [
        ("a.mp4", "another MP4 begins there"), ("a.flv", "another FLV begins there"), ("a.y4m", ""),
        ("a.wmv", "another ASF begins there"), ("a.apng", "another PNG begins there"),
    ])
    func whatBeginsBehindTheEnd(name: String, words: String) throws {
        let isPlain = name.hasSuffix("y4m")
        let codecs = [
            "a.y4m": ["-c:v", "wrapped_avframe", "-an"], "a.wmv": ["-c:v", "wmv2", "-c:a", "wmav2"],
            "a.apng": ["-c:v", "apng", "-an"],
        ]
        let first = try clip(name, codecs[name] ?? [])
        try workspace.write(first + first, to: "joined-\(name)")
        let strict = try run("ffv1", "joined-\(name)")
        #expect(strict.status == 1)
        #expect(strict.errors.contains(isPlain ? "it can't be read any further" : words), "\(strict.errors)")
        let lenient = try run("ffv1", "joined-\(name)", onError: "skip-frame")
        #expect(lenient.status == 0, "\(lenient.errors)")
        #expect(lenient.errors.contains("10 frames") && lenient.errors.contains("the input's end is left out"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    /// Fragments are read wherever they are, also behind a second beginning, as senders put it in for those who join late.
    @Test func fragmentsBehindAnotherBeginning() throws {
        let bytes = try clip(
            "a.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-g", "5", "-bf", "0", "-an"])
        let mark = Array("moof".utf8)
        let fragments = (4...bytes.count - 4).filter { bytes[$0..<$0 + 4].elementsEqual(mark) }.map { $0 - 4 }
        try #require(fragments.count == 2)
        try workspace.write(
            Array(bytes[..<fragments[1]] + bytes[..<fragments[0]] + bytes[fragments[1]...]), to: "joined.mp4")
        let run = try run("ffv1", "joined.mp4")
        #expect(run.status == 0 && run.errors.contains("10 frames"), "\(run.errors)")
        #expect(!run.errors.contains("left out"))
    }

    /// FFmpeg's writer of MP4s says that the sound is Dolby's.
    @Test(arguments: ["ac3", "eac3"]) func soundOfDolbys(codec: String) throws {
        _ = try clip("a.mkv", ["-c:a", codec])
        let run = try run("h264", "a.mkv")
        #expect(run.status == 0, "\(run.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }
}
