import Annotate
import Stages

/// A clip's truth and its results.
package struct ClipPair: Sendable {
    /// Where a clip's truth stands.
    struct Truth: Sendable {
        var path: String
        var part = AnnotationFile.Part.whole
    }

    /// The clip's name: the results' id.
    var name: String
    var truth: Truth
    /// Path of the results' track file.
    var results: String

    /// Endings of a truth's name behind the clip's, those that say most first.
    private static let endings =
        [".tracks.jsonl", ".truth.tracks.jsonl", ".gt.txt", ".mot.txt", ".coco.json"] + AnnotationFile.endings

    /// Finds which truth is which results'.
    /// - Parameters:
    ///   - truth: A file, or a folder with a file a clip.
    ///   - results: A track file, or a folder with some.
    /// - Returns: The pairs by their names, results without a truth, and truths without results.
    /// - Throws: `FileError` where nothing fits.
    static func find(truth: String, results: String, kinds: FindingCatalog) throws -> (
        pairs: [ClipPair], withoutTruth: [String], withoutResults: [String]
    ) {
        let files = Files.isDirectory(results) ? try TrackFiles.list(in: results) : [results]
        guard !files.isEmpty else {
            throw FileError(
                "judge", path: results,
                reason: "it has no *\(TrackFileThings.suffix); expected the output folder of a run")
        }
        let clips = files.map { (name: name(of: $0), path: $0) }.sorted { $0.name < $1.name }
        if Files.isDirectory(truth) { return try find(folder: truth, clips) }
        let parts = Files.isRegular(truth) ? try AnnotationFile.contents(of: truth) : ([], [])
        guard parts.0.count > 1 || parts.1.count > 1 else {
            guard let clip = clips.first, clips.count == 1 else {
                throw FileError(
                    "judge", path: results,
                    reason:
                        "it has \(clips.count) track files, and \(truth) is the truth about one clip; expected a track file, or a "
                        + "folder of truths")
            }
            return ([ClipPair(name: clip.name, truth: Truth(path: truth), results: clip.path)], [], [])
        }
        return try find(file: truth, videos: parts.0, pictures: parts.1, clips, kinds)
    }

    private static func find(
        file: String, videos: [String], pictures: [String], _ clips: [(name: String, path: String)],
        _ kinds: FindingCatalog
    ) throws -> ([ClipPair], [String], [String]) {
        var (pairs, without): ([ClipPair], [String]) = ([], [])
        let names = Set(videos + pictures)
        var open = names
        let ids = Set(clips.map(\.name)).intersection(names)
        let named = Dictionary(grouping: names.subtracting(ids).sorted(), by: MediaEndings.stem)
        for clip in clips {
            let source = Files.name(of: try TrackFileReader(path: clip.path, kinds: kinds).header.source.name)
            // By the whole id, else by the source's name, each also without its ending: a set may be of the pictures of a video.
            // What is called as another clip is that one's.
            let exact = ids.contains(clip.name) ? clip.name : nil
            let own = names.contains(source) && !ids.contains(source) ? source : nil
            func alike(_ name: String) -> String? { named[name].flatMap { $0.count == 1 ? $0[0] : nil } }
            guard let part = exact ?? own ?? alike(clip.name) ?? alike(MediaEndings.stem(source)) else {
                // Pictures that are one video's frames.
                if videos.isEmpty, clips.count == 1 {
                    return ([ClipPair(name: clip.name, truth: Truth(path: file), results: clip.path)], [], [])
                }
                without.append(clip.name)
                continue
            }
            open.remove(part)
            let truth = Truth(path: file, part: videos.isEmpty ? .picture(part) : .video(part))
            pairs.append(ClipPair(name: clip.name, truth: truth, results: clip.path))
        }
        guard !pairs.isEmpty else {
            throw FileError(
                "judge", path: file,
                reason: "none of its \(videos.isEmpty ? "pictures" : "videos") is the source of one of the track files")
        }
        return (pairs, without, open.sorted())
    }

    private static func find(
        folder: String, _ clips: [(name: String, path: String)]
    ) throws -> ([ClipPair], [String], [String]) {
        var (pairs, without): ([ClipPair], [String]) = ([], [])
        let names = Set(try Files.list(folder))
        var open = names
        // Sequences of a data set, whose names may differ from the clips'.
        let set = try SetPictures.near(folder)?.sequences(in: folder) ?? [:]
        for clip in clips {
            if let place = set[clip.name], Files.isRegular(place + "/gt/gt.txt") {
                open.remove(Files.name(of: place))
                pairs.append(ClipPair(name: clip.name, truth: Truth(path: place + "/gt/gt.txt"), results: clip.path))
                continue
            }
            // A file, or a folder as MOTChallenge has them.
            let places = endings.map { clip.name + $0 } + ["\(clip.name)/gt/gt.txt", "\(clip.name)/gt.txt"]
            guard let place = places.first(where: { Files.isRegular("\(folder)/\($0)") }) else {
                without.append(clip.name)
                continue
            }
            open.remove(String(place.prefix { $0 != "/" }))
            pairs.append(ClipPair(name: clip.name, truth: Truth(path: "\(folder)/\(place)"), results: clip.path))
        }
        guard !pairs.isEmpty else {
            throw FileError(
                "judge", path: folder,
                reason: "no file in it is called as one of the track files, such as \(clips[0].name).gt.txt")
        }
        let others = open.filter { name in
            !name.hasPrefix(".")
                && (endings.contains { name.hasSuffix($0) } && name != "report.json"
                    || Files.isRegular("\(folder)/\(name)/gt/gt.txt") || Files.isRegular("\(folder)/\(name)/gt.txt"))
        }
        return (pairs, without, others.sorted())
    }

    private static func name(of path: String) -> String {
        let name = Files.name(of: path)
        return name.hasSuffix(TrackFileThings.suffix)
            ? String(name.dropLast(TrackFileThings.suffix.count)) : Files.stem(of: name)
    }
}
