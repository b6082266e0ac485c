internal import CVision
internal import Synchronization

/// The detector of the dictionary that was chosen, once it was: the tracker says, the detector asks.
final class ChosenDictionary: Sendable {
    private let choice = Mutex<MarkerDetector?>(nil)

    var detector: MarkerDetector? {
        get { choice.withLock { $0 } }
        set { choice.withLock { $0 = newValue } }
    }
}

/// Reads frames in all dictionaries until one is chosen, and in that one from then on.
///
/// What it did of a frame before it knew of the choice is done again by the tracker, so that no result depends on when that
/// was.
struct AutoMarkerDetector: Detector {
    let evidence: DictionaryEvidence
    /// Whether the search is on the half-size plane.
    let searchesHalf: Bool
    let chosen: ChosenDictionary

    /// The detection of one frame.
    enum Detection: Sendable {
        case sight(DictionaryChooser.Sight)
        case markers(FoundMarkers)
    }

    func detect(_ input: StageInput) throws -> Detection {
        if let detector = chosen.detector { return .markers(try detector.detect(input)) }
        return .sight(try sight(input))
    }

    func sight(_ input: StageInput) throws -> DictionaryChooser.Sight {
        let half = searchesHalf ? try input.frame.product(HalfSizeLuma.self) : nil
        return try input.frame.withLuma { luma in
            guard let half else { return try evidence.sight(ocv_plane(luma), half: nil) }
            return try half.withPlane { try evidence.sight(ocv_plane(luma), half: $0) }
        }
    }
}

/// Chooses the dictionary of `markers` with “auto”, frame by frame, and tracks the markers of that one from then on.
///
/// Nothing is reported before the choice, and nothing of any other dictionary after it.
struct AutoMarkerTracker: Tracker {
    /// Frames of which one is looked at for other dictionaries after the choice.
    private static let interval = 30

    private let detector: AutoMarkerDetector
    private let isStill: Bool
    private let make: (String) throws -> (MarkerDetector, MarkerTracker)
    private var chooser: DictionaryChooser
    private var chosen:
        (choice: DictionaryChooser.Choice, frame: Int, detector: MarkerDetector, tracker: MarkerTracker)?
    private var runs = 0

    /// - Parameter make: Makes the parts of a dictionary's stage.
    init(
        _ detector: AutoMarkerDetector, isStill: Bool,
        make: @escaping @Sendable (String) throws -> (MarkerDetector, MarkerTracker)
    ) {
        (self.detector, self.isStill, self.make) = (detector, isStill, make)
        chooser = DictionaryChooser(detector.evidence.families)
    }

    mutating func update(_ detection: AutoMarkerDetector.Detection, _ input: StageInput) throws -> [Observation] {
        runs += 1
        if chosen == nil || runs % Self.interval == 0 {
            let sight = if case .sight(let known) = detection { known } else { try detector.sight(input) }
            chooser.add(sight)
        }
        if chosen == nil, let choice = chooser.choice(isStill: isStill) {
            let parts = try make(choice.name)
            chosen = (choice, input.frame.ordinal, parts.0, parts.1)
            detector.chosen.detector = parts.0
        }
        guard let own = chosen?.detector else { return [] }
        let found = if case .markers(let known) = detection { known } else { try own.detect(input) }
        return chosen?.tracker.update(found, input) ?? []
    }

    var notes: [String] {
        guard let (choice, frame, _, _) = chosen else {
            guard let best = chooser.best else {
                return ["no dictionary was chosen: no marker of any was read in \(frames)"]
            }
            return [
                "no dictionary was chosen: \(ids(best.ids)) of \(best.name) in \(best.frames) of \(frames), "
                    + "which may be chance (\(rival(of: best))); where it is right, name it under “dictionary”"
            ]
        }
        var notes = [
            "dictionary \(choice.name) was chosen at frame \(frame): \(ids(choice.ids)) of it read without a fault in "
                + "\(choice.frames == 1 ? "a frame" : "\(choice.frames) frames"); \(rival(of: choice))"
        ]
        if let now = chooser.best, now.name != choice.name {
            notes.append(
                "later frames show \(ids(now.ids)) of \(now.name): only those of \(choice.name) are reported; name it "
                    + "under “dictionary” where it is the right one")
        }
        return notes
    }

    private var frames: String { chooser.frames == 1 ? "1 frame" : "\(chooser.frames) frames" }

    private func rival(of choice: DictionaryChooser.Choice) -> String {
        choice.rival.map { "next best \($0.name) with \($0.ids)" } ?? "no other has any"
    }

    private func ids(_ ids: [Int]) -> String {
        let some = ids.prefix(5).map(String.init).joined(separator: ", ") + (ids.count > 5 ? ", …" : "")
        return ids.count == 1 ? "marker \(some)" : "\(ids.count) markers (\(some))"
    }
}
