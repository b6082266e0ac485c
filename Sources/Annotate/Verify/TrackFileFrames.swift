internal import CFFmpeg

/// The frames of a track file, to be compared with the videos that they come from and went to.
struct TrackFileFrames {
    struct FrameTime: Equatable {
        var frame: Int
        /// Presentation time, ticks of the source's time base.
        var pts: Int64
        var duration: Int64
    }

    let header: TrackFileHeader
    private(set) var frames: [FrameTime] = []
    /// Blocks of each frame that were drawn on.
    private var drawn: [PictureSignature.Blocks] = []
    /// Problems of the track file: where it doesn't fit its schema, or contradicts itself.
    private(set) var problems: [String] = []
    /// Whether all lines fit, so that frames and pictures can be counted off against each other.
    private(set) var isWhole = false
    /// Whether a line before this one doesn't fit: which frame it told of isn't known.
    private var isBehindGap = false
    private var isDamaged = false
    private var sums: SummaryBuilder
    /// The thing of each track, where that is clear.
    private var things: [Int: (stage: String, kind: String)] = [:]
    private var confused: [String] = []
    /// Name of the source, by the header.
    var sourceName: String { header.source.name }
    /// Whether the video hides something.
    var covers: Bool { header.covers }
    /// Ticks that the video's stamps lie behind the source's.
    var videoOffset: Int64 { Int64(header.source.videoOffset) }
    private var timeBase: Rational { header.source.timeBase }
    private var size: PictureSize { PictureSize(width: header.source.width, height: header.source.height) }

    /// The most lines that don't fit which are told one by one.
    private static let mostLines = 10

    /// - Throws: `TrackFileError` for a file that is no whole track file.
    init(path: String, kinds: FindingCatalog) throws {
        let reader = try TrackFileReader(path: path, kinds: kinds)
        header = reader.header
        sums = SummaryBuilder(stages: header.stages.map(\.id))
        var faulty = 0
        while true {
            do {
                guard let record = try reader.next() else { break }
                add(record, saidTime: reader.time)
            } catch let error as TrackFileError where error.line != nil {
                faulty += 1
                isBehindGap = true
                if faulty <= Self.mostLines { problems.append(error.description) }
            } catch let error as TrackFileError where faulty > 0 {
                problems.append(error.description)
                break
            }
        }
        if faulty > Self.mostLines { problems.append("… and \(faulty - Self.mostLines) more lines that don't fit") }
        // What lines that don't fit say of frames and tracks isn't known.
        guard faulty == 0, let summary = reader.summary else { return }
        isWhole = true
        isDamaged = summary.concealed + summary.skipped > 0 || summary.isCutOff
        if summary.frames != frames.count {
            problems.append("the summary says \(summary.frames) frames, the file has \(frames.count)")
        }
        let found = sums.summary(reader.outcome)
        let (listed, seen) = (summary.tracks, found.tracks)
        // Tracks that come from elsewhere may have any numbers.
        let mayHaveGaps = header.stages.contains { kinds.numberKeepers.contains($0.type) }
        let isGapless = listed.map(\.track) == (0..<listed.count).map { $0 + 1 }
        if listed.map(\.track) != seen.map(\.track) || !isGapless && !mayHaveGaps {
            problems.append("the summary's tracks are not the ones in the frames, numbered from 1 without gaps")
        } else {
            tell(zip(listed, seen).compactMap { $0.0.difference(from: $0.1) })
        }
        if let stages = summary.stages {
            if stages.map(\.stage) == header.stages.map(\.id) {
                tell(zip(stages, found.stages ?? []).compactMap { $0.0.difference(from: $0.1) })
            } else {
                problems.append("the summary's stages are not the header's")
            }
        }
        // A file of before says nothing of it.
        if !summary.ids.isEmpty {
            if summary.ids.count == found.ids.count {
                tell(zip(summary.ids, found.ids).compactMap { $0.0.difference(from: $0.1) })
            } else {
                problems.append("the summary's ids are not those that the frames have under several tracks")
            }
        }
        if summary.gates.map(\.name) == found.gates.map(\.name) {
            tell(zip(summary.gates, found.gates).compactMap { $0.0.difference(from: $0.1) })
        } else {
            problems.append("the summary's counts are not of the lines and zones in the frames")
        }
        tell(confused)
        if let count = header.source.frames, count != frames.count {
            problems.append("the header says \(count) frames, the file has \(frames.count)")
        }
    }

