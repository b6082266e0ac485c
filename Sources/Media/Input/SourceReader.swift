internal import CFFmpeg

/// Streams a file's pictures, upright, with their time, and the audio packets that lie between them.
///
/// Used from one thread. A picture is counted when it is presented: after the edit list, in presentation order, from the
/// start of the file, also where a range begins later.
package final class SourceReader {
    package let info: SourceInfo
    package private(set) var demuxer: Demuxer
    private let options: SourceOptions
    private let decoder: PictureDecoder
    private let packets: PacketFeed
    private var stream: UnsafeMutablePointer<AVStream>
    private let normalizer: PictureNormalizer
    private var deinterlacer: Deinterlacer?
    /// The picture that was given last, which the next one is made whole with.
    private var given: Timed?
    private let range: TickRange
    private var clock: PictureClock
    /// Time of the picture that decoding began with; those before it have been counted already. nil for the file's
    /// start.
    private var start: Int64?
    /// A picture whose duration is known only from the next one's time.
    private var pending: FrameBuffer?
    /// Times of the pictures inside the deinterlacer.
    private var timing: [Timed] = []
    private var ordinal = 0
    /// Whether the range's end has been reached.
    private var isOver = false
    /// Whether the file's last picture has come.
    private var isAtEnd = false
    private var returned = 0
    private var firstPTS: Int64?
    /// The order of the fields of interlaced pictures, once one was seen.
    private var fieldOrder: FieldOrder?

    private struct Timed {
        var picture: FrameBuffer
        var ordinal: Int
        var time: PictureClock.Time
    }

    package init(path: String, options: SourceOptions = SourceOptions(), cancellation: Cancellation? = nil) throws {
        self.options = options
        func open() throws -> Demuxer {
            try Demuxer(path: path, frameRate: options.frameRate, limits: options.limits, cancellation: cancellation)
        }
        demuxer = try open()
        stream = try demuxer.videoStream()
        info = try SourceInfo(demuxer: demuxer, stream: stream)
        range = TickRange(options.range, timeBase: info.timeBase)
        if options.range == nil { try options.limits.check(stated: info.duration, path: path) }
        var preroll: Preroll?
        if let place = Self.start(range, info, demuxer.input, options) {
            Self.discardOthers(demuxer, but: stream, keepsAudio: options.keepsAudio)
            preroll = try Preroll.read(demuxer, stream: stream, upTo: place.tick, isStrict: place.isStrict)
            if case .at(let tick) = options.start, preroll?.start != tick { preroll = nil }
            if preroll == nil {
                demuxer = try open()
                stream = try demuxer.videoStream()
            }
        }
        packets = PacketFeed(
            demuxer, stream: stream, info, preroll: preroll, keepsAudio: options.keepsAudio,
            looksForEnd: preroll == nil && !options.knowsEnd)
        decoder = try PictureDecoder(
            stream: stream, path: path, threads: options.threads, policy: options.onError,
            maximumPixels: options.limits.codedPixels, canReadAgain: packets.canReadAgain)
        clock = PictureClock(stream: stream, frameRate: info.frameRate, path: path)
        normalizer = PictureNormalizer(
            path: path,
            orientation: cff_stream_display_matrix(stream).map { Orientation(displayMatrix: $0) } ?? .upright,
            limits: options.limits)
        if options.deinterlacing == .always || options.deinterlacing == .ifNeeded && info.fieldOrder != nil {
            deinterlacer = Deinterlacer(path: path, timeBase: stream.pointee.time_base)
        }
        Self.discardOthers(demuxer, but: stream, keepsAudio: options.keepsAudio)
        if let preroll {
            ordinal = preroll.ordinal
            start = preroll.start
        }
    }

    /// Tick up to which packets are read and dropped without decoding; nil where decoding begins with the file.
    private static func start(
        _ range: TickRange, _ info: SourceInfo, _ input: MediaInput, _ options: SourceOptions
    ) -> (tick: Int64, isStrict: Bool)? {
        guard input != .standardInput else { return nil }
        switch options.start {
        case .at(let tick): return tick.map { ($0, false) }
        // What is damaged before the range is left out of the count, which decoding alone tells.
        case .nearest:
            guard range.start > info.startTime ?? 0, options.onError == .fail else { return nil }
            return (range.start, options.deinterlacing != .never)
        }
    }

    /// Whether interlaced pictures are made whole ones, as far as is known by now.
    package var deinterlaces: Bool { deinterlacer != nil }

    /// The time of the picture that decoding began with; nil for the file's start.
    package var decodedFrom: Int64? { start }

    /// Has the demuxer leave out streams that nobody reads.
    private static func discardOthers(
        _ demuxer: Demuxer, but stream: UnsafeMutablePointer<AVStream>, keepsAudio: Bool
    ) {
        let isMatroska = String(cString: demuxer.context.pointee.iformat.pointee.name).hasPrefix("matroska")
        for other in demuxer.streams where other != stream {
            let type = other.pointee.codecpar.pointee.codec_type
            // Matroska's duration is that of its longest stream: to tell whether a file is whole all have to be read.
            let isNeeded = type == AVMEDIA_TYPE_AUDIO && keepsAudio || isMatroska && type != AVMEDIA_TYPE_VIDEO
            if !isNeeded { other.pointee.discard = AVDISCARD_ALL }
        }
    }

    /// The audio packets before the last picture since the last call, or before its end, those that begin inside the range.
    func takeAudio() -> [Packet] {
        let audio = packets.takeAudio(through: isOver ? soundEnd : decoder.reached)
        guard let range = options.range else { return audio }
        return audio.filter { contains($0, range) }
    }

    /// Number of the packet up to which the sound of a range is looked for: it may lie behind its pictures.
    private var soundEnd: Int64 { decoder.reached == .max ? .max : decoder.reached + 64 }

    private func contains(_ packet: Packet, _ range: FrameRange) -> Bool {
        let index = Int(packet.av.pointee.stream_index)
        guard packet.av.pointee.pts != cff_no_pts, let stream = demuxer.context.pointee.streams[index] else {
            return true
        }
        let time = MediaTime(ticks: packet.av.pointee.pts, timeBase: Rational(stream.pointee.time_base)).seconds
        return time >= range.start && time < range.end ?? .infinity
    }

    /// The next picture of the range, nil after the last one.
    package func next() throws -> VideoFrame? {
        while let timed = try whole() {
            if timed.time.pts >= range.end {
                isOver = true
                packets.readAudio(through: soundEnd)
                return nil
            }
            if timed.time.pts < range.start { continue }
            try options.limits.check(
                frames: returned + 1,
                seconds: MediaTime(
                    ticks: timed.time.pts - max(firstPTS ?? 0, range.start) + timed.time.duration,
                    timeBase: info.timeBase
                ).seconds, path: demuxer.path)
            returned += 1
            let normalized = try normalizer.normalize(timed.picture, ordinal: timed.ordinal)
            return VideoFrame(
                ordinal: timed.ordinal, pts: MediaTime(ticks: timed.time.pts, timeBase: info.timeBase),
                duration: timed.time.duration, picture: normalized.picture, original: normalized.original)
        }
        return nil
    }

    /// The next picture, deinterlaced where that was asked for.
    private func whole() throws -> Timed? {
        guard let deinterlacer = try deinterlacer ?? deinterlacerOnce() else { return try timedOnce() }
        while true {
            if let picture = try deinterlacer.pull(), var next = timing.first {
                timing.removeFirst()
                // It was given before it was known that there are fields.
                if next.ordinal == given?.ordinal { continue }
                next.picture = picture
                return next
            }
            guard !timing.isEmpty || !isDrained else { return nil }
            if let next = try timed() {
                timing.append(next)
                try deinterlacer.push(next.picture)
            } else if isDrained {
                return nil
            } else {
                isDrained = true
                try deinterlacer.push(nil)
            }
        }
    }

    private var isDrained = false
    /// A picture that was read to see whether it is interlaced.
    private var seen: Timed?

    /// The deinterlacer, from the first interlaced picture on, where one is wanted then. It gets the picture before as well.
    /// - Throws: `FileError` in a part of a video, whose first picture lacks the one before.
    private func deinterlacerOnce() throws -> Deinterlacer? {
        guard options.deinterlacing == .ifNeeded, seen == nil else { return nil }
        seen = try timed()
        guard let first = seen, cff_frame_is_interlaced(first.picture.av) != 0 else { return nil }
        if case .at(.some) = options.start {
            throw FileError(
                "deinterlace", path: demuxer.path,
                reason: "its pictures are interlaced, and the file doesn't say so at its beginning")
        }
        let made = Deinterlacer(path: demuxer.path, timeBase: stream.pointee.time_base)
        deinterlacer = made
        for picture in [given, first].compactMap(\.self) {
            timing.append(picture)
            try made.push(picture.picture)
        }
        seen = nil
        return made
    }

    private func timedOnce() throws -> Timed? {
        let next = try seen ?? timed()
        seen = nil
        // Nobody else needs it any longer.
        if options.deinterlacing == .ifNeeded { given = next }
        return next
    }

    /// The next picture with its time and ordinal.
    private func timed() throws -> Timed? {
        while let current = try pending ?? decode() {
            pending = PictureClock.needsNext(current) ? try decode() : nil
            let time = try clock.time(of: current, next: pending)
            // What decodes before the start of a range has lost the pictures that it refers to.
            if let start, time.pts < start { continue }
            if firstPTS == nil { firstPTS = time.pts }
            defer { ordinal += 1 }
            return Timed(picture: current, ordinal: ordinal, time: time)
        }
        return nil
    }

    private func decode() throws -> FrameBuffer? {
        guard let frame = try decoder.next(packets, ordinal: ordinal) else {
            isAtEnd = true
            return nil
        }
        if cff_frame_is_interlaced(frame.av) != 0, fieldOrder == nil {
            fieldOrder = cff_frame_top_field_first(frame.av) != 0 ? .topFirst : .bottomFirst
        }
        let aspect = av_guess_sample_aspect_ratio(demuxer.context, stream, frame.av)
        if aspect.num > 0 { frame.av.pointee.sample_aspect_ratio = aspect }
        return frame
    }
}

