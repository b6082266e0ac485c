/// Ultralytics' folders: `images/<part>/`, `labels/<part>/` with a file for each picture, which is empty where nothing is in
/// it; lists of the pictures; `data.yaml`.
final class YOLOSet<Lines: YOLOSink>: DataSetWriter {
    private let plan: DataSetPlan
    private let lines: Lines
    private let lists: SubsetFiles<ByteWriter>
    private var clip: DataSetClip?
    private var counts: [Subset: Int] = [:]

    init(_ plan: DataSetPlan) throws {
        self.plan = plan
        lines = Lines(classes: plan.classes)
        lists = try SubsetFiles(plan.subsets) { subset in
            try Files.makeDirectory("\(plan.folder)/labels/\(subset)")
            return try ByteWriter(path: "\(plan.folder)/\(subset).txt")
        }
    }

    static func says(_ thing: Observation, of header: TrackFileHeader) -> Bool { Lines.says(thing, of: header) }

    func begin(_ clip: DataSetClip) throws {
        self.clip = clip
        lines.context = clip.context
    }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard let clip else { return false }
        guard let text = lines.text(of: picture.record) else { return false }
        let path = "labels/\(clip.subset)/\(Self.stem(picture.record.frame, clip)).txt"
        try Self.put(text, into: "\(plan.folder)/\(path)")
        try lists[clip.subset]?.write(Array("./\(picture.path)\n".utf8))
        counts[clip.subset, default: 0] += 1
        return true
    }

    private static func put(_ text: String, into path: String) throws {
        let writer = try ByteWriter(path: path)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    func finish() throws {
        try lists.forEach { try $1.finish() }
        let parts = plan.subsets.filter { counts[$0] != nil }.map { "\($0): images/\($0)\n" }.joined()
        let names = plan.classes.enumerated().map { "  \($0.offset): \(YOLOSink.quoted($0.element))\n" }.joined()
        try Self.put(
            parts + "nc: \(plan.classes.count)\nnames:\(names.isEmpty ? " {}\n" : "\n" + names)"
                + lines.settings(classes: plan.classes.count),
            into: plan.folder + "/data.yaml")
        try Self.put(plan.classes.map { $0.inOneLine + "\n" }.joined(), into: plan.folder + "/classes.txt")
    }

    var notes: [String] {
        let missing = [Subset.train, .val].filter { counts[$0] == nil }
        return lines.notes
            + (missing.isEmpty
                ? []
                : [
                    "YOLO's trainers want pictures in train and in val, and there are none in \(missing[0]); give more clips, or "
                        + "other shares with --split"
                ])
    }
}