    private mutating func add(_ record: FrameRecord, saidTime: Double) {
        let time = FrameTime(frame: record.frame, pts: record.pts.ticks, duration: record.duration)
        if !isBehindGap, let last = frames.last, time.frame != last.frame &+ 1 || time.pts <= last.pts {
            problems.append("frame \(time.frame) (pts \(time.pts)) follows frame \(last.frame) (pts \(last.pts))")
        }
        isBehindGap = false
        if abs(record.pts.seconds - saidTime) > 1e-3 {
            problems.append("frame \(time.frame): its time \(plain(saidTime)) s isn't that of pts \(time.pts)")
        }
        sums.add(record)
        var here: Set<Int> = []
        for observation in record.observations {
            guard let track = observation.track?.number else { continue }
            let thing = things[track] ?? (observation.stage, observation.kind)
            things[track] = thing
            if thing != (observation.stage, observation.kind) {
                confused.append(
                    "frame \(time.frame): track \(track) is a \(observation.kind) of “\(observation.stage)”, and was a "
                        + "\(thing.kind) of “\(thing.stage)” before")
            } else if !here.insert(track).inserted {
                confused.append("frame \(time.frame): track \(track) is there twice")
            }
        }
        frames.append(time)
        drawn.append(PictureSignature.Blocks(of: record.observations, hiding: [], in: size))
    }

    /// Notes the first few of many problems of one sort.
    private mutating func tell(_ found: [String]) {
        problems += found.prefix(Self.mostLines)
        if found.count > Self.mostLines { problems.append("… and \(found.count - Self.mostLines) more of that sort") }
    }

    /// How the annotated video differs: in number, time or size of its pictures.
    /// - Parameter pictures: what the video shows, for holding the source against it.
    func compare(
        video: String, pictures: inout [PictureSignature], cancellation: Cancellation?
    ) throws -> [String] {
        // On one thread, on which the decoder tells of all that it patches up.
        var options = SourceOptions()
        let isCopy = try PacketComparison.isCopy(video, cancellation: cancellation)
        // What is copied is as damaged as the source, also outside of a range, and shown as Matroska is shown.
        if isCopy, isDamaged || header.source.onError == .skipFrame || header.range != nil {
            options.onError = .skipFrame
        }
        if isCopy, header.range != nil, let first = frames.first, let last = frames.last {
            // Half a thousandth around them. What lies outside isn't looked at.
            func seconds(_ ticks: Int64) -> Double {
                MediaTime(ticks: ticks &+ videoOffset, timeBase: timeBase).seconds
            }
            options.range = FrameRange(start: max(0, seconds(first.pts) - 0.001), end: seconds(last.pts) + 0.001)
        }
        // Which pictures have to be there is known. Matroska doesn't say how long the last one is shown.
        options.knowsEnd = true
        let reader = try SourceReader(path: video, options: options, cancellation: cancellation)
        let isTurned = isCopy && header.source.rotation % 180 != 0 && reader.info.rotation == 0
        let size = isTurned ? PictureSize(width: self.size.height, height: self.size.width) : self.size
        let offset = videoOffset
        var list = Differences(of: "video")
        var count = 0
        while let frame = try reader.next() {
            // All of the source is copied, also what lies outside of the range or isn't shown.
            if isCopy, isOutside(frame.pts, offset: offset) { continue }
            if count == 0, !Self.isPadded(frame.width, size.width) || !Self.isPadded(frame.height, size.height) {
                list.add(
                    "the video has \(frame.width)×\(frame.height) pixels, the track file \(size.width)×\(size.height)")
            }
            if count < frames.count {
                let expected = MediaTime(ticks: frames[count].pts &+ offset, timeBase: timeBase)
                if !expected.isNearest(frame.pts) {
                    list.addTime(frames[count].frame, trackFile: expected.seconds, other: frame.pts.seconds)
                }
            }
            // The same packets make the same pictures.
            if !isCopy { pictures.append(PictureSignature(frame)) }
            count += 1
        }
        return list.finish(count: count, expected: frames.count)
    }

