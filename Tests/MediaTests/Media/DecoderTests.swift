import CFFmpeg
import Testing
@testable import Annotate
@testable import Media
@testable import Annotate
@testable import TestSupport

@Suite struct DecoderTests {
    @Test func aDecoderThatCannotBeOpened() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "2", "-c:v", "libx264", "-preset", "ultrafast",
            clip)
        let demuxer = try Demuxer(path: clip)
        let stream = try demuxer.videoStream()
        // These are no Theora headers.
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_THEORA
        for _ in 0..<20 {
            let error = #expect(throws: FileError.self) {
                try Decoder(stream: stream, path: clip, threads: .slices(2), maximumPixels: 1 << 27)
            }
            #expect(error?.description.hasPrefix("could not open the decoder of \(clip): ") == true)
        }
    }
}
