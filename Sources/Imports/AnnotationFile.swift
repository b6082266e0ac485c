/// A file of annotations, ours or another program's, frame by frame: what results are held against.
package struct AnnotationFile {
    /// One annotated thing.
    package struct Thing {
        /// Where it is and what it is called.
        package var observation: Observation
        /// Whether it is many things, of which a result may show any number.
        package var isCrowd: Bool
        /// Area that the file gives it, square pixels; nil where it says none.
        package var area: Double?
        /// The stage that said so and its kind, in this program's own tables; nil elsewhere.
        package var source: (stage: String, kind: String)?
    }

    /// The part of a file with several clips or pictures that is meant.
    package enum Part {
        /// All of it.
        case whole
        /// The video of this name, or the pictures that are called so.
        case video(String)
        /// The picture of this name, with its folders.
        case picture(String)
    }

    /// The things, by the number of their frame, from 0; in the file's order.
    package private(set) var frames: [Int: [Thing]] = [:]
    /// Frames of which the file tells, also where nothing is in them; nil for all.
    package private(set) var listed: Set<Int>?
    /// Ids of a COCO file's images by their frames: of those as sure, the results of the lower id come first there.
    package private(set) var images: [Int: Int] = [:]
    /// Names of all things that the file may hold; nil for a file that has no list of them.
    package private(set) var classes: [String]?
    /// Numbers of a MOT file's classes that nobody gave names: its things have no labels.
    package private(set) var namelessClasses: Set<Int> = []
    /// The pictures' size; nil where the file doesn't say it.
    package private(set) var size: PictureSize?
    /// Stages of which the file tells anywhere, in this program's own tables.
    package private(set) var stages: Set<String> = []
    /// Names of the joints; nil for none.
    package private(set) var skeleton: Skeleton?
    /// Notes on what was left out, a sentence each.
    package private(set) var notes: [String] = []

    /// Endings of names that tell what a file is.
    package static let endings = [".json", ".csv", ".txt", ".xml"]

    /// What a file of annotations may be, for messages.
    package static let expectation =
        "a track file, COCO's or Label Studio's .json, CVAT's .xml, MOTChallenge's .txt or a table's .csv; what is in another "
        + "format (YOLO, VOC) comes in by a stage “import” first, and the track file of that is the truth"

    /// Whether a file's name says that it can be read.
    package static func isOne(_ path: String) -> Bool { endings.contains { path.hasSuffix($0) } }

    /// The list of classes that lies beside a MOT file in a data set, of this program or Datumaro: `gt/labels.txt` of
    /// `gt/gt.txt`.
    /// - Returns: nil where there is none.
    package static func labels(beside path: String) -> String? {
        let labels = Files.parent(of: path) + "/labels.txt"
        return Files.name(of: path) == "gt.txt" && Files.isRegular(labels) ? labels : nil
    }

    /// Reads a file; its name's ending says what it is: `.json` COCO or Label Studio's tasks, `.xml` CVAT, `.csv` a table, `.txt`
    /// MOTChallenge's lines.
    /// - Parameters:
    ///   - classes: Names of a MOT file's classes, from 1; those of the list beside it where there are none.
    ///   - size: The pictures', of which places may be parts.
    /// - Throws: A sentence with file and line.
    package init(path: String, part: Part = .whole, classes: [String] = [], size picture: PictureSize) throws {
        guard let format = try Self.format(of: path) else {
            throw ImportError(path, "expected \(Self.expectation)")
        }
        var request = ImportRequest(
            format: format, path: path, by: .frame, firstFrame: format == .mot ? 1 : 0, classes: classes, stages: [])
        // A video's frames count from 1 there; the numbers of pictures are those of their names.
        if format == .labelStudio, try Self.contents(of: path).pictures.isEmpty { request.firstFrame = 1 }
        switch part {
        case .whole: break
        case .video(let name): request.video = name
        case .picture(let name) where format == .coco: request.picture = name
        case .picture(let name): (request.video, request.isStill) = (Files.stem(of: Files.name(of: name)), true)
        }
        if [.mot, .cvat, .labelStudio].contains(format) { request.set = try SetPictures.near(path) }
        if format == .mot, classes.isEmpty { request.labels = Self.labels(beside: path) }
        var rows = try request.read()
        rows.place(in: picture)
        listed = rows.listed.map { Set($0.map { Int($0) }) }
        images = Dictionary(uniqueKeysWithValues: rows.images.map { (Int($0), $1) })
        (self.classes, size, skeleton) = (
            format == .mot && !classes.isEmpty ? classes : rows.classes, rows.size, rows.skeleton
        )
        (stages, namelessClasses) = (rows.stages, rows.namelessClasses)
        var leftOut = 0
        for row in rows.all {
            // MOTChallenge's flag of what is to be left out.
            if format == .mot, row.confidence == 0 {
                leftOut += 1
                continue
            }
            guard row.state?.isInSight ?? true, let box = row.box ?? row.polygon.flatMap({ Mark.outline($0).bounds })
            else {
                continue
            }
            let observation = Observation(
                row.parts ?? ObjectFinding(), stage: "truth",
                track: row.id.map { TrackReference(stage: "truth", number: $0) }, label: row.label,
                confidence: row.confidence, box: box, polygon: row.polygon)
            frames[Int(row.key), default: []].append(
                Thing(
                    observation: observation, isCrowd: row.isCrowd, area: row.area,
                    source: row.stage.flatMap { stage in row.kind.map { (stage, $0) } }))
        }
        if leftOut > 0 { notes.append("\(leftOut) rows with the flag 0 are no truth") }
        notes += rows.remarks
        if rows.emptyBoxes > 0 {
            notes.append("\(rows.emptyBoxes == 1 ? "1 box" : "\(rows.emptyBoxes) boxes") without an area left out")
        }
        if !rows.omissions.isEmpty {
            notes.append("its \(rows.omissions.sorted().joined(separator: ", ")) were left out")
        }
    }

    private static func format(of path: String) throws -> ImportFormat? {
        switch path {
        case _ where path.hasSuffix(".json"): try isOfTasks(path) ? .labelStudio : .coco
        case _ where path.hasSuffix(".xml"): .cvat
        case _ where path.hasSuffix(".csv"): .csv
        case _ where path.hasSuffix(".txt"): .mot
        default: nil
        }
    }

    /// Whether a JSON file is one of Label Studio's: a task, or a list of such, has “data”.
    private static func isOfTasks(_ path: String) throws -> Bool {
        if try COCOListReader.isList(path) { return try !LabelStudioTasks.of(path).tasks.isEmpty }
        // Whatever is wrong with it is told by who reads it.
        if let coco = try? COCOIndex.of(path), !coco.images.isEmpty || !coco.videos.isEmpty { return false }
        guard let bytes = try? Files.read(path) else { return false }
        return (try? JSONParser.parse(bytes))?["data"]?.members != nil
    }

    /// What a file tells of, in its order.
    package struct Contents {
        /// Names of a COCO file's videos, or of a table's clips.
        package var videos: [String] = []
        /// Names, with folders, of a file's pictures where it has no videos.
        package var pictures: [String] = []

        package init() {}
    }

    /// The clip that a picture is called after, or whose folder it lies in.
    package static func clip(ofPicture path: String) -> String { PictureNumbers.clip(of: path) }

    /// What a file tells of.
    package static func contents(of path: String) throws -> Contents {
        var contents = Contents()
        switch try format(of: path) {
        case .cvat: contents.pictures = try CVATIndex.of(path).pictures.map(\.name)
        case .labelStudio where try COCOListReader.isList(path):
            let tasks = try LabelStudioTasks.of(path).tasks
            contents.pictures = tasks.compactMap { $0.image.map(LabelStudioReader.name) }
            guard tasks.count - contents.pictures.count <= 1 else {
                throw ImportError(path, "it has tasks of several videos; expected a file for each clip's")
            }
        case .csv: contents.videos = try CSVReader.clips(of: path)
        case .coco:
            let index = try COCOIndex.of(path)
            contents.videos = index.videos.map(\.name)
            if contents.videos.isEmpty { contents.pictures = index.images.map(\.name) }
        default: break
        }
        return contents
    }
}

extension ImportedRows {
    /// All rows, in the order of their frames.
    fileprivate var all: [ImportedRow] { rows(in: .min ... .max) }
}