    /// Whether it is a picture of a copy that no frame tells of.
    private func isOutside(_ time: MediaTime, offset: Int64) -> Bool {
        guard let first = frames.first, let last = frames.last else { return true }
        func copied(_ ticks: Int64) -> Int64 { av_rescale_q(ticks &+ offset, timeBase.av, time.timeBase.av) }
        return time.ticks < copied(first.pts) || time.ticks > copied(last.pts)
    }

    /// How the source differs: in number, time, duration or size of its pictures.
    func compare(
        source: String, pictures: [PictureSignature], cancellation: Cancellation?
    ) throws -> [String] {
        let reader = try SourceReader(
            path: source, options: try sourceOptions(source, cancellation: cancellation), cancellation: cancellation)
        if header.source.rotation != reader.info.rotation {
            return ["the source is turned by \(reader.info.rotation)°, the track file says \(header.source.rotation)°"]
        }
        guard reader.info.timeBase == timeBase else {
            return [
                "the source's time base is \(reader.info.timeBase.numerator)/\(reader.info.timeBase.denominator), the "
                    + "track file's \(timeBase.numerator)/\(timeBase.denominator)"
            ]
        }
        var list = Differences(of: "source")
        var count = 0
        while let frame = try reader.next() {
            if count == 0, PictureSize(width: frame.width, height: frame.height) != size {
                list.add(
                    "the source has \(frame.width)×\(frame.height) pixels, the track file \(size.width)×\(size.height)")
            }
            if count < frames.count {
                let found = FrameTime(frame: frame.ordinal, pts: frame.pts.ticks, duration: frame.duration)
                if found != frames[count] {
                    list.addFrame(trackFile: frames[count], source: found)
                } else if count < pictures.count,
                    pictures[count].isOther(than: frame, besides: drawn[count])
                {
                    list.addPicture(found.frame)
                }
            }
            count += 1
        }
        return list.finish(count: count, expected: frames.count)
    }

    /// How the source is read for the pictures that the job had.
    func sourceOptions(_ source: String, cancellation: Cancellation?) throws -> SourceOptions {
        var options = header.sourceOptions(isDamaged: isDamaged)
        options.frameRate = try statedRate(of: source, cancellation: cancellation)
        return options
    }

    /// The rate of a source that the manifest gave: what the file itself doesn't say came from there.
    func statedRate(of source: String, cancellation: Cancellation?) throws -> Rational? {
        let said = try SourceInfo.probe(path: source, cancellation: cancellation).frameRate
        return header.source.frameRate == said ? nil : header.source.frameRate
    }

    /// 4:2:0 video has no odd sizes: the last column or row of an odd picture is there twice.
    private static func isPadded(_ video: Int, _ trackFile: Int) -> Bool {
        video == trackFile || video == trackFile + trackFile % 2
    }

    /// Sentences on differences, the first few of each kind in full.
    private struct Differences {
        private let noun: String
        private var problems: [String] = []
        private var more = 0

        init(of noun: String) { self.noun = noun }

        mutating func add(_ problem: String) { problems.append(problem) }

        mutating func addTime(_ frame: Int, trackFile: Double, other: Double) {
            addFew("frame \(frame): the track file says \(trackFile) s, the \(noun) \(other) s")
        }

        mutating func addFrame(trackFile: FrameTime, source: FrameTime) {
            func text(_ time: FrameTime) -> String { "frame \(time.frame), pts \(time.pts), duration \(time.duration)" }
            addFew("the track file has \(text(trackFile)), the source \(text(source))")
        }

        mutating func addPicture(_ frame: Int) {
            addFew("frame \(frame): the video shows another picture than the source")
        }

        private mutating func addFew(_ problem: String) {
            if problems.count < 3 { problems.append(problem) } else { more += 1 }
        }

        func finish(count: Int, expected: Int) -> [String] {
            var all = problems
            if more > 0 { all.append("… and \(more) more frames that differ from the \(noun)") }
            if count != expected { all.append("the \(noun) has \(count) frames, the track file \(expected)") }
            return all
        }
    }
}

extension MediaTime {
    /// True where `other` is this time, or the tick of a coarser time base that is nearest to it.
    fileprivate func isNearest(_ other: MediaTime) -> Bool {
        av_rescale_q(ticks, timeBase.av, other.timeBase.av) == other.ticks
            || av_compare_ts(ticks, timeBase.av, other.ticks, other.timeBase.av) == 0
    }
}
