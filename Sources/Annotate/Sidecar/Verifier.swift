/// Proves that a finished job's video and sidecar tell of the same frames.
public enum Verifier {
    /// What was found of one sidecar.
    public struct Finding: Sendable {
        public var sidecar: String
        public var frames: Int
        /// nil where the job wrote no video.
        public var video: String?
        /// Empty where all is well.
        public var problems: [String]
    }

    private struct FrameTime: Equatable {
        var frame: Int
        var pts: Int64
        var duration: Int64
    }

    /// Every sidecar of a folder against its schema and, frame by frame, against the video beside it.
    /// - Throws: `MediaError` when the folder can't be read.
    public static func verify(directory: String, cancellation: Cancellation? = nil) throws -> [Finding] {
        let suffix = ".tracks.jsonl"
        let names = try Files.list(directory)
        var findings = names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.map { name in
            verify(
                sidecar: directory + "/" + name, video: directory + "/" + name.dropLast(suffix.count) + ".mp4",
                cancellation: cancellation)
        }
        // The report tells what a job wrote; what is gone since is missing.
        for (id, outcome) in Report.read(directory: directory).sorted(by: { $0.key < $1.key })
        where outcome.status == .done || outcome.status == .upToDate {
            for output in outcome.outputs where !names.contains(output.file) {
                // A video without its sidecar is told of below.
                if output.file.hasSuffix(suffix), names.contains(id + ".mp4") { continue }
                let problem = "\(output.file) is missing: the report lists it among the results of “\(id)”"
                if let index = findings.firstIndex(where: { Files.name(of: $0.sidecar) == id + suffix }) {
                    findings[index].problems.append(problem)
                } else {
                    findings.append(
                        Finding(sidecar: directory + "/" + id + suffix, frames: 0, video: nil, problems: [problem]))
                }
            }
        }
        // A video whose sidecar is missing is as broken as the other way round.
        for name in names where name.hasSuffix(".mp4") && !name.hasPrefix(".") {
            let sidecar = name.dropLast(4) + suffix
            if !names.contains(String(sidecar)) {
                findings.append(
                    Finding(
                        sidecar: directory + "/" + sidecar, frames: 0, video: directory + "/" + name,
                        problems: ["there is no sidecar beside the video \(name)"]))
            }
        }
        return findings
    }

    /// One sidecar and its video.
    public static func verify(sidecar: String, video: String, cancellation: Cancellation? = nil) -> Finding {
        var finding = Finding(sidecar: sidecar, frames: 0, video: Files.exists(video) ? video : nil, problems: [])
        do {
            let (header, frames) = try read(sidecar, &finding.problems)
            finding.frames = frames.count
            if finding.video != nil {
                finding.problems += try compare(header, frames, video: video, cancellation: cancellation)
            }
        } catch {
            finding.problems.append("\(error)")
        }
        return finding
    }

    private static func read(_ path: String, _ problems: inout [String]) throws -> (JSONNode, [FrameTime]) {
        let reader = try SidecarReader(path: path)
        var header = JSONNode(.null)
        var frames: [FrameTime] = []
        var tracks: Set<Int> = []
        while let line = try reader.next() {
            switch line {
            case .header(let node): header = node
            case .frame(let node):
                let time = FrameTime(
                    frame: node["frame"]?.integer ?? -1, pts: Int64(node["pts"]?.integer ?? 0),
                    duration: Int64(node["duration"]?.integer ?? 0))
                if let last = frames.last, time.frame != last.frame + 1 || time.pts <= last.pts {
                    problems.append(
                        "frame \(time.frame) (pts \(time.pts)) follows frame \(last.frame) (pts \(last.pts))")
                }
                frames.append(time)
                for observation in node["observations"]?.elements ?? [] {
                    if let track = observation["track"]?.integer { tracks.insert(track) }
                }
            case .summary(let node):
                let summary = node["summary"]
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
        return (header, frames)
    }

    private static func compare(
        _ header: JSONNode, _ frames: [FrameTime], video: String, cancellation: Cancellation?
    ) throws -> [String] {
        let reader = try SourceReader(path: video, threads: 2, keepsAudio: false, cancellation: cancellation)
        let source = header["source"]
        let base = source?["timeBase"]?.elements?.compactMap(\.integer) ?? []
        guard base.count == 2 else { return ["the header has no time base"] }
        let timeBase = Rational(base[0], base[1])
        var problems: [String] = []
        let (width, height) = (source?["width"]?.integer ?? 0, source?["height"]?.integer ?? 0)
        var count = 0
        var differences = 0
        while let frame = try reader.next() {
            if count == 0, !isPadded(frame.width, width) || !isPadded(frame.height, height) {
                problems.append("the video has \(frame.width)×\(frame.height) pixels, the sidecar \(width)×\(height)")
            }
            if count < frames.count {
                let expected = MediaTime(ticks: frames[count].pts, timeBase: timeBase)
                if !areEqual(expected, frame.pts) {
                    differences += 1
                    if differences <= 3 {
                        problems.append(
                            "frame \(frames[count].frame): the sidecar says \(expected.seconds) s, the video "
                                + "\(frame.pts.seconds) s")
                    }
                }
            }
            count += 1
        }
        if differences > 3 { problems.append("… and \(differences - 3) more frames with other times") }
        if count != frames.count { problems.append("the video has \(count) frames, the sidecar \(frames.count)") }
        return problems
    }

    /// 4:2:0 video has no odd sizes: the last column or row of an odd picture is there twice.
    private static func isPadded(_ video: Int, _ sidecar: Int) -> Bool {
        video == sidecar || video == sidecar + sidecar % 2
    }

    private static func areEqual(_ a: MediaTime, _ b: MediaTime) -> Bool {
        let left = a.ticks.multipliedFullWidth(by: Int64(a.timeBase.numerator * b.timeBase.denominator))
        let right = b.ticks.multipliedFullWidth(by: Int64(b.timeBase.numerator * a.timeBase.denominator))
        return left == right
    }
}
