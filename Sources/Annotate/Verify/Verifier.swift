internal import Synchronization

/// Proves that a finished job's source, video and track file tell of the same frames.
public enum Verifier {
    /// The verdict on one track file.
    public struct Verdict: Sendable {
        /// The track file's path.
        public var trackFile: String
        /// How many frames it tells of.
        public var frames: Int
        /// Path of the annotated video; nil where the job wrote none.
        public var video: String?
        /// Path of the source; nil where it could not be compared: `notes` says why.
        public var source: String?
        /// Problems, a sentence each; empty where all is well.
        public var problems: [String] = []
        /// Why nobody can say whether what the job covers may be seen: it wasn't held against anything. nil where it was, and where
        /// nothing is covered.
        public var unproven: String?
        /// Notes on what could not be checked, a sentence each.
        public var notes: [String] = []
        /// Places where what a job covers may be seen all the same, a sentence each.
        public var warnings: [String] = []
        /// Name of the source, by the track file's header; nil where it can't be read.
        var sourceName: String?
        /// Whether the video hides something.
        var covers = false
    }

    /// Jobs that the folder's report says came to nothing, by id, each with a sentence that says why.
    public static func failures(directory: String) -> [(id: String, reason: String)] {
        Report.read(directory: directory).sorted { $0.key < $1.key }.compactMap { id, outcome in
            switch outcome.status {
            case .failed: (id, outcome.error ?? "the report says that it failed, not why")
            case .interrupted: (id, "the report says that it was interrupted; run the batch again")
            case .notRun: (id, "the report says that it wasn't run; run the batch again")
            default: nil
            }
        }
    }

    static let suffix = ".tracks.jsonl"
    private static let videoExtensions = ["mp4", "mkv"]
    /// Extensions of photos. Others' photos may lie in a folder as well: only those that the report lists count.
    private static let photoExtensions = ["jpg", "png"]

