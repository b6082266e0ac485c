@testable import Media
internal import CFFmpeg
import Testing

@testable import Annotate
@testable import TestSupport

/// Several threads decode what one does, and say the same of what is damaged.
@Suite struct DecodingThreadsTests {
    /// All that can be seen of a file's reading.
    private struct Reading: Equatable {
        var pictures: [Int] = []
        var sound: [Int] = []
        var told: [String] = []
    }

    private static let encoders = [
        "libx264 -g 12 -bf 2", "libx264 -g 8 -bf 3 -x264-params b-pyramid=normal:slices=4",
        "libx264 -g 10 -flags +ilme+ildct -x264-params interlaced=1", "libx264 -g 250 -x264-params intra-refresh=1",
        "libx264 -g 12 -x264-params open-gop=1:bframes=2", "libx264 -g 6 -pix_fmt yuv444p -qp 20",
        "libvpx-vp9 -g 12 -deadline realtime -cpu-used 8",
        "libaom-av1 -g 12 -usage realtime -cpu-used 8",
    ]

    private static func clip(_ encoder: String, _ container: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("whole.\(container)")
        let words = encoder.split(separator: " ").map(String.init)
        try output(
            of: "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=176x144:r=25", "-f", "lavfi", "-i"]
                + [
                    "sine=r=48000", "-vf", "noise=alls=12:allf=t", "-pix_fmt", "yuv420p", "-frames:v", "48", "-t",
                    "1.92",
                ]
                + ["-c:v"] + words + ["-c:a", container == "mkv" ? "flac" : "aac", path])
        return path
    }

    private static func hash(_ frame: VideoFrame) -> Int {
        var hasher = Hasher()
        hasher.combine(frame.ordinal)
        hasher.combine(frame.pts.ticks)
        frame.withPicture { picture in
            for plane in picture.planes {
                for row in 0..<plane.height {
                    hasher.combine(
                        bytes: UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: plane.width))
                }
            }
        }
        return hasher.finalize()
    }

    private static func read(
        _ path: String, threads: Int, _ policy: DamagePolicy, range: FrameRange? = nil
    ) -> Reading {
        var options = SourceOptions()
        (options.threads, options.onError, options.keepsAudio, options.range) = (threads, policy, true, range)
        var reading = Reading()
        do {
            let reader = try SourceReader(path: path, options: options)
            while let frame = try reader.next() {
                reading.pictures.append(hash(frame))
                reading.sound.append(reader.takeAudio().count)
            }
            reading.sound.append(reader.takeAudio().count)
            let outcome = reader.outcome
            reading.told =
                reader.notes + ["\(outcome.concealed) \(outcome.skipped) \(outcome.isCutOff) \(outcome.isRegular)"]
        } catch {
            reading.told = ["\(error)"]
        }
        return reading
    }

    /// What several threads alone make of a file.
    private static func pictures(ofThreadsAlone path: String) throws -> [Int] {
        let demuxer = try Demuxer(path: path)
        let stream = try demuxer.videoStream()
        let decoder = try Decoder(stream: stream, path: path, threads: .pictures(4), maximumPixels: 1 << 27)
        var found: [Int] = []
        var isOver = false
        while !isOver {
            let packet = try demuxer.next()
            if let packet, packet.av.pointee.stream_index != stream.pointee.index { continue }
            isOver = packet == nil
            try? decoder.send(packet)
            while let picture = try? decoder.receive() {
                let time = MediaTime(ticks: picture.av.pointee.best_effort_timestamp, timeBase: Rational(1, 1000))
                found.append(
                    hash(VideoFrame(ordinal: found.count, pts: time, duration: 1, picture: picture, original: nil)))
            }
        }
        return found
    }

    @Test(arguments: encoders) func damageIsOneThreads(encoder: String) throws {
        let folder = try TemporaryFolder()
        let undamaged = try Self.clip(encoder, "mkv", in: folder)
        #expect(try Self.pictures(ofThreadsAlone: undamaged) == Self.read(undamaged, threads: 1, .fail).pictures)
        let whole = try Files.read(undamaged)
        var different = 0
        for seed in 0..<8 {
            var bytes = whole
            var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
            for _ in 0...seed % 4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let place = 3000 + Int(state >> 33) % (bytes.count - 3200)
                bytes[place] ^= UInt8(1 << (state >> 20) % 8)
            }
            // A part that is missing; the end cut off.
            if seed == 6 { bytes.removeSubrange(bytes.count / 2..<bytes.count / 2 + 700) }
            if seed == 7 { bytes.removeLast(bytes.count / 5) }
            let path = try folder.write(bytes, to: "\(seed).mkv")
            for policy in DamagePolicy.allCases {
                let one = Self.read(path, threads: 1, policy)
                for threads in [2, 4, 16] {
                    #expect(Self.read(path, threads: threads, policy) == one, "\(seed), \(policy), \(threads) threads")
                }
                if policy == .skipFrame, try Self.pictures(ofThreadsAlone: path) != one.pictures { different += 1 }
            }
        }
        // Otherwise all of this shows nothing. Of the others' files most is sound.
        if encoder.contains("yuv444p") { #expect(different > 0) }
    }

    @Test(arguments: encoders, ["mkv", "mp4"]) func wholeFilesAreDecodedOnAllThreads(
        encoder: String, container: String
    ) throws {
        let folder = try TemporaryFolder()
        let path = try Self.clip(encoder, container, in: folder)
        let one = Self.read(path, threads: 1, .fail)
        #expect(one.pictures.count == 48 && one.told.last == "0 0 false true")
        #expect(Set(one.pictures).count == 48)
        // An encoder that keeps all pictures back has ffmpeg leave the sound out.
        #expect(encoder.contains("intra-refresh") || one.sound.reduce(0, +) > 10)
        for threads in [2, 3, 16] { #expect(Self.read(path, threads: threads, .fail) == one) }
        let range = FrameRange(start: 0.7, end: 1.2)
        let part = Self.read(path, threads: 1, .fail, range: range)
        #expect(part.pictures.count == 13 || part.pictures.count == 12)
        for threads in [2, 16] { #expect(Self.read(path, threads: threads, .fail, range: range) == part) }
    }
}
