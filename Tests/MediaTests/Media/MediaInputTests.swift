import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct MediaInputTests {
    @Test(arguments: [
        "frame%d.png", "frame%04d.png", "%05d.jpg", "a/b_%3.png", "a%%d.png", "x%d-%d.png", "%4d.png", "a.mp4",
    ])
    func patterns(name: String) {
        let isPattern = ["frame%d.png", "frame%04d.png", "%05d.jpg"].contains(name)
        #expect((ImageSequence(pattern: name) != nil) == isPattern)
    }

    @Test func standardInput() {
        for name in ["-", "pipe:", "pipe:0"] { #expect(MediaInput(path: name) == .standardInput) }
        #expect(MediaInput(path: "./-") == .file("./-"))
    }

    @Test func picturesAreReadInOrderAtTheRateAskedFor() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("p"))
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=s=32x16:r=25", "-frames:v", "12", "-start_number", "98",
            folder.file("p/f%03d.png"))
        let sequence = try #require(ImageSequence(pattern: folder.file("p/f%03d.png")))
        #expect(sequence.numbers == Array(98...109))
        #expect(sequence.gap == nil)
        #expect(sequence.stem == "f")
        var options = SourceOptions()
        options.frameRate = Rational(30000, 1001)
        let frames = try readFrames(sequence.pattern, options)
        #expect(frames.count == 12)
        #expect(frames.map(\.ordinal) == Array(0..<12))
        #expect(frames.allSatisfy { abs($0.seconds - Double($0.ordinal) * 1001 / 30000) < 1e-9 })
        Files.remove(folder.file("p/f100.png"))
        #expect(ImageSequence(pattern: folder.file("p/f%03d.png"))?.gap == "f100.png")
    }

    @Test func aPercentSignInAFilesNameIsOnlyThat() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f", "lavfi", "-i", "testsrc=s=32x16", "-frames:v", "1", folder.file("a.png"))
        try folder.write(try Files.read(folder.file("a.png")), to: "100%d.png")
        #expect(MediaInput(path: folder.file("100%d.png")) == .file(folder.file("100%d.png")))
        #expect(try readFrames(folder.file("100%d.png")).count == 1)
    }

    @Test func aRateForAFileThatHasTimes() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f", "lavfi", "-i", "testsrc=s=32x16", "-frames:v", "1", folder.file("a.mp4"))
        var options = SourceOptions()
        options.frameRate = Rational(30, 1)
        let error = #expect(throws: FileError.self) { try readFrames(folder.file("a.mp4"), options) }
        #expect(
            error?.description == "could not open \(folder.file("a.mp4")): a frameRate is for image sequences and raw "
                + "streams; this file has times of its own")
    }
}
