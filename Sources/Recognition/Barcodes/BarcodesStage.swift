internal import CVision

/// `barcodes`: codes of bars and modules with their payloads, tracked.
public struct BarcodesBlueprint: StageBlueprint {
    /// The options of `barcodes`: the kinds of codes that are looked for, how thoroughly, and how long one is
    /// remembered.
    public struct Options: Record {
        var symbologies = BarcodeSymbology.allCases
        var level: RecognitionLevel = .accurate
        var timeout = 2.0
        var confirmation = 2
        var supplements = false
        var margin = 0.1

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "symbologies", \.symbologies, .subset(), .optional,
                doc: "The kinds of codes that are looked for; fewer are faster."),
            Field(
                "level", \.level, .choice(), .optional,
                doc:
                    "How many places of a frame are looked at beside the frame as a whole; a photo is searched thoroughly."
            ),
            Field(
                "timeout", \.timeout, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a code may be out of sight and be found again under its track; then the track ends."),
            Field(
                "confirmation", \.confirmation, .integer(1...100), .optional, unit: "runs",
                doc:
                    "A code of bars, of several rows too, gets its track number when it has been read so often; one of which a dozen "
                    + "lines of a picture say the same, or several looks at it, counts twice; "
                    + "a matrix of modules gets it at once, and in a photo all."
            ),
            Field(
                "supplements", \.supplements, .flag, .optional,
                doc: "Also reads the EAN-2 or EAN-5 beside an EAN or UPC, as `supplement`; takes longer."),
            Field(
                "margin", \.margin, .number(Bounds(0, 2)), .optional, unit: "of the region's size",
                doc: "With “inputs”: how much around a region is looked at as well, on every side."),
        ]
    }

    public static let contract = StageContract(
        type: "barcodes",
        summary:
            "Finds and reads QR, Data Matrix, Aztec, PDF417, MaxiCode and bar codes, in the frame or in regions of its inputs; a "
            + "track each, by payload and place.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, emits: [BarcodeFinding.self],
        options: Options.self, searchesPictures: true)

    private let options: Options
    private let takesRegions: Bool

    public init(_ options: Options, _ context: OptionContext) {
        _ = openCVIsInitialized
        self.options = options
        takesRegions = context.hasInputs
    }

    public var labels: LabelSources? { LabelSources(names: BarcodeSymbology.allCases.map(\.rawValue)) }

    public func makeStage(_ context: StageContext) -> Stage {
        let isAccurate = options.level == .accurate
        // What isn't looked at in one frame of a video is in another.
        let effort = context.isStill ? (isAccurate ? 400 : 40) : (isAccurate ? 2 : 1)
        let reader = BarcodeReader(
            symbologies: options.symbologies, effort: effort, isStill: context.isStill,
            supplements: options.supplements)
        let margin = takesRegions ? options.margin : nil
        return Stage(
            BarcodeDetector(reader: reader, margin: margin),
            BarcodeTracker(
                id: context.id, reader: reader, margin: margin, hides: context.hides,
                tracking: BarcodeTracking(options, countsAtOnce: context.isStill || context.hides)))
    }
}

/// Recognition level: how much time is spent for accuracy, as Vision has it.
enum RecognitionLevel: String, CaseIterable, Sendable {
    case accurate, fast
}

/// Reads the codes of one frame, or of regions of it.
private struct BarcodeDetector: StorableDetector {
    let reader: BarcodeReader
    /// Around a region, of its size; nil where the frame is looked at.
    let margin: Double?

    func detect(_ input: StageInput) -> [FoundBarcode] {
        // What is known of the frames before decides what has to be proven.
        guard margin != nil || reader.isStill else { return reader.readings(in: input.frame) }
        return reader.codes(in: input.frame, regions: margin.map { SearchedRegions(input, margin: $0) })
    }
}

/// Gives codes their tracks, and looks again where one may have come or gone.
private struct BarcodeTracker: Tracker {
    private let id: String
    private let reader: BarcodeReader
    /// Where codes are looked for; nil for the whole frame.
    private var regions: SearchedRegions?
    /// Whether known codes are told outside of the regions as well: what is hidden stays hidden where its region isn't found.
    private let hides: Bool
    private var tracking: BarcodeTracking
    private var last: FrameCells?
    /// Tracks that are lost, and whether one of them hasn't been looked for everywhere yet.
    private var lost: Set<Int> = []
    private var isMissing = false
    /// Time at which most ways were tried last, seconds.
    private var looked = -Double.infinity
    /// Least time between two such looks but for cuts, seconds.
    private static let pause = 1.0
    /// When something was last in vain looked for that is to be hidden, seconds.
    private var wasMissing = -Double.infinity
    /// For how long every frame is then looked at in most ways, seconds.
    private static let search = 2.0

    init(id: String, reader: BarcodeReader, margin: Double?, hides: Bool, tracking: BarcodeTracking) {
        (self.id, self.reader, self.hides, self.tracking) = (id, reader, hides, tracking)
        regions = margin.map(SearchedRegions.init(margin:))
    }

    mutating func update(_ found: [FoundBarcode], _ input: StageInput) -> [Observation] {
        let seconds = input.frame.seconds
        var found = found
        regions?.advance(to: input)
        let regions = regions
        if !reader.isStill {
            let cells = FrameCells(input.frame)
            // What a cut brings, or where a lost code is, may be gone before its turn comes.
            if cells.isCut(from: last) || isMissing && seconds - looked >= Self.pause
                || hides && seconds - wasMissing <= Self.search
            {
                found = reader.codesOfNewScene(in: input.frame, regions: regions)
                (looked, isMissing) = (seconds, false)
            } else if let new = regions?.new, !new.isEmpty {
                let more = reader.codesOfNewScene(in: input.frame, regions: regions, parts: new)
                found += more.filter { code in
                    !found.contains { BarcodeEvidence.areOne($0.polygon, code.polygon) }
                }
            }
            last = cells
        }
        let (reader, hides) = (reader, hides)
        // What is hidden is read in every frame: nothing may be taken for it that isn't.
        let follows = !reader.isStill && !hides
        let codes = tracking.update(
            found, at: seconds, in: follows ? input.frame : nil, prove: { reader.believed($0, in: input.frame) },
            look: { expected in
                reader.codes(in: input.frame, like: expected, effort: 2).filter { code in
                    hides || regions.map { $0.hasPart(at: code.center) } ?? true
                }
            })
        let missing = Set(codes.filter { $0.state == .lost }.map(\.track))
        isMissing = isMissing || !missing.isSubset(of: lost)
        note(codes, at: seconds, in: PictureSize(width: input.frame.width, height: input.frame.height))
        lost = missing
        return codes.map { tracked in
            Observation(
                BarcodeFinding(payload: tracked.code.payload, supplement: tracked.code.supplement), stage: id,
                track: TrackReference(stage: id, number: tracked.track),
                about: tracked.state.isInSight ? regions?.track(at: tracked.code.polygon) : nil,
                label: tracked.code.symbology.rawValue, state: tracked.state,
                polygon: tracked.state.isInSight ? tracked.code.polygon : nil)
        }
    }

    /// Notes when what is to be hidden was lost, but over the picture's edge.
    private mutating func note(_ codes: [BarcodeTracking.Code], at seconds: Double, in size: PictureSize) {
        guard hides else { return }
        let isNew = codes.contains { code in
            code.state == .lost && !lost.contains(code.track)
                && Box(around: code.code.polygon).map { !$0.isNearEdge(of: size) } ?? false
        }
        if isNew { wasMissing = seconds }
    }
}
