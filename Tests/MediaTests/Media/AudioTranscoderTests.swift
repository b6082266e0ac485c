@testable import Media
import CFFmpeg
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct AudioTranscoderTests {
    struct Source: Sendable, CustomTestStringConvertible {
        var file: String
        var codec: String
        var sampleRate = 48000
        var layout = "stereo"
        var channels = 2
        /// What AAC makes of it.
        var outRate: Int?
        var outLayout: String?

        var testDescription: String { "\(file) \(codec) \(sampleRate) \(layout)" }
    }

    static let sources = [
        Source(file: "a.nut", codec: "pcm_s16le", sampleRate: 44100),
        Source(file: "a.nut", codec: "pcm_f32le", sampleRate: 96000, outRate: 48000),
        Source(file: "a.avi", codec: "pcm_s16le"), Source(file: "a.avi", codec: "pcm_f32le"),
        Source(file: "a.mov", codec: "pcm_s16le", layout: "mono", channels: 1),
        Source(file: "a.mov", codec: "pcm_f32le", layout: "5.1", channels: 6),
        Source(file: "b.mkv", codec: "pcm_s16le", layout: "5.1(side)", channels: 6, outLayout: "5.1"),
        Source(file: "a.nut", codec: "pcm_s24le", layout: "7.1", channels: 8),
        Source(file: "c.mov", codec: "pcm_f32le", layout: "quad", channels: 4, outLayout: "stereo"),
        Source(file: "a.nut", codec: "pcm_u8", sampleRate: 8000, layout: "mono", channels: 1),
        Source(file: "a.nut", codec: "pcm_s16le", sampleRate: 37800, outRate: 32000),
        Source(file: "a.mkv", codec: "flac", sampleRate: 88200, outRate: 48000),
        Source(file: "a.mkv", codec: "libvorbis", sampleRate: 44100), Source(file: "a.avi", codec: "adpcm_ms"),
        Source(file: "a.asf", codec: "wmav2", sampleRate: 44100),
    ]

    @Test(arguments: sources)
    func soundIsHeardWhenItWas(source: Source) throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(
            folder, source.file, sampleRate: source.sampleRate, layout: source.layout, channels: source.channels,
            "-c:a",
            source.codec)
        let result = try SoundFile.transcode(path, into: folder)
        #expect(result.damaged == 0)
        let sound = try SoundFile.listen(to: result.path)
        #expect(sound.sampleRate == source.outRate ?? source.sampleRate)
        #expect(sound.layout == source.outLayout ?? source.layout)
        // WMA's encoder delay is part of the source's time.
        let tone = source.codec == "wmav2" ? try SoundFile.listen(to: path).tones.first : 0.9
        #expect(sound.tones.count == 1)
        #expect(abs((sound.tones.first ?? 0) - (tone ?? -1)) < 0.005)
        for (packet, next) in zip(result.packets, result.packets.dropFirst()) {
            #expect(next.av.pointee.pts == packet.av.pointee.pts + 1024)
            #expect(next.av.pointee.dts == next.av.pointee.pts)
        }
        guard source.codec.hasPrefix("pcm") || source.codec == "flac" else { return }
        #expect(abs(sound.start) < 0.002)
        #expect(abs(sound.end - 1.5) < 1024 / Double(sound.sampleRate) + 0.002)
        // Priming: one frame before the first sample.
        #expect(result.packets.first?.av.pointee.pts == -1024)
        let durations = result.packets.reduce(0) { $0 + $1.av.pointee.duration } - 1024
        #expect(abs(Double(durations) / Double(sound.sampleRate) - 1.5) < 0.002)
    }

    @Test func sameInputSameBytes() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", sampleRate: 96000, "-c:a", "pcm_s16le")
        let (one, two) = (
            try SoundFile.transcode(path, into: folder).bytes, try SoundFile.transcode(path, into: folder).bytes
        )
        #expect(one == two)
        #expect(one.count > 60)
    }

    /// Moves a packet's time by seconds.
    private func move(_ packet: Packet, by seconds: Double, _ stream: AVStream) {
        let ticks = Int64((seconds / Rational(stream.time_base).value).rounded())
        packet.av.pointee.pts += ticks
        packet.av.pointee.dts += ticks
    }

    @Test(arguments: [2.5, -0.4], [44100, 96000])
    func timesThatDoNotStartAtZero(start: Double, sampleRate: Int) throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", sampleRate: sampleRate, "-c:a", "pcm_s16le")
        let result = try SoundFile.transcode(path, into: folder) { packet, _, stream in
            move(packet, by: start, stream)
            return true
        }
        let outRate = min(sampleRate, 48000)
        #expect(result.packets.first?.av.pointee.pts == Int64(start * Double(outRate)) - 1024)
        guard start > 0 else { return }
        let sound = try SoundFile.listen(to: result.path)
        // MP4 has no priming to hide where the sound starts late: it is silence before the start.
        #expect(abs(sound.start - start + 1024 / Double(outRate)) < 0.002)
        #expect(abs((sound.tones.first ?? 0) - 0.9 - start) < 0.005)
    }

    @Test func aFileThatStartsLate() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.mkv", "-c:a", "pcm_s16le", "-output_ts_offset", "2.5")
        let sound = try SoundFile.listen(to: SoundFile.transcode(path, into: folder).path)
        #expect(sound.tones.count == 1)
        #expect(abs((sound.tones.first ?? 0) - 3.4) < 0.005)
        #expect(abs(sound.end - 4) < 0.03)
    }

    @Test(arguments: [48000, 96000])
    func aGapIsSilent(sampleRate: Int) throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(
            folder, "a.mkv", sampleRate: sampleRate, "-af", "aselect=not(between(t\\,0.3\\,0.6))", "-c:a", "pcm_s16le")
        var times: [Double] = []
        let result = try SoundFile.transcode(path, into: folder) { _, time, _ in
            times.append(time)
            return true
        }
        // There is one.
        #expect((zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0) > 0.25)
        let sound = try SoundFile.listen(to: result.path)
        #expect(abs((sound.tones.first ?? 0) - 0.9) < 0.005)
        #expect(abs(sound.end - 1.5) < 0.03)
        #expect(
            zip(result.packets, result.packets.dropFirst()).allSatisfy { $1.av.pointee.pts == $0.av.pointee.pts + 1024 }
        )
    }

    @Test func aVeryLongGapIsLeapt() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", sampleRate: 96000, "-c:a", "pcm_s16le")
        let result = try SoundFile.transcode(path, into: folder) { packet, time, stream in
            if time >= 0.5 { move(packet, by: 7200, stream) }
            return true
        }
        #expect(result.packets.count < 80)
        let times = result.packets.map(\.av.pointee.pts)
        #expect(times == times.sorted())
        let leaps = zip(times, times.dropFirst()).filter { $1 - $0 != 1024 }
        #expect(leaps.count == 1)
        let sound = try SoundFile.listen(to: result.path)
        #expect(abs((sound.tones.first ?? 0) - 7200.9) < 0.005)
    }

    @Test func anOverlapIsCut() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", "-c:a", "pcm_s16le")
        let result = try SoundFile.transcode(path, into: folder) { packet, time, stream in
            if time >= 0.5 { move(packet, by: -0.2, stream) }
            return true
        }
        let sound = try SoundFile.listen(to: result.path)
        #expect(abs((sound.tones.first ?? 0) - 0.7) < 0.005)
        #expect(abs(sound.end - 1.3) < 0.03)
    }

    @Test(arguments: [cff_no_pts, .max, .min + 1])
    func stampsThatAreNone(stamp: Int64) throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", "-c:a", "pcm_s16le")
        let result = try SoundFile.transcode(path, into: folder) { packet, time, _ in
            if time > 0.2 {
                packet.av.pointee.pts = stamp
                packet.av.pointee.dts = stamp
            }
            return true
        }
        let sound = try SoundFile.listen(to: result.path)
        #expect(abs((sound.tones.first ?? 0) - 0.9) < 0.005)
        #expect(abs(sound.end - 1.5) < 0.03)
    }

    /// Shorter than what counts as a gap otherwise.
    @Test func whatTheDecoderRefusesIsSilent() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.mkv", "-c:a", "mp2")
        let reference = try SoundFile.listen(to: SoundFile.transcode(path, into: folder).path)
        var refused = 0
        let result = try SoundFile.transcode(path, into: folder) { packet, time, _ in
            if time > 0.2, refused < 2 {
                packet.av.pointee.data.update(repeating: 0, count: Int(packet.av.pointee.size))
                refused += 1
            }
            return true
        }
        #expect(result.damaged == 2)
        let sound = try SoundFile.listen(to: result.path)
        #expect(sound.tones.count == 1)
        #expect(abs((sound.tones.first ?? 0) - (reference.tones.first ?? 1)) < 0.002)
        #expect(abs(sound.end - reference.end) < 0.002)
    }

    @Test func samplesThatAreNoNumbersAreSilent() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.nut")
        let tone = "0.8*sin(2*PI*1000*t)*gte(t\\,0.9)"
        try ffmpeg(
            "-f", "lavfi", "-i",
            "aevalsrc=if(between(t\\,0.2\\,0.3)\\,0/0\\,if(between(t\\,0.4\\,0.5)\\,1/0\\,\(tone))):d=1.5",
            "-c:a", "pcm_f32le", path)
        let sound = try SoundFile.listen(to: SoundFile.transcode(path, into: folder).path)
        #expect(sound.tones.count == 1)
        #expect(abs((sound.tones.first ?? 0) - 0.9) < 0.005)
    }

    @Test func aFormatThatChanges() throws {
        let folder = try TemporaryFolder()
        let first = try SoundFile.make(folder, "a.ts", sampleRate: 44100, "-c:a", "mp2", "-f", "mpegts")
        let second = try SoundFile.make(
            folder, "b.ts", sampleRate: 48000, layout: "mono", channels: 1, "-c:a", "mp2", "-output_ts_offset", "1.7")
        let both = try folder.write(try Files.read(first) + Files.read(second), to: "both.ts")
        let result = try SoundFile.transcode(both, into: folder)
        let sound = try SoundFile.listen(to: result.path)
        #expect(sound.sampleRate == 44100)
        #expect(sound.layout == "stereo")
        try #require(sound.tones.count == 2)
        // The first file's encoder delay of 481 samples became a later start.
        #expect(abs(sound.tones[1] - sound.tones[0] - (1.7 - 481.0 / 44100)) < 0.005)
    }

    @Test func nothingToTranscode() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.nut", "-c:a", "pcm_s16le")
        #expect(try SoundFile.transcode(path, into: folder) { _, _, _ in false }.packets.isEmpty)
    }

    @Test(arguments: [3, 7, 10, 24])
    func channelsThatNobodyKnows(channels: Int) throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.avi", layout: "mono", channels: 1, "-c:a", "pcm_s16le")
        // The header's count of channels, and with it the block's size and the rate of bytes.
        var bytes = try Files.read(path)
        let name = Array("strf".utf8)
        let header = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == name }) + 8
        bytes[header + 2] = UInt8(channels)
        bytes[header + 12] = UInt8(2 * channels)
        let result = try SoundFile.transcode(try folder.write(bytes, to: "b.avi"), into: folder)
        let sound = try SoundFile.listen(to: result.path)
        #expect(sound.layout == "stereo")
        #expect(abs(sound.end - 1.5 / Double(channels)) < 0.03)
    }

    @Test func aDecoderThatCannotBeOpened() throws {
        let folder = try TemporaryFolder()
        let path = try SoundFile.make(folder, "a.avi", "-c:a", "pcm_s16le")
        let demuxer = try Demuxer(path: path)
        let stream = try #require(demuxer.audioStreams.first)
        // It has no headers.
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_VORBIS
        #expect(throws: FileError.self) { try AudioTranscoder(stream: stream, path: path) }
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_PCM_S16LE
        stream.pointee.codecpar.pointee.sample_rate = 0
        #expect(throws: FileError.self) { try AudioTranscoder(stream: stream, path: path) }
    }
}
