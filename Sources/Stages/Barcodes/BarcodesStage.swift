internal import CVision
public import Graph

/// `barcodes`: codes of bars and modules with their payloads, tracked.
public struct BarcodesBlueprint: StageBlueprint {
    static let symbologies = StageOption<[BarcodeSymbology]>.subset(
        "symbologies", doc: "The kinds of codes that are looked for; fewer are faster.")
    static let level = StageOption<RecognitionLevel>(
        "level", .choice(), default: .accurate,
        doc: "How many places of a frame are looked at beside the frame as a whole; a photo is searched thoroughly.")
    static let timeout = StageOption(
        "timeout", .number(Bounds(0, 60)), default: 2, unit: "s",
        doc: "How long a code may be out of sight and be found again under its track; then the track ends.")
    static let confirmation = StageOption(
        "confirmation", .integer(1...100), default: 2, unit: "runs",
        doc:
            "A code of bars, of several rows too, gets its track number when it has been read so often; a matrix of modules "
            + "at once, and in a photo all.")

    public static let contract = StageContract(
        type: "barcodes",
        summary:
            "Finds and reads QR, Data Matrix, Aztec, PDF417, MaxiCode and bar codes; a track each, by payload and place.",
        produces: [.regions, .tracks], keepsState: true, emits: [BarcodeFinding.self],
        options: [symbologies.property, level.property, timeout.property, confirmation.property])

    private let symbologies: [BarcodeSymbology]
    private let level: RecognitionLevel
    private let settings: BarcodeTracking.Settings

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        symbologies = options[Self.symbologies]
        level = options[Self.level]
        settings = BarcodeTracking.Settings(
            timeout: options[Self.timeout], confirmation: options[Self.confirmation])
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        var settings = settings
        if context.isStill { settings.confirmation = 1 }
        // What isn't looked at in one frame of a video is in another.
        let effort = context.isStill ? (level == .accurate ? 400 : 40) : (level == .accurate ? 2 : 1)
        let reader = BarcodeReader(symbologies: symbologies, effort: effort, isStill: context.isStill)
        return BarcodesStage(id: context.id, reader: reader, settings: settings)
    }
}

/// How much time is spent for accuracy, as Vision has it.
enum RecognitionLevel: String, CaseIterable, Sendable {
    case accurate, fast
}

/// Reads in any order, then tracks in order.
///
/// `@unchecked Sendable`: `tracking` is touched by `update` alone, which is never run twice at once.
private final class BarcodesStage: Stage, @unchecked Sendable {
    private let id: String
    private let reader: BarcodeReader
    private var tracking: BarcodeTracking
    private var last: FrameCells?
    /// Tracks that are lost, and whether one of them hasn't been looked for everywhere yet.
    private var lost: Set<Int> = []
    private var isMissing = false
    /// When most ways were tried last, seconds.
    private var looked = -Double.infinity
    /// The least time between two such looks but for cuts, seconds.
    private static let pause = 1.0

    init(id: String, reader: BarcodeReader, settings: BarcodeTracking.Settings) {
        self.id = id
        self.reader = reader
        tracking = BarcodeTracking(settings: settings)
    }

    func detect(_ input: StageInput) throws -> [FoundBarcode] { reader.codes(in: input.frame) }

    func update(_ found: [FoundBarcode], _ input: StageInput) throws -> [Observation] {
        let seconds = input.frame.seconds
        var found = found
        if !reader.isStill {
            let cells = FrameCells(input.frame)
            // What a cut brings, or where a lost code is, may be gone before its turn comes.
            if cells.isCut(from: last) || isMissing && seconds - looked >= Self.pause {
                found = reader.codesOfNewScene(in: input.frame)
                (looked, isMissing) = (seconds, false)
            }
            last = cells
        }
        let codes = tracking.update(found, at: seconds) { reader.codes(in: input.frame, at: $0, effort: 2) }
        let missing = Set(codes.filter { $0.state == .lost }.map(\.track))
        isMissing = isMissing || !missing.isSubset(of: lost)
        lost = missing
        return
            codes
            .map { tracked in
                Observation(
                    BarcodeFinding(payload: tracked.code.payload), stage: id,
                    track: TrackReference(stage: id, number: tracked.track), label: tracked.code.symbology.rawValue,
                    state: tracked.state, polygon: tracked.state.isInSight ? tracked.code.polygon : nil)
            }
    }
}
