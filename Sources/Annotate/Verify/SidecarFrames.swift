internal import CFFmpeg

/// The frames that a sidecar tells of, to be held against the videos that they come from and went to.
struct SidecarFrames {
    struct FrameTime: Equatable {
        var frame: Int
        /// Ticks of the source's time base.
        var pts: Int64
        var duration: Int64
    }

    private(set) var header = JSONNode(.null)
    private(set) var frames: [FrameTime] = []
    /// Where each frame was drawn on.
    private var drawn: [PictureSignature.Blocks] = []
    /// Where the sidecar contradicts itself.
    private(set) var problems: [String] = []
    private var isDamaged = false

    /// - Throws: `SidecarError` for a file that is no whole sidecar.
    init(path: String) throws {
        let reader = try SidecarReader(path: path)
        var tracks: Set<Int> = []
        while let line = try reader.next() {
            switch line {
            case .header(let node): header = node
            case .frame(let node):
                let time = FrameTime(
                    frame: node["frame"]?.integer ?? -1, pts: Int64(node["pts"]?.integer ?? 0),
                    duration: Int64(node["duration"]?.integer ?? 0))
                if let last = frames.last, time.frame != last.frame &+ 1 || time.pts <= last.pts {
                    problems.append(
                        "frame \(time.frame) (pts \(time.pts)) follows frame \(last.frame) (pts \(last.pts))")
                }
                let seconds = node["time"]?.number ?? 0
                if let timeBase, abs(MediaTime(ticks: time.pts, timeBase: timeBase).seconds - seconds) > 1e-3 {
                    problems.append("frame \(time.frame): its time \(plain(seconds)) s isn't that of pts \(time.pts)")
                }
                frames.append(time)
                drawn.append(PictureSignature.Blocks(of: node, width: size.width, height: size.height))
                for observation in node["observations"]?.elements ?? [] {
                    if let track = observation["track"]?.integer { tracks.insert(track) }
                }
            case .summary(let node):
                let summary = node["summary"]
                isDamaged =
                    (summary?["concealed"]?.integer ?? 0) + (summary?["skipped"]?.integer ?? 0) > 0
                    || summary?["cutOff"]?.bool == true
                if let count = summary?["frames"]?.integer, count != frames.count {
                    problems.append("the summary says \(count) frames, the file has \(frames.count)")
                }
                let listed = summary?["tracks"]?.elements?.compactMap { $0["track"]?.integer } ?? []
                if Set(listed) != tracks || listed != (0..<listed.count).map({ $0 + 1 }) {
                    problems.append("the summary's tracks are not the ones in the frames, numbered from 1 without gaps")
                }
            }
        }
        if let count = header["source"]?["frames"]?.integer, count != frames.count {
            problems.append("the header says \(count) frames, the file has \(frames.count)")
        }
    }

    private var timeBase: Rational? { ratio("timeBase") }

    private func ratio(_ key: String) -> Rational? {
        let parts = header["source"]?[key]?.elements?.compactMap(\.integer) ?? []
        return parts.count == 2 ? Rational(parts[0], parts[1]) : nil
    }

    private var size: (width: Int, height: Int) {
        (header["source"]?["width"]?.integer ?? 0, header["source"]?["height"]?.integer ?? 0)
    }

    /// How the annotated video differs: in number, time or size of its pictures.
    /// - Parameter pictures: what the video shows, for holding the source against it.
    func compare(
        video: String, pictures: inout [PictureSignature], cancellation: Cancellation?
    ) throws -> [String] {
        guard let timeBase else { return ["the header has no time base"] }
        // On one thread, on which the decoder tells of all that it patches up.
        let options = SourceOptions()
        let reader = try SourceReader(path: video, options: options, cancellation: cancellation)
        let offset = Int64(header["source"]?["videoOffset"]?.integer ?? 0)
        var list = Differences(of: "video")
        var count = 0
        while let frame = try reader.next() {
            if count == 0, !Self.isPadded(frame.width, size.width) || !Self.isPadded(frame.height, size.height) {
                list.add(
                    "the video has \(frame.width)×\(frame.height) pixels, the sidecar \(size.width)×\(size.height)")
            }
            if count < frames.count {
                let expected = MediaTime(ticks: frames[count].pts &+ offset, timeBase: timeBase)
                if !expected.isNearest(frame.pts) {
                    list.addTime(frames[count].frame, sidecar: expected.seconds, other: frame.pts.seconds)
                }
            }
            pictures.append(PictureSignature(frame))
            count += 1
        }
        return list.finish(count: count, expected: frames.count)
    }

    /// How the source differs: in number, time, duration or size of its pictures.
    func compare(
        source: String, pictures: [PictureSignature], cancellation: Cancellation?
    ) throws -> [String] {
        guard let timeBase else { return ["the header has no time base"] }
        var options = SourceOptions()
        options.threads = 2
        // Damaged pictures have been counted in the sidecar.
        options.onError = isDamaged ? .skipFrame : .fail
        if let range = header["range"] {
            options.range = FrameRange(start: range["start"]?.number ?? 0, end: range["end"]?.number)
        }
        // A rate that the file itself doesn't say came from the manifest.
        let said = try SourceInfo.probe(path: source, cancellation: cancellation).frameRate
        if let rate = ratio("frameRate"), rate != said { options.frameRate = rate }
        let reader = try SourceReader(path: source, options: options, cancellation: cancellation)
        if let rotation = header["source"]?["rotation"]?.integer, rotation != reader.info.rotation {
            return ["the source is turned by \(reader.info.rotation)°, the sidecar says \(rotation)°"]
        }
        guard reader.info.timeBase == timeBase else {
            return [
                "the source's time base is \(reader.info.timeBase.numerator)/\(reader.info.timeBase.denominator), the "
                    + "sidecar's \(timeBase.numerator)/\(timeBase.denominator)"
            ]
        }
        var list = Differences(of: "source")
        var count = 0
        while let frame = try reader.next() {
            if count == 0, (frame.width, frame.height) != size {
                list.add(
                    "the source has \(frame.width)×\(frame.height) pixels, the sidecar \(size.width)×\(size.height)")
            }
            if count < frames.count {
                let found = FrameTime(frame: frame.ordinal, pts: frame.pts.ticks, duration: frame.duration)
                if found != frames[count] {
                    list.addFrame(sidecar: frames[count], source: found)
                } else if count < pictures.count,
                    pictures[count].isOther(than: PictureSignature(frame), besides: drawn[count])
                {
                    list.addPicture(found.frame)
                }
            }
            count += 1
        }
        return list.finish(count: count, expected: frames.count)
    }

    /// 4:2:0 video has no odd sizes: the last column or row of an odd picture is there twice.
    private static func isPadded(_ video: Int, _ sidecar: Int) -> Bool {
        video == sidecar || video == sidecar + sidecar % 2
    }

    /// Differences as sentences, the first few of each kind in full.
    private struct Differences {
        private let noun: String
        private var problems: [String] = []
        private var more = 0

        init(of noun: String) { self.noun = noun }

        mutating func add(_ problem: String) { problems.append(problem) }

        mutating func addTime(_ frame: Int, sidecar: Double, other: Double) {
            addFew("frame \(frame): the sidecar says \(sidecar) s, the \(noun) \(other) s")
        }

        mutating func addFrame(sidecar: FrameTime, source: FrameTime) {
            func text(_ time: FrameTime) -> String { "frame \(time.frame), pts \(time.pts), duration \(time.duration)" }
            addFew("the sidecar has \(text(sidecar)), the source \(text(source))")
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
            if count != expected { all.append("the \(noun) has \(count) frames, the sidecar \(expected)") }
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