// MARK: What is told of the source

extension SourceReader {
    package var outcome: SourceOutcome {
        SourceOutcome(
            concealed: decoder.damage.concealed, skipped: decoder.damage.skipped,
            isCutOff: decoder.damage.isCutOff, fieldOrder: fieldOrder,
            isDeinterlaced: fieldOrder != nil && deinterlaces,
            isRegular: decoder.damage.isNone && clock.corrected == 0 && !clock.isGuessed)
    }

    /// Notes for the user on a file that was read to its end.
    package var notes: [String] {
        var notes = decoder.damage.notes(isWhole: start == nil)
        if clock.corrected > 0 {
            let stamps =
                clock.corrected == 1
                ? "1 time stamp in the input is missing, repeated or runs backwards"
                : "\(clock.corrected) time stamps in the input are missing, repeated or run backwards"
            notes.append(stamps + "; made up")
        }
        if fieldOrder != nil, deinterlaces, options.deinterlacing == .ifNeeded {
            notes.append(
                "interlaced pictures were made whole ones, since something in them is hidden; “deinterlace”: false keeps them"
            )
        }
        if let fieldOrder, !deinterlaces {
            notes.append(
                "the pictures are interlaced, \(fieldOrder == .topFirst ? "top" : "bottom") field first; "
                    + "“deinterlace”: true makes whole ones")
        }
        let end = MediaTime(ticks: (clock.end ?? 0) &- (info.startTime ?? 0), timeBase: info.timeBase).seconds
        // Sound that goes on behind the pictures is none of their business.
        if isAtEnd, info.audio.isEmpty, let duration = info.duration, end < duration - max(1, duration / 20) {
            notes.append(
                "the pictures end at \(plain((end * 100).rounded() / 100)) s, the file says \(plain(duration)) s")
        }
        if let note = UnreadPictures.note(on: demuxer, but: stream) { notes.append(note) }
        return notes
    }
}
