internal import CFFmpeg
internal import Glibc

/// The sound of two files side by side: what the first one's was made into with some of it hidden, and what the second one's is.
package final class SoundComparison {
    /// Sound that was decoded and converted: the mean of its channels, with the time of its first sample.
    private final class Feed {
        let demuxer: Demuxer
        let stream: Int32
        let transcoder: AudioTranscoder
        var start: Int64?
        /// What it is, and what it was before something was hidden.
        var now: [Float] = []
        var before: [Float] = []
        var isOver = false

        init(_ path: String, track: Int, _ hidden: [HiddenSound], _ cancellation: Cancellation?) throws {
            demuxer = try Demuxer(path: path, cancellation: cancellation)
            guard demuxer.audioStreams.indices.contains(track) else {
                throw FileError("decode", path: path, reason: "it has no audio track \(track + 1)")
            }
            let source = demuxer.audioStreams[track]
            stream = source.pointee.index
            transcoder = try AudioTranscoder(stream: source, path: path, hidden: hidden)
            transcoder.listen { [unowned self] before, now, start in
                if self.start == nil { self.start = start }
                // After a leap there is nothing in between.
                let missing = start - ((self.start ?? start) + Int64(self.now.count))
                if missing > 0, missing < 1 << 24 {
                    self.now += [Float](repeating: 0, count: Int(missing))
                    self.before += [Float](repeating: 0, count: Int(missing))
                }
                self.now += now
                self.before += before
            }
        }

        var end: Int64 { (start ?? 0) + Int64(now.count) }

        func read() throws {
            guard !isOver else { return }
            guard let packet = try demuxer.next() else {
                isOver = true
                _ = try transcoder.finish()
                return
            }
            if packet.av.pointee.stream_index == stream { _ = try transcoder.transcode(packet) }
        }

        func drop(before time: Int64) {
            guard let start, time > start else { return }
            let count = min(Int(time - start), now.count)
            now.removeFirst(count)
            before.removeFirst(count)
            self.start = start + Int64(count)
        }
    }

    /// What a part of the sound tells: mean squares of what it was, of what was taken away of it, and of what is heard beside
    /// what it was made into; the mean of what it was times what is heard; the mean square of what it was made into; and that of what
    /// is there beside a tone, whose phase nobody knows: files round times.
    package struct Part {
        package fileprivate(set) var (before, taken, heard, back, made) = (0.0, 0.0, 0.0, 0.0, 0.0)
        package private(set) var besideTone = 0.0
        /// The share of the part's time of which both sounds tell.
        package fileprivate(set) var share = 0.0
        /// The same of the last moment, and what of it is the tone's.
        private var moment = (count: 0.0, squares: 0.0, sine: 0.0, cosine: 0.0)

        /// Takes a sample, at a part of a turn of the tone.
        fileprivate mutating func add(_ value: Double, turn: Double, perMoment most: Double) {
            let angle = 2 * Double.pi * turn
            moment.count += 1
            moment.squares += value * value
            moment.sine += value * sin(angle)
            moment.cosine += value * cos(angle)
            // A tone may end within the part: where it does so is a moment.
            if moment.count >= most { endMoment() }
        }

        fileprivate mutating func endMoment() {
            guard moment.count > 0 else { return }
            let tone = 2 * (moment.sine * moment.sine + moment.cosine * moment.cosine) / moment.count
            besideTone += max(moment.squares - tone, 0)
            moment = (0, 0, 0, 0)
        }

        fileprivate func divided(by count: Double) -> Part {
            var part = self
            (part.before, part.taken, part.heard, part.back, part.made) = (
                before / count, taken / count, heard / count, back / count, made / count
            )
            part.endMoment()
            part.besideTone /= count
            return part
        }
    }

    private let source: Feed
    private let output: Feed
    private let offset: Int64

    /// How many audio tracks a file has.
    package static func tracks(of path: String, cancellation: Cancellation?) throws -> Int {
        try Demuxer(path: path, cancellation: cancellation).audioStreams.count
    }

    /// - Parameters:
    ///   - track: Which of their audio tracks, from 0.
    ///   - offset: Seconds by which the output's times are later than the source's.
    /// - Throws: `FileError`.
    package init(
        source: String, output: String, track: Int, hidden: [HiddenSound], offset: Double, cancellation: Cancellation?
    ) throws {
        // What is hidden is hidden at the source's own times.
        self.source = try Feed(source, track: track, hidden, cancellation)
        self.output = try Feed(output, track: track, [], cancellation)
        guard self.source.transcoder.rate == self.output.transcoder.rate else {
            throw FileError(
                "compare the sound of", path: output,
                reason:
                    "it has \(self.output.transcoder.rate) samples a second, and \(self.source.transcoder.rate) are made of the source's"
            )
        }
        self.offset = Int64((offset * Double(self.source.transcoder.rate)).rounded())
    }

    /// Goes through the times in which something is hidden.
    /// - Parameter body: Gets each part's time in the source, seconds, and what is heard there.
    package func forEachPart(seconds: Double, _ body: (_ time: Double, _ part: Part) -> Void) throws {
        let rate = Double(source.transcoder.rate)
        let count = Int64(max(seconds * rate, 1))
        while source.start == nil, !source.isOver { try source.read() }
        guard var time = source.start else { return }
        while true {
            while source.end < time + count, !source.isOver { try source.read() }
            while output.end - offset < time + count, !output.isOver { try output.read() }
            guard let first = source.start, source.end > time else { return }
            var (part, number) = (Part(), 0)
            for sample in max(time, first)..<min(time + count, source.end) {
                let place = Int(sample - first)
                let before = Double(source.before[place])
                guard let begin = output.start, sample + offset >= begin, sample + offset < output.end else { continue }
                let there = Double(output.now[Int(sample + offset - begin)])
                let heard = there - Double(source.now[place])
                part.add(
                    there, turn: (Double(sample) * SoundHider.tone / rate).truncatingRemainder(dividingBy: 1),
                    perMoment: rate / 100)
                let lost = before - Double(source.now[place])
                part.taken += lost * lost
                part.before += before * before
                part.heard += heard * heard
                part.back += before * heard
                part.made += Double(source.now[place]) * Double(source.now[place])
                number += 1
            }
            part.share = Double(number) / Double(count)
            if number > 0, part.taken > 0 { body(Double(time) / rate, part.divided(by: Double(number))) }
            time += count
            source.drop(before: time)
            output.drop(before: time + offset)
        }
    }
}
