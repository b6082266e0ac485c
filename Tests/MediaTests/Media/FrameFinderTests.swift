import Testing

@testable import Annotate
@testable import TestSupport

/// Single frames are those of a full run, however a file is made, and wherever one looks first.
@Suite struct FrameFinderTests {
    @Test(arguments: RangeTests.kinds.map(\.name))
    func framesAreThoseOfTheWhole(name: String) throws {
        let folder = try TemporaryFolder()
        let clip = try RangeTests.clip(name, in: folder, seconds: 8)
        let whole = try readFrames(clip)
        let finder = try FrameFinder(path: clip)
        #expect(finder.times.pts == whole.map(\.pts.ticks))
        let last = try #require(whole.last)
        #expect(finder.times.time(whole.count).ticks == last.pts.ticks + last.duration)
        // On, back, far and near.
        for number in [3, 4, 150, 2, whole.count - 1, 101, 199, 0] {
            let frame = try finder.frame(number)
            #expect(frame.ordinal == number && frame.pts == whole[number].pts)
            #expect(frame.planarBytes == whole[number].planarBytes, "\(number)")
        }
    }

    /// A player shows a frame from its time stamp on until the next one's, also where stamps are uneven.
    @Test func aTimeHasTheFrameThatIsShownThen() throws {
        let folder = try TemporaryFolder()
        // Matroska: FFmpeg 7 cuts an MP4's last picture off by an edit list where lengths are as uneven.
        let clip = folder.file("uneven.mkv")
        try output(
            of: "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1.2", "-vf",
                "settb=1/1000,setpts='N*40+if(gt(N,10),700,0)+7*mod(N,3)'", "-fps_mode", "passthrough",
                "-enc_time_base",
                "1/1000", "-c:v", "libx264", "-bf", "2", clip,
            ])
        let times = try FrameTimes(path: clip)
        #expect(times.count == 30)
        for (number, frame) in try readFrames(clip).enumerated() {
            #expect(times.frame(shownAt: frame.seconds) == number)
            #expect(times.frame(shownAt: times.time(number + 1).seconds - 0.0005) == number)
            #expect(times.frame(atOrAfter: frame.seconds) == number)
            #expect(times.frame(atOrAfter: frame.seconds + 0.0005) == (number < 29 ? number + 1 : nil))
        }
        // Within the gap.
        #expect(times.frame(shownAt: 0.9) == 10)
        #expect(times.frame(shownAt: -1) == 0)
        #expect(times.frame(shownAt: times.time(30).seconds) == nil)
        #expect(times.frame(shownAt: .infinity) == nil)
    }

    @Test func saysHowManyThereAre() throws {
        let folder = try TemporaryFolder()
        let clip = try RangeTests.clip("intra.avi", in: folder, seconds: 1)
        let finder = try FrameFinder(path: clip)
        for number in [25, .max, -1] {
            let error = #expect(throws: FileError.self) { try finder.frame(number) }
            #expect(
                error?.description
                    == "could not take a frame from \(clip): no frame \(number); it has 25 frames, 0 to 24, the "
                    + "last from 0.96 s to 1 s")
        }
        #expect(throws: FileError.self) { try finder.frame(shownAt: 1) }
        #expect(throws: FileError.self) { try FrameFinder(path: "-") }
    }

    @Test func aPhotoHasOne() throws {
        let folder = try TemporaryFolder()
        let photo = folder.file("photo.png")
        try output(of: "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", photo])
        let finder = try FrameFinder(path: photo)
        #expect(finder.times.count == 1)
        #expect(try finder.frame(shownAt: 0).ordinal == 0)
    }
}
