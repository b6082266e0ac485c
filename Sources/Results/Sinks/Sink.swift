/// A form of results: fed frame by frame, while a job runs and from a saved track file alike.
///
/// A new one is a type and a line in `SinkCatalog.standard`, or, in a program on this library, `SinkCatalog.register`. It
/// writes under its file's temporary name and leaves giving it its name to whoever feeds it.
public protocol Sink: AnyObject, SendableMetatype {
    /// Names of the form.
    static var format: SinkFormat { get }

    /// Begins a file of results.
    /// - Parameters:
    ///   - file: Where to write; owned by the caller.
    ///   - context: What is known before the first frame.
    init(_ file: OutputFile, _ context: SinkContext) throws

    /// Takes the next frame, in order, also one without observations.
    func write(_ frame: FrameRecord) throws

    /// Ends the file.
    /// - Parameters:
    ///   - outcome: What is known of the source now that it has been read.
    ///   - summary: Of all that was written.
    func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws

    /// Notes on what it was given and the format can't say, a sentence each. Asked for when it has finished.
    var notes: [String] { get }
}

extension Sink {
    /// No notes.
    public var notes: [String] { [] }
}

/// The context of a sink: what it knows before the first frame.
public struct SinkContext: Sendable {
    /// Header of the track file, with the stages whose results come. What only reading to the end tells is not in it
    /// yet.
    public var header: TrackFileHeader
    /// The kinds that the stages emit.
    public var kinds: FindingCatalog
    /// Styles of each stage's kinds, by the stage's id and the kind; a kind that isn't there isn't drawn.
    public var styles: [String: [String: DrawStyle]] = [:]
    /// Format of pictures of frames, if any go with the results.
    var pictures = PictureFormat.jpg
    /// Whether texts in tables stay as they are, also those that a spreadsheet takes for formulas.
    var keepsFormulas = false
    /// Whether tables have a row for a frame in which nothing was seen.
    var writesEmpty = false

    /// The context of a job's sink; without styles nothing is drawn.
    public init(header: TrackFileHeader, kinds: FindingCatalog, styles: [String: [String: DrawStyle]] = [:]) {
        (self.header, self.kinds, self.styles) = (header, kinds, styles)
    }
}

/// Names and properties of a form of results.
public struct SinkFormat: Sendable {
    /// The word in `output.formats` and behind `--format`.
    public var name: String
    /// The name for people; notes of the sink begin with it.
    public var title: String
    /// Ending of the file's name, behind a job's id.
    public var suffix: String
    /// What the form is, in one sentence.
    public var doc: String
    /// Whether the results of some stages alone make a whole file.
    public var takesParts = true
    /// Whether it is a folder of files.
    public var isFolder = false
    /// Folder in which its readers look for pictures of the frames; nil where they need none.
    public var pictures: PicturePlace?
    /// Whether a player shows it with the video: it lies beside that, also where track files have a folder of their
    /// own.
    public var isShown = false

    /// A form of results.
    /// - Parameters:
    ///   - name: Lowercase, as the manifest has it.
    ///   - title: For people; notes of the sink begin with it.
    ///   - suffix: With its dot, `.brightness.csv`; no other sink has it.
    ///   - doc: What the form is, in one sentence.
    ///   - takesParts: Whether the results of some stages alone make a whole file.
    ///   - isFolder: Whether it is a folder of files.
    ///   - pictures: Where its readers look for pictures of the frames; nil where they need none.
    ///   - isShown: Whether a player shows it with the video: it lies beside that.
    public init(
        name: String, title: String, suffix: String, doc: String, takesParts: Bool = true, isFolder: Bool = false,
        pictures: PicturePlace? = nil, isShown: Bool = false
    ) {
        self.name = name
        self.title = title
        self.suffix = suffix
        self.doc = doc
        self.takesParts = takesParts
        self.isFolder = isFolder
        self.pictures = pictures
        self.isShown = isShown
    }
}
