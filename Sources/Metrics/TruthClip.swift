import Annotate
import Stages

/// The truth about one clip: what is in each frame.
struct TruthClip {
    /// Things by frame, each with the stage and kind that say so in a track file or a table of ours; nil there for another program's.
    var frames: [Int: [(source: StageKind?, thing: JudgedThing)]] = [:]
    /// Frames that are judged; nil for all.
    var listed: Set<Int>?
    /// Ids of a COCO file's images by their frames.
    var images: [Int: Int] = [:]
    /// Names of all classes, where there is a list of them.
    var classes: [String]?
    /// Numbers of classes that nobody gave names.
    var namelessClasses: Set<Int> = []
    /// Stages that tell something of the clip, or could.
    var stages: Set<String> = []
    var size: PictureSize?
    var skeletons: [StageKind: Skeleton] = [:]
    var skeleton: Skeleton?
    var notes: [String] = []

    struct StageKind: Hashable {
        var stage: String
        var kind: String
    }

    /// Reads a truth: a track file, or another program's annotations.
    /// - Parameter size: The pictures' of the results.
    /// - Throws: A sentence with file and line.
    init(_ place: ClipPair.Truth, classes names: [String], size picture: PictureSize, kinds: FindingCatalog) throws {
        if place.path.hasSuffix(TrackFileThings.suffix) {
            let things = try TrackFileThings(place.path, kinds: kinds)
            listed = Set(things.frames.keys)
            size = things.size
            skeletons = things.skeletons
            stages = Set(things.sources.map(\.stage))
            frames = things.frames.mapValues { $0.map { ($0.source, $0.thing) } }
            return
        }
        let file = try AnnotationFile(path: place.path, part: place.part, classes: names, size: picture)
        (listed, classes, size, skeleton, notes) = (file.listed, file.classes, file.size, file.skeleton, file.notes)
        (images, stages, namelessClasses) = (file.images, file.stages, file.namelessClasses)
        frames = file.frames.mapValues { things in
            things.compactMap { one in
                guard var thing = JudgedThing(one.observation) else { return nil }
                thing.isCrowd = one.isCrowd
                thing.area = one.area ?? thing.area
                return (one.source.map { StageKind(stage: $0.stage, kind: $0.kind) }, thing)
            }
        }
    }
}

/// A track file's things that have a place, by frame.
struct TrackFileThings {
    static let suffix = ".tracks.jsonl"

    private(set) var frames: [Int: [(source: TruthClip.StageKind, thing: JudgedThing)]] = [:]
    private(set) var skeletons: [TruthClip.StageKind: Skeleton] = [:]
    /// Stages with the kinds of things that they may give, in the order of the header.
    private(set) var sources: [TruthClip.StageKind] = []
    let size: PictureSize
    /// The source's file name.
    let name: String
    /// The first and last frame, where the job was of a part of the video; nil where it was of all.
    private(set) var range: ClosedRange<Int>?

    init(_ path: String, kinds: FindingCatalog, minimumConfidence: Double = 0) throws {
        let reader = try TrackFileReader(path: path, kinds: kinds)
        let header = reader.header
        size = PictureSize(width: header.source.width, height: header.source.height)
        name = header.source.name
        var (first, last) = (Int.max, Int.min)
        while let frame = try reader.next() {
            (first, last) = (min(first, frame.frame), max(last, frame.frame))
            frames[frame.frame] = frame.observations.compactMap { observation in
                guard type(of: observation.finding.base).isThing, let thing = JudgedThing(observation),
                    thing.confidence >= minimumConfidence
                else { return nil }
                let source = TruthClip.StageKind(stage: observation.stage, kind: observation.kind)
                if skeletons[source] == nil, !thing.joints.isEmpty {
                    skeletons[source] = observation.skeleton(header.skeletons[observation.stage])
                }
                return (source, thing)
            }
        }
        if header.range != nil, first <= last { range = first...last }
        for stage in header.stages {
            let emitted = (kinds.kinds(of: stage.type) ?? []).filter { $0.isThing }
            sources += emitted.map { .init(stage: stage.id, kind: $0.kind) }
        }
    }
}

extension TruthClip.StageKind {
    /// Kinds that mean the same: things that were found, followed or imported.
    var group: String { kind == "detection" ? "object" : kind }
}
