@testable import Media
import CFFmpeg
import Testing

@testable import Annotate
@testable import TestSupport

/// Makes sound files and listens to them.
enum SoundFile {
    /// Silence with a short tone of 1 kHz, the same in every channel, 1.5 s long.
    ///
    /// - Parameters:
    ///   - tone: When it begins, seconds.
    ///   - arguments: ffmpeg's for the output, codec first of all.
    static func make(
        _ folder: TemporaryFolder, _ name: String, sampleRate: Int = 48000, layout: String = "stereo",
        channels: Int = 2,
        tone: Double = 0.9, _ arguments: String...
    ) throws -> String {
        let channel = "0.8*sin(2*PI*1000*(t-\(tone)))*between(t,\(tone),\(tone + 0.1))"
        let expression = Array(repeating: channel, count: channels).joined(separator: "|")
        try output(
            of: "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "aevalsrc=\(expression.replacing(",", with: "\\,")):c=\(layout):s=\(sampleRate):d=1.5",
            ] + arguments + [folder.file(name)])
        return folder.file(name)
    }

    /// What became of a file.
    struct Result {
        var packets: [Packet] = []
        var damaged = 0
        /// The MP4.
        var path: String

        var bytes: [[UInt8]] {
            packets.map { Array(UnsafeBufferPointer(start: $0.av.pointee.data, count: Int($0.av.pointee.size))) }
        }
    }

    /// Transcodes a file's first audio stream into an MP4.
    ///
    /// - Parameter edit: Changes a packet, knowing its time in seconds, or says that it is left out.
    static func transcode(
        _ path: String, into folder: TemporaryFolder,
        edit: (Packet, Double, AVStream) throws -> Bool = { _, _, _ in true }
    ) throws -> Result {
        let demuxer = try Demuxer(path: path)
        let stream = try #require(demuxer.audioStreams.first)
        let transcoder = try AudioTranscoder(stream: stream, path: path)
        let target = folder.file("result.mp4")
        var format: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&format, nil, "mp4", target), "create", target)
        let muxer = try #require(format)
        defer { avformat_free_context(muxer) }
        let out = try #require(avformat_new_stream(muxer, nil))
        try transcoder.describe(out)
        try check(avio_open(&muxer.pointee.pb, "file:" + target, AVIO_FLAG_WRITE), "create", target)
        defer { avio_closep(&muxer.pointee.pb) }
        try check(avformat_write_header(muxer, nil), "write", target)
        var result = Result(path: target)
        func write(_ packets: [Packet]) throws {
            for packet in packets {
                let copy = try Packet()
                try check(av_packet_ref(copy.av, packet.av), "write", target)
                av_packet_rescale_ts(copy.av, transcoder.timeBase, out.pointee.time_base)
                try check(av_interleaved_write_frame(muxer, copy.av), "write", target)
            }
            result.packets += packets
        }
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            let time = MediaTime(ticks: packet.av.pointee.pts, timeBase: Rational(stream.pointee.time_base)).seconds
            if try edit(packet, time, stream.pointee) { try write(try transcoder.transcode(packet)) }
        }
        try write(try transcoder.finish())
        try check(av_write_trailer(muxer), "write", target)
        result.damaged = transcoder.damaged
        return result
    }

    /// What a player hears in the first channel.
    struct Sound {
        var sampleRate = 0
        var layout = ""
        /// Seconds.
        var start = 0.0
        var end = 0.0
        /// When the tones begin: more than a quarter of full scale after at least 0.1 s of less.
        var tones: [Double] = []
    }

    static func listen(to path: String) throws -> Sound {
        let demuxer = try Demuxer(path: path)
        let stream = try #require(demuxer.audioStreams.first)
        let decoder = try Decoder(stream: stream, path: path, threads: .slices(1), maximumPixels: 1 << 27)
        var sound = Sound()
        var lastLoud = -1.0
        var isFirst = true
        func hear(_ frame: FrameBuffer) throws {
            try #require(frame.av.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue)
            sound.sampleRate = Int(frame.av.pointee.sample_rate)
            sound.layout = AudioFormat.name(of: frame.av.pointee.ch_layout)
            let start = MediaTime(ticks: frame.av.pointee.pts, timeBase: Rational(stream.pointee.time_base)).seconds
            if isFirst { sound.start = start }
            isFirst = false
            let count = Int(frame.av.pointee.nb_samples)
            sound.end = start + Double(count) / Double(sound.sampleRate)
            let data = try #require(frame.av.pointee.data.0)
            data.withMemoryRebound(to: Float.self, capacity: count) { samples in
                for index in 0..<count where abs(samples[index]) > 0.25 {
                    let time = start + Double(index) / Double(sound.sampleRate)
                    if time - lastLoud > 0.1 { sound.tones.append(time) }
                    lastLoud = time
                }
            }
        }
        while let packet = try demuxer.next() {
            try decoder.send(packet)
            while let frame = try decoder.receive() { try hear(frame) }
        }
        try decoder.send(nil)
        while let frame = try decoder.receive() { try hear(frame) }
        return sound
    }
}
