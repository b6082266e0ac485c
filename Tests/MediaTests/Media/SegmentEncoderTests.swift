import CFFmpeg
import Testing

@testable import Annotate
@testable import Base
@testable import Media
@testable import TestSupport

/// Videos that are encoded in segments.
@Suite struct SegmentEncoderTests {
    private static func clip(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> String {
        try output(
            of: "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "60"]
                + arguments
                + ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", folder.file("a.mkv")])
        return folder.file("a.mkv")
    }

    /// Times of packets in their order, ticks, and whether each is a key.
    private func packets(_ path: String) throws -> [(pts: Int, dts: Int, isKey: Bool)] {
        let text = try output(
            of: "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts,dts,flags", "-of", "csv=p=0", path])
        return try String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: ",")
            return (try #require(Int(fields[0])), try #require(Int(fields[1])), fields[2].hasPrefix("K"))
        }
    }

    private static let codecs: [EncodeSettings.Codec] = [.h264, .hevc, .av1].filter(EncodeSettings.isAvailable)

    /// Encoders side by side, or one after another: the times are the source's, and what is decoded is what it would be if each segment
    /// was a video of its own.
    @Test(
        arguments: Self.codecs,
        [
            [], ["-vf", "select='not(mod(n\\,3))+eq(n\\,7)+gt(n\\,50)'", "-fps_mode", "vfr"],
            ["-output_ts_offset", "3"],
        ])
    func theSameForAnyNumber(of codec: EncodeSettings.Codec, arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder, arguments)
        var settings = EncodeSettings()
        (settings.codec, settings.segment, settings.threads) = (codec, 0.5, 1)
        var bytes: [[UInt8]] = []
        for threads in [1, 2, 5] {
            try transcode(source, into: folder, settings: settings, threads: threads)
            bytes.append(try Files.read(folder.file("clip.mp4")))
        }
        #expect(bytes[1] == bytes[0] && bytes[2] == bytes[0])
        #expect(try packetTimes(folder.file("clip.mp4")).map(\.pts).count == packetTimes(source).count)
        let found = try packets(folder.file("clip.mp4"))
        #expect(found.allSatisfy { $0.dts <= $0.pts })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.dts < $1.dts })
        // Seconds from the first picture; Matroska counts in thousandths.
        let base = Double(found.map(\.pts).min() ?? 0)
        let (name, rate) = ("time_base", try probe(folder.file("clip.mp4"), "time_base"))
        let ticks = Double(try #require(rate[name]?.split(separator: "/").last)) ?? 1
        let spans = found.map { ((Double($0.pts) - base) / ticks / 0.5).rounded(.down) }
        var seen = Set<Double>()
        for (span, packet) in zip(spans, found) where seen.insert(span).inserted {
            #expect(packet.isKey, "\(packet)")
        }
        #expect(seen.count > 3)
        // In coding order no segment reaches into another.
        #expect(spans == spans.sorted())
    }

    /// Encoders of some codecs destroy each other's memory: the second of a process is opened when the first has gone.
    @Test func someEncodersAreAlone() throws {
        guard EncodeSettings.isAvailable(.av1) else { return }
        @Sendable func encoder() throws -> VideoEncoder {
            var settings = EncodeSettings()
            (settings.codec, settings.preset) = (.av1, "12")
            let buffer = try FrameBuffer(width: 160, height: 120, format: AV_PIX_FMT_YUV420P)
            let source = VideoEncoder.Source(timeBase: Rational(1, 25), first: buffer)
            return try VideoEncoder(path: "a.mp4", source: source, settings: settings)
        }
        var first: VideoEncoder? = try encoder()
        #expect(first != nil)
        let hasGone = Monitor(false)
        let found = Monitor<Result<Bool, any Error>?>(nil)
        let worker = try Worker(role: "another encoder") {
            let result = Result {
                _ = try encoder()
                return hasGone.withLock { $0 }
            }
            found.withLock { $0 = result }
        }
        sleep(seconds: 0.3)
        #expect(found.withLock { $0 == nil })
        hasGone.withLock { $0 = true }
        first = nil
        worker.join()
        #expect(try found.withLock { try #require($0).get() })
    }

