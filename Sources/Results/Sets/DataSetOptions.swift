/// Options of a data set, which of the results go into it and in which layout: `output.dataset` of a manifest, the
/// words of `export`.
public struct DataSetOptions: Record, Hashable {
    /// What becomes of things whose class isn't listed.
    public enum Others: String, CaseIterable, Sendable {
        /// They end the export.
        case refuse
        /// They are left out.
        case drop
    }

    /// The pictures of which things are cut out.
    public enum Crops: String, CaseIterable, Sendable {
        /// Of each track the picture with the best confidence, of equal ones the largest; all of what has no track.
        case best
        /// All pictures of each thing.
        case all
    }

    /// The pictures that are written.
    public enum Frames: String, CaseIterable, Sendable {
        /// JPEG, PNG, or no pictures.
        case jpg, png, none

        var format: PictureFormat? { PictureFormat(rawValue: rawValue) }
    }

    /// A layout's name.
    public var format = "coco"
    /// The folder's path.
    public var directory = ""
    /// Path of a file with the classes, one a line, in their order; nil for those that come, by their names.
    public var classes: String?
    /// What becomes of things of other classes.
    public var others = Others.refuse
    /// Shares of the clips for training, validation and tests; empty for the layout's own.
    public var split: [Double] = []
    /// A number on which it depends which clip goes where.
    public var seed = 0
    /// Step between frames: only those are taken whose numbers it divides.
    public var every = 1
    /// The most pictures a second of a clip; nil for no limit.
    public var rate: Double?
    /// The least difference of a picture from the last one before it that was taken, per cent; nil for any.
    public var unlike: Double?
    /// Frames of each clip that are taken, first and last of each span; empty for all.
    public var spans: [[Int]] = []
    /// Whether pictures are kept of which it isn't known that all is annotated.
    public var negatives = false
    /// The pictures that are cut out of frames; nil for none.
    public var crops: Crops?
    /// The pictures that are written; nil for what the layout's readers need.
    public var frames: Frames?
    /// Ids of the stages whose things are taken; empty for all that place things.
    public var stages: [String] = []
    /// Kinds of things that are taken; empty for all.
    public var kinds: [String] = []
    /// The least confidence; a picture with less is one of which not all is annotated.
    public var minimumConfidence: Double?
    /// Ids of stages among whose results is everything of its sort, besides those that say so themselves.
    public var complete: [String] = []
    /// Path of a file with what reviewers said of the pictures; nil for none.
    public var remarks: String?

    public init() {}

    /// What doesn't go together: the member, and what is wrong; nil where all does.
    public var fault: (key: String, sentence: String)? {
        if !split.isEmpty, split.reduce(0, +) <= 0 {
            return ("split", "shares of nothing; expected up to three numbers, as 0.8, 0.1, 0.1")
        }
        // Percentages, and other shares of any sum, may have decimals too; parts of 1 may not be more than all.
        let isOfOne = split.contains { $0 != $0.rounded() } && split.allSatisfy { $0 <= 1 }
        let all = split.reduce(0, +)
        // Thirds are rounded.
        if isOfOne, all > 1 + 1e-6 || all < 0.98 {
            return (
                "split",
                "the shares \(split.map { "\($0)" }.joined(separator: ", ")) are \(all > 1 ? "more" : "less") than all; expected parts of 1, as 0.8, 0.1, 0.1, or "
                    + "whole numbers, as 8, 1, 1"
            )
        }
        // Ultralytics' are split by themselves.
        if seed != 0, split.isEmpty, DataSetFormat(rawValue: format)?.isYOLO != true {
            return (
                "seed",
                "nothing is split, so that \(seed) changes nothing; expected “split” beside it, as 0.8, 0.1, 0.1"
            )
        }
        if let span = spans.first(where: { $0.count != 2 || $0[0] > $0[1] }) {
            return (
                "spans",
                "\(span.map(String.init).joined(separator: " to ")); expected the first frame and then the last"
            )
        }
        if classes == nil, others == .drop {
            return ("others", "“drop” leaves out what isn't among the classes; expected “classes” to list them")
        }
        if frames == Frames.none, crops != nil {
            return ("crops", "pictures of things where no pictures are wanted; expected “frames” jpg or png")
        }
        return nil
    }

    /// Reads the file of classes.
    /// - Throws: `FileError` where it can't be used.
    public func checkClasses() throws { _ = try classes.map { try ClassList(file: $0) } }

    /// Reads the file with what reviewers said.
    /// - Parameter batch: What is known of the batch; nil where nothing is yet.
    /// - Returns: Ids of the jobs of which it knows another video.
    /// - Throws: `FileError` where it can't be used.
    @discardableResult
    package func checkRemarks(of batch: BatchIdentity?) throws -> Set<String> {
        guard let said = try remarks.map({ try ReviewedClips(file: $0) }), let batch else { return [] }
        return try said.check(batch)
    }

