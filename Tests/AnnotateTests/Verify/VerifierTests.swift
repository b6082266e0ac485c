import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct VerifierTests {
    /// A finished job of ten frames.
    private func finished() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let source = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "10", "-c:v", "libx264", "-preset", "ultrafast",
            source.file("a.mp4"))
        try transcode(source.file("a.mp4"), into: folder)
        return folder
    }

    /// The problems of a finished job whose track file's lines were changed.
    private func problems(_ change: (inout [String]) -> Void) throws -> [String] {
        let folder = try finished()
        let path = folder.file("clip.tracks.jsonl")
        var lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
        change(&lines)
        try folder.write(lines.joined(separator: "\n") + "\n", to: "clip.tracks.jsonl")
        return try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog).flatMap(\.problems).map {
            $0.replacing(path, with: "clip")
        }
    }

    @Test func aFinishedJob() throws {
        let folder = try finished()
        let findings = try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog)
        #expect(findings.count == 1)
        #expect(findings.first?.frames == 10)
        #expect(findings.first?.video == folder.path + "/clip.mp4")
        #expect(findings.first?.problems == [])
    }

    @Test func anotherTime() throws {
        #expect(
            try problems { $0[3] = $0[3].replacing("\"pts\":1024", with: "\"pts\":1025") } == [
                "frame 2: the track file says 0.080078125 s, the video 0.08 s"
            ])
    }

    @Test func allTimesShifted() throws {
        let found = try problems { lines in
            for index in 1...10 {
                lines[index] = lines[index].replacing(
                    "\"pts\":\((index - 1) * 512),", with: "\"pts\":\((index - 1) * 512 + 1),")
            }
        }
        #expect(found.count == 4)
        #expect(found.last == "… and 7 more frames that differ from the video")
    }

    @Test func aMissingLine() throws {
        #expect(
            try problems { $0.remove(at: 5) } == [
                "frame 5 (pts 2560) follows frame 3 (pts 1536)", "the summary says 10 frames, the file has 9",
                "the header says 10 frames, the file has 9", "frame 5: the track file says 0.2 s, the video 0.16 s",
                "frame 6: the track file says 0.24 s, the video 0.2 s",
                "frame 7: the track file says 0.28 s, the video 0.24 s",
                "… and 2 more frames that differ from the video", "the video has 10 frames, the track file 9",
            ])
    }

    @Test func theLastLineMissing() throws {
        #expect(
            try problems { $0.removeLast() } == [
                "clip: it ends without its summary line: the run that wrote it was broken off"
            ])
    }

    @Test func twoBadLinesAndNoEnd() throws {
        let found = try problems { lines in
            lines[2] = lines[2].replacing("\"time\"", with: "\"tiem\"")
            lines[5] = "x"
            lines.removeLast()
        }
        #expect(
            found == [
                "clip:3: /: “time” is missing; expected a number", "clip:6: column 1: “x” where a value was expected",
                "clip: it ends without its summary line: the run that wrote it was broken off",
            ])
    }

    @Test func aSummaryThatDoesNotFit() throws {
        #expect(
            try problems { $0[11] = $0[11].replacing("\"complete\":true", with: "\"complete\":false") }
                == ["clip:12: /summary/complete: false; expected true"])
    }

    @Test func anUnknownKey() throws {
        #expect(
            try problems { $0[1] = $0[1].replacing("\"time\"", with: "\"tiem\":0,\"time\"") } == [
                "clip:2: /tiem: unknown key “tiem”; expected one of “frame”, “pts”, “duration”, “time”, “observations”; did you "
                    + "mean “time”?"
            ])
    }

    @Test func anotherSize() throws {
        #expect(
            try problems { $0[0] = $0[0].replacing("\"width\":64", with: "\"width\":66") } == [
                "the video has 64×48 pixels, the track file 66×48"
            ])
    }

    @Test func tracksThatTheSummaryDoesNotHave() throws {
        let stage = #""stages":[{"id":"a","type":"markers"}]"#
        let observation =
            #""observations":[{"stage":"a","kind":"marker","track":2,"polygon":[[0,0],[9,0],[9,9],[0,9]],"id":1}]"#
        let found = try problems { lines in
            lines[0] = lines[0].replacing("\"stages\":[]", with: stage)
            lines[4] = lines[4].replacing("\"observations\":[]", with: observation)
        }
        #expect(
            found == [
                "the summary's tracks are not the ones in the frames, numbered from 1 without gaps",
                "the summary's stages are not the header's",
            ])
    }

    @Test(arguments: [0.5, 0.8])
    func aTruncatedVideo(part: Double) throws {
        let folder = try finished()
        let bytes = try Files.read(folder.file("clip.mp4"))
        try folder.write(Array(bytes.prefix(Int(Double(bytes.count) * part))), to: "clip.mp4")
        let findings = try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog)
        #expect(findings.first?.problems.isEmpty == false)
    }

    @Test func aVideoWithoutItsIndex() throws {
        let folder = try finished()
        try folder.write(Array(try Files.read(folder.file("clip.mp4")).prefix(40)), to: "clip.mp4")
        #expect(
            try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog).first?.problems.isEmpty == false)
    }

    @Test func anotherVideo() throws {
        let folder = try finished()
        try ffmpeg(
            "-i", folder.file("clip.mp4"), "-frames:v", "9", "-preset", "ultrafast", "-fflags", "+bitexact", "-flags",
            "+bitexact",
            folder.file("short.mp4"))
        try folder.write(try Files.read(folder.file("short.mp4")), to: "clip.mp4")
        let findings = try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog)
        #expect(
            findings.map(\.problems) == [
                ["the video has 9 frames, the track file 10"], ["there is no track file beside the video short.mp4"],
            ])
    }

    @Test func aTrackFileWithoutVideoIsWhole() throws {
        let folder = try finished()
        try output(of: "rm", [folder.file("clip.mp4")])
        let finding = try #require(try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog).first)
        #expect(finding.video == nil)
        #expect(finding.problems == [])
    }

    @Test func nothingToVerify() throws {
        let folder = try TemporaryFolder()
        #expect(try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog).isEmpty)
        let error = #expect(throws: FileError.self) {
            try Verifier.verify(directory: folder.file("no"), kinds: TestFindings.catalog)
        }
        #expect(error?.description == "could not open the folder \(folder.path)/no: No such file or directory")
    }
}
