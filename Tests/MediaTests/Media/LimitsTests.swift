import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct LimitsTests {
    private static func clip(_ folder: TemporaryFolder) throws -> String {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-f", "lavfi", "-i", "sine", "-t", "1", "-c:v", "libx264",
            "-preset", "ultrafast", folder.file("a.mp4"))
        return folder.file("a.mp4")
    }

    @Test func oneOverIsRefused() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(folder)
        func reason(_ change: (inout MediaLimits) -> Void) -> String? {
            var options = SourceOptions()
            change(&options.limits)
            return #expect(throws: FileError.self) { try readFrames(clip, options) }?.reason
        }
        #expect(
            reason { $0.pixels = 3000 }
                == "its picture of 64×48 pixels is over the limit of 3000, which --max-pixels sets")
        #expect(reason { $0.frames = 24 } == "it has more frames than the limit of 24")
        #expect(reason { $0.duration = 0.5 } == "it lasts 1 s, over the limit of 0.5 s")
        #expect(reason { $0.streams = 1 } == "it has more streams than the limit of 1, or there is no memory left")
    }

    @Test func theLimitItselfIsAllowed() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(folder)
        var options = SourceOptions()
        options.limits.pixels = 64 * 48
        options.limits.frames = 25
        options.limits.duration = 1.1
        options.limits.streams = 2
        #expect(try readFrames(clip, options).count == 25)
    }

    @Test func aPictureIsMeasuredBeforeMemoryIsTaken() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f", "lavfi", "-i", "color=s=4000x3000", "-frames:v", "1", folder.file("a.png"))
        var options = SourceOptions()
        options.limits.pixels = 1_000_000
        let error = #expect(throws: FileError.self) { try readFrames(folder.file("a.png"), options) }
        #expect(error?.description.contains("limit") == true, "\(error?.description ?? "")")
    }
}
