/// A form of results: fed frame by frame, while a job runs and from a saved track file alike.
///
/// A new one is a type and a line in `SinkCatalog.standard`, or, in a program on this library, `SinkCatalog.register`. It
/// writes under its file's temporary name and leaves giving it its name to whoever feeds it.
public protocol Sink: AnyObject, SendableMetatype {
    /// What it is called.
    static var format: SinkFormat { get }

    /// - Parameter file: Where to write; owned by the caller.
    init(_ file: OutputFile, _ context: SinkContext) throws

    /// Takes the next frame, in order, also one without observations.
    func write(_ frame: FrameRecord) throws

    /// Ends the file.
    /// - Parameters:
    ///   - outcome: What is known of the source now that it has been read.
    ///   - summary: Of all that was written.
    func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws

    /// What it was given and the format can't say, a sentence each. Asked for when it has finished.
    var notes: [String] { get }
}

extension Sink {
    public var notes: [String] { [] }
}

/// What a sink knows before the first frame.
public struct SinkContext: Sendable {
    /// Its stages are those whose results come. What only reading to the end tells is not in it yet.
    public var header: TrackFileHeader
    /// What the stages emit.
    public var kinds: FindingCatalog
    /// How each stage's kinds are drawn, by the stage's id and the kind; a kind that isn't there isn't drawn.
    public var styles: [String: [String: DrawStyle]] = [:]
    /// What pictures of frames are that go with the results, if any do.
    var pictures = PictureFormat.jpg
    /// Leaves texts in tables as they are, also those that a spreadsheet takes for formulas.
    var keepsFormulas = false

    public init(header: TrackFileHeader, kinds: FindingCatalog, styles: [String: [String: DrawStyle]] = [:]) {
        (self.header, self.kinds, self.styles) = (header, kinds, styles)
    }
}

/// What a form of results is called.
public struct SinkFormat: Sendable {
    /// The word in `output.formats` and behind `--format`.
    public var name: String
    /// What people call it: what a sink notes begins with it.
    public var title: String
    /// Behind a job's id.
    public var suffix: String
    /// One sentence.
    public var doc: String
    /// False where the results of some stages alone make no whole file.
    public var takesParts = true
    /// True for a folder of files.
    public var isFolder = false
    /// Where its readers look for pictures of the frames; nil where they need none.
    public var pictures: PicturePlace?
    /// True for what a player shows with the video: it lies beside that, also where track files have a folder of their own.
    public var isShown = false

    /// - Parameters:
    ///   - name: Lowercase, as the manifest has it.
    ///   - suffix: With its dot, `.brightness.csv`; no other sink has it.
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
