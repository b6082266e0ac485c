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

    private func run(_ codec: String) throws -> Outcome {
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "ab.flv", "graph": {"stages": []},
             "encode": {"codec": "\(codec)"}}]}
            """, to: "m.json")
        return try annotateBatch("run", manifest)
    }

    @Test(arguments: ["ffv1", "h264"]) func soundOfTwoForms(codec: String) throws {
        try join(beginningAt: 1300)
        let run = try run(codec)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.contains("the form of an audio track changes at 1.3 s, which the file can't say"),
            "\(run.errors)")
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

    @Test(arguments: ["ffv1", "h264"]) func soundWhoseTimesBeginAnew(codec: String) throws {
        try join(beginningAt: 0)
        let run = try run(codec)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("audio packets have times that are repeated or earlier"), "\(run.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    @Test func timesThatBeginAnewAreNotCopied() throws {
        try join(beginningAt: 0)
        let run = try run("copy")
        #expect(run.status == 1)
        #expect(
            run.errors.contains("the times of the video run backwards at packet")
                || run.errors.contains("the times of another stream run backwards at packet"), "\(run.errors)")
    }
}