    public static let fields: [Field<DataSetOptions>] = [
        Field("format", \.format, .layout, .always, doc: "Its layout."),
        Field(
            "directory", \.directory, .text(.path), .always,
            doc: "Its folder, relative to the manifest: one that isn't there, or an earlier data set."),
        Field(
            "classes", \.classes, .text(.path),
            doc: "A file with the classes, one a line, in their order. Left out: those that come, sorted by name."),
        Field(
            "others", \.others, Format<Others>.choice(), .optional,
            doc: "What becomes of things of classes that the file hasn't: they end the export, or are left out."),
        Field(
            "split", \.split, .list(.number(Bounds(0)), count: 1...3), .optional, tellsDefault: false,
            doc: "Shares of the clips for train, val and test. Left out: all for train; of yolo 0.8 and 0.2."),
        Field("seed", \.seed, .integer(), .optional, doc: "Another one puts other clips into other parts."),
        Field("every", \.every, .integer(1...Int.mostCounted), .optional, doc: "Takes the frames 0, N, 2 N and so on."),
        Field(
            "rate", \.rate, .number(Bounds(0, 1000, excludesMinimum: true)), unit: "1/s",
            doc: "The most pictures a second."),
        Field(
            "unlike", \.unlike, .number(Bounds(0, 100)), unit: "%",
            doc:
                "Leaves out pictures that differ by less from the last one that was taken: the mean difference of brightness "
                + "in 64 × 64 fields."),
        Field(
            "spans", \.spans, .list(.list(.integer(0...Int.mostCounted), count: 2...2)), .optional,
            doc: "First and last frames of parts of each clip that are taken, counted from 0."),
        Field(
            "negatives", \.negatives, .flag, .optional,
            doc: "Keeps pictures of which it isn't known that everything in them is annotated."),
        Field(
            "crops", \.crops, Format<Crops>.choice(), doc: "Cuts things out: the best picture of each track, or all."),
        Field(
            "frames", \.frames, Format<Frames>.choice(),
            doc: "Format of the pictures. Left out: jpg; of csv none."),
        Field("stages", \.stages, .list(.text()), .optional, doc: "The stages whose things are taken."),
        Field("kinds", \.kinds, .list(.text()), .optional, doc: "The kinds of things that are taken."),
        Field(
            "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)),
            doc: "Takes nothing below it; a picture with such a thing is one of which not all is annotated."),
        Field(
            "complete", \.complete, .list(.text()), .optional,
            doc: "Stages among whose results is everything of its sort, besides those that say so themselves."),
        Field(
            "remarks", \.remarks, .text(.path),
            doc:
                "What reviewers said, as the page of review exports it: pictures marked as right are kept as they are, those marked "
                + "as wrong or unsure left out, and nothing is missing in jobs that are reviewed."),
    ]
}

extension Format where Value == String {
    /// A layout's name.
    fileprivate static var layout: Format {
        Format(.choice(DataSetFormat.names), write: { $1.value($0) }, read: \.string)
    }
}

/// The layouts of data sets.
public enum DataSetFormat: String, CaseIterable, Sendable {
    /// COCO's JSON, one file a part; or YOLO's boxes, one text file a picture.
    case coco, yolo
    /// YOLO's outlines, for networks that segment.
    case yoloSegment = "yolo-seg"
    /// YOLO's boxes with key points.
    case yoloPose = "yolo-pose"
    /// YOLO's turned boxes, by their four corners.
    case yoloTurned = "yolo-obb"
    /// CVAT for images 1.1, under the name of the form for videos.
    case cvat
    /// CVAT for images 1.1.
    case cvatImages = "cvat-images"
    /// MOTChallenge's folders, a sequence each; or a table with a row a thing, as CSV or Parquet.
    case mot, csv, parquet
    /// Label Studio's tasks, one a picture, under the name of the form for videos.
    case labelStudio = "label-studio"
    /// Label Studio's tasks, one a picture.
    case labelStudioImages = "label-studio-images"

    /// Names of all layouts, in the order in which they are listed.
    public static let names = allCases.map(\.rawValue)

    var isYOLO: Bool { [.yolo, .yoloSegment, .yoloPose, .yoloTurned].contains(self) }

    /// Whether its readers need pictures.
    var needsPictures: Bool { self != .csv && self != .parquet }

    var writer: any DataSetWriter.Type {
        switch self {
        case .coco: COCOSet.self
        case .yolo: YOLOSet<YOLOSink>.self
        case .yoloSegment: YOLOSet<YOLOSegmentSink>.self
        case .yoloPose: YOLOSet<YOLOPoseSink>.self
        case .yoloTurned: YOLOSet<YOLOTurnedSink>.self
        case .cvat, .cvatImages: CVATSet.self
        case .mot: MOTSet.self
        case .csv: TableSet<CSVSink>.self
        case .parquet: TableSet<ParquetSink>.self
        case .labelStudio, .labelStudioImages: LabelStudioSet.self
        }
    }
}