    /// Checks every track file of a folder against its schema and, frame by frame, against the video beside it and the
    /// source that the report names.
    /// - Parameters:
    ///   - directory: The folder's path.
    ///   - root: A folder that no source may lie outside of; nil for no such bound.
    ///   - sources: A folder with copies of sources that lie elsewhere, or no longer where the report says; nil for
    ///     none.
    ///   - kinds: Kinds of results that the program knows.
    ///   - again: The stages by which what was to be hidden is looked for in the videos; nil for not at all.
    ///   - progress: Called whenever a track file has been checked, on any thread: how many have, of how many.
    ///   - cancellation: Ends the reading of videos; nil where nothing does.
    /// - Throws: `FileError` when the folder can't be read.
    public static func verify(
        directory: String, root: String? = nil, sources: String? = nil, kinds: FindingCatalog,
        again: StageCatalog? = nil, progress: (@Sendable (_ done: Int, _ all: Int) -> Void)? = nil,
        cancellation: Cancellation? = nil
    ) throws -> [Verdict] {
        let folder = try HeldFolder(directory)
        let all = try folder.names().filter { !$0.hasPrefix(".") }
        // Nothing that lies elsewhere is looked at because somebody put a link here.
        let links = Set(all.filter { folder.entry($0)?.kind == .link })
        let names = all.filter { !links.contains($0) }
        let report = Report.read(directory: directory)
        let broken = Report.broken(in: directory).map { name in
            Verdict(
                trackFile: directory + "/" + name, frames: 0,
                problems: ["it is no report that can be read; run the batch again to know how its jobs ended"])
        }
        let paths = try trackFiles(directory, root)
        let count = Atomic<Int>(0)
        progress?(0, paths.count)
        // Networks take memory of their own for each.
        let threads = again == nil ? Machine.cores : min(Machine.cores, 2)
        var findings = try parallelMap(paths.count, threads: threads) { index in
            let path = paths[index]
            let id = String(Files.name(of: path).dropLast(suffix.count))
            defer { progress?(count.add(1, ordering: .relaxed).newValue, paths.count) }
            return verify(
                trackFile: path, video: video(of: id, names, report[id]).map { directory + "/" + $0 },
                source: SourcePlace(of: report[id], in: directory, copies: sources), root: root, kinds: kinds,
                again: again.map { catalog in
                    // What stages name is found from the manifest.
                    let manifest = report[id]?.manifest.map { directory + "/" + $0 }
                    return (catalog, ManifestPaths(directory: manifest.map(Files.parent) ?? directory, root: root))
                },
                cancellation: cancellation)
        }
        let here = Set(names)
        func isThere(_ place: String) -> Bool {
            Files.isPlainName(place) ? here.contains(place) : Files.sizeOfResult(directory + "/" + place) != nil
        }
        let listed = Set(findings.map(\.trackFile))
        // The report tells what a job wrote; what is gone since is missing.
        for (id, outcome) in report.sorted(by: { $0.key < $1.key })
        where outcome.status.isWhole {
            // What is read nowhere here is held against its size.
            for output in outcome.outputs where isThere(output.file) {
                if output.file.hasSuffix(suffix), !listed.contains(directory + "/" + output.file),
                    root == nil || Files.isInside(directory + "/" + output.file, root ?? "")
                {
                    findings.append(
                        Verdict(
                            trackFile: directory + "/" + output.file, frames: 0,
                            problems: [
                                "\(output.file) isn't what the report says, and is not looked at: it was changed since"
                            ]))
                    continue
                }
                guard !output.file.hasSuffix(suffix),
                    let size = Files.sizeOfResult(directory + "/" + output.file), size != output.bytes,
                    let index = findings.firstIndex(where: { Files.name(of: $0.trackFile) == id + suffix })
                else { continue }
                let change = "\(output.file) has \(size) bytes, the report says \(output.bytes): it was changed since"
                // What is in a video or photo is looked at; but nobody has looked at another one that is to be handed out.
                if output.file == video(of: id, names, outcome), findings[index].unproven == nil,
                    !findings[index].covers
                {
                    findings[index].warnings.append(change)
                } else {
                    findings[index].problems.append(change)
                }
            }
            for output in outcome.outputs where !isThere(output.file) {
                // A video without its track file is told of below.
                if output.file == id + suffix, video(of: id, names, outcome) != nil { continue }
                let problem =
                    links.contains(output.file)
                    ? "\(output.file) is a link; expected the file itself: nothing that lies elsewhere is looked at"
                    : "\(output.file) is missing: the report lists it among the results of “\(id)”"
                if let index = findings.firstIndex(where: { Files.name(of: $0.trackFile) == id + suffix }) {
                    findings[index].problems.append(problem)
                } else {
                    findings.append(
                        Verdict(trackFile: directory + "/" + id + suffix, frames: 0, problems: [problem]))
                }
            }
        }
        // A video whose track file is missing is as broken as the other way round, unless it is an input that lies here too.
        let told = Set(findings.map { Files.name(of: $0.trackFile) })
        let alone = names.filter { name in
            videoExtensions.contains { name.hasSuffix("." + $0) } && !told.contains(Files.stem(of: name) + suffix)
        }
        let inputs = inputs(among: alone, directory, report, findings)
        for name in alone where !inputs.contains(name) {
            findings.append(
                Verdict(
                    trackFile: directory + "/" + Files.stem(of: name) + suffix, frames: 0,
                    video: directory + "/" + name,
                    problems: ["there is no track file beside the video \(name)"]))
        }
        return broken + findings
    }

    /// Track files of the folder, and those that its report says lie in another.
    private static func trackFiles(_ directory: String, _ root: String?) throws -> [String] {
        try TrackFiles.list(in: directory).filter { path in
            // A report may be anybody's, and name anything.
            guard let root, Files.parent(of: path) != directory else { return true }
            return Files.isInside(path, root)
        }
    }

