import Annotate
import Stages

/// A clip's truth and its results.
package struct ClipPair: Sendable {
    /// Where a clip's truth stands.
    struct Truth: Sendable {
        var path: String
        var part = AnnotationFile.Part.whole
        /// The file's place among those of the clips.
        var file = 0
    }

    /// The clip's name: the results' id.
    var name: String
    var truth: Truth
    /// Path of the results' track file.
    var results: String

    /// Endings of a truth's name behind the clip's, those that say most first.
    private static let endings =
        [
            ".tracks.jsonl", ".truth.tracks.jsonl", ".gt.txt", ".mot.txt", ".coco.json", ".cvat.xml",
            ".cvat-images.xml",
            ".labelstudio.json", ".labelstudio-images.json",
        ] + AnnotationFile.endings

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
        if Files.isDirectory(truth) {
            let parts = DataSetRecord.annotations(in: truth)
            return parts.isEmpty ? try find(folder: truth, clips) : try find(set: truth, parts, clips, kinds)
        }
        guard truth.hasSuffix(TrackFileThings.suffix) || AnnotationFile.isOne(truth) else {
            throw FileError(
                "judge", path: truth,
                reason: "its name is none of a truth that is read; expected \(AnnotationFile.expectation)")
        }
        let contents = Files.isRegular(truth) ? try AnnotationFile.contents(of: truth) : AnnotationFile.Contents()
        let isNamed = !contents.videos.isEmpty || !contents.pictures.isEmpty
        guard contents.videos.count > 1 || contents.pictures.count > 1 || isNamed && clips.count > 1 else {
            guard let clip = clips.first, clips.count == 1 else {
                throw FileError(
                    "judge", path: results,
                    reason:
                        "it has \(clips.count) track files, and \(truth) is the truth about one clip; expected a track file, or a "
                        + "folder of truths")
            }
            return ([ClipPair(name: clip.name, truth: Truth(path: truth), results: clip.path)], [], [])
        }
        let found = try find(file: truth, contents, clips, kinds)
        guard !found.0.isEmpty else {
            throw FileError(
                "judge", path: truth,
                reason:
                    "none of its \(contents.videos.isEmpty ? "pictures" : "videos") is the source of one of the track files"
            )
        }
        return found
    }

    /// Those of a data set that this program wrote, whose parts have different clips.
    private static func find(
        set: String, _ parts: [String], _ clips: [(name: String, path: String)], _ kinds: FindingCatalog
    ) throws -> ([ClipPair], [String], [String]) {
        var (pairs, without, open): ([ClipPair], [String], [String]) = ([], clips.map(\.name), [])
        for part in parts {
            let found = try find(file: part, AnnotationFile.contents(of: part), clips, kinds)
            pairs += found.0
            open += found.2
            let names = Set(found.0.map(\.name))
            without.removeAll { names.contains($0) }
        }
        guard !pairs.isEmpty else {
            throw FileError("judge", path: set, reason: "none of the data set's clips is one of the track files'")
        }
        return (pairs.sorted { $0.name < $1.name }, without, open.sorted())
    }

    private static func find(
        file: String, _ contents: AnnotationFile.Contents, _ clips: [(name: String, path: String)],
        _ kinds: FindingCatalog
    ) throws -> ([ClipPair], [String], [String]) {
        var (pairs, without): ([ClipPair], [String]) = ([], [])
        let pictures = Dictionary(grouping: contents.pictures, by: Files.name)
        let names = Set(contents.videos).union(pictures.keys)
        var open = Set(contents.videos).union(contents.pictures)
        let ofClips = Dictionary(grouping: contents.pictures, by: AnnotationFile.clip(ofPicture:))
        var areFrames = false
        let set = try SetPictures.near(file)
        let ids = Set(clips.map(\.name)).intersection(names)
        let all = Set(clips.map { plain($0.name) })
        let named = Dictionary(grouping: names.subtracting(ids).sorted(), by: MediaEndings.stem)
        for clip in clips {
            let source = Files.name(of: try TrackFileReader(path: clip.path, kinds: kinds).header.source.name)
            // By the whole id, else by the source's name, each also without its ending: a set may be of the pictures of a video.
            // What is called as another clip is that one's.
            let exact = ids.contains(clip.name) ? clip.name : nil
            let own = names.contains(source) && !ids.contains(source) ? source : nil
            func alike(_ name: String) -> String? { named[name].flatMap { $0.count == 1 ? $0[0] : nil } }
            func pair(_ part: AnnotationFile.Part) -> ClipPair {
                ClipPair(name: clip.name, truth: Truth(path: file, part: part), results: clip.path)
            }
            if let part = exact ?? own ?? alike(clip.name) ?? alike(MediaEndings.stem(source)) {
                if !contents.videos.isEmpty {
                    open.remove(part)
                    pairs.append(pair(.video(part)))
                } else if let picture = one(of: pictures[part] ?? [], clip.name, among: all) {
                    open.remove(picture)
                    pairs.append(pair(.picture(picture)))
                } else {
                    without.append(clip.name)
                }
            } else if let frames = [set?.name(of: clip.name), clip.name, MediaEndings.stem(source)].compactMap(\.self)
                .first(where: { ofClips[$0] != nil })
            {
                // Pictures that are a video's frames.
                open.subtract(ofClips[frames] ?? [])
                // Who reads a set's pictures knows them by their clips' ids.
                pairs.append(pair(.video(frames == set?.name(of: clip.name) ? clip.name : frames)))
                areFrames = true
            } else if contents.videos.isEmpty, contents.pictures.count > 1, clips.count == 1 {
                return ([pair(.whole)], [], [])
            } else {
                without.append(clip.name)
            }
        }
        if areFrames { open = Set(open.map(AnnotationFile.clip(ofPicture:))) }
        return (pairs, without, open.sorted())
    }

    /// The picture that a clip is of, among those of its name in several folders: that whose path the clip's id has.
    /// - Parameter ids: Plain ones of all clips. One may be of a picture in a folder of which the truth doesn't tell.
    private static func one(of paths: [String], _ id: String, among ids: Set<String>) -> String? {
        let wanted = plain(id)
        guard paths.count == 1 else {
            let found = paths.filter { ends(of: $0).contains(wanted) }
            return found.count == 1 ? found[0] : nil
        }
        let (path, known) = (paths[0], ends(of: paths[0]))
        let isNamedAlike = wanted.hasSuffix("-" + plain(Files.stem(of: Files.name(of: path))))
        return isNamedAlike && !known.contains(wanted) && !known.isDisjoint(with: ids) ? nil : path
    }

    /// An id or a path as both are written alike.
    private static func plain(_ text: String) -> String { String(text.map { "/\\._- ".contains($0) ? "-" : $0 }) }

    /// The plain ids that a picture's path may have: ever fewer of its folders, with its ending and without.
    private static func ends(of path: String) -> Set<String> {
        let bare = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
        return Set(
            [plain(path), plain(bare)].flatMap { text in
                [text] + text.indices.filter { text[$0] == "-" }.map { String(text[text.index(after: $0)...]) }
            })
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
            if DataSetRecord.isSet(folder) {
                throw FileError(
                    "judge", path: folder,
                    reason:
                        "it is a data set of another form or of other clips; expected one as coco, csv or mot, of these clips"
                )
            }
            throw FileError(
                "judge", path: folder,
                reason: "no file in it is called as one of the track files, such as \(clips[0].name).gt.txt")
        }
        let isSet = DataSetRecord.isSet(folder)
        // Other forms of a truth that has been taken: a run may write several.
        for pair in pairs { open.subtract(endings.map { pair.name + $0 }) }
        let others = open.filter { name in
            !name.hasPrefix(".") && !(isSet && [DataSetRecord.name, DataSetRecord.list].contains(name))
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
