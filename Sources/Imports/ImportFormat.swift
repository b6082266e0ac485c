/// The forms of files that are read.
enum ImportFormat: String, CaseIterable, Sendable {
    case mot, coco, csv, tracks, yolo, cvat
    case labelStudio = "label-studio"
    case voc, deeplabcut

    /// Whether it has a file a frame, which a pattern names.
    var hasFrameFiles: Bool { self == .yolo || self == .voc }

    /// Whether its files tell of a data set's pictures by their names or numbers alone.
    var hasSets: Bool { [.mot, .coco, .yolo, .cvat, .labelStudio].contains(self) }
}

/// The column by which frames are found.
enum ImportKey: String, CaseIterable, Sendable {
    case frame, time
}

/// A request: what is read from a file.
struct ImportRequest: Sendable {
    var format: ImportFormat
    /// Path that can be opened.
    var path: String
    var by: ImportKey?
    /// The number that the file gives the first frame.
    var firstFrame: Int
    /// Names of a MOT file's classes, from 1.
    var classes: [String]
    /// Ids of the stages whose results are taken; all where it is empty.
    var stages: [String]
    /// The video of a COCO file with several, or what the names of a clip's pictures begin with; nil for the only one.
    var video: String?
    /// The pattern of files of single frames, as it is searched for; nil for the path itself.
    var pattern: String?
    /// The file name of the picture that is meant, of a COCO file of single pictures; nil for all of them.
    var picture: String?
    /// Whether the input is a photo, or anything else of one picture; nil while that isn't known.
    var isStill: Bool?
    /// Path of a file with the names of the classes; nil where there is none.
    var labels: String?
    /// How many key points a line of YOLO has behind its box; nil for none.
    var joints: Int?
    /// Path of a COCO file that says which picture each `image_id` of a list of results is; nil where the ids say it themselves.
    var images: String?
    /// The data set that the file lies in, which knows the frames of its pictures; nil for none, and where numbers are to count.
    var set: SetPictures?
    /// What the program's stages find, of whose track files one may be.
    var kinds = FindingCatalog([])

    /// A place in a file, for messages.
    struct Place {
        var path: String
        var line: Int

        init(_ path: String, _ line: Int) { (self.path, self.line) = (path, line) }

        func failure(_ message: String) -> ImportError { ImportError(path, line: line, message) }

        /// Pixels of a picture that the file says.
        func size(_ width: Int, _ height: Int) throws -> PictureSize {
            guard (1..<1 << 16).contains(width), (1..<1 << 16).contains(height) else {
                throw failure("a picture of \(width) × \(height) pixels; expected 1 to 65535 each")
            }
            return PictureSize(width: width, height: height)
        }
    }

    /// Whether the input is a photo, as far as that is known.
    var mayBeStill: Bool { isStill ?? true }

    /// The files that are read, in their order.
    var files: [String] { format.hasFrameFiles ? FolderNames.glob(pattern ?? path) : [path] }

    /// Reads the whole file.
    /// - Throws: `ImportError`, `TrackFileError` and `FileError`, each a sentence with file and line.
    func read() throws -> ImportedRows {
        var rows =
            switch format {
            case .mot: try MOTReader(self).read()
            case .coco: try readCOCO()
            case .csv: try Self.read(try CSVReader(self)) { try $0.read() }
            case .tracks: try TracksReader(self).read()
            case .yolo: try YOLOReader(self).read()
            case .cvat: try Self.read(try CVATReader(self)) { try $0.read() }
            case .labelStudio: try Self.read(try LabelStudioReader(self)) { try $0.read() }
            case .voc: try VOCReader(self).read()
            case .deeplabcut: try DeepLabCutReader(self).read()
            }
        try rows.checkPlaces(path)
        try rows.sort(path)
        return rows
    }

    private func readCOCO() throws -> ImportedRows {
        if try COCOListReader.isList(path) { return try COCOListReader(self).read() }
        guard images == nil else {
            throw ImportError(path, "it has its own “images”; expected a list of results, or no “images”")
        }
        return try COCOReader(self).read()
    }

    private static func read<Reader>(
        _ reader: Reader, _ body: (inout Reader) throws -> ImportedRows
    ) rethrows -> ImportedRows {
        var reader = reader
        return try body(&reader)
    }

    func failure(_ line: Int?, _ message: String) -> ImportError { ImportError(path, line: line, message) }

    /// Number from 0 of a frame that the file numbers otherwise.
    func frame(_ number: Double, line: Int) throws -> Int64 {
        guard number == number.rounded(), abs(number) < Double(Self.mostFrames) else {
            throw failure(line, "frame \(short(number)); expected a whole number from \(firstFrame)")
        }
        guard Int(number) >= firstFrame else {
            throw failure(
                line,
                "frame \(Int(number)); expected \(firstFrame) or more: \(firstFrame) is the first (“firstFrame” says which)"
            )
        }
        return Int64(number) - Int64(firstFrame)
    }

    /// A time in seconds as nanoseconds.
    func nanoseconds(_ seconds: Double, line: Int) throws -> Int64 {
        guard seconds.isFinite, abs(seconds) < 1e9 else {
            throw failure(line, "time \(short(seconds)); expected seconds")
        }
        return Int64((seconds * 1e9).rounded())
    }

    /// Whether a box is none: one without a width or a height, as a click that was no drag leaves it.
    func isEmpty(_ numbers: [Double]) -> Bool {
        numbers.count == 4 && numbers.allSatisfy { $0.isFinite && abs($0) <= Self.farthest } && numbers[2] >= 0
            && numbers[3] >= 0 && numbers[2] * numbers[3] == 0
    }

    /// A box whose edges are 0 at the picture's.
    func box(_ numbers: [Double], line: Int) throws -> Box {
        guard numbers.allSatisfy({ $0.isFinite && abs($0) <= Self.farthest }), numbers[2] > 0, numbers[3] > 0 else {
            let told = numbers.map(short).joined(separator: ", ")
            throw failure(
                line, "the box \(told); expected left, top, and a width and height over 0, in pixels")
        }
        return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// More corners than an outline that somebody drew has.
    static let mostCorners = 1 << 16

    /// Corners, integers being pixel centres.
    func polygon(_ corners: [Point], line: Int) throws -> [Point] {
        guard (3...Self.mostCorners).contains(corners.count),
            corners.allSatisfy({ abs($0.x) <= Self.farthest && abs($0.y) <= Self.farthest })
        else {
            throw failure(line, "an outline of \(corners.count) corners; expected 3 or more, in pixels")
        }
        return corners
    }

    /// The error of a file that was found to be another one than before.
    func changed(_ line: Int) -> ImportError {
        failure(line, "something else than before: it changed while it was read; expected a file that stays as it is")
    }

    func id(_ number: Double, line: Int) throws -> Int? {
        guard number == number.rounded(), number >= -1, number < 9e15 else {
            throw failure(line, "the id \(short(number)); expected a whole number from 0, or -1 for none")
        }
        return number < 0 ? nil : Int(number)
    }

    /// More frames than any video has.
    static let mostFrames = 1_000_000_000_000_000

    /// The largest coordinate, pixels: nothing is as far from a picture.
    private static let farthest = 1e6

    private func short(_ number: Double) -> String {
        "\(number)".hasSuffix(".0") ? String("\(number)".dropLast(2)) : "\(number)"
    }
}