    /// Which files of the folder are what jobs read: the report names them as a source, by whatever path, or a track file's
    /// header does, and no report calls them a result.
    private static func inputs(
        among names: [String], _ directory: String, _ report: [String: JobOutcome], _ findings: [Verdict]
    ) -> Set<String> {
        guard !names.isEmpty else { return [] }
        let sources = PathSet(report.values.compactMap(\.source).map { Files.canonical(directory + "/" + $0) })
        let results = Set(report.values.flatMap { $0.outputs.map(\.file) })
        let read = Set(findings.compactMap(\.sourceName)).subtracting(results)
        return Set(names.filter { read.contains($0) || sources.contains(Files.canonical(directory + "/" + $0)) })
    }

    /// The video of a job: the one that the report lists, or one of its name.
    private static func video(of id: String, _ names: [String], _ outcome: JobOutcome?) -> String? {
        let possible = (videoExtensions + photoExtensions).map { id + "." + $0 }.filter(names.contains)
        return possible.first { name in outcome?.outputs.contains { $0.file == name } ?? false }
            ?? possible.first { videoExtensions.contains(where: $0.hasSuffix) }
    }

    /// Where what the job covers may be seen: in small pictures of the whole, and in the source, if that lies here too.
    private static func uncovered(_ video: String, _ source: String?, _ cancellation: Cancellation?) throws -> [String]
    {
        var found: [String] = []
        if let picture = try ReleaseCheck.pictures(in: video, cancellation: cancellation) {
            found.append("\(Files.name(of: video)) has \(picture): what the job covers may be seen in it")
        }
        guard let source, case .file = MediaInput(path: source), Files.isRegular(source),
            Files.canonical(Files.parent(of: source)) == Files.canonical(Files.parent(of: video))
        else { return found }
        // A source that can't be opened is told of where it is compared.
        let picture = (try? ReleaseCheck.pictures(in: source, cancellation: cancellation)).flatMap(\.self)
        found.append(
            "\(Files.name(of: source)), the source, lies in this folder with nothing covered"
                + (picture.map { ", and has \($0)" } ?? "") + ": don't hand it out with the rest")
        return found
    }

    /// Why a source is not opened: a report may be anybody's, and name anything.
    private static func whyNot(_ place: SourcePlace, _ root: String?, _ tracks: TrackFileFrames) -> String? {
        guard let source = place.path else {
            guard let address = place.address else { return "no report names its source" }
            return
                "its source lies at \(address), and is fetched for a run alone; --sources takes a folder with a copy of it"
        }
        let files = MediaInput(path: source).files
        guard files.allSatisfy(Files.exists) else { return "its source \(source) is not there" }
        guard files.allSatisfy(Files.isRegular) else { return "its source \(source) is no file" }
        guard Files.name(of: source) == tracks.sourceName else {
            return "the report names the source \(source), the track file “\(tracks.sourceName)”"
        }
        if let root, !files.allSatisfy({ Files.isInside($0, root) }) {
            return "its source \(source) leads out of the folder that --root allows"
        }
        if place.isOther { return "\(source) isn't what the job read: its contents are others" }
        return nil
    }

    /// Checks one track file, its video and its source.
    public static func verify(
        trackFile: String, video: String?, source: String? = nil, root: String? = nil, kinds: FindingCatalog,
        cancellation: Cancellation? = nil
    ) -> Verdict {
        verify(
            trackFile: trackFile, video: video, source: SourcePlace(path: source), root: root, kinds: kinds, again: nil,
            cancellation: cancellation)
    }

