internal import Graph
internal import CVision
internal import Synchronization

/// `markers` with the dictionary “auto”: chooses one, and is the stage of that one from then on.
///
/// Nothing is reported before the choice, and nothing of any other dictionary after it. The choice is made by `update`, frame
/// by frame, so that it doesn't depend on threads; what `detect` did of a frame before it knew of the choice is done again.
///
/// `@unchecked Sendable`: `chooser`, `chosen` and what is counted are touched by `update` alone, which is never run twice at
/// once; `stage` is set there and read by `detect`.
final class AutoMarkersStage: Stage, @unchecked Sendable {
    /// One of so many frames is looked at for other dictionaries after the choice.
    private static let interval = 30

    private let evidence: DictionaryEvidence
    private let isStill: Bool
    private let searchesHalf: Bool
    private let make: @Sendable (String) throws -> MarkersStage
    private let stage = Mutex<MarkersStage?>(nil)
    private var chooser: DictionaryChooser
    private var chosen: (choice: DictionaryChooser.Choice, frame: Int)?
    private var runs = 0

    /// - Parameters:
    ///   - searchesHalf: Whether the search is on the half-size plane.
    ///   - make: Makes the stage of a dictionary.
    init(
        _ evidence: DictionaryEvidence, isStill: Bool, searchesHalf: Bool,
        make: @escaping @Sendable (String) throws -> MarkersStage
    ) {
        (self.evidence, self.isStill, self.searchesHalf, self.make) = (evidence, isStill, searchesHalf, make)
        chooser = DictionaryChooser(evidence.families)
    }

    /// What one frame shows.
    enum Detection: Sendable {
        case sight(DictionaryChooser.Sight)
        case markers(MarkersStage.Detection)
    }

    func detect(_ input: StageInput) throws -> Detection {
        if let stage = stage.withLock({ $0 }) { return .markers(try stage.detect(input)) }
        return .sight(try sight(input))
    }

    private func sight(_ input: StageInput) throws -> DictionaryChooser.Sight {
        let half = searchesHalf ? try input.frame.product(HalfSizeLuma.self) : nil
        return try input.frame.withLuma { luma in
            guard let half else { return try evidence.sight(ocv_plane(luma), half: nil) }
            return try half.withPlane { try evidence.sight(ocv_plane(luma), half: $0) }
        }
    }

    func update(_ detection: Detection, _ input: StageInput) throws -> [Observation] {
        runs += 1
        if chosen == nil || runs % Self.interval == 0 {
            let sight = if case .sight(let known) = detection { known } else { try sight(input) }
            chooser.add(sight)
        }
        if chosen == nil, let choice = chooser.choice(isStill: isStill) {
            chosen = (choice, input.frame.ordinal)
            let made = try make(choice.name)
            stage.withLock { $0 = made }
        }
        guard let stage = stage.withLock({ $0 }) else { return [] }
        if case .markers(let found) = detection { return try stage.update(found, input) }
        return try stage.update(try stage.detect(input), input)
    }

    var notes: [String] {
        guard let (choice, frame) = chosen else {
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