    @Test func oneSegmentIsAsWithout() throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder)
        var settings = EncodeSettings()
        var bytes: [[UInt8]] = []
        for segment in [nil, 0, 2.4, 60] {
            settings.segment = segment
            try transcode(source, into: folder, settings: settings)
            bytes.append(try Files.read(folder.file("clip.mp4")))
        }
        #expect(Set(bytes).count == 1)
        settings.segment = 2.3
        try transcode(source, into: folder, settings: settings)
        #expect(try Files.read(folder.file("clip.mp4")) != bytes[0])
    }

    /// A segment of fewer pictures than an encoder reorders, also the first, and a picture a segment.
    @Test(arguments: [0.04, 0.08, 0.12], [1, 2, 60])
    func shortSegments(seconds: Double, frames: Int) throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder, ["-frames:v", "\(frames)"])
        var settings = EncodeSettings()
        (settings.segment, settings.threads) = (seconds, 1)
        for threads in [1, 4] {
            #expect(try transcode(source, into: folder, settings: settings, threads: threads).frames == frames)
            let found = try packets(folder.file("clip.mp4"))
            #expect(found.count == frames)
            #expect(found.allSatisfy { $0.dts <= $0.pts })
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.dts < $1.dts })
        }
    }

    @Test func whereSegmentsBegin() {
        var grid = SegmentGrid(seconds: 0.1, timeBase: Rational(1, 1000))
        #expect(
            [-40, 0, 40, 59, 60, 400, 401, 460].map { grid.begins($0) } == [
                true, false, false, false, true, true, false, true,
            ])
        var endless = SegmentGrid(seconds: nil, timeBase: Rational(1, 1000))
        #expect([5, 5000, 50_000_000].map { endless.begins($0) } == [true, false, false])
    }

    /// As x264 has them.
    @Test func decodingTimes() {
        var times = DecodingTimes(delay: 2)
        times.add(100)
        times.add(140)
        #expect(times.following() == nil)
        for time in [180, 220, 300] as [Int64] { times.add(time) }
        #expect((0..<6).map { _ in times.following() } == [20, 60, 100, 140, 180, 220])
        var few = DecodingTimes(delay: 2)
        few.add(100)
        few.add(140)
        few.end()
        #expect((0..<2).map { _ in few.following() } == [58, 98])
    }

    /// A gap that a reader would take for nonsense, had the first pictures behind it been decoded before it.
    @Test(arguments: [(1, 3), (2, 2), (2, 3), (5, 2), (5, 3)])
    func decodingTimesBehindALongGap(before: Int, delay: Int) throws {
        let gap = 4 * DecodingTimes.longest
        let shown = (0..<before).map { 100 + 40 * Int64($0) } + (0..<6).map { gap + 40 * Int64($0) }
        var (times, decoded) = (DecodingTimes(delay: delay), [Int64]())
        for (index, time) in shown.enumerated() {
            times.add(time, begins: index == before)
            // No packet comes before its picture.
            while decoded.count <= index, let time = times.following() { decoded.append(time) }
        }
        times.end()
        while decoded.count < shown.count, let time = times.following() { decoded.append(time) }
        try #require(decoded.count == shown.count)
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 }, "\(decoded)")
        for (index, time) in decoded.enumerated() {
            // The earliest that may be shown of what is decoded then or later, whatever the order in a segment.
            let earliest = max(index - delay, index < before ? 0 : before)
            #expect(time <= shown[earliest], "\(decoded)")
            #expect(shown[earliest] - time <= DecodingTimes.longest, "\(decoded)")
        }
    }

    /// At a gap of 25 minutes in ticks of a microsecond FFmpeg dropped the times of decoding, and with them those of all pictures.
    @Test(arguments: [EncodeSettings.Codec.h264, .hevc, .av1])
    func timesAtALongGap(codec: EncodeSettings.Codec) throws {
        let folder = try TemporaryFolder()
        let source = folder.file("gap.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25,settb=1/1000000,setpts=PTS+gt(N\\,11)*1500000000", "-frames:v",
            "30",
            "-c:v", "libx264", "-bf", "0", "-video_track_timescale", "1000000", "-enc_time_base", "1/1000000",
            "-fps_mode",
            "passthrough", source)
        var settings = EncodeSettings()
        settings.codec = codec
        try transcode(source, into: folder, settings: settings)
        let (was, become) = (try packetTimes(source).map(\.pts), try packetTimes(folder.file("clip.mp4")).map(\.pts))
        #expect(was == become)
        #expect(was.count == 30 && was[12] - was[11] > 1_400_000_000)
    }

    /// x264's code for AVX-512 read what was in memory before: the order of jobs in a worker told in the bytes.
    @Test(arguments: Self.codecs)
    func memoryOfOthersDoesNotTell(codec: EncodeSettings.Codec) throws {
        let folder = try TemporaryFolder()
        var settings = EncodeSettings()
        settings.codec = codec
        let source = try Self.clip(folder)
        try transcode(source, into: folder, settings: settings)
        let fresh = try Files.read(folder.file("clip.mp4"))
        let noise = folder.file("noise.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=176x144:r=25,noise=alls=60:allf=t", "-frames:v", "20", "-c:v", "ffv1",
            noise)
        for _ in 0..<3 {
            try transcode(noise, into: folder, id: "other", settings: settings)
            try transcode(source, into: folder, settings: settings)
            #expect(try Files.read(folder.file("clip.mp4")) == fresh)
        }
    }
}