    private static func verify(
        trackFile: String, video: String?, source place: SourcePlace, root: String?, kinds: FindingCatalog,
        again: (catalog: StageCatalog, paths: ManifestPaths)?, cancellation: Cancellation?
    ) -> Verdict {
        var finding = Verdict(trackFile: trackFile, frames: 0, video: video.flatMap { Files.exists($0) ? $0 : nil })
        // What the video's file has beside its pictures: it keeps nobody from looking at these.
        var beside: [String] = []
        do {
            if let video = finding.video, Files.status(video)?.size == 0 {
                finding.problems.append("the video \(Files.name(of: video)) is empty")
                finding.video = nil
            }
            let tracks = try TrackFileFrames(path: trackFile, kinds: kinds)
            (finding.sourceName, finding.covers) = (tracks.sourceName, tracks.covers)
            finding.problems += tracks.problems
            finding.frames = tracks.frames.count
            guard tracks.isWhole else { return finding }
            var pictures: [PictureSignature] = []
            if let video = finding.video {
                finding.problems += try tracks.compare(video: video, pictures: &pictures, cancellation: cancellation)
                if try !PacketComparison.isCopy(video, cancellation: cancellation) {
                    beside += try ReleaseCheck.problems(
                        video, hidingIn: tracks.covers ? tracks.frames.count : nil, cancellation: cancellation)
                }
                if tracks.covers { finding.warnings += try uncovered(video, place.path, cancellation) }
                if tracks.header.isSilent {
                    let count = try SoundComparison.tracks(of: video, cancellation: cancellation)
                    if count > 0 {
                        beside.append(
                            "the video has \(Words.plural(count, "audio track")), and was to have no sound: one was added; run "
                                + "the job again")
                    }
                }
            }
            if let reason = whyNot(place, root, tracks) {
                if tracks.covers, finding.video != nil {
                    finding.unproven = reason + ": what is covered may be seen, since it wasn't compared"
                } else {
                    finding.notes.append(reason + ": not compared")
                }
            } else if let source = place.path {
                finding.source = source
                // What is covered by a guess isn't known yet: whoever works that out looks at those pictures.
                finding.problems += try tracks.compare(
                    source: source, pictures: tracks.covers ? [] : pictures, cancellation: cancellation)
                if let video = finding.video, try !PacketComparison.isCopy(video, cancellation: cancellation) {
                    beside += try ReleaseCheck.addedSound(video, source: source, cancellation: cancellation)
                    if tracks.covers, try PicturePart.all(of: video) == nil {
                        beside += try ReleaseCheck.addedWords(
                            video, source: source, cancellation: cancellation)
                    }
                }
                if tracks.covers, let video = finding.video, finding.problems.isEmpty {
                    // A file that isn't the job's is refused anyhow: no second look at it.
                    let look =
                        beside.isEmpty
                        ? again.map { AgainCheck.make(tracks.header, catalog: $0.catalog, paths: $0.paths) } : nil
                    finding.notes += look?.notes ?? []
                    if let look, look.check == nil, look.notes.isEmpty, look.refusal == nil {
                        finding.notes.append("nothing was looked for again: no stage hides anything")
                    }
                    finding.unproven = look?.refusal.map { "nothing was looked for again: \($0)" }
                    finding.problems += try SoundProof.problems(
                        video: video, source: source, hidden: tracks.header.cover.compactMap(\.sound),
                        offset: MediaTime(ticks: tracks.videoOffset, timeBase: tracks.header.source.timeBase).seconds,
                        cancellation: cancellation)
                    let proof = try CoverProof.problems(
                        trackFile: trackFile, video: video, source: source,
                        options: try tracks.sourceOptions(source, cancellation: cancellation), kinds: kinds,
                        again: look?.check, cancellation: cancellation)
                    finding.problems += proof.problems
                    finding.notes += proof.notes
                }
                if let video = finding.video, try PacketComparison.isCopy(video, cancellation: cancellation) {
                    let problem = try PacketComparison.problem(
                        try Demuxer(
                            path: source, frameRate: tracks.statedRate(of: source, cancellation: cancellation),
                            cancellation: cancellation),
                        try Demuxer(path: video, cancellation: cancellation), offset: tracks.videoOffset, cancellation)
                    finding.problems += problem.map { [$0] } ?? []
                }
            }
        } catch {
            finding.problems.append("\(error)")
        }
        finding.problems += beside
        return finding
    }
}
